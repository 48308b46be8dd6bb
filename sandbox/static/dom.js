// Elements from plain calls. Text becomes text nodes, never markup.

/** Make an element. `props`: class, text, on, data, hidden and other properties; `attr` for attributes. */
export function h(tag, props = {}, ...children) {
  const element = document.createElement(tag);
  const { class: name, text, on, data, attr, ...rest } = props;
  if (name) element.className = name;
  if (text !== undefined) element.textContent = text;
  for (const [event, hear] of Object.entries(on ?? {})) element.addEventListener(event, hear);
  for (const [key, value] of Object.entries(data ?? {})) if (value !== undefined) element.dataset[key] = value;
  for (const [key, value] of Object.entries(attr ?? {})) {
    if (value !== undefined && value !== null && value !== false) element.setAttribute(key, value);
  }
  Object.assign(element, rest);
  element.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

/** Make `old` what `fresh` is, keeping its elements: by their key, `data-key`, else in order. Their listeners stay. */
export function patch(old, fresh) {
  if (old.isEqualNode(fresh)) return;
  for (const { name } of [...old.attributes]) if (!fresh.hasAttribute(name)) old.removeAttribute(name);
  for (const { name, value } of fresh.attributes) if (old.getAttribute(name) !== value) old.setAttribute(name, value);
  const same = (one, other) => one.nodeName === other.nodeName && one.dataset?.key === other.dataset?.key;
  const left = [...old.childNodes];
  let at = old.firstChild;
  for (const child of [...fresh.childNodes]) {
    const found = left.findIndex((one) => same(one, child));
    const kept = found < 0 ? child : left.splice(found, 1)[0];
    if (kept === at) at = at.nextSibling;
    else old.insertBefore(kept, at);
    if (kept === child) continue;
    if (kept.nodeType === Node.ELEMENT_NODE) patch(kept, child);
    else if (kept.data !== child.data) kept.data = child.data;
  }
  for (const gone of left) gone.remove();
}

export const byId = (id) => document.getElementById(id);

let count = 0;
/** An id that no other element has. */
export const unique = (prefix) => `${prefix}-${(count += 1)}`;
