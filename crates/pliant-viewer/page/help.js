import { byId, el } from './dom.js';

/** Keys by topic. */
const KEYS = [
  ['Running', [['Space', 'play or pause'], ['.', 'one step'], ['R', 'reset'], ['[ ]', 'slower, faster'], ['V', 'replay the last two seconds slowly']]],
  ['Camera', [['drag the background', 'rotate'], ['Shift drag, right drag', 'move'], ['wheel, pinch', 'zoom'], ['F', 'show everything'], ['← ↑ → ↓', 'rotate'], ['Shift ← ↑ → ↓', 'move'], ['+ −', 'zoom']]],
  ['Touch', [['drag a body', 'pull it'], ['1 2 3', 'pull, pin, paint'], ['4 5 6 7', 'hammer, bullet, explosion, twist'], ['Enter', 'grab under the cross, release'], ['← ↑ → ↓', 'pull the grabbed body'], ['PgUp PgDn', 'push away, pull closer'], ['N', 'next body'], ['Esc', 'release']]],
  ['Edit and show', [['Ctrl Z', 'undo'], ['Ctrl Shift Z', 'redo'], ['K', 'commit: keep this shape'], ['C', 'colour by the next field'], ['E', 'simulation cells'], ['X', 'splinters or bare cells'], ['L', 'lock the legend'], ['T', 'dark or light'], ['P', 'settings'], ['G', 'gallery'], ['S', 'save'], ['O', 'open a file'], ['?', 'this help']]],
];

/** The help dialog with the list of keys. */
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
