// A list to choose from, above or below a field. The field keeps the focus; arrows move, Enter chooses.

import { h, unique } from "./dom.js";

export class Listbox {
  #items = [];
  #active = -1;

  constructor(anchor, choose, { label, testid = "picker" }) {
    this.anchor = anchor;
    this.choose = choose;
    this.element = h("ul", { class: "listbox", id: unique("list"), hidden: true,
      attr: { role: "listbox", "aria-label": label }, data: { testid } });
  }

  get open() {
    return !this.element.hidden;
  }

  get active() {
    return this.open ? this.#items[this.#active] : undefined;
  }

  /** Show items: {label, hint, value, mark}. */
  show(items, { first = true } = {}) {
    const field = this.anchor;
    this.#items = items;
    this.element.replaceChildren(...items.map((item, index) => h("li", {
      id: `${this.element.id}-${index}`, attr: { role: "option", "aria-selected": "false" }, data: { testid: "choice", value: String(item.value ?? "") },
      on: { pointerdown: (event) => event.preventDefault(), click: () => this.choose(item), pointermove: () => this.#move(index) },
    }, item.mark ?? null, h("span", { class: "label", text: item.label }), item.hint ? h("span", { class: "hint", text: item.hint }) : null)));
    this.element.hidden = items.length === 0;
    // Above the field, unless there is no room and more below.
    this.element.classList.remove("below");
    const box = field.getBoundingClientRect();
    const above = box.top - (this.element.closest(".scroll")?.getBoundingClientRect().top ?? 0);
    this.element.classList.toggle("below", above < this.element.offsetHeight + 8 && innerHeight - box.bottom > above);
    field.setAttribute("aria-expanded", String(this.open));
    field.setAttribute("aria-controls", this.element.id);
    this.#move(first ? 0 : -1);
  }

  hide() {
    this.element.hidden = true;
    this.#active = -1;
    this.anchor.setAttribute("aria-expanded", "false");
    this.anchor.removeAttribute("aria-activedescendant");
  }

  /** True when the key was for the list. */
  key(event) {
    if (!this.open || event.isComposing) return false;
    const last = this.#items.length - 1;
    if (event.key === "ArrowDown") this.#move(this.#active >= last ? 0 : this.#active + 1);
    else if (event.key === "ArrowUp") this.#move(this.#active <= 0 ? last : this.#active - 1);
    else if ((event.key === "Enter" && !event.shiftKey || event.key === "Tab" && !event.shiftKey) && this.active) this.choose(this.active);
    else if (event.key === "Escape") this.hide();
    else return false;
    event.preventDefault();
    event.stopPropagation();
    return true;
  }

  #move(index) {
    this.element.children[this.#active]?.setAttribute("aria-selected", "false");
    this.#active = index;
    const row = this.element.children[index];
    row?.setAttribute("aria-selected", "true");
    row?.scrollIntoView({ block: "nearest" });
    if (row) this.anchor.setAttribute("aria-activedescendant", row.id);
    else this.anchor.removeAttribute("aria-activedescendant");
  }
}
