// A slash command being filled in. The options are those the bot registered; Enter runs, Esc leaves.

import { h, unique } from "./dom.js";
import { Listbox } from "./listbox.js";
import { line, people, roles, state } from "./store.js";

const KIND = { integer: 4, boolean: 5, user: 6, channel: 7, role: 8, attachment: 11 };
const PLACES = { channel: 0, thread: 11 };

const places = (types) => [...state.channels.values()].filter((c) => c.kind in PLACES && (!types || types.includes(PLACES[c.kind])))
  .map((c) => ({ label: `#${c.name}`, value: c.id, hint: c.kind === "thread" ? "thread" : "" }));

class Field {
  #value;
  #label = "";
  #asked = 0;
  #timer = 0;

  constructor(form, option) {
    this.form = form;
    this.option = option;
    const id = unique("option");
    this.file = option.type === KIND.attachment;
    this.input = h("input", { id, type: this.file ? "file" : "text", autocomplete: "off", spellcheck: false, maxLength: Math.min(option.max_length ?? 2000, 2000),
      data: { testid: "option", option: option.name },
      attr: { role: "combobox", "aria-expanded": "false", "aria-autocomplete": "list", "aria-describedby": `${id}-about`, "aria-required": String(Boolean(option.required)),
        inputmode: option.type === KIND.integer ? "numeric" : undefined, enterkeyhint: "go" } });
    this.list = new Listbox(this.input, (item) => this.#choose(item), { label: option.name });
    this.element = h("div", { class: "option" }, h("label", { attr: { for: id }, text: option.name }), this.input,
      h("span", { id: `${id}-about`, class: "unseen", text: option.description }), this.list.element);
    this.input.addEventListener("focus", () => {
      form.say(`${option.description}${option.required ? "" : " (optional)"}`);
      this.suggest();
    });
    this.input.addEventListener("input", () => {
      this.#fit();
      this.suggest();
    });
    this.input.addEventListener("blur", () => this.list.hide());
    this.input.addEventListener("keydown", (event) => this.#key(event));
    this.#fit();
  }

  get filled() {
    return this.input.value.trim() !== "";
  }

  /** What is sent: a chosen value, else what was typed. */
  get value() {
    if (this.#value !== undefined && this.input.value === this.#label) return this.#value;
    const typed = this.input.value.trim().toLowerCase();
    const exact = this.#fixed()?.find((item) => item.label.toLowerCase() === typed || String(item.value).toLowerCase() === typed || item.label.toLowerCase() === `#${typed}`);
    if (exact) return exact.value;
    const begun = typed ? (this.#fixed() ?? []).filter((item) => item.label.toLowerCase().startsWith(typed)) : [];
    return begun.length === 1 ? begun[0].value : this.input.value.trim();
  }

  /** The chosen file as it is sent: its name, and its bytes in base64. */
  async packed() {
    const [file] = this.input.files;
    const data = await new Promise((resolve, reject) => {
      const reader = new FileReader();
      reader.addEventListener("load", () => resolve(reader.result));
      reader.addEventListener("error", () => reject(reader.error));
      reader.readAsDataURL(file);
    });
    return { name: file.name, data: data.slice(data.indexOf(",") + 1) };
  }

  /** Put a value in, as typed; files are chosen only. */
  set typed(text) {
    if (this.file) return;
    this.input.value = text;
    this.#fit();
  }

  #fit() {
    if (this.file) return;
    this.input.style.width = `${Math.max(6, Math.min(this.input.value.length + 2, 28))}ch`;
  }

  #fixed() {
    const { type, choices } = this.option;
    if (choices?.length) return choices.map((choice) => ({ label: choice.name, value: choice.value }));
    if (type === KIND.boolean) return [{ label: "True", value: true }, { label: "False", value: false }];
    if (type === KIND.user) return people();
    if (type === KIND.role) return roles();
    if (type === KIND.channel) return places(this.option.channel_types);
    return null;
  }

  suggest() {
    const typed = this.input.value.trim().toLowerCase();
    const fixed = this.#fixed();
    clearTimeout(this.#timer);
    if (fixed) {
      const fits = this.#value !== undefined && this.input.value === this.#label ? fixed : fixed.filter((item) => `${item.label} ${item.value}`.toLowerCase().includes(typed.replace(/^@/, "")));
      this.list.show(fits.slice(0, 25));
    } else if (this.option.autocomplete) {
      this.#timer = setTimeout(() => this.#ask(), 60);
    } else {
      this.list.hide();
    }
  }

  async #ask() {
    const number = (this.#asked += 1);
    try {
      const choices = await line.ask("autocomplete", { channel: state.open, name: this.form.command.name, option: this.option.name,
        value: this.input.value, options: this.form.values(this) });
      if (number !== this.#asked || document.activeElement !== this.input) return;
      this.list.show(choices.map((choice) => ({ label: choice.name, value: choice.value })), { first: this.input.value !== "" });
    } catch {
      this.list.hide();
    }
  }

  #choose(item) {
    this.#value = item.value;
    this.#label = item.label;
    this.input.value = item.label;
    this.#asked += 1;
    this.#fit();
    this.list.hide();
    this.form.next(this);
  }

  #key(event) {
    if (this.list.key(event) || (this.file && event.key === "Backspace")) return;
    if (event.key === "Enter" && !event.isComposing) {
      event.preventDefault();
      this.form.run();
    } else if (event.key === "Escape") {
      event.preventDefault();
      this.form.leave();
    } else if (event.key === "Backspace" && this.input.value === "") {
      event.preventDefault();
      this.form.drop(this);
    }
  }
}

export class CommandForm {
  #fields = [];

  /** `leave` is called with text to go on with; `sent` once the command was accepted. */
  constructor(command, { leave, sent, refused }) {
    this.command = command;
    this.leave = () => leave("");
    this.hooks = { sent, refused };
    this.about = h("p", { class: "about", attr: { "aria-live": "polite" }, text: command.description });
    this.row = h("div", { class: "options" });
    this.more = h("div", { class: "more" });
    this.element = h("div", { class: "command", data: { testid: "command" }, attr: { role: "group", "aria-label": `Command /${command.name}` } },
      this.about, h("div", { class: "command-line" }, h("strong", { class: "command-name", text: `/${command.name}` }), this.row, this.more,
        h("button", { type: "button", class: "plain leave", text: "×", attr: { "aria-label": "Leave the command" }, on: { click: () => this.leave() } })));
    for (const option of command.options.filter((one) => one.required)) this.#add(option);
    this.#offer();
  }

  say(text) {
    this.about.textContent = text;
  }

  focus() {
    (this.#fields.find((field) => !field.filled) ?? this.#fields.at(-1))?.input.focus();
  }

  get empty() {
    return this.#fields.length === 0;
  }

  #add(option) {
    const field = new Field(this, option);
    this.#fields.push(field);
    this.row.append(field.element);
    return field;
  }

  #offer() {
    const there = new Set(this.#fields.map((field) => field.option.name));
    this.more.replaceChildren(...this.command.options.filter((option) => !there.has(option.name)).map((option) => h("button", {
      type: "button", class: "add", text: `+ ${option.name}`, title: option.description, data: { testid: "add-option", option: option.name },
      attr: { "aria-label": `Add the option ${option.name}: ${option.description}` }, on: { click: () => this.fill(option.name) },
    })));
  }

  /** Add an option if need be, and put `text` in. */
  fill(name, text) {
    const option = this.command.options.find((one) => one.name === name);
    if (!option) return;
    const field = this.#fields.find((one) => one.option.name === name) ?? this.#add(option);
    this.#offer();
    if (text === undefined) field.input.focus();
    else field.typed = text;
  }

  drop(field) {
    const index = this.#fields.indexOf(field);
    if (field.option.required) {
      if (index === 0) this.leave();
      else this.#fields[index - 1].input.focus();
      return;
    }
    this.#fields.splice(index, 1);
    field.element.remove();
    this.#offer();
    if (this.#fields.length) this.#fields.at(-1).input.focus();
    else this.leave();
  }

  next(field) {
    const empty = this.#fields.find((one) => !one.filled);
    (empty ?? field).input.focus();
    if (!empty) field.list.hide();
  }

  values(except) {
    return Object.fromEntries(this.#fields.filter((field) => field.filled && !field.file && field !== except).map((field) => [field.option.name, field.value]));
  }

  run() {
    const missing = this.#fields.find((field) => field.option.required && !field.filled);
    if (missing) {
      missing.input.focus(); // which says what the option is
      this.say(`${missing.option.name} is needed: ${missing.option.description}`);
      return;
    }
    const channel = state.open;
    const ask = (options) => line.ask("slash", { channel, name: this.command.name, options });
    this.#read().then(ask).catch(this.hooks.refused);
    this.hooks.sent();
  }

  /** All values, those of files read. */
  async #read() {
    const files = this.#fields.filter((field) => field.file && field.filled);
    const read = await Promise.all(files.map(async (field) => [field.option.name, await field.packed()]));
    return { ...this.values(), ...Object.fromEntries(read) };
  }
}
