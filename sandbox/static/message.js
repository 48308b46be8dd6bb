// One message as an element. Drawn from the message alone; what it offers is what its reader may do.

import { full, hour } from "./clock.js";
import { components } from "./components.js";
import { h } from "./dom.js";
import { inline, markdown } from "./markdown.js";
import { attachments } from "./media.js";
import { refused } from "./notices.js";
import { avatar } from "./sidebar.js";
import { line, state } from "./store.js";

const EPHEMERAL = 64;
const LOADING = 128;
const THREAD_CREATED = 18;

export const isEphemeral = (message) => Boolean(message.flags & EPHEMERAL);

const who = (person) => h("span", { class: "author", text: person.shown, data: { testid: "author" } });
const botTag = (person) => (person.bot ? h("span", { class: "tag", text: "bot" }) : null);

function quoted(message) {
  if (message.interaction) {
    const name = message.interaction.name;
    return h("p", { class: "quote" }, avatar(message.interaction.user, "tiny"), h("span", { text: `${message.interaction.user.shown} used ${name ? `/${name}` : "a button"}` }));
  }
  if (message.type !== 19) return null;
  const target = message.replied;
  if (!target) return h("p", { class: "quote", text: "The original message was deleted." });
  return h("button", { type: "button", class: "quote", attr: { "aria-label": `Reply to ${target.author.shown}: go to that message` },
    on: { click: () => {
      const element = document.getElementById(`m-${target.id}`);
      element?.scrollIntoView({ block: "center" });
      element?.classList.add("flash");
      setTimeout(() => element?.classList.remove("flash"), 1500);
    } } }, avatar(target.author, "tiny"), h("strong", { text: target.author.shown }),
  h("span", { class: "cut" }, target.content ? inline(target.content.split("\n")[0]) : "a message"));
}

function system(message) {
  const about = state.channels.get(message.about);
  return h("div", { class: "system" }, h("span", { class: "sign", text: "→", attr: { "aria-hidden": "true" } }), h("p", {}, h("strong", { text: message.author.shown }), ` started a thread `,
    about ? h("a", { href: `#/channel/${about.id}?as=${state.me.name}`, text: about.name, data: { testid: "thread-link" } }) : null,
    h("time", { class: "when", text: hour(Date.parse(message.timestamp)) })));
}

function tools(message, hooks) {
  const tool = (text, label, testid, hear) => h("button", { type: "button", class: "plain", text, title: label, attr: { "aria-label": label }, data: { testid }, on: { click: hear } });
  const mine = message.author.id === state.me.id;
  return h("div", { class: "message-tools", attr: { role: "group", "aria-label": "Message actions" } },
    tool("↩", "Reply", "reply", () => hooks.reply(message)),
    mine ? tool("✎", "Edit", "edit", () => hooks.edit(message)) : null,
    mine ? tool("✕", "Delete", "delete", () => line.ask("delete", { channel: message.channel_id, message: message.id }).catch(refused)) : null);
}

export function draw(message, hooks, old) {
  const ms = Date.parse(message.timestamp);
  const ephemeral = isEphemeral(message);
  const text = message.flags & LOADING
    ? h("p", { class: "thinking", text: `${message.author.shown} is thinking…` })
    : h("div", { class: "md", data: { testid: "content" } }, markdown(message.content));
  if (message.edited_timestamp && message.type !== 20 && message.content) {
    text.append(h("span", { class: "edited", text: "(edited)", title: full(Date.parse(message.edited_timestamp)) }));
  }
  const isSystem = message.type === THREAD_CREATED;
  return h("article", {
    id: `m-${message.id}`, tabIndex: -1,
    class: ["message", ephemeral && "ephemeral", message.pings_me && "ping", isSystem && "is-system"].filter(Boolean).join(" "),
    data: { testid: "message", message: message.id, author: message.author.name, minute: String(ms), lead: message.type === 0 && !ephemeral && !message.interaction ? "" : "always" },
    attr: { "aria-label": `${message.author.shown}, ${hour(ms)}` },
  }, isSystem ? system(message) : [
    quoted(message),
    avatar(message.author),
    h("div", { class: "body" },
      h("header", {}, who(message.author), botTag(message.author), h("time", { class: "when", text: hour(ms), title: full(ms), dateTime: message.timestamp })),
      text, attachments(message, old), components(message, old),
      ephemeral ? h("p", { class: "only-you" }, h("span", { text: "Only you can see this" }), " · ",
        h("button", { type: "button", class: "link", text: "Dismiss", data: { testid: "dismiss" }, on: { click: () => line.ask("dismiss", { channel: message.channel_id, message: message.id }).catch(refused) } })) : null),
    h("time", { class: "beside", text: hour(ms), attr: { "aria-hidden": "true" } }),
    ephemeral ? null : tools(message, hooks),
  ]);
}
