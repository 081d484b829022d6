/** Connects the parts of the page and draws. */
import { BlastTool } from './blast-tool.js';
import { Brush } from './brush.js';
import { byId } from './dom.js';
import { BodyPanel } from './panel-body.js';
import { DisplayPanel } from './panel-display.js';
import { Drop } from './drop.js';
import { EventsPanel } from './panel-events.js';
import { GalleryPanel } from './panel-gallery.js';
import { Help } from './help.js';
import { Labels } from './labels.js';
import { Legend } from './legend.js';
import { Link } from './link.js';
import { Panel } from './panel.js';
import { PerformancePanel } from './panel-performance.js';
import { Picker } from './pick.js';
import { PinTool } from './pin-tool.js';
import { PlayPanel } from './panel-play.js';
import { PointerControl } from './pointer.js';
import { PullTool } from './grab.js';
import { Replay } from './replay.js';
import { SavePanel } from './panel-save.js';
import { Session } from './session.js';
import { Shortcuts } from './shortcuts.js';
import { Status } from './status.js';
import { StrikeTool } from './strike-tool.js';
import { Theme } from './theme.js';
import { Tools } from './tools.js';
import { TwistTool } from './twist-tool.js';
import { View } from './view.js';
import { WorldPanel } from './panel-world.js';
import { fillIcons } from './icons.js';
import { OF_CELLS } from './protocol.js';
import { applyOptions, themeOption } from './address.js';
import { hook } from './hook.js';

/** Seconds for which a selected body glows. */
const GLOW_SECONDS = 0.7;

class App {
  constructor() {
    this.canvas = byId('view');
    this.link = new Link();
    this.session = new Session(this.link);
    this.status = new Status(this);
    this.announce = (words) => this.status.announce(words);
    this.notify = (message, kind) => this.status.notify(message, kind);
    this.view = new View(this.canvas);
    this.picker = new Picker(this.view, this.session);
    this.labels = new Labels(this.view);
    this.panel = new Panel();
    this.tabs = this.panel;
    this.#panels();
    this.#tools();
    this.theme = new Theme(this.view, themeOption());
    this.shortcuts = new Shortcuts(this);
    this.#wire();
    hook(this);
    requestAnimationFrame((now) => this.#tick(now));
  }

  #panels() {
    this.play = new PlayPanel(this);
    this.display = new DisplayPanel(this);
    this.body = new BodyPanel(this);
    this.world = new WorldPanel(this);
    this.events = new EventsPanel(this);
    this.performance = new PerformancePanel(this);
    this.legend = new Legend(this);
    this.drop = new Drop(this);
    this.gallery = new GalleryPanel(this);
    this.save = new SavePanel({ ...this, picture: () => this.picture() });
    this.help = new Help();
  }

