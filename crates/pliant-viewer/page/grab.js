import * as THREE from './vendor/three.module.min.js';
import { Signal } from './signal.js';
import { placeOn } from './protocol.js';

/** Number of latencies for the median. */
const LATENCY_COUNT = 60;

/**
 * The pull tool: grabs a point of a body and pulls it in the plane that faces the camera.
 *
 * Signals: `latency` (ms from a drag message to the drawn frame that contains it), `changed`.
 */
export class PullTool extends Signal {
  name = 'pull';
  holds = true;
  strength = 1;
  latencies = [];
  #grabs = new Map();
  #nextGrab = 1;
  #nextSeq = 1;

  constructor({ link, view, session }) {
    super();
    Object.assign(this, { link, view, session });
  }

  /** Grabs the point `hit`; returns the functions that move and end the pull. */
  begin(hit, x, y) {
    const grab = this.#nextGrab++;
    const held = { grab, hit, target: hit.position, sent: new Map(), dirty: false, plane: this.#plane(hit.position) };
    this.#grabs.set(grab, held);
    this.session.select(hit.body);
    this.link.ask({ grab: { grab, point: placeOn(hit), strength: this.strength } }).catch(() => this.#drop(grab));
    this.#aim(held, x, y);
    return {
      cursor: 'grabbing',
      move: (toX, toY) => this.#aim(held, toX, toY),
      deeper: (share) => this.#push(held, share),
      end: () => this.#release(grab),
    };
  }

  #plane(position) {
    const facing = this.view.camera.getWorldDirection(new THREE.Vector3());
    return new THREE.Plane().setFromNormalAndCoplanarPoint(facing, new THREE.Vector3(...position));
  }

  #aim(held, x, y) {
    const target = this.view.control.ray(x, y).intersectPlane(held.plane, new THREE.Vector3());
    held.at = [x, y];
    if (!target) return;
    held.target = target.toArray();
    held.dirty = true;
    this.view.dirty = true;
  }

  /** Moves the plane away from the camera by a share of its distance. */
  #push(held, share) {
    const distance = Math.abs(held.plane.distanceToPoint(this.view.camera.position));
    held.plane.constant -= share * distance;
    this.#aim(held, ...held.at);
  }

  #release(grab) {
    if (this.#drop(grab)) this.link.send({ release: { grab } });
  }

  #drop(grab) {
    this.view.dirty = true;
    return this.#grabs.delete(grab);
  }

  /** Drops all grabs, for example after a reset. */
  dropAll() {
    for (const grab of [...this.#grabs.keys()]) this.#drop(grab);
  }

  /** Sends the targets of grabs, at most once per drawn frame. */
  flush(now) {
    for (const held of this.#grabs.values()) {
      if (!held.dirty) continue;
      held.dirty = false;
      const seq = this.#nextSeq++;
      held.sent.set(seq, now);
      this.link.send({ drag: { grab: held.grab, seq, target: this.view.toWorld(held.target) } });
    }
  }

  /** Measures the latency of the drags that a drawn frame contains. */
  drawn(frame, now) {
    for (const { page, grab, seq } of frame.head.grabs ?? []) {
      const held = page === this.session.hello?.page && this.#grabs.get(grab);
      const sent = held && held.sent.get(seq);
      if (sent === undefined || sent === false) continue;
      for (const old of held.sent.keys()) if (old <= seq) held.sent.delete(old);
      this.latencies.push(now - sent);
      if (this.latencies.length > LATENCY_COUNT) this.latencies.shift();
      this.emit('latency', median(this.latencies));
    }
  }

  /** All handles to draw: those of other pages as in the frame, own ones at the current pointer. */
  handles(frame) {
    const mine = (g) => g.page === this.session.hello?.page && this.#grabs.get(g.grab);
    return (frame?.head.grabs ?? []).filter((g) => g.page !== this.session.hello?.page || mine(g)).map((g) => ({
      point: this.view.toPage(g.point), target: mine(g) ? mine(g).target : this.view.toPage(g.target),
      force: Math.hypot(...g.force), own: Boolean(mine(g)),
    }));
  }

  get active() {
    return this.#grabs.size > 0;
  }
}

function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)];
}
