import { choice, slider, toggle } from './controls.js';

const LABELS = { same: 'as the body', elastic: 'none (elastic)', hardening: 'hardening, beyond a stress', creep: 'creep, beyond a strain' };

/** The rows of each kind of flow. */
const ROWS = {
  hardening: ['yield_stress', 'hardening', 'limited', 'limit_stress'],
  creep: ['yield_strain', 'rate', 'limited', 'limit_strain'],
};

/** Rows for the plastic flow of a body or a brush. `change(key)` returns the function that sends a setting. */
export class PlasticRows {
  constructor(change, of = 'body') {
    this.kind = choice({ id: `${of}-plastic`, label: 'Plastic flow', hint: 'Permanent deformation', change: change('plastic') });
    this.rows = {
      yield_stress: slider({ id: `${of}-yield-stress`, label: 'Yield stress', unit: 'Pa', min: 1, max: 1e9, log: true, si: true, hint: 'Stress beyond which it flows', change: change('yield_stress') }),
      hardening: slider({ id: `${of}-hardening`, label: 'Hardening', unit: 'Pa', min: 1, max: 1e9, log: true, zero: true, si: true, hint: 'Additional stress needed for further flow', change: change('hardening') }),
      yield_strain: slider({ id: `${of}-yield-strain`, label: 'Yield strain', min: 1e-3, max: 1, log: true, hint: 'Strain beyond which it flows', change: change('yield_strain') }),
      rate: slider({ id: `${of}-rate`, label: 'Rate', unit: '1/s', min: 0.01, max: 100, log: true, hint: 'Speed of the flow', change: change('rate') }),
      limited: toggle({ id: `${of}-limited`, label: 'Limited flow', hint: 'Elastic again beyond the limit', change: change('limited') }),
      limit_stress: slider({ id: `${of}-limit-stress`, label: 'Limit', unit: 'Pa', min: 1, max: 1e10, log: true, si: true, hint: 'Limits the plastic strain; at least the yield stress', change: change('limit') }),
      limit_strain: slider({ id: `${of}-limit-strain`, label: 'Limit', min: 1e-3, max: 10, log: true, hint: 'Largest plastic strain; at least the yield strain', change: change('limit') }),
    };
  }

  get elements() {
    return [this.kind.element, ...Object.values(this.rows).map((row) => row.element)];
  }

  /** Shows the plastic flow of a body. */
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
