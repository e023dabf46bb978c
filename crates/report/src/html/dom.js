// Elements and shapes. What a model says is always set as text, never parsed as markup, and the
// characters that could reorder a line are replaced (as `safe_char` does for all other output).

const UNSAFE =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\ufffe\uffff]/g;

/** A text in which no character moves others about. */
export function plain(text) {
  return String(text).replace(UNSAFE, '\ufffd');
}

/**
 * An element. Of the properties, `on...` are listeners, `style` is an object, `class` and
 * everything else are attributes; `false`, `null` and `undefined` are left out, also of children.
 */
export function el(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (value === false || value === null || value === undefined) continue;
    if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
    else if (name === 'style') Object.assign(element.style, value);
    else element.setAttribute(name, value === true ? '' : plain(value));
  }
  append(element, children);
  return element;
}

function append(element, children) {
  for (const child of children) {
    if (child === false || child === null || child === undefined) continue;
    if (Array.isArray(child)) append(element, child);
    else if (child instanceof Node) element.append(child);
    else element.append(plain(child));
  }
}

/** Replaces what is in an element. */
export function fill(element, ...children) {
  element.replaceChildren();
  append(element, children);
  return element;
}

/** A shape of a picture; `text` is what stands in it. */
export function shape(tag, attributes = {}, text = '') {
  const element = document.createElementNS('http://www.w3.org/2000/svg', tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== null && value !== undefined) element.setAttribute(name, value);
  }
  if (text !== '') element.textContent = plain(text);
  return element;
}

/** A button with a name for those who do not see its sign. */
export function button(sign, name, onclick, more = {}) {
  return el('button', { type: 'button', title: name, 'aria-label': name, onclick, ...more }, sign);
}

/** A button that looks like a link: to a step, a line, a run. */
export function link(text, onclick, more = {}) {
  return el('button', { type: 'button', class: 'link', onclick, ...more }, text);
}

/** `12,345`. */
export function number(value) {
  return Number(value).toLocaleString('en');
}

/** Columns of a text in a type of equal widths: signs of East Asia and pictures take two. */
export function columns(text) {
  let count = 0;
  for (const sign of text) count += sign.codePointAt(0) < 0x1100 ? 1 : 2;
  return count;
}

/** The beginning of a text that fits, marked where it is cut. */
export function cut(text, room) {
  if (columns(text) <= room) return text;
  let kept = '';
  let used = 1;
  for (const sign of text) {
    used += columns(sign);
    if (used > room) break;
    kept += sign;
  }
  return kept + '…';
}

/** The beginning and the end of a name: of many processes of a kind the numbers differ. */
export function shortened(name, room) {
  const signs = [...name];
  if (columns(name) <= room || signs.length <= 4) return cut(name, room);
  const tail = signs.slice(-4).join('');
  return `${cut(name, Math.max(2, room - columns(tail)))}${tail}`;
}
