import { byId, el } from './dom.js';
import { sentence } from './format.js';

/** The largest number of listed events. */
const MAX_EVENTS = 200;

const NOT_ANNOUNCED = new Set(['touched', 'parted']);

/** The list of events. Problems are also announced to screen readers. */
export class EventsPanel {
  unread = 0;
  #all = [];

  constructor({ session, announce, tabs }) {
    Object.assign(this, { session, announce, tabs });
    this.list = byId('event-list');
    byId('event-clear').addEventListener('click', () => this.clear());
    tabs.on('tab', () => this.#badge());
    session.on('frame', (frame) => this.#take(frame));
  }

  #take(frame) {
    for (const event of frame.events ?? []) this.#add(event);
    if (frame.head.missed) this.#add({ frame: frame.head.frame, kind: 'missed', text: `${frame.head.missed} more events` });
    if (frame.events?.length) this.#badge();
  }

  /** Adds an event; a repetition of the last one is counted instead. */
  #add(event) {
    const last = this.#all[0];
    if (last && last.kind === event.kind && last.body === event.body && last.text === event.text) {
      last.count += 1;
      last.node.querySelector('.times').textContent = `×${last.count}`;
      last.node.querySelector('.when').textContent = `frame ${event.frame}`;
      return;
    }
    const entry = { ...event, count: 1, node: this.#node(event) };
    this.#all.unshift(entry);
    this.list.prepend(entry.node);
    if (this.#all.length > MAX_EVENTS) this.#all.pop().node.remove();
    if (event.trouble) this.unread += 1;
    if (event.trouble || !NOT_ANNOUNCED.has(event.kind)) this.announce(this.#words(event));
    byId('event-none').hidden = true;
  }

  #name(event) {
    return this.session.scene?.bodies[event.body]?.name ?? null;
  }

  #words(event) {
    const name = this.#name(event);
    return sentence(name && !event.text.includes(name) ? `${name}: ${event.text}` : event.text);
  }

  #node(event) {
    return el('li', { class: event.trouble ? 'trouble' : '' },
      el('span', { class: 'words' }, this.#words(event), el('span', { class: 'times' })),
      el('span', { class: 'when' }, `frame ${event.frame}`));
  }

  /** Adds an event of the page itself. */
  note(text, trouble = false) {
    this.#add({ frame: this.session.frame?.head.frame ?? 0, kind: 'note', body: null, text, trouble });
    this.#badge();
  }

  #badge() {
    if (this.tabs.current === 'events') this.unread = 0;
    byId('event-badge').textContent = this.unread || '';
    byId('event-badge').hidden = !this.unread;
  }

  clear() {
    this.#all = [];
    this.list.replaceChildren();
    byId('event-none').hidden = false;
    this.unread = 0;
    this.#badge();
  }
}
