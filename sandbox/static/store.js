// What the page knows. Messages are kept by id, one object each; the newest form wins.

import { Line } from "./net.js";

export const line = new Line();

export const state = {
  me: null, people: [], roles: [], bot: null, server: "", channels: new Map(), open: null, messages: new Map(),
  more: new Map(), skew: 0, busy: false, pings: new Map(), byName: new Map(),
};

/** Milliseconds since 1970, in the world. */
export const now = () => Date.now() + state.skew;

export const everybody = () => [...state.people, state.bot].filter(Boolean);
/** People as a menu or an option offers them: {label, value, hint}. */
export const people = () => everybody().map((p) => ({ label: p.shown, value: p.id, hint: `@${p.name}` }));
export const roles = () => state.roles.map((role) => ({ label: role.name, value: role.id }));
/** A role as a mention shows it; @everyone has its sign in its name. */
export const roleLabel = (id) => `@${(state.roles.find((role) => role.id === id)?.name ?? "deleted-role").replace(/^@/, "")}`;
export const personById = (id) => everybody().find((person) => person.id === id);

/** Is snowflake `a` newer than `b`? They are too long for numbers. */
export const newer = (a, b) => a.length !== b.length ? a.length > b.length : a > b;
export const inOrder = (a, b) => (a === b ? 0 : newer(a, b) ? 1 : -1);

const readKey = () => `dominium-sandbox-read-${state.me.id}`;

function readMarks() {
  try {
    return JSON.parse(localStorage.getItem(readKey())) ?? {};
  } catch {
    return {};
  }
}

/** Everything in `channel` up to now has been seen. */
export function markRead(channel) {
  if (!state.me) return;
  const marks = readMarks();
  const last = state.channels.get(channel)?.last;
  state.pings.delete(channel);
  if (!last || marks[channel] === last) return;
  marks[channel] = last;
  localStorage.setItem(readKey(), JSON.stringify(marks));
}

export function isUnread(channel) {
  const mark = readMarks()[channel.id];
  return channel.id !== state.open && Boolean(channel.last) && (!mark || newer(channel.last, mark));
}

export function setChannels(list) {
  state.channels = new Map(list.map((channel) => [channel.id, channel]));
}

export function greet(hello) {
  Object.assign(state, { me: hello.me, people: hello.people, roles: hello.roles, bot: hello.bot, server: hello.server });
  state.skew = hello.now - Date.now();
  state.messages.clear();
  state.more.clear();
  state.pings.clear();
  setChannels(hello.channels);
  // At the first visit nothing is new.
  if (localStorage.getItem(readKey()) === null) {
    const marks = Object.fromEntries(hello.channels.filter((c) => c.last).map((c) => [c.id, c.last]));
    localStorage.setItem(readKey(), JSON.stringify(marks));
  }
}

export function keep(message) {
  const shelf = state.messages.get(message.channel_id);
  shelf?.set(message.id, message);
  const channel = state.channels.get(message.channel_id);
  if (!channel) return;
  const fresh = !channel.last || newer(message.id, channel.last);
  if (fresh) channel.last = message.id;
  if (fresh && message.pings_me && message.channel_id !== state.open) {
    state.pings.set(message.channel_id, (state.pings.get(message.channel_id) ?? 0) + 1);
  }
}

/** "@Ann" and "#games" as people type them, into what Discord sends, and back. */
export function encodeMentions(text) {
  let result = text;
  for (const person of everybody()) result = result.replaceAll(`@${person.shown}`, `<@${person.id}>`);
  for (const channel of state.channels.values()) {
    if (channel.kind === "channel") result = result.replaceAll(`#${channel.name}`, `<#${channel.id}>`);
  }
  return result;
}

export function decodeMentions(text) {
  return text
    .replace(/<@!?(\d+)>/g, (whole, id) => (personById(id) ? `@${personById(id).shown}` : whole))
    .replace(/<#(\d+)>/g, (whole, id) => (state.channels.get(id) ? `#${state.channels.get(id).name}` : whole));
}
