import { FIELD_STYLES, colourAt } from './colour-map.js';
import { byId } from './dom.js';
import { digits, parse, prefixed } from './format.js';
import { setIcon } from './icons.js';

/** Seconds for which a smaller range must suffice before the legend narrows. */
const SHRINK_DELAY = 2.5;
/** Time constant of a change of the range, in s. */
const RANGE_EASE_TIME = 0.12;

/** The legend of the colours. Its range widens in round steps, narrows only after some time, and can be locked. */
export class Legend {
  locked = false;
  range = null;
  #goal = null;
  #smallSince = null;

  constructor({ view, display }) {
    Object.assign(this, { view, display });
    this.low = byId('legend-low');
    this.high = byId('legend-high');
    byId('legend-lock').addEventListener('click', () => this.lock(!this.locked));
    for (const input of [this.low, this.high]) input.addEventListener('change', () => this.#typed());
    display.on('field', (name) => this.#begin(name));
  }

  #begin(name) {
    this.name = name;
    this.style = FIELD_STYLES[name] ?? { label: name, map: 'sequential' };
    this.lock(false);
    this.restart();
    byId('legend').hidden = !name;
    if (!name) {
      this.view.skinUniforms.fieldOn.value = 0;
      this.view.dirty = true;
      return;
    }
    this.view.map.set(this.style.map);
    byId('legend-bar').style.background = gradient(this.style.map);
    byId('legend-title').textContent = this.style.label;
  }

  /** Clears the range: the next frame sets a new one. */
  restart() {
    if (this.locked) return;
    this.range = this.#goal = this.#smallSince = null;
  }

  lock(on) {
    this.locked = on;
    const button = byId('legend-lock');
    button.setAttribute('aria-pressed', String(on));
    button.title = on ? 'Unlock the range' : 'Lock the range';
    setIcon(button, on ? 'lock' : 'unlock');
  }

  #typed() {
    const [low, high] = [parse(this.low.value), parse(this.high.value)];
    if (!(Number.isFinite(low) && Number.isFinite(high) && low < high)) return this.#write();
    this.lock(true);
    this.range = this.#goal = [low, high];
    this.#apply();
    return undefined;
  }

  /** Takes the range of a frame. `seconds`: time since the previous one. */
  take(field, seconds) {
    if (!field || field.name !== this.name) return;
    this.unit = field.unit;
    if (!this.locked) this.#choose(round(field.low, field.high, this.style), seconds);
    this.#apply();
  }

  #choose(wanted, seconds) {
    if (!this.#goal) this.range = this.#goal = wanted;
    const [low, high] = this.#goal;
    if (wanted[0] < low || wanted[1] > high) {
      this.#goal = [Math.min(low, wanted[0]), Math.max(high, wanted[1])];
      this.#smallSince = null;
    } else if (wanted[0] > low || wanted[1] < high) {
      this.#smallSince = (this.#smallSince ?? 0) + seconds;
      if (this.#smallSince > SHRINK_DELAY) this.#goal = wanted;
    } else this.#smallSince = null;
    const share = 1 - Math.exp(-seconds / RANGE_EASE_TIME);
    const close = Math.abs(this.#goal[1] - this.range[1]) < 0.005 * (this.#goal[1] - this.#goal[0]);
    this.range = close ? this.#goal : this.range.map((v, i) => v + share * (this.#goal[i] - v));
  }

  #apply() {
    const { skinUniforms } = this.view;
    skinUniforms.fieldOn.value = 1;
    skinUniforms.fieldLog.value = this.style.log ? 1 : 0;
    skinUniforms.fieldSteps.value = this.style.steps ? Math.round(this.range[1] - this.range[0]) + 1 : 0;
    skinUniforms.fieldRange.value.set(...this.range);
    this.#write();
    this.view.dirty = true;
  }

  #write() {
    const shown = this.#goal ?? this.range;
    const write = (v) => (this.style.steps ? String(Math.round(v)) : this.unit ? `${prefixed(v)}${this.unit}`.trim() : digits(v));
    if (document.activeElement !== this.low) this.low.value = write(shown[0]);
    if (document.activeElement !== this.high) this.high.value = write(shown[1]);
    const middle = this.style.log ? Math.sqrt(shown[0] * shown[1]) : (shown[0] + shown[1]) / 2;
    byId('legend-middle').textContent = this.style.steps ? '' : write(middle);
  }
}

/** A range of round numbers that contains `low` and `high`. */
function round(low, high, { steps, around, log, range }) {
  if (range) return range;
  if (steps) return [Math.floor(low + 0.5), Math.max(Math.floor(low + 0.5) + 1, Math.floor(high + 0.5))];
  if (log) return [10 ** Math.floor(Math.log10(Math.max(low, 1e-9)) + 1e-6), 10 ** Math.ceil(Math.log10(Math.max(high, 1e-9)) + 1e-6)];
  if (around !== undefined) {
    const reach = nice(Math.max(around - low, high - around, 1e-3));
    return [around - reach, around + reach];
  }
  const top = nice(Math.max(high, 1e-12));
  return [low >= 0 ? 0 : -nice(-low), top];
}

function nice(value) {
  const power = 10 ** Math.floor(Math.log10(value));
  return [1, 1.5, 2, 3, 5, 7, 10].find((f) => f * power >= value * (1 - 1e-9)) * power;
}

function gradient(map) {
  const stops = Array.from({ length: 17 }, (_, i) => {
    const rgb = colourAt(map, i / 16).map((c) => Math.round(255 * c));
    return `rgb(${rgb.join(' ')})`;
  });
  return `linear-gradient(to right, ${stops.join(', ')})`;
}
