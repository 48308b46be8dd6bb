// Where people write. Enter sends, Shift+Enter breaks the line, Esc steps back, a draft is never lost.

import { byId, h } from "./dom.js";
import { Listbox } from "./listbox.js";
import { refused } from "./notices.js";
import { CommandForm } from "./slash.js";
import { avatar } from "./sidebar.js";
import { decodeMentions, encodeMentions, everybody, inOrder, line, state } from "./store.js";

const drafts = new Map();
let commands = [];
let reply = null;
let editing = null;
let form = null;
let typingUntil = 0;
let busySince = 0;

const text = h("textarea", { id: "text", rows: 1, maxLength: 4000, data: { testid: "text" },
  attr: { "aria-label": "Message", role: "combobox", "aria-expanded": "false", "aria-autocomplete": "list", enterkeyhint: "send" } });
const send = h("button", { type: "button", class: "send", text: "Send", data: { testid: "send" }, on: { click: () => (form ? form.run() : submit()) } });
const bar = h("div", { class: "bar", hidden: true, data: { testid: "bar" } });
const status = h("p", { class: "status", data: { testid: "status" }, attr: { role: "status" } });
const list = new Listbox(text, choose, { label: "Suggestions", testid: "suggestions" });
const place = h("div", { class: "place" }, text);

function size() {
  text.style.height = "auto";
  text.style.height = `${Math.min(text.scrollHeight, 220)}px`;
  send.disabled = !form && !text.value.trim();
}

const who = () => `${state.open}-${state.me?.id}`;
const draft = () => drafts.get(who()) ?? "";

function showBar() {
  const what = editing ? "Editing your message" : reply ? `Replying to ${reply.author.shown}` : "";
  bar.hidden = !what;
  bar.replaceChildren(h("span", { text: what }), h("button", { type: "button", class: "plain", text: "×", attr: { "aria-label": editing ? "Stop editing" : "Don't reply" }, on: { click: stepBack } }));
}

export function replyTo(message) {
  const rest = editing ? draft() : text.value;
  editing = null;
  reply = message;
  leave(rest);
  showBar();
}

export function editMessage(message) {
  reply = null;
  editing = message;
  leave(decodeMentions(message.content));
  showBar();
}

function stepBack() {
  if (editing) text.value = draft();
  reply = editing = null;
  showBar();
  size();
  text.focus();
}

// ---------------------------------------------------------------- sending

async function submit() {
  const typed = text.value.trim();
  if (!typed || !state.open) return;
  if (typed.startsWith("/") && typedCommand(typed)) return;
  const what = { channel: state.open, text: encodeMentions(typed) };
  const [answer, old, here] = [reply, editing, who()];
  if (!old) drafts.delete(here);
  const rest = draft(); // of a message that waits while another is edited
  text.value = rest;
  reply = editing = null;
  list.hide();
  showBar();
  size();
  try {
    if (old) await line.ask("edit", { ...what, message: old.id });
    else await line.ask("send", { ...what, reply: answer?.id });
  } catch (error) {
    refused(error);
    if (!old && !drafts.has(here)) drafts.set(here, typed);
    if (who() === here && text.value === rest) {
      text.value = typed;
      [reply, editing] = [answer, old];
      showBar();
      size();
    }
  }
}

/** "/echo text:hello times:2", typed or pasted: fill the form in and run it. */
function typedCommand(typed) {
  const command = [...commands].sort((a, b) => b.name.length - a.name.length).find((one) => typed === `/${one.name}` || typed.startsWith(`/${one.name} `));
  if (!command) return false;
  start(command);
  const names = command.options.map((option) => option.name);
  const pieces = typed.slice(command.name.length + 1).split(new RegExp(`(?:^|\\s)(${names.join("|") || "$"}):`));
  for (let at = 1; at < pieces.length; at += 2) form?.fill(pieces[at], pieces[at + 1].trim());
  if (form && pieces.length > 1) form.run();
  return true;
}

// ---------------------------------------------------------------- suggestions

