import { choice, group, number, slider, toggle } from './controls.js';
import { byId, el } from './dom.js';
import { count, digits, prefixed } from './format.js';
import { icon } from './icons.js';
import { PlasticRows } from './panel-plastic.js';

/** Settings of one body, or of all. */
export class BodyPanel {
  constructor({ link, session, notify }) {
    Object.assign(this, { link, session, notify });
    this.#make();
    byId('panel-body').append(...this.#layout());
    session.on('hello', () => this.refresh());
    session.on('scene', () => this.refresh());
    session.on('selection', () => this.refresh());
  }

  #change(key) {
    return (value) => this.link.send({ 'set-body': { body: this.session.selected, [key]: value } });
  }

  #make() {
    const change = (key) => this.#change(key);
    this.pick = choice({ id: 'body-select', label: 'Body', change: (value) => this.session.select(value === '' ? null : Number(value)) });
    this.rows = {
      preset: choice({ id: 'body-preset', label: 'Preset', change: (value) => value && change('preset')(value) }),
      young: slider({ id: 'body-young', label: 'Young’s modulus E', unit: 'Pa', min: 1e2, max: 1e10, log: true, si: true, hint: 'Resistance to stretching', change: change('young') }),
      poisson: slider({ id: 'body-poisson', label: 'Poisson’s ratio ν', min: 0, max: 0.499, hint: 'Narrowing when stretched; 0.5 keeps the volume', change: change('poisson') }),
      density: slider({ id: 'body-density', label: 'Density', unit: 'kg/m³', min: 10, max: 20000, log: true, change: change('density') }),
      toughness: slider({ id: 'body-toughness', label: 'Toughness', unit: 'Pa', min: 1e2, max: 1e10, log: true, zero: true, si: true, hint: 'Tensile stress at which it breaks; 0 makes it unbreakable', change: change('toughness') }),
      law: choice({ id: 'body-law', label: 'Law', change: change('law') }),
      rayleigh_mass: slider({ id: 'body-rayleigh-mass', label: 'Drag', unit: '1/s', min: 0.01, max: 20, log: true, zero: true, hint: 'Slows all motion (mass-proportional Rayleigh damping)', change: change('rayleigh_mass') }),
      rayleigh_stiffness: slider({ id: 'body-rayleigh-stiffness', label: 'Inner damping', unit: 's', min: 1e-5, max: 0.2, log: true, zero: true, si: true, hint: 'Slows vibration (stiffness-proportional Rayleigh damping)', change: change('rayleigh_stiffness') }),
      friction: slider({ id: 'body-friction', label: 'Friction', min: 0, max: 2, change: change('friction') }),
      self_contact: toggle({ id: 'body-self-contact', label: 'Self-contact', change: change('self_contact') }),
      stepper: choice({ id: 'body-stepper', label: 'Stepper', change: change('stepper') }),
      solver: choice({ id: 'body-solver', label: 'Solver', change: change('solver') }),
      rotation: choice({ id: 'body-rotation', label: 'Rotation', change: change('rotation') }),
      mass_matrix: choice({ id: 'body-mass', label: 'Mass matrix', change: change('mass') }),
      adaptive: toggle({ id: 'body-adaptive', label: 'Adaptive degree', hint: 'Quadratic only where the body bends', change: change('adaptive') }),
      degree: choice({ id: 'body-degree', label: 'Degree', hint: 'Degree of the cells; a change restarts the body', change: (value) => change('degree')(Number(value)) }),
      substeps: number({ id: 'body-substeps', label: 'Substeps', empty: 'automatic', change: change('substeps') }),
      sweeps: number({ id: 'body-sweeps', label: 'Sweeps', hint: 'Per substep, for XPBD', change: change('sweeps') }),
      size: slider({ id: 'body-size', label: 'Size', unit: 'm', min: 0.05, max: 10, log: true, hint: 'Largest extent; a change restarts the body', change: change('size') }),
    };
    this.plastic = new PlasticRows(change);
    this.colour = el('input', { type: 'color', id: 'body-colour', onchange: () => change('colour')(this.colour.value) });
    this.facts = el('p', { class: 'facts', id: 'body-facts' });
    this.regions = el('ul', { class: 'regions', id: 'body-regions' });
  }

  #layout() {
    const row = (...names) => names.map((name) => this.rows[name].element);
    const colour = el('div', { class: 'row' }, el('label', { for: 'body-colour' }, 'Colour'), this.colour);
    const unpin = el('button', { type: 'button', id: 'body-unpin', class: 'quiet', onclick: () => this.#unpin() }, 'Unpin all');
    const remove = el('button', { type: 'button', id: 'body-remove', class: 'quiet danger', onclick: () => this.#remove() }, icon('trash'), 'Remove body');
    this.buttons = { unpin, remove };
    return [
      this.pick.element, this.facts,
      group('Material', [...row('preset', 'young', 'poisson', 'density', 'toughness', 'law'), this.regions]),
      group('Plastic flow', this.plastic.elements, { id: 'group-plastic' }),
      group('Damping and contact', row('rayleigh_mass', 'rayleigh_stiffness', 'friction', 'self_contact')),
      group('Method', row('stepper', 'solver', 'degree', 'adaptive', 'substeps', 'sweeps', 'rotation', 'mass_matrix'), { id: 'group-method' }),
      group('Shape', [...row('size'), colour]),
      el('div', { class: 'buttons' }, unpin, remove),
    ];
  }

  #unpin() {
    const bodies = this.session.selected === null ? Array(this.session.count).keys() : [this.session.selected];
    for (const body of bodies) this.link.send({ unpin: { body } });
  }

  #remove() {
    if (this.session.selected !== null) this.link.ask({ remove: { body: this.session.selected } }).catch(() => {});
  }

  refresh() {
    const { scene, hello, selected } = this.session;
    if (!scene || !hello) return;
    const bodies = scene.bodies.slice(0, scene.own).map((body, i) => ({ name: String(i), label: body.broken ? `${body.name} (${count(body.pieces)} ${body.pieces === 1 ? 'piece' : 'pieces'})` : body.name }));
    this.pick.set(selected === null ? '' : String(selected), bodies.length > 1 ? [{ name: '', label: 'All bodies' }, ...bodies] : bodies);
    const body = scene.bodies[selected ?? 0];
    if (body) this.#fill(body, hello);
  }

  #fill(body, hello) {
    const { rows } = this;
    for (const name of ['young', 'poisson', 'density', 'rayleigh_mass', 'rayleigh_stiffness', 'friction', 'self_contact', 'adaptive', 'substeps', 'sweeps', 'size']) rows[name].set(body[name]);
    rows.toughness.set(body.toughness ?? 0);
    rows.preset.set(body.preset ?? '', [{ name: '', label: 'custom' }, ...hello.presets]);
    rows.law.set(body.law, hello.laws);
    this.plastic.set(body, hello.plastics);
    rows.stepper.set(body.stepper, hello.steppers);
    rows.solver.set(body.solver, chosen(hello.solvers, body));
    rows.rotation.set(body.rotation, hello.rotations);
    rows.mass_matrix.set(body.mass_matrix, hello.masses);
    rows.degree.set(String(body.degree), (body.degrees.length ? body.degrees : [body.degree]).map(String));
    rows.degree.select.disabled = body.degrees.length < 2;
    rows.size.range.disabled = rows.size.number.disabled = !body.sizes;
    this.colour.value = `#${body.colour.map((c) => c.toString(16).padStart(2, '0')).join('')}`;
    const cells = Object.entries(body.cells ?? {}).map(([kind, n]) => `${count(n)} ${kind}`).join(', ');
    this.facts.textContent = body.rigid ? `Rigid · ${digits(body.mass)} kg` : `${cells} · ${count(body.unknowns)} unknowns · ${digits(body.mass)} kg`;
    if (body.broken) this.facts.textContent += body.pieces === 1 ? ' · cracked' : ` · the largest of ${count(body.pieces)} pieces`;
    this.regions.replaceChildren(...(body.regions ?? []).map((r) => el('li', {}, el('span', {}, r.name), el('span', {}, r.rigid ? 'rigid' : `${prefixed(r.young)}Pa${r.plastic ? `, ${r.plastic.kind}` : ''}${r.toughness && r.toughness !== body.toughness ? `, breaks at ${prefixed(r.toughness)}Pa` : ''}`))));
    this.buttons.unpin.disabled = !body.pins && this.session.selected !== null;
    this.buttons.remove.disabled = this.session.selected === null || this.session.count < 2;
  }
}

/** Adds the selected solver to the label "auto". */
function chosen(solvers, { solver_chosen: now }) {
  return solvers.map((s) => ((s.name ?? s) === 'auto' && now && now !== 'auto' ? { ...(s.name ? s : { name: s }), label: `auto (${now})` } : s));
}
