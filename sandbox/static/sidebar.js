// Channels with their threads, the bot's direct messages, who one plays as, and the clock.
// Every entry is a link or a button; what is open is in the address.

import { refresh } from "./clock.js";
import { byId, h, patch } from "./dom.js";
import { notice, refused } from "./notices.js";
import { inOrder, isUnread, line, state } from "./store.js";

const signs = { channel: "#", thread: "↳", direct: "" };

export function avatar(person, size = "") {
  return h("span", { class: `avatar ${size} hue-${Number(BigInt(person.id) % 7n)}${person.bot ? " bot" : ""}`,
    text: person.shown.slice(0, 1).toUpperCase(), attr: { "aria-hidden": "true" } });
}

function entry(channel) {
  const unread = isUnread(channel);
  const pings = state.pings.get(channel.id) ?? 0;
  const name = channel.name ?? "";
  return h("li", { data: { key: channel.id } }, h("a", {
    class: `channel ${channel.kind}${unread ? " unread" : ""}${channel.archived ? " archived" : ""}`,
    href: `#/channel/${channel.id}?as=${state.me.name}`,
    attr: { "aria-current": channel.id === state.open ? "page" : undefined,
      "aria-label": `${channel.kind === "direct" ? "Direct messages with " : ""}${name}${channel.kind === "thread" ? ", thread" : ""}${channel.archived ? ", archived" : ""}${unread ? ", unread" : ""}` },
    data: { testid: "channel", channel: channel.id, name },
  }, channel.kind === "direct" ? avatar(state.bot, "tiny") : h("span", { class: "sign", text: signs[channel.kind] }),
  h("span", { class: "name", text: name }),
  pings ? h("span", { class: "badge", text: String(pings), attr: { "aria-label": `${pings} mentions` } }) : unread ? h("span", { class: "dot" }) : null));
}

const heading = (text) => h("h2", { class: "group", text });

function jump(seconds, text) {
  line.ask("jump", { seconds }).then(() => notice(text), refused);
}

function tools() {
  const tool = (text, testid, hear) => h("button", { type: "button", class: "tool", text, data: { testid }, on: { click: hear } });
  return h("section", { class: "tools", attr: { "aria-label": "The sandbox" } },
    h("div", { class: "clock" }, h("span", { text: "Time here" }), h("time", { id: "clock" })),
    h("div", { class: "row" },
      tool("One hour later", "hour", () => jump(3600, "One hour has passed.")),
      tool("One day later", "day", () => jump(86400, "One day has passed."))),
    tool("Restart the bot", "restart", () => line.ask("restart").catch(refused)));
}

function switcher() {
  const choice = (person) => h("a", {
    class: "person", href: `#/channel/${state.open ?? ""}?as=${person.name}`, title: `Play as ${person.shown}`,
    attr: { "aria-label": `Play as ${person.shown}`, "aria-current": person.id === state.me.id ? "true" : undefined },
    data: { testid: "person", person: person.name },
  }, avatar(person), h("span", { text: person.shown }));
  return h("section", { class: "people", attr: { "aria-label": "You play as" } },
    h("p", { class: "group", text: `You play as ${state.me.shown}` }), h("div", { class: "row" }, state.people.map(choice)));
}

export function drawSidebar() {
  if (!state.me) return;
  const side = byId("side");
  const list = [...state.channels.values()];
  const threads = (parent) => list.filter((c) => c.kind === "thread" && c.parent === parent).sort((a, b) => inOrder(b.id, a.id));
  const shownThreads = (parent) => {
    const all = threads(parent);
    return [...all.filter((c) => !c.archived || c.id === state.open), ...all.filter((c) => c.archived && c.id !== state.open).slice(0, 5)];
  };
  const places = list.filter((c) => c.kind === "channel").map((channel) => {
    const item = entry(channel);
    const inside = shownThreads(channel.id);
    if (inside.length) item.append(h("ul", {}, inside.map(entry)));
    return item;
  });
  // Entries stay the same elements, so that focus, scrolling and a click that has begun aren't lost.
  const fresh = side.cloneNode(false);
  fresh.append(
    h("div", { class: "brand" }, h("img", { src: "/static/icon.svg", alt: "", width: 28, height: 28 }),
      h("strong", { text: state.server }), h("span", { class: "tag", text: "sandbox" })),
    h("div", { class: "channels" }, heading("Channels"), h("ul", {}, places),
      heading("Direct messages"), h("ul", {}, list.filter((c) => c.kind === "direct").map(entry))),
    switcher(), tools());
  patch(side, fresh);
  refresh();
}

const narrow = matchMedia("(max-width: 760px)");

/** Open or close the drawer on a narrow screen. */
export function drawer(open) {
  byId("app").classList.toggle("drawn", open);
  byId("side").inert = narrow.matches && !open;
  byId("room").inert = narrow.matches && open;
  byId("menu")?.setAttribute("aria-expanded", String(open));
  if (narrow.matches && open) byId("side").querySelector("[aria-current=page]")?.focus();
  else if (narrow.matches && byId("side").contains(document.activeElement)) byId("menu")?.focus();
}

export function drawTop() {
  const channel = state.channels.get(state.open);
  const parent = channel?.kind === "thread" ? state.channels.get(channel.parent) : null;
  const old = byId("menu");
  const focused = old && old === document.activeElement;
  byId("top").replaceChildren(
    h("button", { id: "menu", type: "button", class: "plain menu", text: "☰", data: { testid: "menu" },
      attr: { "aria-label": "Channels and people", "aria-controls": "side", "aria-expanded": "false" }, on: { click: () => drawer(true) } }),
    h("div", { class: "title" }, h("h1", { text: channel ? `${channel.kind === "channel" ? "#" : ""}${channel.name}` : "", data: { testid: "title" } }),
      h("p", { class: "topic", text: channel?.kind === "direct" ? "Only you and the bot read this." : channel?.topic ?? (parent ? `Thread in #${parent.name}${channel.archived ? " · archived" : ""}` : "") })),
    state.me ? h("span", { class: "whoami", attr: { "aria-label": `You play as ${state.me.shown}` } }, avatar(state.me, "tiny"), h("span", { text: state.me.shown })) : null);
  if (focused) byId("menu").focus();
  document.title = channel ? `${channel.kind === "channel" ? "#" : ""}${channel.name} · ${state.me.shown} · Dominium sandbox` : "Dominium sandbox";
}

narrow.addEventListener("change", () => drawer(false));
