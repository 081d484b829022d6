import { BrushOptions } from './brush-options.js';
import { slider } from './controls.js';
import { byId } from './dom.js';

/** The tools (pull, pin, paint, hammer, bullet, explosion, twist), the selected one, and their settings. */
export class Tools {
  constructor({ pull, pin, paint, hammer, bullet, blast, twist, pointer, session, display, announce }) {
    this.all = { pull, pin, paint, hammer, bullet, blast, twist };
    Object.assign(this, { pointer, session, display, announce });
    for (const name of Object.keys(this.all)) byId(`tool-${name}`).addEventListener('click', () => this.choose(name));
    this.#options();
    this.choose('pull', true);
  }

  #options() {
    const { pull, pin, paint, hammer, bullet, blast, twist } = this.all;
    const blow = (id, tool, max, hint) => [
      slider({ id: `${id}-speed`, label: 'Strength', unit: 'm/s', min: 0.1, max, log: true, hint, change: (value) => { tool.speed = value; } }),
      slider({ id: `${id}-radius`, label: 'Radius', unit: '%', min: 1, max: id === 'blast' ? 500 : 50, log: true, hint: 'Relative to the size of the body', change: (value) => { tool.radius = value / 100; } }),
    ];
    const rows = {
      pull: [slider({ id: 'pull-strength', label: 'Strength', unit: '×', min: 0.05, max: 20, log: true, hint: 'Strength of the pull', change: (value) => { pull.strength = value; } })],
      pin: [slider({ id: 'pin-radius', label: 'Radius', unit: '%', min: 1, max: 50, log: true, hint: 'Relative to the size of the body', change: (value) => { pin.radius = value / 100; } })],
      hammer: blow('hammer', hammer, 500, 'Speed that it gives to the material'),
      bullet: blow('bullet', bullet, 2000, 'Speed that it gives to the material in its path'),
      blast: blow('blast', blast, 1000, 'Approximate speed of bodies that face it'),
      twist: [slider({ id: 'twist-strength', label: 'Strength', unit: '×', min: 0.05, max: 200, log: true, hint: 'Strength of the twist for a given drag distance', change: (value) => { twist.strength = value; } })],
    };
    rows.twist[0].set(twist.strength);
    for (const [name, tool] of Object.entries({ hammer, bullet, blast })) {
      rows[name][0].set(tool.speed);
      rows[name][1].set(100 * tool.radius);
    }
    this.brush = new BrushOptions({ brush: paint, session: this.session, changed: () => this.#colour(this.current) });
    byId('options-paint').append(...this.brush.elements);
    rows.pull[0].set(pull.strength);
    rows.pin[0].set(100 * pin.radius);
    for (const [name, list] of Object.entries(rows)) byId(`options-${name}`).append(...list.map((row) => row.element));
  }

  choose(name, quiet = false) {
    this.current = name;
    this.pointer.tool = this.all[name];
    for (const other of Object.keys(this.all)) {
      byId(`tool-${other}`).setAttribute('aria-checked', String(other === name));
      byId(`options-${other}`).hidden = other !== name;
    }
    this.#colour(name);
    if (!quiet) this.announce(`${byId(`tool-${name}`).getAttribute('aria-label')}.`);
  }

  /** While the brush is selected, shows a field that makes the paint visible, unless the user has selected another field. */
  #colour(name) {
    const own = this.lent && this.display.field === this.lent;
    if (name === 'paint' && (own || this.display.field === null)) {
      this.lent = this.all.paint.shownBy;
      this.display.setField(this.lent);
    } else if (name !== 'paint' && this.lent) {
      if (own) this.display.setField(null);
      this.lent = null;
    }
  }
}
