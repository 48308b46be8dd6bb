// Notices in the corner. They take no focus and leave by themselves, errors a little later.

import { byId, h } from "./dom.js";

const stays = { info: 4000, warning: 8000, error: 15000 };

export function notice(text, level = "info") {
  const same = [...byId("notices").children].find((child) => child.dataset.text === text);
  same?.remove();
  const box = h("div", { class: `notice ${level}`, data: { testid: "notice", text } },
    h("span", { text }),
    h("button", { type: "button", class: "plain", text: "×", attr: { "aria-label": "Close this notice" }, on: { click: () => box.remove() } }));
  byId("notices").append(box);
  setTimeout(() => box.remove(), stays[level]);
}

/** Show why a request was refused. */
export const refused = (error) => notice(error.message, "warning");
