// The page: the address says who plays and what is open; news change what is shown.

import { refresh } from "./clock.js";
import { drawComposer, drawStatus, editMessage, learnCommands, moveTo, replyTo, typing } from "./composer.js";
import { byId } from "./dom.js";
import { patch, remove, setHooks, showChannel, watch } from "./log.js";
import { openModal } from "./modal.js";
import { notice, refused } from "./notices.js";
import { drawer, drawSidebar, drawTop } from "./sidebar.js";
import { greet, keep, line, setChannels, state } from "./store.js";

function address() {
  const [path, query] = location.hash.slice(1).split("?");
  return { channel: /^\/channel\/(\d+)$/.exec(path)?.[1] ?? null, person: new URLSearchParams(query ?? "").get("as") ?? "" };
}

const go = (channel, person) => history.replaceState(null, "", `#/channel/${channel}?as=${person}`);

/** Ready to type, where that doesn't raise a keyboard on the screen. */
function write() {
  if (matchMedia("(hover: hover)").matches && !document.querySelector("dialog")) byId("text")?.focus({ preventScroll: true });
}

async function openChannel(id) {
  state.open = id;
  document.body.dataset.open = "";
  byId("log").setAttribute("aria-busy", "true");
  moveTo(state.channels.get(id));
  drawTop();
  drawer(false);
  try {
    const [history] = await Promise.all([line.ask("history", { channel: id }), learnCommands()]);
    if (state.open !== id || !state.me) return;
    showChannel(id, history);
    document.body.dataset.open = `${id}-${state.me.name}`; // what tests wait for
    drawSidebar();
    write();
  } catch (error) {
    refused(error);
  }
}

/** Show what the address says. */
function follow() {
  const { channel, person } = address();
  if (state.me && person && person !== state.me.name) {
    state.me = null;
    line.open(person);
    return;
  }
  if (!state.me) return;
  const wanted = state.channels.get(channel) ?? [...state.channels.values()].find((c) => c.name === "games") ?? [...state.channels.values()][0];
  // A direct channel belongs to one person: the next one has their own.
  go(wanted.id, state.me.name);
  openChannel(wanted.id);
}

// Until the next person is greeted, nobody is looking: the greeting brings all that they see.
const ALWAYS = new Set(["hello", "lost", "notice", "time", "busy"]);
const on = (what, hear) => line.addEventListener(what, (event) => (state.me || ALWAYS.has(what)) && hear(event.detail));

on("hello", (told) => {
  const old = state.channels.get(address().channel);
  greet(told);
  document.body.classList.remove("lost");
  if (old?.kind === "direct") {
    const mine = [...state.channels.values()].find((c) => c.kind === "direct");
    if (mine) go(mine.id, state.me.name);
  }
  drawSidebar();
  follow();
});
on("lost", () => {
  if (!document.body.classList.contains("lost")) notice("The sandbox doesn't answer. Waiting for it.", "warning");
  document.body.classList.add("lost");
  document.body.dataset.open = "";
});
on("message", ({ message }) => {
  keep(message);
  patch(message);
  if (message.author.id === state.bot.id && message.channel_id === state.open) typing(false);
  drawSidebar();
  drawStatus();
});
on("gone", ({ message }) => remove(message));
on("channels", ({ channels }) => {
  setChannels(channels);
  drawSidebar();
  drawTop();
});
on("commands", () => state.open && learnCommands());
on("notice", ({ text, level }) => notice(text, level));
on("modal", ({ interaction, modal }) => openModal(interaction, modal));
on("typing", ({ channel }) => channel === state.open && typing(true));
on("busy", ({ busy }) => {
  state.busy = busy;
  drawStatus();
});
on("time", ({ now }) => {
  state.skew = now - Date.now();
  refresh();
});

setHooks({ reply: replyTo, edit: editMessage });
drawComposer();
watch();
drawer(false);
byId("veil").addEventListener("click", () => drawer(false));
// Also when the channel is already the open one, which changes no address.
byId("side").addEventListener("click", (event) => {
  if (!event.target.closest("a.channel")) return;
  drawer(false);
  write();
});
byId("skip").addEventListener("click", (event) => {
  event.preventDefault();
  byId("text").focus();
});
document.addEventListener("keydown", (event) => {
  if (event.key === "Escape" && byId("app").classList.contains("drawn")) drawer(false);
});
addEventListener("hashchange", follow);
setInterval(() => {
  refresh();
  drawStatus();
}, 500);
line.open(address().person);
