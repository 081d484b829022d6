import { slider, toggle } from './controls.js';
import { PlasticRows } from './panel-plastic.js';

/** Defaults of the engine, relative to Young's modulus or as plain numbers. */
const DEFAULTS = { yield_stress: 0.02, hardening: 0.01, limit_stress: 1, yield_strain: 0.02, rate: 5, limit_strain: 1 };
const KINDS = ['same', 'elastic', 'hardening', 'creep'];

/** The settings of a brush: stiffness, plastic flow, rigidity, size. */
export class BrushOptions {
  constructor({ brush, session, changed }) {
    Object.assign(this, { brush, session, changed });
    const take = (key) => (value) => {
      brush[key] = value;
      this.refresh();
    };
    this.factor = slider({ id: 'brush-factor', label: 'Stiffness', unit: '×', min: 0.01, max: 100, log: true, hint: 'Relative to the body; 1 removes the paint', change: take('factor') });
    this.toughness = slider({ id: 'brush-toughness', label: 'Toughness', unit: '×', min: 0.01, max: 100, log: true, hint: 'Relative to the body, if it can break', change: take('toughness') });
    this.radius = slider({ id: 'brush-radius', label: 'Radius', unit: '%', min: 1, max: 50, log: true, hint: 'Relative to the size of the body', change: (value) => { brush.radius = value / 100; } });
    this.rigid = toggle({ id: 'brush-rigid', label: 'Rigid', hint: 'Painted parts do not deform at all', change: take('rigid') });
    this.plastic = new PlasticRows((key) => (value) => this.#flow(key, value), 'brush');
    session.on('scene', () => this.refresh());
    session.on('selection', () => this.refresh());
    this.refresh();
  }

  get elements() {
    return [this.rigid.element, this.factor.element, this.toughness.element, ...this.plastic.elements, this.radius.element];
  }

  /** A new kind of flow starts with its defaults. */
  #flow(key, value) {
    if (key === 'plastic') this.brush.flow = value === 'same' ? {} : { plastic: value };
    else this.brush.flow[key] = value;
    this.refresh();
  }

  refresh() {
    const { brush, session } = this;
    const kind = brush.flow.plastic ?? 'same';
    const young = brush.factor * (session.scene?.bodies[session.selected ?? 0]?.young ?? 1e5);
    const strains = kind === 'creep';
    const defaults = { yield_stress: DEFAULTS.yield_stress * young, hardening: DEFAULTS.hardening * young, yield_strain: DEFAULTS.yield_strain, rate: DEFAULTS.rate, limit: strains ? DEFAULTS.limit_strain : DEFAULTS.limit_stress * young };
    const limit = brush.flow.limited === false ? null : brush.flow.limit ?? defaults.limit;
    this.rigid.set(brush.rigid);
    this.factor.set(brush.factor);
    this.toughness.set(brush.toughness);
    this.radius.set(100 * brush.radius);
    this.plastic.set({ kind, plastic: { ...defaults, ...brush.flow, limit } }, KINDS);
    for (const { element } of [this.factor, this.plastic.kind]) element.hidden = brush.rigid;
    this.toughness.element.hidden = brush.rigid || !session.scene?.bodies[session.selected ?? 0]?.toughness;
    if (brush.rigid) for (const { element } of Object.values(this.plastic.rows)) element.hidden = true;
    this.changed(brush);
  }
}
