import { choice, group, toggle } from './controls.js';
import { FIELD_STYLES } from './colour-map.js';
import { Signal } from './signal.js';
import { byId } from './dom.js';

const CELLS = [
  { name: 'off', label: 'hidden' }, { name: 'outside', label: 'on the surface' }, { name: 'all', label: 'all, see-through' },
];
const SWITCHES = {
  pins: 'Pins', contacts: 'Contacts', sleep: 'Sleeping bodies', probes: 'Probes', shadow: 'Shadow', splinters: 'Splinters and surfaces',
};

/** Settings of the display. Signals: `display`, `field`. */
export class DisplayPanel extends Signal {
  field = null;

  constructor({ link, session, view }) {
    super();
    Object.assign(this, { link, session, view });
    this.state = { ...view.display };
    this.colour = choice({ id: 'field', label: 'Colour by', change: (value) => this.setField(value || null) });
    this.cells = choice({ id: 'show-cells', label: 'Simulation cells', options: CELLS, change: (value) => this.set({ cells: value }) });
    this.switches = Object.entries(SWITCHES).map(([key, label]) => [key, toggle({ id: `show-${key}`, label, change: (on) => this.set({ [key]: on }) })]);
    byId('panel-display').append(
      group('Surface', [this.colour.element]),
      group('Shown', [this.cells.element, ...this.switches.map(([, row]) => row.element)]),
    );
    session.on('hello', () => this.#again());
    this.refresh();
  }

  /** Sends the wanted frame data to a newly connected server. */
  #again() {
    this.refresh();
    const { contacts, splinters } = this.state;
    if (this.field || contacts || !splinters) this.link.send({ watch: { field: this.field, contacts, cells: !splinters } });
  }

  setField(name) {
    if (name === this.field) return;
    this.field = name;
    this.link.send({ watch: { field: name } });
    this.refresh();
    this.emit('field', name);
  }

  set(change) {
    Object.assign(this.state, change);
    if ('contacts' in change) this.link.send({ watch: { contacts: this.state.contacts } });
    this.view.show(this.state);
    if ('splinters' in change) {
      this.view.stale = true;
      this.link.send({ watch: { cells: !this.state.splinters } });
    }
    this.refresh();
    this.emit('display', this.state);
  }

  /** The next field in the list, for a key. */
  nextField() {
    const all = [null, ...(this.session.hello?.fields ?? [])];
    this.setField(all[(all.indexOf(this.field) + 1) % all.length]);
  }

  nextCells() {
    const names = CELLS.map(({ name }) => name);
    this.set({ cells: names[(names.indexOf(this.state.cells) + 1) % names.length] });
  }

  refresh() {
    const fields = (this.session.hello?.fields ?? Object.keys(FIELD_STYLES)).map((name) => ({ name, label: FIELD_STYLES[name]?.label ?? name }));
    this.colour.set(this.field ?? '', [{ name: '', label: 'Body' }, ...fields]);
    this.cells.set(this.state.cells);
    for (const [key, row] of this.switches) row.set(this.state[key]);
  }
}
