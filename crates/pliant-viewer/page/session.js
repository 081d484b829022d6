import { OF_CELLS } from './protocol.js';
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
  /** Models by number: those of the newest scene. Frames that came before it keep their own. */
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
    link.on('frame', (message) => this.#queue.push(Object.assign(message, { world: { scene: this.scene, models: this.models } })));
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

  /** How many bodies the scene has: pieces that came away from them are behind them in the list. */
  get count() {
    return this.scene?.own ?? 0;
  }

  /** Chooses a body; a piece stands for what it is a piece of. */
  select(place) {
    const index = this.scene?.bodies[place]?.piece_of ?? place;
    if (this.selected === index) return;
    this.selected = index;
    this.emit('selection', index);
  }

  /** The newest frame that came since the last call, with the events of those it replaces. */
  take() {
    const all = this.#queue;
    this.#queue = [];
    const serials = all.map((message) => message.head.serial);
    const newest = all.at(-1) ?? null;
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
    this.scene = withPieces(scene);
    const used = new Set(scene.bodies.map((body) => body.model));
    this.models = new Map([...this.models].filter(([id]) => used.has(id % OF_CELLS)));
    if (other || this.selected >= scene.own) this.selected = 0;
    this.emit('scene', scene);
  }

  #takeModel(message) {
    this.models.set(message.head.id, message);
    this.emit('model', message);
  }

  #forget() {
    this.models = new Map();
    this.#queue = [];
  }
}

/** Pieces have all that they do not say from the body that they are pieces of. */
function withPieces(scene) {
  const { bodies } = scene;
  scene.own = bodies.filter((body) => body.piece_of === undefined).length;
  scene.bodies = bodies.map((body) => (body.piece_of === undefined ? body : { ...bodies[body.piece_of], gone: false, ...body }));
  return scene;
}
