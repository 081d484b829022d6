import { pinnedNodes } from './node-marks.js';
import { placeOn } from './protocol.js';

/** Holds a place where it is now; on a place that is held it lets go. */
export class PinTool {
  name = 'pin';
  /** As a share of the body's size. */
  radius = 0.06;

  constructor({ link, view, session }) {
    Object.assign(this, { link, view, session });
  }

  begin(hit) {
    this.session.select(hit.body);
    const pinned = this.#pinAt(hit);
    if (pinned) this.link.send({ unpin: { body: pinned.body, pin: pinned.pin } });
    else this.link.ask({ pin: { point: placeOn(hit), radius: this.reach(hit.body) } }).catch(() => {});
    return { cursor: 'crosshair', move() {}, end() {} };
  }

  /** The radius in m. */
  reach(body) {
    return this.radius * (this.session.scene.bodies[body]?.size ?? 1);
  }

  /** The pin whose nodes come nearest to the place, if within the radius. */
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
