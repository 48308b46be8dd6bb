// Discord's markdown, the part people use, as elements. Linear in the text, and text stays text.

import { stamp } from "./clock.js";
import { h } from "./dom.js";
import { personById, roleLabel, state } from "./store.js";

const marks = [["strong", /\*\*((?:\\[^]|[^\\])+?)\*\*(?!\*)/y], ["u", /__((?:\\[^]|[^\\])+?)__(?!_)/y], ["s", /~~((?:\\[^]|[^\\])+?)~~/y],
  ["em", /\*(?!\s)((?:\\[^]|\*\*|[^*\\])+?)(?<!\s)\*(?!\*)/y], ["em", /(?<!\w)_((?:\\[^]|__|[^_\\])+?)_(?!\w)/y]];
const code = /^(`{1,2})(?!`)([^]*?[^`])\1(?!`)/;
const tag = /^<(?:@!?(\d{1,20})|@&(\d{1,20})|#(\d{1,20})|t:(-?\d{1,13})(?::([tTdDfFR]))?)>/;
const address = /^https?:\/\/[^\s<>]{1,2000}/;
const named = /^\[([^[\]\n]{1,1000})\]\((?:(https?:\/\/[^\s)]{1,2000})|<(https?:\/\/[^\s>]{1,2000})>)\)/;

const place = /^https:\/\/discord\.com\/channels\/(?:\d{1,20}|@me)\/(\d{1,20})(?:\/\d{1,20})?$/;

// A link to a message leads to its channel here.
const link = (url, text) => {
  const channel = place.exec(url)?.[1];
  if (state.channels.has(channel)) return h("a", { href: `#/channel/${channel}?as=${state.me.name}`, text });
  return h("a", { href: url, target: "_blank", rel: "noopener noreferrer", text });
};

function mention(found) {
  const [, person, role, channel, unix, style] = found;
  if (person) {
    const who = personById(person);
    return h("span", { class: `mention${state.me?.id === person ? " me" : ""}`, text: `@${who?.shown ?? "somebody"}` });
  }
  if (role) return h("span", { class: "mention", text: roleLabel(role) });
  if (channel) {
    const place = state.channels.get(channel);
    if (!place) return h("span", { class: "mention", text: "#unknown" });
    return h("a", { class: "mention", href: `#/channel/${channel}?as=${state.me.name}`, text: `#${place.name}` });
  }
  return stamp(Number(unix) * 1000, style);
}

function spoiler(children) {
  const show = (event) => {
    if (event.type === "keydown" && event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    event.currentTarget.classList.add("shown");
    event.currentTarget.removeAttribute("aria-label");
  };
  return h("span", { class: "spoiler", tabIndex: 0, attr: { role: "button", "aria-label": "Hidden: press to show" },
    on: { click: show, keydown: show } }, h("span", {}, children));
}

/** Inline markdown as a list of nodes. */
export function inline(text, depth = 0) {
  const nodes = [];
  let plain = "";
  const push = (node) => {
    if (plain) nodes.push(plain);
    plain = "";
    nodes.push(node);
  };
  for (let at = 0; at < text.length;) {
    const rest = text.slice(at, at + 2100);
    const letter = text[at];
    let found;
    if (letter === "\\" && /[\\`*_~|<>[\]()#@:-]/.test(text[at + 1] ?? "")) {
      plain += text[at + 1];
      at += 2;
    } else if (letter === "\n") {
      push(h("br"));
      at += 1;
    } else if (letter === "`" && (found = code.exec(rest))) {
      push(h("code", { text: found[2] }));
      at += found[0].length;
    } else if (letter === "<" && (found = tag.exec(rest))) {
      push(mention(found));
      at += found[0].length;
    } else if (letter === "[" && (found = named.exec(rest))) {
      push(link(found[2] ?? found[3], found[1]));
      at += found[0].length;
    } else if (letter === "h" && !/\w/.test(text[at - 1] ?? " ") && (found = address.exec(rest))) {
      const url = found[0].replace(/[.,;:!?)'"]+$/, "");
      push(link(url, url));
      at += url.length;
    } else if (depth < 8 && letter === "|" && text.startsWith("||", at) && text.indexOf("||", at + 2) > at + 2) {
      const end = text.indexOf("||", at + 2);
      push(spoiler(inline(text.slice(at + 2, end), depth + 1)));
      at = end + 2;
    } else if (depth < 8 && "*_~".includes(letter) && (found = emphasis(text, at))) {
      push(h(found.name, {}, inline(found.inside, depth + 1)));
      at = found.end;
    } else {
      plain += letter;
      at += 1;
    }
  }
  if (plain) nodes.push(plain);
  return nodes;
}

function emphasis(text, at) {
  for (const [name, mark] of marks) {
    mark.lastIndex = at;
    const found = mark.exec(text);
    if (found) return { name, inside: found[1], end: mark.lastIndex };
  }
  return null;
}

const headings = { "# ": "h2", "## ": "h3", "### ": "h4" };

function lines(block) {
  const nodes = [];
  let paragraph = [];
  const flush = () => {
    if (paragraph.length) nodes.push(h("p", {}, inline(paragraph.join("\n"))));
    paragraph = [];
  };
  for (const row of block.split("\n")) {
    const head = /^(#{1,3} )(.+)/.exec(row);
    const small = /^-# (.+)/.exec(row);
    const quote = /^> ?(.*)/.exec(row);
    const item = /^\s{0,4}[-*] (.+)/.exec(row);
    if (!head && !small && !quote && !item) {
      paragraph.push(row);
      continue;
    }
    flush();
    if (head) nodes.push(h(headings[head[1]], { class: "heading" }, inline(head[2])));
    else if (small) nodes.push(h("p", { class: "small" }, inline(small[1])));
    else if (quote) nodes.push(h("blockquote", {}, inline(quote[1])));
    else if (nodes.at(-1)?.tagName === "UL") nodes.at(-1).append(h("li", {}, inline(item[1])));
    else nodes.push(h("ul", {}, h("li", {}, inline(item[1]))));
  }
  flush();
  return nodes;
}

/** A whole message as a fragment. */
export function markdown(text) {
  const result = document.createDocumentFragment();
  const parts = text.split("```");
  parts.forEach((part, index) => {
    const code = index % 2 === 1 && index < parts.length - 1;
    if (code) result.append(h("pre", { tabIndex: 0 }, h("code", { text: part.replace(/^[\w+-]*\n/, "").replace(/\n$/, "") })));
    else {
      const body = (index % 2 === 1 ? "```" : "") + part;
      if (body.trim()) result.append(...lines(index ? body.replace(/^\n/, "") : body));
    }
  });
  return result;
}
