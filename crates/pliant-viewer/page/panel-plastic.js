import { choice, slider, toggle } from './controls.js';

const LABELS = { same: 'as the body', elastic: 'not at all (elastic)', hardening: 'beyond a stress, hardening', creep: 'in time, beyond a strain' };

/** The rows of each kind of flow. */
const ROWS = {
  hardening: ['yield_stress', 'hardening', 'limited', 'limit_stress'],
  creep: ['yield_strain', 'rate', 'limited', 'limit_strain'],
};

/** Rows for how a body or a brush stays deformed. `change(key)` gives the function that takes a setting. */
export class PlasticRows {
  constructor(change, of = 'body') {
    this.kind = choice({ id: `${of}-plastic`, label: 'Stays deformed', hint: 'Whether it keeps a part of what is done to it', change: change('plastic') });
    this.rows = {
      yield_stress: slider({ id: `${of}-yield-stress`, label: 'Yield stress', unit: 'Pa', min: 1, max: 1e9, log: true, si: true, hint: 'The stress beyond which it flows', change: change('yield_stress') }),
      hardening: slider({ id: `${of}-hardening`, label: 'Hardening', unit: 'Pa', min: 1, max: 1e9, log: true, zero: true, si: true, hint: 'How much more stress further flow needs', change: change('hardening') }),
      yield_strain: slider({ id: `${of}-yield-strain`, label: 'Yield strain', min: 1e-3, max: 1, log: true, hint: 'The strain beyond which it flows', change: change('yield_strain') }),
      rate: slider({ id: `${of}-rate`, label: 'Rate', unit: '1/s', min: 0.01, max: 100, log: true, hint: 'How fast it flows', change: change('rate') }),
      limited: toggle({ id: `${of}-limited`, label: 'Flows only so far', hint: 'Beyond the limit it is elastic again', change: change('limited') }),
      limit_stress: slider({ id: `${of}-limit-stress`, label: 'Limit', unit: 'Pa', min: 1, max: 1e10, log: true, si: true, hint: 'Bounds the plastic strain; not below the yield stress', change: change('limit') }),
      limit_strain: slider({ id: `${of}-limit-strain`, label: 'Limit', min: 1e-3, max: 10, log: true, hint: 'The largest plastic strain; not below the yield strain', change: change('limit') }),
    };
  }

  get elements() {
    return [this.kind.element, ...Object.values(this.rows).map((row) => row.element)];
  }

  /** Shows what a body has. */
  set({ plastic, rigid = false, kind = plastic?.kind ?? 'elastic' }, kinds) {
    this.kind.set(kind, kinds.map((name) => ({ name, label: LABELS[name] ?? name })));
    this.kind.select.disabled = rigid;
    const limited = plastic ? plastic.limit !== null : false;
    for (const [name, row] of Object.entries(this.rows)) {
      row.element.hidden = !ROWS[kind]?.includes(name) || (name.startsWith('limit_') && !limited);
      if (!row.element.hidden) row.set(name === 'limited' ? limited : plastic[name.startsWith('limit_') ? 'limit' : name]);
    }
  }
}
