// A form the bot opened. It holds the focus until it is sent or closed; a refusal keeps what was typed.

import { candidates } from "./components.js";
import { h, unique } from "./dom.js";
import { markdown } from "./markdown.js";
import { line } from "./store.js";

function control(data, id) {
  const common = { id, data: { testid: "modal-field", custom: data.custom_id } };
  const needed = data.required ?? ![21, 22, 23].includes(data.type);
  if (data.type === 4) {
    const long = data.style === 2;
    const field = h(long ? "textarea" : "input", { ...common, value: data.value ?? "", placeholder: data.placeholder ?? "", required: needed,
      maxLength: data.max_length ?? 4000, minLength: data.min_length ?? 0 });
    if (long) field.rows = 4;
    return { field, value: () => field.value };
  }
  if ([3, 5, 6, 7, 8].includes(data.type)) {
    const many = (data.max_values ?? 1) > 1;
    const offered = data.type === 3 ? data.options : candidates(data.type, data.channel_types);
    const field = h("select", { ...common, multiple: many, required: needed }, many || offered.some((o) => o.default) ? null : h("option", { value: "", text: data.placeholder ?? "Choose" }),
      offered.map((o) => h("option", { value: o.value, text: o.description ? `${o.label} – ${o.description}` : o.label, selected: Boolean(o.default) })));
    return { field, value: () => [...field.selectedOptions].map((o) => o.value).filter(Boolean) };
  }
  if (data.type === 21 || data.type === 22) {
    const kind = data.type === 21 ? "radio" : "checkbox";
    const field = h("div", { id, class: "choices", attr: { role: "group" } }, data.options.map((o) => h("label", {}, h("input", { type: kind, name: id, value: o.value, checked: Boolean(o.default) }), h("span", { text: o.label }), o.description ? h("span", { class: "hint", text: o.description }) : null)));
    const chosen = () => [...field.querySelectorAll("input:checked")].map((o) => o.value);
    return { field, value: () => (data.type === 21 ? chosen()[0] : chosen()) };
  }
  if (data.type === 23) {
    const field = h("input", { ...common, type: "checkbox", checked: Boolean(data.default) });
    return { field, value: () => field.checked };
  }
  return null;
}

export function openModal(interaction, modal) {
  const controls = new Map();
  const rows = [];
  const add = (data, label, about) => {
    const id = unique("field");
    const made = control(data, id);
    if (!made) return;
    controls.set(data.custom_id, made);
    if (about) made.field.setAttribute("aria-describedby", `${id}-about`);
    rows.push(h("div", { class: "modal-row" }, h("label", { attr: { for: id } }, label, made.field.required ? h("span", { class: "needed", text: " *", attr: { "aria-hidden": "true" } }) : null),
      about ? h("p", { id: `${id}-about`, class: "hint", text: about }) : null, made.field));
  };
  for (const part of modal.components) {
    if (part.type === 1) for (const data of part.components) add(data, data.label ?? "", "");
    else if (part.type === 18) add(part.component, part.label, part.description);
    else if (part.type === 10) rows.push(h("div", { class: "md" }, markdown(part.content)));
  }
  const problem = h("p", { class: "problem", attr: { role: "alert" } });
  const send = h("button", { type: "submit", class: "button primary", text: "Submit", data: { testid: "modal-submit" } });
  const form = h("form", { method: "dialog" }, h("h2", { text: modal.title }), rows, problem,
    h("div", { class: "row end" }, h("button", { type: "button", class: "button secondary", text: "Cancel", on: { click: () => dialog.close() } }), send));
  const dialog = h("dialog", { class: "modal", data: { testid: "modal" }, attr: { "aria-label": modal.title } }, form);
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    send.disabled = true;
    const values = Object.fromEntries([...controls].map(([id, made]) => [id, made.value()]).filter(([, value]) => value !== undefined && !(Array.isArray(value) && value.length === 0)));
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
  form.querySelector("input, textarea, select")?.focus();
}
