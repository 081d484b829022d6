import { choice, group, number, slider, toggle } from './controls.js';
import { byId } from './dom.js';

const AXES = ['x', 'y', 'z'];

/** Settings of the world: gravity, damping, time step, contact. */
export class WorldPanel {
  constructor({ link, session }) {
    Object.assign(this, { link, session });
    const change = (key) => (value) => link.send({ 'set-world': { [key]: value } });
    this.pull = slider({ id: 'world-gravity', label: 'Gravity', unit: 'm/s²', min: 0, max: 30, change: (size) => change('gravity')(this.#scaled(size)) });
    this.axes = AXES.map((axis, i) => number({ id: `world-gravity-${axis}`, label: `Gravity along ${axis}`, unit: 'm/s²', change: (value) => change('gravity')(this.#withAxis(i, value)) }));
    this.rows = {
      damping: slider({ id: 'world-damping', label: 'Damping', unit: '1/s', min: 0.01, max: 20, log: true, zero: true, hint: 'Decay rate of all motion', change: change('damping') }),
      friction: slider({ id: 'world-friction', label: 'Friction of obstacles', min: 0, max: 2, change: change('friction') }),
      dt: slider({ id: 'world-dt', label: 'Time step', unit: 's', min: 1e-4, max: 0.05, log: true, si: true, hint: 'Time between frames', change: change('dt') }),
      substeps: number({ id: 'world-substeps', label: 'Substeps', empty: 'automatic', change: change('substeps') }),
      contact: choice({ id: 'world-contact', label: 'Contact', change: change('contact') }),
      anneal: number({ id: 'world-anneal', label: 'Anneal at rest after', unit: 's', empty: 'never', hint: 'After this time without flow, plastic strain is measured from the current shape; forces do not change', change: (value) => change('anneal')(value ?? 0) }),
      budget: number({ id: 'world-budget', label: 'Time per step', unit: 'ms', empty: 'unlimited', hint: 'Stops solves early and postpones breaks if a step would take longer; it depends on measured times, so runs are not reproducible', change: (value) => change('budget')(value ?? 0) }),
      sleep: toggle({ id: 'world-sleep', label: 'Resting bodies sleep', change: change('sleep') }),
    };
    const row = (...names) => names.map((name) => this.rows[name].element);
    byId('panel-world').append(
      group('Forces', [this.pull.element, ...row('damping', 'friction')]),
      group('Direction of gravity', this.axes.map((axis) => axis.element), { open: false }),
      group('Time', row('dt', 'substeps', 'budget', 'anneal')),
      group('Contact', row('contact', 'sleep')),
    );
    session.on('scene', () => this.refresh());
    session.on('hello', () => this.refresh());
  }

  #scaled(size) {
    const now = this.session.scene.world.gravity;
    const length = Math.hypot(...now);
    if (length > 0) this.direction = now.map((g) => g / length);
    return (this.direction ?? [0, -1, 0]).map((d) => (d === 0 ? 0 : d * size));
  }

  #withAxis(axis, value) {
    return this.session.scene.world.gravity.map((g, i) => (i === axis ? value : g));
  }

  refresh() {
    const { scene, hello } = this.session;
    if (!scene || !hello) return;
    const { world } = scene;
    this.pull.set(Math.hypot(...world.gravity));
    this.axes.forEach((axis, i) => axis.set(world.gravity[i]));
    for (const name of ['damping', 'friction', 'dt', 'substeps', 'budget', 'anneal', 'sleep']) this.rows[name].set(world[name]);
    this.rows.friction.number.placeholder = 'none';
    this.rows.friction.range.disabled = this.rows.friction.number.disabled = world.friction === null;
    this.rows.contact.set(world.contact, hello.contacts);
  }
}
