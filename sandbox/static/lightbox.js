// A picture at full size. Esc, a click beside it and the button close it; its alt text stands below.

import { h } from "./dom.js";

export function lightbox(src, alt) {
  const picture = h("img", { src, alt, attr: { tabindex: "0" } });
  const zoom = () => dialog.classList.toggle("whole");
  const dialog = h("dialog", { class: "lightbox", data: { testid: "lightbox" }, attr: { "aria-label": "Picture" } },
    h("button", { type: "button", class: "plain close", text: "×", attr: { "aria-label": "Close the picture" }, on: { click: () => dialog.close() } }),
    h("div", { class: "stage" }, picture), alt ? h("p", { class: "alt", text: alt }) : null);
  picture.addEventListener("click", zoom);
  picture.addEventListener("keydown", (event) => {
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      zoom();
    }
  });
  dialog.addEventListener("click", (event) => {
    if (event.target === dialog || event.target.className === "stage") dialog.close();
  });
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}
