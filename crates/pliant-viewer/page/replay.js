import { byId } from './dom.js';

/** Stored simulated seconds, and the largest number of frames. */
const STORED_SECONDS = 2;
const MAX_FRAMES = 240;
/** Simulated seconds per second. */
const REPLAY_SPEED = 0.25;

/** Replays the last two seconds slowly while the world is paused. Each frame keeps the scene and the models that it was drawn with. */
export class Replay {
  #ring = [];
  #shown = null;

  constructor({ link, session, announce, canvas, show }) {
    Object.assign(this, { link, session, announce, show });
    byId('replay').addEventListener('click', () => this.toggle());
    // The user must be able to point at the current bodies.
    canvas.addEventListener('pointerdown', () => this.stop(), { capture: true });
    for (const id of ['play', 'step', 'reset']) byId(id).addEventListener('click', () => this.stop(false), { capture: true });
  }

  get active() {
    return this.#shown !== null;
  }

  /** Stores a frame of the running world. */
  keep(frame) {
    const last = this.#ring.at(-1);
    if (last && frame.head.frame < last.head.frame) this.#ring = [];
    if (last?.head.frame === frame.head.frame) this.#ring.pop();
    this.#ring.push(frame);
    while (this.#ring.length > MAX_FRAMES || this.#ring[0].head.time < frame.head.time - STORED_SECONDS) this.#ring.shift();
  }

  toggle() {
    if (this.active) this.stop();
    else this.#start();
  }

  #start() {
    if (this.#ring.length < 2) return this.announce('There is nothing to replay yet.');
    const { playing } = this.session.run;
    if (playing) this.link.send('pause');
    this.#shown = { list: [...this.#ring], at: 0, begin: null, newest: null, playing };
    byId('replay').setAttribute('aria-pressed', 'true');
    return this.announce('The last two seconds, at a quarter of the speed.');
  }

  /** The frame to draw now: `newest`, or during a replay the next stored frame when it is due. */
  turn(newest, now) {
    if (newest) this.keep(newest);
    const shown = this.#shown;
    if (!shown) return newest;
    shown.newest = newest ?? shown.newest;
    shown.begin ??= now;
    const time = shown.list[0].head.time + (REPLAY_SPEED * (now - shown.begin)) / 1000;
    const next = shown.list.findLastIndex(({ head }) => head.time <= time);
    if (next === shown.list.length - 1) this.stop();
    else if (next !== shown.at || now === shown.begin) return shown.list[shown.at = next];
    return null;
  }

  /** Returns to the current world; it continues if it was running before. */
  stop(resume = true) {
    const shown = this.#shown;
    if (!shown) return;
    this.#shown = null;
    byId('replay').setAttribute('aria-pressed', 'false');
    this.show(shown.newest ?? shown.list.at(-1));
    if (resume && shown.playing) this.link.send('play');
  }
}
