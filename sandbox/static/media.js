// Pictures, files and embeds. A picture is inline only from this server; a drawn one is used again.

import { inWords } from "./clock.js";
import { h, safeAddress } from "./dom.js";
import { lightbox } from "./lightbox.js";
import { inline, markdown } from "./markdown.js";

const isPicture = (file) => /^image\/(png|gif|jpeg|webp)$/.test(file.content_type ?? "");
const isLocal = (url) => typeof url === "string" && url.startsWith("/attachments/");

/** A picture that can be opened, with its alt text on demand. `old` is searched for one already drawn. */
export function picture(url, alt, old) {
  const known = old && [...old.querySelectorAll("figure")].find((figure) => figure.dataset.url === url && (figure.dataset.alt ?? "") === alt);
  if (known) return known;
  const text = h("figcaption", { class: "alt", text: alt, hidden: true });
  const toggle = alt ? h("button", { type: "button", class: "alt-button", text: "ALT", data: { testid: "alt" },
    attr: { "aria-expanded": "false", "aria-label": "Show the description of the picture" },
    on: { click: () => {
      text.hidden = !text.hidden;
      toggle.setAttribute("aria-expanded", String(!text.hidden));
    } } }) : null;
  return h("figure", { class: "picture", data: { url, alt } },
    h("div", { class: "stand" }, h("button", { type: "button", class: "frame", data: { testid: "picture" }, attr: { "aria-label": `Open the picture${alt ? `: ${alt}` : ""}` }, on: { click: () => lightbox(url, alt) } },
      h("img", { src: url, alt, loading: "eager", decoding: "async" })), toggle), text);
}

function size(bytes) {
  return bytes < 1024 ? `${bytes} B` : bytes < 1048576 ? `${(bytes / 1024).toFixed(1)} kB` : `${(bytes / 1048576).toFixed(1)} MB`;
}

function fileBox(file) {
  return h("a", { class: "file", href: file.url, download: file.filename, data: { testid: "file" } },
    h("span", { class: "file-name", text: file.filename }), h("span", { class: "hint", text: size(file.size) }));
}

export function attachments(message, old) {
  // What an embed shows by attachment:// is not shown twice; a layout shows nothing but what it names.
  if (message.flags & 32768) return null;
  const used = new Set(message.embeds.flatMap((e) => [e.image?.url, e.thumbnail?.url]).filter(Boolean));
  const files = message.attachments.filter((file) => !used.has(file.url) && !used.has(`attachment://${file.filename}`));
  return files.length ? h("div", { class: "files" }, files.map((file) => (isPicture(file) ? picture(file.url, file.description ?? "", old) : fileBox(file)))) : null;
}

/** An address in an embed or layout as something of this server, or null. */
function resolve(message, url) {
  if (isLocal(url)) return url;
  const name = /^attachment:\/\/(.+)$/.exec(url ?? "")?.[1];
  return message.attachments.find((file) => file.filename === name)?.url ?? null;
}

export function shown(message, media, alt, old) {
  const local = resolve(message, media?.url);
  if (local) {
    const file = message.attachments.find((item) => item.url === local);
    return picture(local, alt ?? media.description ?? file?.description ?? "", old);
  }
  const href = safeAddress(media?.url ?? "");
  return href ? h("a", { href, target: "_blank", rel: "noopener noreferrer", text: href }) : null;
}

function titled(text, url, name) {
  const href = url ? safeAddress(url) : null;
  return h("p", { class: name }, href ? h("a", { href, target: "_blank", rel: "noopener noreferrer" }, inline(text)) : inline(text));
}

function embed(message, data, old) {
  const box = h("article", { class: "embed", data: { testid: "embed" } },
    data.author?.name ? titled(data.author.name, data.author.url, "embed-author") : null,
    data.title ? titled(data.title, data.url, "embed-title") : null,
    data.description ? h("div", { class: "md" }, markdown(data.description)) : null,
    data.fields?.length ? h("div", { class: "fields" }, data.fields.map((field) => h("div", { class: field.inline ? "field inline" : "field" },
      h("p", { class: "field-name" }, inline(field.name)), h("div", { class: "md" }, markdown(field.value))))) : null,
    data.image ? shown(message, data.image, undefined, old) : null,
    data.thumbnail && !data.image ? shown(message, data.thumbnail, undefined, old) : null,
    data.footer?.text || data.timestamp ? h("p", { class: "embed-foot", text: [data.footer?.text, data.timestamp && inWords(Date.parse(data.timestamp))].filter(Boolean).join(" · ") }) : null);
  if (data.color) box.style.setProperty("--stripe", `#${data.color.toString(16).padStart(6, "0")}`);
  return box;
}

export const embeds = (message, old) => (message.flags & 4 ? [] : message.embeds.map((data) => embed(message, data, old)));
