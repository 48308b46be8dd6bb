// The messages of the open channel. One element per id, patched in place; the view never jumps.

import { day } from "./clock.js";
import { byId, h } from "./dom.js";
import { draw } from "./message.js";
import { refused } from "./notices.js";
import { inOrder, line, markRead, newer, state } from "./store.js";

const NEAR = 60; // pixels from the end that still count as the end
const SOON = 7 * 60000; // messages of one person closer than this stand together

let hooks = {};
let atEnd = true;
let known = "";

export const setHooks = (given) => (hooks = given);
const elements = () => [...byId("log").children].filter((child) => child.dataset.message);

export function toEnd() {
  const box = byId("scroll");
  box.scrollTop = box.scrollHeight;
  atEnd = true;
  byId("down").hidden = true;
}

/** Days between messages, and no repeated name under a name. */
function group() {
  let before = null;
  for (const child of [...byId("log").children]) if (child.classList.contains("day")) child.remove();
  for (const element of elements()) {
    const ms = Number(element.dataset.minute);
    const date = new Date(ms).toDateString();
    const newDay = !before || new Date(Number(before.dataset.minute)).toDateString() !== date;
    if (newDay) element.before(h("div", { class: "day", attr: { role: "separator" } }, h("span", { text: day(ms) })));
    element.classList.toggle("follow", !newDay && before.dataset.author === element.dataset.author && !element.dataset.lead
      && !before.classList.contains("is-system") && ms - Number(before.dataset.minute) < SOON);
    before = element;
  }
}

const empty = () => {
  const channel = state.channels.get(state.open);
  return h("div", { class: "empty" }, h("p", { class: "empty-title", text: channel?.kind === "direct" ? `You and ${channel.name}` : `Welcome to ${channel?.kind === "channel" ? "#" : ""}${channel?.name ?? ""}` }),
    h("p", { text: channel?.kind === "direct" ? "Write to the bot, or type / for its commands." : "Nothing here yet. Type / for the bot's commands." }));
};

export function showChannel(id, { messages, more }) {
  state.messages.set(id, new Map(messages.map((message) => [message.id, message])));
  state.more.set(id, more);
  byId("log").replaceChildren(...(messages.length ? messages.map((message) => draw(message, hooks)) : [empty()]));
  byId("log").setAttribute("aria-busy", "false");
  group();
  toEnd();
  markRead(id);
}

export function patch(message) {
  if (message.channel_id !== state.open || !state.messages.has(state.open)) return;
  byId("log").querySelector(".empty")?.remove();
  const old = document.getElementById(`m-${message.id}`);
  const first = elements()[0]?.dataset.message;
  if (first && newer(first, message.id) && state.more.get(state.open)) return; // it comes with those before and after it
  const held = old?.contains(document.activeElement) ? document.activeElement : null;
  const place = held && { custom: held.dataset.custom, label: held.dataset.label, open: held.getAttribute("aria-expanded") === "true", index: [...old.querySelectorAll("button, a")].indexOf(held) };
  const element = draw(message, hooks, old);
  if (old) old.replaceWith(element);
  else {
    const next = elements().find((other) => inOrder(other.dataset.message, message.id) > 0);
    if (next) next.before(element);
    else byId("log").append(element);
  }
  if (place) {
    const controls = [...element.querySelectorAll("button, a")];
    const same = controls.find((control) => place.custom && control.dataset.custom === place.custom)
      ?? controls.find((control) => place.label && control.dataset.label === place.label);
    (same ?? controls[place.index] ?? element).focus();
    if (place.open) same?.click(); // an edit leaves an open menu open
  }
  group();
  if (message.author.id === state.me.id && !old) toEnd();
  else if (!old && !atEnd) byId("down").hidden = false;
  if (atEnd) markRead(state.open);
}

export function remove(id) {
  const element = document.getElementById(`m-${id}`);
  if (!element) return;
  state.messages.get(state.open)?.delete(id);
  if (element.contains(document.activeElement)) byId("text")?.focus();
  element.remove();
  group();
  if (!elements().length) byId("log").replaceChildren(empty());
}

async function older() {
  const channel = state.open;
  const first = elements()[0]?.dataset.message;
  if (!channel || !first || !state.more.get(channel)) return;
  state.more.set(channel, false);
  try {
    const { messages, more } = await line.ask("history", { channel, before: first });
    if (channel !== state.open || !state.me) return;
    const box = byId("scroll");
    const height = box.scrollHeight - box.scrollTop;
    for (const message of messages) state.messages.get(channel).set(message.id, message);
    byId("log").prepend(...messages.map((message) => draw(message, hooks)));
    state.more.set(channel, more);
    group();
    box.scrollTop = box.scrollHeight - height;
  } catch (error) {
    refused(error);
  }
}

export function watch() {
  const box = byId("scroll");
  const measure = () => `${box.scrollHeight} ${box.clientHeight}`;
  box.addEventListener("scroll", () => {
    // A scroll that comes of a log that grew or shrank is nobody's wish; the observer below sees to it.
    if (measure() !== known) return;
    atEnd = box.scrollHeight - box.scrollTop - box.clientHeight < NEAR;
    if (atEnd) {
      byId("down").hidden = true;
      if (state.open) markRead(state.open);
    }
    if (box.scrollTop < 200) older();
  }, { passive: true });
  // Pictures arrive late and keyboards shrink the view: who was at the end stays there.
  const stay = new ResizeObserver(() => {
    known = measure();
    if (atEnd) box.scrollTop = box.scrollHeight;
  });
  stay.observe(byId("log"));
  stay.observe(box);
  byId("down").addEventListener("click", toEnd);
}
