/** Distance of an explosion in front of the surface, relative to its radius. */
const SURFACE_DISTANCE = 0.25;

/** Sets off an explosion in front of the clicked point. */
export class BlastTool {
  name = 'blast';
  done = 'Exploded.';
  /** Radius, relative to the size of the body. */
  radius = 0.8;
  /** Approximate speed of a body that faces the explosion, in m/s. */
  speed = 20;

  constructor({ link, view, session }) {
    Object.assign(this, { link, view, session });
  }

  begin(hit, x, y) {
    this.session.select(hit.body);
    const radius = this.reach(hit.body);
    const direction = this.view.control.ray(x, y).direction.toArray();
    const centre = this.view.toWorld(hit.position.map((p, axis) => p - SURFACE_DISTANCE * radius * direction[axis]));
    this.link.ask({ explode: { centre, radius, impulse: this.speed * this.#weight(hit.body) } }).catch(() => {});
    return { cursor: 'crosshair', move() {}, end() {} };
  }

  reach(body) {
    return this.radius * (this.session.scene.bodies[body]?.size ?? 1);
  }

  /** Mass of a body over the square of its size, in kg/m²: approximately the mass behind a unit area of its surface. */
  #weight(place) {
    const { bodies } = this.session.scene;
    const whole = bodies[place]?.piece_of ?? place;
    const mass = bodies.reduce((sum, body, i) => ((body.piece_of ?? i) === whole ? sum + body.mass : sum), 0);
    return mass / (bodies[whole]?.size ?? 1) ** 2;
  }
}
