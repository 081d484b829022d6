/** Labelled rows of a panel. Each function returns `{element, set(value)}`; `set` does not overwrite a control in use. */
import { el, throttle } from './dom.js';
import { digits, parse, prefixed } from './format.js';

const SLIDER_STEPS = 1000;
/** Time between messages while a slider moves, in ms. */
const SEND_INTERVAL = 80;

/**
 * A slider with a field for the exact number. `log`: equal distances are equal factors. `zero`: the lower end means zero.
 * `si`: numbers with prefixes (300 k).
 */
export function slider({ id, label, unit = '', min, max, log = false, zero = false, si = false, hint = null, change }) {
  const range = el('input', { type: 'range', id, min: 0, max: SLIDER_STEPS, step: 1 });
  const number = el('input', { type: 'text', inputmode: 'decimal', id: `${id}-number`, class: 'number', 'aria-label': `${label}, exact`, autocomplete: 'off', spellcheck: 'false' });
  const words = (value) => (si ? `${prefixed(value)}${unit}` : unit === '×' || unit === '%' ? `${digits(value)}${unit}` : `${digits(value)} ${unit}`).trim();
  const scale = log ? logScale(min, max, zero) : linearScale(min, max);
  const send = throttle(SEND_INTERVAL, change);
  let held = false;
  const show = (value) => {
    const at = scale.place(value);
    range.value = Math.round(at * SLIDER_STEPS);
    range.style.setProperty('--fill', `${Math.min(1, Math.max(0, at)) * 100}%`);
    range.setAttribute('aria-valuetext', words(value));
    if (document.activeElement !== number) number.value = words(value);
  };
  range.addEventListener('input', () => {
    held = true;
    const value = round(scale.value(range.value / SLIDER_STEPS));
    show(value);
    send(value);
  });
  range.addEventListener('change', () => { setTimeout(() => { held = false; }, 400); });
  number.addEventListener('change', () => {
    const value = parse(number.value, si);
    if (Number.isFinite(value)) {
      change(value);
      number.blur();
      show(value);
    } else number.select();
  });
  number.addEventListener('focus', () => number.select());
  const element = el('div', { class: 'row slider', title: hint }, el('label', { for: id }, label), number, range);
  return { element, set: (value) => { if (!held && Number.isFinite(value)) show(value); }, range, number };
}

function linearScale(min, max) {
  return { place: (v) => (v - min) / (max - min), value: (t) => min + t * (max - min) };
}

function logScale(min, max, zero) {
  const span = Math.log(max / min);
  return {
    place: (v) => (v <= 0 ? 0 : Math.log(v / min) / span),
    value: (t) => (zero && t === 0 ? 0 : min * Math.exp(t * span)),
  };
}

/** Rounds to three digits, so that the sent value is the shown one. */
function round(value) {
  return value === 0 ? 0 : Number(value.toPrecision(3));
}

/** A drop-down list. `set(value, options)` may replace the options: strings or `{name, text}`. */
export function choice({ id, label, hint = null, change, options = [] }) {
  const select = el('select', { id, onchange: () => change(select.value) });
  let known = null;
  const fill = (list) => {
    const key = JSON.stringify(list);
    if (key === known) return;
    known = key;
    select.replaceChildren(...list.map((o) => el('option', { value: o.name ?? o, title: o.text ?? null }, o.label ?? o.name ?? o)));
  };
  fill(options);
  const element = el('div', { class: 'row', title: hint }, el('label', { for: id }, label), select);
  return { element, select, set: (value, list = null) => {
    if (list) fill(list);
    if (value !== undefined && document.activeElement !== select) select.value = value ?? '';
    else if (value !== undefined && select.value !== value) select.value = value ?? '';
  } };
}

/** A switch. */
export function toggle({ id, label, hint = null, change }) {
  const input = el('input', { type: 'checkbox', id, role: 'switch', onchange: () => change(input.checked) });
  const element = el('div', { class: 'row toggle', title: hint }, el('label', { for: id }, label), input);
  return { element, input, set: (value) => { input.checked = Boolean(value); } };
}

/** A field for a short number. `empty` is the text for 0, such as "automatic". */
export function number({ id, label, unit = '', empty = null, hint = null, change }) {
  const input = el('input', { type: 'text', inputmode: 'decimal', id, class: 'number', placeholder: empty, autocomplete: 'off' });
  input.addEventListener('change', () => {
    const value = input.value.trim() === '' ? 0 : parse(input.value, false);
    if (Number.isFinite(value)) change(value);
    else input.select();
  });
  const element = el('div', { class: 'row', title: hint }, el('label', { for: id }, label), input);
  return { element, input, set: (value) => {
    if (document.activeElement !== input) input.value = !value && empty ? '' : `${digits(value ?? 0, 6)} ${unit}`.trim();
  } };
}

/** A group of rows under a heading; with `open: false` it starts folded. */
export function group(title, rows, { open = true, id = null } = {}) {
  const details = el('details', { class: 'group', id, open }, el('summary', {}, title), ...rows);
  return details;
}