  #tools() {
    this.pointer = new PointerControl(this);
    this.pull = new PullTool(this);
    this.pin = new PinTool(this);
    this.paint = new Brush(this);
    this.hammer = new StrikeTool(this, { name: 'hammer', speed: 15, radius: 0.1, through: false, done: 'Hit.' });
    this.bullet = new StrikeTool(this, { name: 'bullet', speed: 80, radius: 0.03, through: true, done: 'Shot.' });
    this.blast = new BlastTool(this);
    this.twist = new TwistTool(this);
    this.tools = new Tools(this);
    this.replay = new Replay({ ...this, show: (frame) => this.#show(frame, 0) });
    this.pull.on('latency', (ms) => { this.performance.latency = ms; });
  }

  #wire() {
    byId('undo').addEventListener('click', () => this.undo());
    byId('redo').addEventListener('click', () => this.redo());
    byId('commit').addEventListener('click', () => this.commit());
    byId('fit').addEventListener('click', () => this.view.fit());
    for (const button of document.querySelectorAll('[data-close]')) button.addEventListener('click', () => button.closest('dialog').close());
    for (const dialog of document.querySelectorAll('dialog')) dialog.addEventListener('click', (event) => { if (event.target === dialog) dialog.close(); });
    this.session.on('model', ({ head }) => { this.view.stale ||= head.id >= OF_CELLS; });
    this.session.on('held', () => { this.heldDirty = true; });
    this.session.on('selection', (body) => { this.view.glow = { body, strength: 1 }; });
    this.link.on('fault', (message) => this.notify(message));
    this.link.on('status', ({ status }) => { if (status === 'closed') this.#lost(); });
    this.link.on('error', ({ code }) => { if (code === 'unknown-grab') this.pull.dropAll(); });
    this.panel.on('open', () => this.layout());
    new ResizeObserver(() => this.layout()).observe(this.canvas);
    this.layout();
  }

  /** Discards the state of this engine, since another one may answer next. */
  #lost() {
    this.pull.dropAll();
    this.view.generation = this.view.shapes = null;
  }

  /** Updates the size of the view and the parts of it that panels cover. */
  layout() {
    const { clientWidth: width, clientHeight: height } = this.canvas;
    if (!width || !height) return;
    const bare = 'bare' in document.documentElement.dataset;
    const narrow = width <= 720;
    const open = this.panel.open;
    const inset = bare ? { left: 0, right: 0, top: 0, bottom: 0 } : {
      left: narrow && !open ? 0 : 56, right: open && !narrow ? this.panel.element.offsetWidth + 12 : 0,
      top: narrow ? 96 : 56, bottom: open && narrow ? this.panel.element.offsetHeight + 60 : 84,
    };
    this.view.resize(width, height, Math.min(2, devicePixelRatio || 1), inset);
    const [x, y] = this.view.control.centre();
    byId('cross').style.translate = `calc(${x}px - 50%) calc(${y}px - 50%)`;
    if (!this.view.control.touched) this.view.fit(true);
    this.draw();
  }

  undo() {
    this.link.ask('undo').then(() => this.announce('Undone.'), () => {});
  }

  redo() {
    this.link.ask('redo').then(() => this.announce('Redone.'), () => {});
  }

  /** Makes the current shape the rest shape of the selected body, or of all bodies. */
  commit() {
    const { selected, body } = this.session;
    this.link.ask({ commit: { body: selected } }).then(() => this.announce(`${body?.name ?? 'Everything'} has this rest shape now.`), () => {});
  }

  /** Selects the next body and looks at it. */
  nextBody() {
    const { bodies } = this.view.current ?? {};
    if (!bodies) return;
    const { own } = this.view.current;
    const next = ((this.session.selected ?? -1) + 1) % own;
    this.session.select(next);
    this.view.glow = { body: next, strength: 1 };
    const place = this.picker.seen(next);
    if (place) this.view.control.goal.target.set(...place.position);
    this.announce(`${bodies[next].name}, body ${next + 1} of ${own}${place ? ', under the cross' : ', hidden from here'}.`);
  }

  /** Switches off camera motion and glow, for reproducible pictures. */
  still(on) {
    this.view.control.still = on;
    this.view.glow.strength = 0;
  }

  /** Draws at once. */
  draw() {
    const handles = this.pull.handles(this.session.frame);
    this.view.handles.update(handles, (place) => this.view.control.pixel(place));
    this.labels.update(this.session, handles, this.display?.state.probes);
    this.view.render();
  }

  /** The view as a PNG. */
  picture() {
    this.draw();
    return new Promise((resolve) => this.canvas.toBlob(resolve, 'image/png'));
  }

  #tick(now) {
    requestAnimationFrame((next) => this.#tick(next));
    this.pull.flush(performance.now());
    if (!this.view.pace.ready) return;
    const seconds = Math.min(0.1, (now - (this.last ?? now)) / 1000);
    this.last = now;
    const { serials, frame: newest } = this.session.take();
    const frame = this.replay.turn(newest, now);
    if (frame) this.#show(frame, seconds);
    this.pointer.update(Boolean(frame));
    if (this.view.control.update(seconds)) this.view.dirty = true;
    this.#glow(seconds);
    if (this.view.dirty && this.view.nodes) {
      this.draw();
      this.performance.drew(now);
    }
    if (newest) this.#drawn(newest);
    for (const serial of serials) this.link.send({ ack: { serial } });
    this.performance.update(now);
  }

  #show(frame, seconds) {
    this.session.show(frame);
    if (this.view.generation !== frame.head.generation || this.view.stale) {
      this.view.build(frame.world);
      // Pins stay hidden until the pins of this generation are known.
      this.view.pins.points.visible = false;
      this.heldDirty = true;
    }
    this.view.update(frame);
    this.legend.take(frame.head.field, seconds);
    if (this.heldDirty && this.session.held?.head.generation === this.view.generation) {
      this.view.pins.set(this.session.held, this.session.scene);
      this.heldDirty = false;
    }
  }

  #drawn(frame) {
    this.session.drawn(frame);
    this.pull.drawn(frame, performance.now());
    if (!this.ready) {
      this.ready = true;
      document.documentElement.dataset.ready = '';
      applyOptions(this).then(() => window.pliant.becomeReady(), (error) => this.notify(error.message));
    }
  }

  #glow(seconds) {
    const { glow } = this.view;
    if (glow.strength === 0) return;
    glow.strength = Math.max(0, glow.strength - seconds / GLOW_SECONDS);
    this.view.remark();
  }
}

/** Starts the page, or shows a message if the browser has no WebGL 2. */
function begin() {
  window.pliant = { lastError: null, lastSaved: null };
  window.pliant.ready = new Promise((resolve) => { window.pliant.becomeReady = resolve; });
  addEventListener('error', (event) => { window.pliant.lastError = event.message; });
  addEventListener('unhandledrejection', (event) => { window.pliant.lastError = String(event.reason?.message ?? event.reason); });
  fillIcons();
  try {
    return new App();
  } catch (error) {
    byId('no-webgl').hidden = false;
    window.pliant.lastError = String(error);
    throw error;
  }
}

begin();
