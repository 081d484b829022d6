import { OF_CELLS } from './protocol.js';
import { Signal } from './signal.js';

/**
 * The state of the page: scene, models, pins, run state and the newest frame.
 *
 * Signals: `scene`, `run`, `held`, `selection`, `hello`, `model`, and `frame` for each drawn frame.
 */
export class Session extends Signal {
  hello = null;
  scene = null;
  run = { playing: false, speed: 1, recording: false, pages: 1, busy: null };
  held = null;
  /** Models of the newest scene by id. Earlier frames keep their own. */
  models = new Map();
  frame = null;
  /** Index of the body whose settings are shown; null for all bodies. */
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

  /** The selected body, or null. */
  get body() {
    return this.scene?.bodies[this.selected] ?? null;
  }

  /** Number of bodies of the scene; their fragments follow them in the list. */
  get count() {
    return this.scene?.own ?? 0;
  }

  /** Selects a body; a fragment selects its original body. */
  select(place) {
    const index = this.scene?.bodies[place]?.piece_of ?? place;
    if (this.selected === index) return;
    this.selected = index;
    this.emit('selection', index);
  }

  /** The newest frame since the last call, with the events of the frames it replaces. */
  take() {
    const all = this.#queue;
    this.#queue = [];
    const serials = all.map((message) => message.head.serial);
    const newest = all.at(-1) ?? null;
    if (newest) newest.events = all.flatMap((message) => message.head.events ?? []);
    return { serials, frame: newest };
  }

  /** Sets the frame that is drawn next, for labels and handles. */
  show(frame) {
    this.frame = frame;
  }

  /** Signals that `frame` is drawn. */
  drawn(frame) {
    this.emit('frame', frame);
  }

  #keep(name, value) {
    this[name] = value;
    this.emit(name, value);
  }

  #takeScene(scene) {
    const other = this.scene?.name !== scene.name;
    this.scene = withFragments(scene);
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

/** Fragments take missing properties from their original body. */
function withFragments(scene) {
  const { bodies } = scene;
  scene.own = bodies.filter((body) => body.piece_of === undefined).length;
  scene.bodies = bodies.map((body) => (body.piece_of === undefined ? body : { ...bodies[body.piece_of], gone: false, ...body }));
  return scene;
}
