import { byId, el } from './dom.js';
import { prefixed } from './format.js';

/** Text labels in the scene: names of probes, forces of grabs. */
export class Labels {
  #nodes = new Map();

  constructor(view) {
    this.view = view;
    this.root = byId('labels');
  }

  /** Moves the labels to the projections of their positions. */
  update(session, handles, probesShown) {
    const wanted = new Map();
    if (probesShown) {
      (session.scene?.probes ?? []).forEach((probe, i) => {
        const place = session.frame?.head.probes?.[i];
        if (place) wanted.set(`probe-${i}`, { text: probe.name, place: this.view.toPage(place), kind: 'probe' });
      });
    }
    handles.forEach((handle, i) => wanted.set(`force-${i}`, { text: `${prefixed(handle.force)}N`, place: handle.target, kind: 'force' }));
    for (const [key, node] of this.#nodes) if (!wanted.has(key)) this.#remove(key, node);
    for (const [key, label] of wanted) this.#put(key, label);
  }

  #remove(key, node) {
    node.remove();
    this.#nodes.delete(key);
  }

  #put(key, { text, place, kind }) {
    if (!this.#nodes.has(key)) {
      const node = el('span', { class: `label ${kind}` });
      this.root.append(node);
      this.#nodes.set(key, node);
    }
    const node = this.#nodes.get(key);
    const { x, y, ahead } = this.view.control.project(place);
    node.hidden = !ahead;
    if (node.textContent !== text) node.textContent = text;
    node.style.transform = `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px)`;
  }
}
