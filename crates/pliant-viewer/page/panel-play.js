import { byId } from './dom.js';
import { clock, digits } from './format.js';
import { setIcon } from './icons.js';

const MIN_SPEED = 0.01;
const MAX_SPEED = 4;
/** Speeds of the slider. */
const SPEEDS = [0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 0.75, 1, 1.5, 2, 3, 4];

/** Play, pause, step, reset, slow motion, record. */
export class PlayPanel {
  constructor({ link, session }) {
    Object.assign(this, { link, session });
    this.speed = byId('speed');
    byId('play').addEventListener('click', () => this.toggle());
    byId('step').addEventListener('click', () => this.step());
    byId('reset').addEventListener('click', () => this.reset());
    byId('record').addEventListener('click', () => link.send({ record: { on: !session.run.recording } }));
    byId('speed-value').addEventListener('click', () => this.setSpeed(1));
    this.speed.max = SPEEDS.length - 1;
    this.speed.addEventListener('input', () => this.setSpeed(SPEEDS[this.speed.value]));
    session.on('run', () => this.refresh());
    session.on('scene', () => this.refresh());
    session.on('frame', ({ head }) => this.#showTime(head));
    this.refresh();
  }

  toggle() {
    this.link.send(this.session.run.playing ? 'pause' : 'play');
  }

  step(count = 1) {
    return this.link.ask({ step: { count } }).catch(() => {});
  }

  reset() {
    this.link.send('reset');
  }

  setSpeed(factor) {
    const speed = Math.min(MAX_SPEED, Math.max(MIN_SPEED, factor));
    this.link.send({ speed: { factor: speed } });
    this.#showSpeed(speed);
  }

  /** The next speed of the list, slower (−1) or faster (+1). */
  shiftSpeed(by) {
    const at = SPEEDS.findIndex((speed) => speed >= this.session.run.speed - 1e-9);
    this.setSpeed(SPEEDS[Math.min(SPEEDS.length - 1, Math.max(0, at + by))]);
  }

  #showSpeed(speed) {
    const at = nearest(speed);
    this.speed.value = at;
    this.speed.style.setProperty('--fill', `${(at / (SPEEDS.length - 1)) * 100}%`);
    this.speed.setAttribute('aria-valuetext', `${digits(speed)} times real time`);
    byId('speed-value').textContent = `${digits(speed)}×`;
  }

  refresh() {
    const { playing, speed, recording } = this.session.run;
    const play = byId('play');
    setIcon(play, playing ? 'pause' : 'play');
    play.setAttribute('aria-label', playing ? 'Pause' : 'Play');
    play.title = playing ? 'Pause (Space)' : 'Play (Space)';
    byId('record').setAttribute('aria-pressed', String(recording));
    byId('record').title = recording ? 'Stop recording' : 'Start a new recording';
    this.#showSpeed(speed);
    const still = this.session.scene?.mode === 'static';
    for (const id of ['play', 'step', 'record', 'speed', 'speed-value']) byId(id).disabled = still;
    byId('undo').disabled = !this.session.scene?.undo;
    byId('redo').disabled = !this.session.scene?.redo;
    byId('undo').title = this.session.scene?.undo ? `Undo: ${this.session.scene.undo} (Ctrl Z)` : 'Nothing to undo';
    byId('redo').title = this.session.scene?.redo ? `Redo: ${this.session.scene.redo} (Ctrl Shift Z)` : 'Nothing to redo';
  }

  #showTime({ time, frame }) {
    const still = this.session.scene.mode === 'static';
    byId('time').textContent = still ? 'equilibrium' : clock(time);
    byId('frame').textContent = still ? '–' : frame;
  }
}

function nearest(speed) {
  const gaps = SPEEDS.map((listed) => Math.abs(Math.log(listed / speed)));
  return gaps.indexOf(Math.min(...gaps));
}
