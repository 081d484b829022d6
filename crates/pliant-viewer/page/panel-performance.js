import { byId, el } from './dom.js';
import { count, digits, prefixed, scientific } from './format.js';
import { colourAt } from './colour-map.js';

const PHASES = ['contact', 'forces', 'degree', 'assembly', 'solve', 'update', 'publish', 'other'];
/** Number of columns of the strip, one for each drawn frame. */
const COLUMNS = 118;
/** Time between updates of the texts, in ms. */
const TEXT_INTERVAL = 250;

/** Frames per second, and a strip chart of milliseconds by phase with the budget. */
export class PerformancePanel {
  pageFps = 0;
  latency = null;
  #history = [];
  #draws = [];
  #textTime = 0;
  #top = 0;

  constructor({ session }) {
    this.session = session;
    this.canvas = byId('phase-strip');
    this.colours = Object.fromEntries(PHASES.map((name, i) => [name, css(colourAt('steps', i / (PHASES.length - 1)))]));
    this.numbers = Object.fromEntries(PHASES.map((name) => [name, el('b', {}, '–')]));
    byId('phases').append(...PHASES.map((name) => this.#entry(name)));
    const button = byId('performance-toggle');
    button.addEventListener('click', () => this.#fold(button.getAttribute('aria-expanded') !== 'true'));
    this.#fold(innerWidth > 720);
    session.on('frame', (frame) => this.#take(frame.head));
  }

  #entry(name) {
    const swatch = el('i', { class: 'swatch' });
    swatch.style.background = this.colours[name];
    return el('li', {}, swatch, el('span', {}, name), this.numbers[name]);
  }

  #fold(open) {
    byId('performance-toggle').setAttribute('aria-expanded', String(open));
    byId('performance-more').hidden = !open;
    byId('performance').classList.toggle('open', open);
  }

  /** Records that a picture was drawn at `now`, in ms. */
  drew(now) {
    this.#draws.push(now);
    while (this.#draws[0] < now - 1000) this.#draws.shift();
    this.pageFps = this.#draws.length;
  }

  #take(head) {
    this.#history.push(withOther(head.ms));
    if (this.#history.length > COLUMNS) this.#history.shift();
    this.budget = head.budget_ms;
    this.head = head;
    if (head.energy) this.energy = head.energy;
    this.stripDirty = true;
  }

  /** Updates the texts and the strip at intervals. */
  update(now) {
    if (now - this.#textTime < TEXT_INTERVAL) return;
    this.#textTime = now;
    while (this.#draws.length && this.#draws[0] < now - 1000) this.#draws.shift();
    this.pageFps = this.#draws.length;
    const { head } = this;
    if (!head) return;
    const running = this.session.run.playing;
    byId('page-fps').textContent = this.pageFps ? `${this.pageFps} fps` : 'idle';
    byId('engine-fps').textContent = this.#engine(running, head);
    byId('step-ms').textContent = fixed(head.ms.step);
    byId('latency').textContent = this.latency === null ? '–' : `${Math.round(this.latency)}`;
    const last = this.#history.at(-1);
    for (const name of PHASES) this.numbers[name].textContent = fixed(last[name] ?? 0);
    this.#facts(head);
    if (this.stripDirty && !byId('performance-more').hidden) this.#strip();
  }

  #engine(running, head) {
    if (!this.session.link.open) return 'offline';
    return running ? `${Math.round(head.fps)} fps` : 'paused';
  }

  #facts(head) {
    const bodies = this.session.scene?.bodies ?? [];
    const cells = bodies.flatMap((body) => Object.values(body.cells ?? {})).reduce((a, b) => a + b, 0);
    byId('cells').textContent = count(cells);
    byId('unknowns').textContent = count(head.unknowns);
    byId('residual').textContent = scientific(head.residual ?? NaN);
    byId('iterations').textContent = head.iterations ?? '–';
    byId('given-up-row').hidden = !head.given_up;
    byId('given-up').textContent = skippedWork(head.given_up);
    const { elastic, kinetic } = this.energy ?? {};
    byId('energy').textContent = this.energy ? `${prefixed(elastic + kinetic)}J` : '–';
  }

  /** Draws columns of phases from old to new, and the budget as a line. */
  #strip() {
    const { canvas } = this;
    const ratio = devicePixelRatio || 1;
    const [width, height] = [canvas.clientWidth, canvas.clientHeight];
    if (canvas.width !== Math.round(width * ratio)) Object.assign(canvas, { width: Math.round(width * ratio), height: Math.round(height * ratio) });
    const context = canvas.getContext('2d');
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, width, height);
    const scale = height / this.#ceiling();
    const column = width / COLUMNS;
    this.#history.forEach((phases, i) => {
      const x = (COLUMNS - this.#history.length + i) * column;
      let y = height;
      for (const name of PHASES) {
        const size = (phases[name] ?? 0) * scale;
        context.fillStyle = this.colours[name];
        context.fillRect(x, y - size, column + 0.3, size);
        y -= size;
      }
    });
    const line = Math.round(height - this.budget * scale) + 0.5;
    context.strokeStyle = getComputedStyle(canvas).color;
    context.setLineDash([3, 3]);
    context.beginPath();
    context.moveTo(0, line);
    context.lineTo(width, line);
    context.stroke();
    byId('budget').textContent = `${digits(this.budget, 3)} ms`;
    byId('budget').style.top = `${line}px`;
    this.stripDirty = false;
  }

  /** The top of the strip: the smallest listed multiple of the budget that all columns fit under. */
  #ceiling() {
    const highest = Math.max(...this.#history.map((phases) => phases.step ?? 0));
    const wanted = this.budget * [1.5, 3, 6, 12, 25, 50, 100, 1000].find((f) => f * this.budget >= highest || f === 1000);
    this.#top = wanted;
    return this.#top;
  }
}

function withOther(ms) {
  const known = PHASES.reduce((sum, name) => sum + (ms[name] ?? 0), 0);
  return { ...ms, other: Math.max(0, (ms.step ?? known) - known) };
}

/** Describes the work skipped in the last second to keep the budget. */
function skippedWork(given) {
  const { solves = 0, breaks = 0, landed = 0 } = given ?? {};
  const said = [[solves, 'solve'], [breaks, 'break'], [landed, 'step']].filter(([times]) => times).map(([times, what]) => `${times} ${what}${times === 1 ? '' : 's'}`);
  return said.join(', ') || 'nothing';
}

function fixed(ms) {
  return ms < 9.95 ? ms.toFixed(1) : ms.toFixed(0);
}

function css(rgb) {
  return `rgb(${rgb.map((c) => Math.round(255 * c)).join(' ')})`;
}
