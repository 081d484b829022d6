import { placeOn } from './protocol.js';

/** Strikes the body under the pointer in the view direction: a hammer, or a bullet that penetrates. */
export class StrikeTool {
  /** `speed`: speed given to the material, in m/s; `radius`: relative to the size of the body. */
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
