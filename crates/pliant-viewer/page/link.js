import { Signal } from './signal.js';

/**
 * The connection of the page to the engine.
 *
 * Signals: `status` ('connecting' | 'open' | 'closed'), `hello`, `scene`, `run`, `error`, `notice`,
 * `model`, `held`, `frame`, `fault`.
 */
export class Link extends Signal {
  #worker = new Worker(new URL('./socket-worker.js', import.meta.url), { type: 'module' });
  #nextId = 1;
  #waiting = new Map();

  constructor() {
    super();
    this.open = false;
    this.#worker.onmessage = ({ data }) => this.#receive(data);
    this.#worker.onerror = (event) => this.emit('fault', event.message ?? 'the socket cannot start');
  }

  /** Sends a command; only errors are answered. */
  send(command) {
    this.#post({ command });
  }

  /** Sends a command; returns a promise of its reply. */
  ask(command) {
    if (!this.open) return Promise.reject(new Error('not connected to the engine'));
    const id = this.#nextId++;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.#post({ id, command });
    });
  }

  #post(message) {
    this.#worker.postMessage({ send: JSON.stringify(message) });
  }

  #receive(data) {
    if (data.status) this.#status(data);
    else if (data.binary) this.emit(data.binary.kind, data.binary);
    else if (data.text) this.#text(data.text);
    else if (data.fault) this.emit('fault', data.fault);
  }

  #status(data) {
    this.open = data.status === 'open';
    if (data.status === 'closed') this.#dropWaiting();
    this.emit('status', data);
  }

  #dropWaiting() {
    for (const { reject } of this.#waiting.values()) reject(new Error('the connection was lost'));
    this.#waiting.clear();
  }

  #text(message) {
    const [name, value] = Object.entries(message)[0] ?? [];
    if (name === 'reply') this.#settle(value.id, ({ resolve }) => resolve(value));
    else if (name === 'error') {
      const failure = Object.assign(new Error(value.message), { code: value.code });
      this.#settle(value.id, ({ reject }) => reject(failure));
      this.emit('error', value);
    } else if (name) this.emit(name, value);
  }

  #settle(id, finish) {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (waiting) finish(waiting);
  }
}
