// Buttons, menus and layouts under a message. What a press does comes back as news; until then it waits.

import { h } from "./dom.js";
import { Listbox } from "./listbox.js";
import { markdown } from "./markdown.js";
import { picture } from "./media.js";
import { refused } from "./notices.js";
import { line, people } from "./store.js";

const styles = { 1: "primary", 2: "secondary", 3: "success", 4: "danger", 5: "secondary" };

async function act(control, verb, message, what) {
  if (control.getAttribute("aria-busy") === "true") return;
  control.setAttribute("aria-busy", "true");
  try {
    await line.ask(verb, { channel: message.channel_id, message: message.id, ...what });
  } catch (error) {
    refused(error);
  } finally {
    control.removeAttribute("aria-busy");
  }
}

function button(message, data) {
  const look = { class: `button ${styles[data.style]}`, data: { testid: "button", label: data.label, custom: data.custom_id } };
  const text = h("span", { text: data.label });
  if (data.url) return h("a", { ...look, href: data.url, target: "_blank", rel: "noopener noreferrer" }, text, h("span", { class: "out", text: "↗", attr: { "aria-hidden": "true" } }));
  const element = h("button", { ...look, type: "button", disabled: data.disabled, on: { click: () => act(element, "click", message, { custom_id: data.custom_id }) } }, text);
  return element;
}

function menu(message, data) {
  const { min_values: lo, max_values: hi, placeholder } = data;
  const offered = data.type === 3
    ? data.options.map((o) => ({ label: o.label, value: o.value, hint: o.description, preset: o.default }))
    : people();
  let chosen = new Set(offered.filter((o) => o.preset).map((o) => o.value));
  const words = () => offered.filter((o) => chosen.has(o.value)).map((o) => o.label).join(", ");
  const field = h("button", { type: "button", class: "menu-field", data: { testid: "menu-field", label: placeholder, custom: data.custom_id },
    attr: { role: "combobox", "aria-haspopup": "listbox", "aria-expanded": "false", "aria-label": placeholder } },
  h("span", { class: words() ? "" : "placeholder", text: words() || placeholder }), h("span", { text: "⌄", attr: { "aria-hidden": "true" } }));
  const send = () => {
    list.hide();
    act(field, "select", message, { custom_id: data.custom_id, values: [...chosen] });
  };
  const items = () => [
    ...offered.map((o) => ({ ...o, mark: h("span", { class: "check", text: chosen.has(o.value) ? "●" : hi > 1 ? "○" : "" , attr: { "aria-hidden": "true" } }) })),
    ...(hi > 1 ? [{ label: "Done", done: true, hint: `${lo} to ${hi}` }] : []),
  ];
  const list = new Listbox(field, (item) => {
    if (item.done) {
      if (chosen.size >= lo) send();
      return;
    }
    if (hi === 1) {
      chosen = new Set([item.value]);
      send();
      return;
    }
    if (!chosen.delete(item.value) && chosen.size < hi) chosen.add(item.value);
    const at = offered.findIndex((o) => o.value === item.value);
    list.show(items());
    for (let step = 0; step < at; step += 1) list.key(new KeyboardEvent("keydown", { key: "ArrowDown" }));
  }, { label: placeholder, testid: "menu-list" });
  field.addEventListener("click", () => (list.open ? list.hide() : list.show(items())));
  field.addEventListener("keydown", (event) => {
    if (list.key(event)) return;
    if (event.key === "ArrowDown") {
      event.preventDefault();
      list.show(items());
    }
  });
  field.addEventListener("blur", () => list.hide());
  return h("div", { class: "menu-box" }, field, list.element);
}

function part(message, data, old) {
  const inside = (list) => list.map((child) => part(message, child, old));
  switch (data.type) {
    case 1: return h("div", { class: "buttons" }, inside(data.components));
    case 2: return button(message, data);
    case 3: case 5: return menu(message, data);
    case 9: return h("div", { class: "section" }, h("div", {}, inside(data.components)), part(message, data.accessory, old));
    case 10: return h("div", { class: "md" }, markdown(data.content));
    case 12: return h("div", { class: "gallery" }, data.items.map((item) => picture(item.media.url, item.description ?? "", old)));
    case 17: {
      const box = h("div", { class: "layout" }, inside(data.components));
      box.style.setProperty("--stripe", `#${data.accent_color.toString(16).padStart(6, "0")}`);
      return box;
    }
    // Whoever adds to what the bot sends sees that the page has to learn it.
    default: return h("p", { class: "hint", text: `The sandbox can't show this: component ${data.type}.` });
  }
}

export const components = (message, old) => (message.components.length ? h("div", { class: "components" }, message.components.map((data) => part(message, data, old))) : null);
