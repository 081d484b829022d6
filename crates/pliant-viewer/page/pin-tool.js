import { pinnedNodes } from './node-marks.js';
import { placeOn } from './protocol.js';

/** Pins the painted places at their current positions; on a pinned place it removes the pin. */
export class PinTool {
  name = 'pin';
  done = 'Pinned or unpinned.';
  /** Radius, relative to the size of the body. */
  radius = 0.06;
  #stroke = Math.floor(Math.random() * 1e6);

  constructor({ link, view, session, picker }) {
    Object.assign(this, { link, view, session, picker });
  }

  begin(hit) {
    this.session.select(hit.body);
    const pinned = this.#pinAt(hit);
    if (pinned) {
      this.link.send({ unpin: { body: pinned.body, pin: pinned.pin } });
      return { cursor: 'crosshair', move() {}, end() {} };
    }
    const stroke = { id: ++this.#stroke, body: hit.body, last: null, busy: false };
    this.#dab(stroke, hit);
    return { cursor: 'crosshair', move: (x, y) => this.#dab(stroke, this.picker.at(x, y)), end() {} };
  }

  /** Pins are added one after the other, since each depends on the nodes that the previous one holds. */
  async #dab(stroke, hit) {
    if (stroke.busy || !hit || hit.body !== stroke.body) return;
    const moved = stroke.last && Math.hypot(...hit.position.map((p, axis) => p - stroke.last[axis]));
    if (stroke.last && moved < this.reach(hit.body)) return;
    stroke.busy = true;
    stroke.last = hit.position;
    await this.link.ask({ pin: { point: placeOn(hit), radius: this.reach(hit.body), stroke: stroke.id } }).catch(() => {});
    stroke.busy = false;
  }

  /** The radius in m. */
  reach(body) {
    return this.radius * (this.session.scene.bodies[body]?.size ?? 1);
  }

  /** The pin with the nearest node to the point, within the radius. */
  #pinAt(hit) {
    const { positions } = this.view.nodes;
    let best = null;
    let nearest = this.reach(hit.body);
    for (const pinned of pinnedNodes(this.session.held, this.view.current)) {
      if (pinned.body !== hit.body) continue;
      const distance = Math.hypot(...hit.position.map((p, axis) => p - positions[3 * pinned.node + axis]));
      if (distance >= nearest) continue;
      nearest = distance;
      best = pinned;
    }
    return best;
  }
}
