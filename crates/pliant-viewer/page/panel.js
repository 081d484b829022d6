import { byId } from './dom.js';
import { Signal } from './signal.js';

const TABS = ['body', 'world', 'display', 'events'];

/** The panel of settings with its tabs. Signals: `tab`, `open`. */
export class Panel extends Signal {
  current = 'body';

  constructor() {
    super();
    this.element = byId('panel');
    byId('panel-toggle').addEventListener('click', () => this.toggle());
    byId('panel-close').addEventListener('click', () => this.toggle(false));
    for (const name of TABS) {
      const tab = byId(`tab-${name}`);
      tab.addEventListener('click', () => this.choose(name));
      tab.addEventListener('keydown', (event) => this.#key(event));
    }
    this.choose('body');
    this.toggle(innerWidth > 720);
  }

  get open() {
    return !this.element.hidden;
  }

  toggle(open = !this.open) {
    this.element.hidden = !open;
    byId('panel-toggle').setAttribute('aria-expanded', String(open));
    document.documentElement.dataset.panel = open ? 'open' : 'closed';
    this.emit('open', open);
  }

  choose(name) {
    this.current = name;
    for (const other of TABS) {
      const chosen = other === name;
      byId(`tab-${other}`).setAttribute('aria-selected', String(chosen));
      byId(`tab-${other}`).tabIndex = chosen ? 0 : -1;
      byId(`panel-${other}`).hidden = !chosen;
    }
    this.emit('tab', name);
  }

  #key(event) {
    const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!by) return;
    const next = TABS[(TABS.indexOf(this.current) + by + TABS.length) % TABS.length];
    this.choose(next);
    byId(`tab-${next}`).focus();
    event.preventDefault();
  }
}
