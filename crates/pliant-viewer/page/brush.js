import { placeOn } from './protocol.js';

/** The largest number of points in one message. */
const MAX_POINTS = 64;
/** Time between messages of a stroke, in ms. */
const SEND_INTERVAL = 60;

/** Paints a body with a material of its own. */
export class Brush {
  name = 'paint';
  done = 'Painted.';
  /** Radius, relative to the size of the body. */
  radius = 0.12;
  /** Stiffness, relative to the material of the body; 1 removes the paint. */
  factor = 10;
  /** Toughness, relative to the body, if that can break. */
  toughness = 1;
  /** True if painted parts are rigid. */
  rigid = false;
  /** Plastic flow, in the format of the `paint` command; empty to keep that of the body. */
  flow = {};
  #stroke = Math.floor(Math.random() * 1e6);

  constructor({ link, session, picker }) {
    Object.assign(this, { link, session, picker });
  }

  begin(hit) {
    const stroke = { id: ++this.#stroke, body: hit.body, points: [], last: null };
    this.session.select(hit.body);
    this.#dab(stroke, hit);
    const timer = setInterval(() => this.#send(stroke), SEND_INTERVAL);
    this.#send(stroke);
    return {
      cursor: 'crosshair',
      move: (x, y) => this.#dab(stroke, this.picker.at(x, y)),
      end: () => {
        clearInterval(timer);
        this.#send(stroke);
      },
    };
  }

  /** The field that shows the painted property. */
  get shownBy() {
    return this.rigid || this.flow.plastic || this.toughness !== 1 ? 'region' : 'stiffness';
  }

  reach(body) {
    return this.radius * (this.session.scene.bodies[body]?.size ?? 1);
  }

  #dab(stroke, hit) {
    if (!hit || hit.body !== stroke.body) return;
    const moved = stroke.last && Math.hypot(...hit.position.map((p, axis) => p - stroke.last[axis]));
    if (stroke.last && moved < this.reach(hit.body) / 3) return;
    stroke.last = hit.position;
    if (stroke.points.length < MAX_POINTS) stroke.points.push(placeOn(hit));
  }

  #send(stroke) {
    if (!stroke.points.length) return;
    const points = stroke.points.splice(0, MAX_POINTS);
    const { factor, rigid, flow, toughness } = this;
    const breaks = this.session.scene.bodies[stroke.body]?.toughness && toughness !== 1;
    const material = rigid ? { rigid } : { factor, ...flow, ...(breaks ? { toughness } : {}) };
    this.link.send({ paint: { body: stroke.body, points, radius: this.reach(stroke.body), ...material, stroke: stroke.id } });
  }
}
