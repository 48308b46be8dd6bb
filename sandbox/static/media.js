// Pictures and files, all from this server. A drawn picture is used again.

import { h } from "./dom.js";
import { lightbox } from "./lightbox.js";

const isPicture = (file) => /^image\/(png|gif|jpeg|webp)$/.test(file.content_type);

/** A picture that can be opened, with its alt text on demand. `old` is searched for one already drawn. */
export function picture(url, alt, old) {
  const known = old && [...old.querySelectorAll("figure")].find((figure) => figure.dataset.url === url && figure.dataset.alt === alt);
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

function fileBox(file) {
  return h("a", { class: "file", href: file.url, download: file.filename, data: { testid: "file" } },
    h("span", { class: "file-name", text: file.filename }), h("span", { class: "hint", text: `${Math.ceil(file.size / 1024)} kB` }));
}

export function attachments(message, old) {
  const files = message.attachments;
  if (message.flags & 32768) return null; // a layout shows nothing but what it names
  return files.length ? h("div", { class: "files" }, files.map((file) => (isPicture(file) ? picture(file.url, file.description ?? "", old) : fileBox(file)))) : null;
}
