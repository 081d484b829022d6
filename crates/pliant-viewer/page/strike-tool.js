import { placeOn } from './protocol.js';

/** A blow along the view on what is pointed at: that of a hammer, or of a bullet, which goes through. */
export class StrikeTool {
  /** `speed`: how fast it makes what it hits, in m/s; `radius`: as a share of the body's size. */
  constructor({ link, view, session }, { name, speed, radius, through, done }) {
    Object.assign(this, { link, view, session, name, speed, radius, through, done });
  }

  begin(hit, x, y) {
    const { speed, through } = this;
    this.session.select(hit.body);
    const direction = this.view.control.ray(x, y).direction.toArray();
    this.link.ask({ strike: { point: placeOn(hit), direction, speed, radius: this.reach(hit.body), through } }).catch(() => {});
    return { cursor: 'crosshair', move() {}, end() {} };
  }

  /** The radius in m. */
  reach(body) {
    return this.radius * (this.session.scene.bodies[body]?.size ?? 1);
  }
}
