import { byId } from './dom.js';

/** Seconds of the world that are kept, and frames at most. */
const SECONDS = 2;
const MOST = 240;
/** Seconds of the world to a second. */
const SPEED = 0.25;

/** The last two seconds again, slowly, while the world waits. Each frame has the scene and the models that it was drawn with. */
export class Replay {
  #ring = [];
  #shown = null;

  constructor({ link, session, say, canvas, show }) {
    Object.assign(this, { link, session, say, show });
    byId('replay').addEventListener('click', () => this.toggle());
    // What is pointed at must be there.
    canvas.addEventListener('pointerdown', () => this.stop(), { capture: true });
    for (const id of ['play', 'step', 'reset']) byId(id).addEventListener('click', () => this.stop(false), { capture: true });
  }

  get active() {
    return this.#shown !== null;
  }

  /** Keeps a frame of the world as it runs. */
  keep(frame) {
    const last = this.#ring.at(-1);
    if (last && frame.head.frame < last.head.frame) this.#ring = [];
    if (last?.head.frame === frame.head.frame) this.#ring.pop();
    this.#ring.push(frame);
    while (this.#ring.length > MOST || this.#ring[0].head.time < frame.head.time - SECONDS) this.#ring.shift();
  }

  toggle() {
    if (this.active) this.stop();
    else this.#start();
  }

  #start() {
    if (this.#ring.length < 2) return this.say('Nothing has happened yet.');
    const { playing } = this.session.run;
    if (playing) this.link.send('pause');
    this.#shown = { list: [...this.#ring], at: 0, begin: null, newest: null, playing };
    byId('replay').setAttribute('aria-pressed', 'true');
    return this.say('The last two seconds, at a quarter of their speed.');
  }

  /** What is to be drawn now: `newest`, or while it replays another frame, if it is time for one. */
  turn(newest, now) {
    if (newest) this.keep(newest);
    const shown = this.#shown;
    if (!shown) return newest;
    shown.newest = newest ?? shown.newest;
    shown.begin ??= now;
    const time = shown.list[0].head.time + (SPEED * (now - shown.begin)) / 1000;
    const next = shown.list.findLastIndex(({ head }) => head.time <= time);
    if (next === shown.list.length - 1) this.stop();
    else if (next !== shown.at || now === shown.begin) return shown.list[shown.at = next];
    return null;
  }

  /** Back to the world as it is; it goes on if it did before. */
  stop(resume = true) {
    const shown = this.#shown;
    if (!shown) return;
    this.#shown = null;
    byId('replay').setAttribute('aria-pressed', 'false');
    this.show(shown.newest ?? shown.list.at(-1));
    if (resume && shown.playing) this.link.send('play');
  }
}
