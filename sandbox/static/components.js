// Buttons, menus and layouts under a message. What a press does comes back as news; until then it waits.

import { h, safeAddress } from "./dom.js";
import { Listbox } from "./listbox.js";
import { markdown } from "./markdown.js";
import { shown } from "./media.js";
import { refused } from "./notices.js";
import { everybody, line, state } from "./store.js";

const styles = { 1: "primary", 2: "secondary", 3: "success", 4: "danger", 5: "secondary" };

const emoji = (data) => (data ? h("span", { class: "emoji", text: data.id ? `:${data.name}:` : data.name, attr: { "aria-hidden": "true" } }) : null);

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
  const name = `button ${styles[data.style] ?? "secondary"}`;
  const inside = [emoji(data.emoji), data.label ? h("span", { text: data.label }) : null];
  if (data.style === 5) {
    const href = safeAddress(data.url ?? "");
    if (href) return h("a", { class: name, href, target: "_blank", rel: "noopener noreferrer", data: { testid: "button", label: data.label ?? "" } }, inside, h("span", { class: "out", text: "↗", attr: { "aria-hidden": "true" } }));
  }
  const element = h("button", { type: "button", class: name, disabled: Boolean(data.disabled), data: { testid: "button", label: data.label ?? "", custom: data.custom_id },
    attr: { "aria-label": data.label ? undefined : data.emoji?.name }, on: { click: () => act(element, "click", message, { custom_id: data.custom_id }) } }, inside);
  return element;
}

/** What a menu or an option of people or channels offers: {label, value, hint, mark}. */
export function candidates(type, channelTypes) {
  const people = type === 5 || type === 7 ? everybody().map((p) => ({ label: p.shown, value: p.id, hint: `@${p.name}` })) : [];
  const kinds = { channel: 0, thread: 11, direct: 1 };
  const places = type === 8 ? [...state.channels.values()]
    .filter((c) => c.kind !== "direct" && (!channelTypes?.length || channelTypes.includes(kinds[c.kind])))
    .map((c) => ({ label: `#${c.name}`, value: c.id, hint: c.kind === "thread" ? "thread" : "" })) : [];
  return [...people, ...places];
}

function menu(message, data) {
  const lo = data.min_values ?? 1;
  const hi = data.max_values ?? 1;
  const offered = data.type === 3
    ? data.options.map((o) => ({ label: o.label, value: o.value, hint: o.description ?? "", emoji: o.emoji, preset: o.default }))
    : candidates(data.type, data.channel_types);
  let chosen = new Set(offered.filter((o) => o.preset).map((o) => o.value));
  const words = () => offered.filter((o) => chosen.has(o.value)).map((o) => o.label).join(", ");
  const field = h("button", { type: "button", class: "menu-field", disabled: Boolean(data.disabled), data: { testid: "menu-field", label: data.placeholder ?? "", custom: data.custom_id },
    attr: { role: "combobox", "aria-haspopup": "listbox", "aria-expanded": "false", "aria-label": data.placeholder ?? "Choose" } },
  h("span", { class: words() ? "" : "placeholder", text: words() || data.placeholder || "Choose" }), h("span", { text: "⌄", attr: { "aria-hidden": "true" } }));
  const send = () => {
    list.hide();
    act(field, "select", message, { custom_id: data.custom_id, values: [...chosen] });
  };
  const items = () => [
    ...offered.map((o) => ({ ...o, mark: h("span", { class: "check", text: chosen.has(o.value) ? "●" : hi > 1 ? "○" : "" , attr: { "aria-hidden": "true" } }) })),
    ...(hi > 1 || lo === 0 ? [{ label: "Done", done: true, hint: lo === hi ? `choose ${lo}` : `${lo} to ${hi}` }] : []),
  ];
  const list = new Listbox(field, (item) => {
    if (item.done) {
      if (chosen.size >= lo && chosen.size <= hi) send();
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
  }, { label: data.placeholder ?? "Choose", testid: "menu-list" });
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
  const inside = (list) => (list ?? []).map((child) => part(message, child, old));
  switch (data.type) {
    case 1: return h("div", { class: "buttons" }, inside(data.components));
    case 2: return button(message, data);
    case 3: case 5: case 6: case 7: case 8: return menu(message, data);
    case 9: return h("div", { class: "section" }, h("div", {}, inside(data.components)), data.accessory ? part(message, data.accessory, old) : null);
    case 10: return h("div", { class: "md" }, markdown(data.content));
    case 11: return h("div", { class: "thumb" }, shown(message, data.media, data.description, old));
    case 12: return h("div", { class: "gallery" }, data.items.map((item) => shown(message, item.media, item.description, old)));
    case 13: return h("p", {}, shown(message, data.file, undefined, old));
    case 14: return h("hr", { class: data.divider === false ? "gap" : "" });
    case 17: {
      const box = h("div", { class: "embed layout" }, inside(data.components));
      if (data.accent_color) box.style.setProperty("--stripe", `#${data.accent_color.toString(16).padStart(6, "0")}`);
      return box;
    }
    default: return null;
  }
}

export const components = (message, old) => (message.components.length ? h("div", { class: "components" }, message.components.map((data) => part(message, data, old))) : null);
