import { byId, el } from './dom.js';
import { digits, sentence } from './format.js';

/** Time for which a message stays, in ms. */
const MESSAGE_TIME = 7000;

/** The status line, messages, and announcements for screen readers. */
export class Status {
  #connection = 'connecting';
  #since = performance.now();
  #frame = null;

  constructor({ link, session }) {
    Object.assign(this, { link, session });
    link.on('status', ({ status }) => this.#connected(status));
    link.on('error', ({ code, message }) => { if (code !== 'unknown-grab') this.notify(message); });
    link.on('notice', ({ level, message }) => this.notify(message, level === 'warning' ? 'error' : 'notice'));
    session.on('run', () => this.refresh());
    session.on('frame', ({ head }) => {
      this.#frame = head;
      this.refresh();
    });
    setTimeout(() => this.refresh(), 1200);
  }

  #connected(status) {
    if (status === 'closed' && this.#connection === 'open') this.announce('The connection to the engine is lost.');
    if (status === 'open' && this.#connection !== 'open') this.announce('Connected to the engine.');
    if (status !== 'connecting' || this.#connection === 'open') this.#connection = status;
    document.documentElement.dataset.link = this.#connection;
    this.refresh();
  }

  get connection() {
    return this.#connection;
  }

  /** The most important status line, or null. */
  #line() {
    if (this.#connection === 'closed') return ['gone', 'The connection to the engine is lost. Start “pliant view” again: this page reconnects by itself.'];
    if (this.#connection === 'connecting') return performance.now() - this.#since > 1000 ? ['wait', 'Connecting to the engine…'] : null;
    const { busy, playing, speed } = this.session.run;
    if (busy) return ['wait', `${sentence(busy)}…`];
    const head = this.#frame;
    if (playing && head?.behind) return ['slow', `The engine is too slow: running at ${digits(head.pace * speed, 2)}×`];
    return null;
  }

  refresh() {
    const line = this.#line();
    const status = byId('status');
    status.dataset.kind = line?.[0] ?? 'none';
    if (line && byId('status-text').textContent !== line[1]) byId('status-text').textContent = line[1];
  }

  /** Shows a message for some seconds; errors are announced at once. */
  notify(text, kind = 'error') {
    const message = sentence(text);
    window.pliant.lastError = kind === 'error' ? message : window.pliant.lastError;
    const known = [...byId('messages').children].find((node) => node.firstChild.textContent === message);
    if (known) known.remove();
    const node = el('li', { class: kind, role: kind === 'error' ? 'alert' : 'status' }, el('span', {}, message),
      el('button', { type: 'button', class: 'dismiss', 'aria-label': 'Dismiss', onclick: () => node.remove() }, '×'));
    byId('messages').append(node);
    while (byId('messages').children.length > 3) byId('messages').firstChild.remove();
    setTimeout(() => node.remove(), MESSAGE_TIME);
  }

  /** Announces a text to screen readers. */
  announce(words) {
    if (words) byId('live').textContent = words;
  }
}
