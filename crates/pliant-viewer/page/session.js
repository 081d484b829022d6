import { Signal } from './signal.js';

/**
 * What the page knows of the world: scene, models, what is held, how it runs, the newest frame.
 *
 * Signals: `scene`, `run`, `held`, `selection`, `hello`, `model`, and `frame` for each frame that is drawn.
 */
export class Session extends Signal {
  hello = null;
  scene = null;
  run = { playing: false, speed: 1, recording: false, pages: 1, busy: null };
  held = null;
  models = new Map();
  frame = null;
  /** The body whose settings are shown; null stands for all of them. */
  selected = 0;
  #queue = [];

  constructor(link) {
    super();
    this.link = link;
    for (const name of ['hello', 'run', 'held']) link.on(name, (value) => this.#keep(name, value));
    link.on('scene', (scene) => this.#takeScene(scene));
    link.on('model', (message) => this.#takeModel(message));
    link.on('frame', (message) => this.#queue.push(message));
    link.on('status', ({ status }) => {
      if (status === 'closed') this.#forget();
    });
  }

  get generation() {
    return this.scene?.generation;
  }

  /** The body that is selected, or null. */
  get body() {
    return this.scene?.bodies[this.selected] ?? null;
  }

  select(index) {
    if (this.selected === index) return;
    this.selected = index;
    this.emit('selection', index);
  }

  /** The newest frame that came since the last call, with the events of those it replaces. */
  take() {
    const all = this.#queue;
    this.#queue = [];
    const serials = all.map((message) => message.head.serial);
    const current = all.filter((message) => message.head.generation === this.generation);
    const newest = current.at(-1) ?? null;
    if (newest) newest.events = all.flatMap((message) => message.head.events ?? []);
    return { serials, frame: newest };
  }

  /** `frame` is the one that is drawn next: labels and handles go with it. */
  show(frame) {
    this.frame = frame;
  }

  /** Tells that `frame` is drawn. */
  drawn(frame) {
    this.emit('frame', frame);
  }

  #keep(name, value) {
    this[name] = value;
    this.emit(name, value);
  }

  #takeScene(scene) {
    const other = this.scene?.name !== scene.name;
    this.scene = scene;
    const used = new Set(scene.bodies.map((body) => body.model));
    for (const id of this.models.keys()) if (!used.has(id)) this.models.delete(id);
    if (other || this.selected >= scene.bodies.length) this.selected = 0;
    this.emit('scene', scene);
  }

  #takeModel(message) {
    this.models.set(message.head.id, message);
    this.emit('model', message);
  }

  #forget() {
    this.models.clear();
    this.#queue = [];
  }
}
