import { byId, el } from './dom.js';

/** Keys, by what they are for. */
const KEYS = [
  ['Running', [['Space', 'play or pause'], ['.', 'one step'], ['R', 'reset'], ['[ ]', 'slower, faster'], ['V', 'the last two seconds again, slowly']]],
  ['Camera', [['drag beside a body', 'turn'], ['Shift drag, right drag', 'shift'], ['wheel, pinch', 'nearer, farther'], ['F', 'show everything'], ['← ↑ → ↓', 'turn'], ['Shift ← ↑ → ↓', 'shift'], ['+ −', 'nearer, farther']]],
  ['Touch', [['drag a body', 'pull it'], ['1 2 3', 'pull, pin, paint'], ['4 5 6 7', 'hammer, bullet, explosion, twist'], ['Enter', 'take hold under the cross, let go'], ['← ↑ → ↓', 'pull what is held'], ['PgUp PgDn', 'push away, draw near'], ['N', 'next body'], ['Esc', 'let go']]],
  ['Edit and show', [['Ctrl Z', 'undo'], ['Ctrl Shift Z', 'redo'], ['K', 'commit: keep this shape'], ['C', 'colour by the next field'], ['E', 'simulation cells'], ['X', 'splinters or bare cells'], ['L', 'lock the legend'], ['T', 'dark or light'], ['P', 'settings'], ['G', 'gallery'], ['S', 'save'], ['O', 'open a file'], ['?', 'this help']]],
];

/** The help: what can be done, and with which keys. */
export class Help {
  constructor() {
    this.dialog = byId('help');
    byId('help-open').addEventListener('click', () => this.toggle());
    byId('help-keys').append(...KEYS.map(([title, keys]) => section(title, keys)));
  }

  toggle() {
    if (this.dialog.open) this.dialog.close();
    else this.dialog.showModal();
  }
}

function section(title, keys) {
  const rows = keys.flatMap(([key, what]) => [el('dt', {}, ...key.split(', ').map((k) => el('kbd', {}, k))), el('dd', {}, what)]);
  return el('section', {}, el('h3', {}, title), el('dl', {}, ...rows));
}
