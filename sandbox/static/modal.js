// A form the bot opened: texts, menus, and lists of which one is chosen. It holds the focus until it is sent
// or closed; a refusal keeps what was typed.

import { h, unique } from "./dom.js";
import { line } from "./store.js";

function control(data, id, label) {
  const common = { id, required: data.required, data: { testid: "modal-field", custom: data.custom_id } };
  if (data.type === 4) {
    const field = h("input", { ...common, value: data.value ?? "", placeholder: data.placeholder ?? "", attr: { maxlength: data.max_length } });
    return { field, value: () => field.value };
  }
  if (data.type === 3) {
    const field = h("select", common, data.options.map((o) => h("option", { value: o.value, text: o.description ? `${o.label} – ${o.description}` : o.label, selected: Boolean(o.default) })));
    return { field, value: () => [field.value] };
  }
  const field = h("div", { id, class: "choices", attr: { role: "radiogroup", "aria-label": label } }, data.options.map((o) => h("label", {}, h("input", { type: "radio", name: id, value: o.value, checked: Boolean(o.default) }), h("span", { text: o.label }), o.description ? h("span", { class: "hint", text: o.description }) : null)));
  return { field, value: () => field.querySelector("input:checked")?.value };
}

export function openModal(interaction, modal) {
  const controls = new Map();
  const rows = [];
  for (const { component: data, label, description: about } of modal.components) {
    const id = unique("field");
    const made = control(data, id, label);
    controls.set(data.custom_id, made);
    if (about) made.field.setAttribute("aria-describedby", `${id}-about`);
    rows.push(h("div", { class: "modal-row" }, h("label", { attr: { for: id } }, label, made.field.required ? h("span", { class: "needed", text: " *", attr: { "aria-hidden": "true" } }) : null),
      about ? h("p", { id: `${id}-about`, class: "hint", text: about }) : null, made.field));
  }
  const problem = h("p", { class: "problem", attr: { role: "alert" } });
  const send = h("button", { type: "submit", class: "button primary", text: "Submit", data: { testid: "modal-submit" } });
  const form = h("form", { method: "dialog" }, h("h2", { text: modal.title }), rows, problem,
    h("div", { class: "row end" }, h("button", { type: "button", class: "button secondary", text: "Cancel", on: { click: () => dialog.close() } }), send));
  const dialog = h("dialog", { class: "modal", data: { testid: "modal" }, attr: { "aria-label": modal.title } }, form);
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    send.disabled = true;
    const values = Object.fromEntries([...controls].map(([id, made]) => [id, made.value()]).filter(([, value]) => value !== undefined));
    try {
      await line.ask("submit", { interaction, values });
      dialog.close();
    } catch (error) {
      problem.textContent = error.message;
      send.disabled = false;
    }
  });
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
  form.querySelector("input, select")?.focus();
}
