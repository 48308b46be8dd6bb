// Times as people read them. "Now" is the world's, not the machine's; relative times stay true.

import { h } from "./dom.js";
import { now } from "./store.js";

const words = (options) => new Intl.DateTimeFormat(undefined, options);
const styles = {
  t: words({ timeStyle: "short" }), T: words({ timeStyle: "medium" }), d: words({ dateStyle: "short" }),
  D: words({ dateStyle: "long" }), f: words({ dateStyle: "long", timeStyle: "short" }),
  F: words({ dateStyle: "full", timeStyle: "short" }),
};
const relative = new Intl.RelativeTimeFormat(undefined, { numeric: "auto" });
const units = [["year", 31557600], ["month", 2629800], ["day", 86400], ["hour", 3600], ["minute", 60], ["second", 1]];

export function inWords(ms) {
  const seconds = Math.round((ms - now()) / 1000);
  const [unit, size] = units.find(([, length]) => Math.abs(seconds) >= length) ?? units.at(-1);
  return relative.format(Math.round(seconds / size), unit);
}

export const hour = (ms) => styles.t.format(ms);
export const day = (ms) => styles.D.format(ms);
export const full = (ms) => styles.F.format(ms);

/** A Discord time stamp, `<t:unix:style>`. */
export function stamp(ms, style = "f") {
  const text = style === "R" ? inWords(ms) : styles[style].format(ms);
  return h("time", { class: "stamp", text, title: full(ms), dateTime: new Date(ms).toISOString(),
    data: style === "R" ? { relative: String(ms) } : {} });
}

/** Bring every relative time on the page up to date. */
export function refresh() {
  for (const element of document.querySelectorAll("[data-relative]")) {
    const text = inWords(Number(element.dataset.relative));
    if (element.textContent !== text) element.textContent = text;
  }
  const clock = document.getElementById("clock");
  if (clock) clock.textContent = words({ weekday: "short", day: "numeric", month: "short", hour: "2-digit", minute: "2-digit" }).format(now());
}