function suggest() {
  const before = text.value.slice(0, text.selectionStart);
  const slash = /^\/([\w -]*)$/.exec(text.value);
  if (slash && !editing) {
    const typed = slash[1].toLowerCase();
    const fits = commands.filter((command) => command.name.startsWith(typed)).concat(commands.filter((command) => !command.name.startsWith(typed) && command.name.includes(typed)));
    list.show(fits.slice(0, 25).map((command) => ({ label: `/${command.name}`, hint: command.description, value: command.name, command })));
    return;
  }
  const found = /(^|\s)([@#])([^\s@#]{0,30})$/.exec(before);
  if (!found) {
    list.hide();
    return;
  }
  const typed = found[3].toLowerCase();
  const items = found[2] === "@"
    ? everybody().filter((p) => p.shown.toLowerCase().startsWith(typed) || p.name.startsWith(typed)).map((p) => ({ label: p.shown, hint: `@${p.name}`, value: `@${p.shown}`, mark: avatar(p, "tiny") }))
    : [...state.channels.values()].filter((c) => c.kind === "channel" && c.name.startsWith(typed)).map((c) => ({ label: `#${c.name}`, value: `#${c.name}` }));
  list.show(items.map((item) => ({ ...item, from: before.length - found[3].length - 1, to: before.length })));
}

function choose(item) {
  if (item.command) {
    start(item.command);
    return;
  }
  text.setRangeText(`${item.value} `, item.from, item.to, "end");
  list.hide();
  size();
}

function start(command) {
  list.hide();
  text.value = "";
  drafts.delete(who());
  reply = null;
  showBar();
  if (command.options.length === 0) {
    line.ask("slash", { channel: state.open, name: command.name, options: {} }).catch(refused);
    size();
    return;
  }
  form = new CommandForm(command, { leave, refused, sent: () => leave("") });
  place.replaceChildren(form.element);
  size();
  if (form.empty) form.element.querySelector(".add")?.focus();
  else form.focus();
}

function leave(rest) {
  form = null;
  place.replaceChildren(text);
  text.value = rest;
  size();
  text.focus();
}

// ---------------------------------------------------------------- the rest

export function drawComposer() {
  byId("foot").replaceChildren(status, bar, h("div", { class: "composer" }, list.element, place, send));
  text.addEventListener("input", () => {
    if (!editing) drafts.set(who(), text.value);
    size();
    suggest();
  });
  text.addEventListener("blur", () => list.hide());
  text.addEventListener("keydown", (event) => {
    if (list.key(event)) return;
    if (event.key === "Enter" && !event.shiftKey && !event.isComposing) {
      event.preventDefault();
      submit();
    } else if (event.key === "Escape") {
      stepBack();
    } else if (event.key === "ArrowUp" && text.value === "") {
      const mine = [...(state.messages.get(state.open)?.values() ?? [])].filter((m) => m.author.id === state.me.id && m.type in { 0: 1, 19: 1 });
      const last = mine.sort((a, b) => inOrder(a.id, b.id)).at(-1);
      if (last) {
        event.preventDefault();
        editMessage(last);
      }
    }
  });
}

/** The composer of another channel or person. */
export function moveTo(channel) {
  reply = editing = form = null;
  typingUntil = 0;
  place.replaceChildren(text);
  text.value = draft();
  text.placeholder = channel ? `Message ${channel.kind === "channel" ? "#" : ""}${channel.name}` : "";
  text.disabled = !channel;
  list.hide();
  showBar();
  size();
}

export async function learnCommands() {
  const channel = state.open;
  try {
    const found = await line.ask("commands", { channel });
    if (channel === state.open) commands = found;
  } catch {
    commands = [];
  }
}

/** The bot types: Discord shows that for ten seconds, or until it wrote. */
export const typing = (on) => (typingUntil = on ? Date.now() + 10000 : 0);

export function drawStatus() {
  busySince = state.busy ? busySince || Date.now() : 0;
  const works = Date.now() < typingUntil || (busySince && Date.now() - busySince > 350);
  const says = works ? `${state.bot?.shown ?? "The bot"} is working…` : "";
  if (status.textContent !== says) status.textContent = says;
  status.classList.toggle("on", Boolean(says));
}
