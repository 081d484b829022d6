import * as THREE from './vendor/three.module.min.js';
import { OF_CELLS } from './protocol.js';
import { surfacePoints } from './skin-cpu.js';

/** Number of nodes that are tested to find a visible point of a body. */
const SAMPLES = 60;

/**
 * Finds the point under a pixel, on the surfaces as they are drawn: users point at the visible surface, not at the
 * coarser skin that the engine uses for contact. Obstacles hide bodies behind them.
 */
export class Picker {
  #cache = new Map();
  #caster = new THREE.Raycaster();
  #serial = null;

  constructor(view, session) {
    Object.assign(this, { view, session });
  }

  /** The nearest point under (x, y): `{body, triangle, weights, position, normal, distance}`, or null. */
  at(x, y) {
    const ray = this.view.control.ray(x, y);
    let best = null;
    for (const mesh of this.view.bodies) {
      mesh.slots.forEach((body) => {
        const hit = firstTriangleOnRay(ray, mesh.model, this.#points(mesh.model, body), best?.distance ?? Infinity);
        if (hit) best = { body, model: mesh.model.head.id, ...hit, ...this.#byRay(ray, mesh.model) };
      });
    }
    return best && !this.#hidden(ray, best.distance) ? best : null;
  }

  /** For the drawn boundary of cells, the ray of the point: its triangles are not those of the surface in the engine. */
  #byRay({ origin, direction }, model) {
    const ray = () => ({ origin: this.view.toWorld(origin.toArray()), direction: direction.toArray() });
    return model.head.id >= OF_CELLS ? { ray: ray() } : {};
  }

  /** True if an obstacle is nearer than `distance`; sheets are transparent. */
  #hidden(ray, distance) {
    this.#caster.ray.copy(ray);
    this.#caster.far = distance;
    const solid = this.view.obstacles.meshes.filter((mesh) => mesh && !mesh.material.transparent);
    return this.#caster.intersectObjects(solid, false).length > 0;
  }

  /** A visible point of a body near its centre on the screen, or null if none is visible. */
  seen(body) {
    const { first, nodes } = this.view.current.bodies[body];
    const step = Math.ceil(nodes / SAMPLES);
    const places = [];
    for (let node = 0; node < nodes; node += step) {
      const at = 3 * (first + node);
      places.push(this.view.control.project(this.view.nodes.positions.subarray(at, at + 3)));
    }
    const middle = { x: mean(places.map(({ x }) => x)), y: mean(places.map(({ y }) => y)) };
    places.push(middle);
    places.sort((a, b) => Math.hypot(a.x - middle.x, a.y - middle.y) - Math.hypot(b.x - middle.x, b.y - middle.y));
    for (const { x, y } of places) {
      const hit = this.at(x, y);
      if (hit?.body === body) return hit;
    }
    return null;
  }

  /** The surfaces of all bodies, as arrays of points of four numbers each. */
  surfaces() {
    return this.view.bodies.flatMap((mesh) => mesh.slots.map((body) => this.#points(mesh.model, body).points));
  }

  #points(model, body) {
    const serial = this.session.frame?.head.serial;
    if (serial !== this.#serial) this.#cache.clear();
    this.#serial = serial;
    if (!this.#cache.has(body)) {
      const first = this.view.current.bodies[body].first;
      const points = surfacePoints(model, this.view.nodes.positions, first, 3);
      this.#cache.set(body, { points, box: boxOf(points) });
    }
    return this.#cache.get(body);
  }
}

function mean(values) {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function boxOf(points) {
  const box = new THREE.Box3();
  const p = new THREE.Vector3();
  for (let i = 0; i < points.length; i += 4) box.expandByPoint(p.set(points[i], points[i + 1], points[i + 2]));
  return box;
}

/** The first triangle on a ray before `limit` (Möller and Trumbore 1997). */
function firstTriangleOnRay(ray, model, { points, box }, limit) {
  if (!ray.intersectsBox(box)) return null;
  const { x: ox, y: oy, z: oz } = ray.origin;
  const { x: dx, y: dy, z: dz } = ray.direction;
  const { triangles, vertexPoint } = model;
  let best = null;
  for (let t = 0; t < triangles.length; t += 3) {
    const a = 4 * vertexPoint[triangles[t]], b = 4 * vertexPoint[triangles[t + 1]], c = 4 * vertexPoint[triangles[t + 2]];
    const ux = points[b] - points[a], uy = points[b + 1] - points[a + 1], uz = points[b + 2] - points[a + 2];
    const vx = points[c] - points[a], vy = points[c + 1] - points[a + 1], vz = points[c + 2] - points[a + 2];
    const px = dy * vz - dz * vy, py = dz * vx - dx * vz, pz = dx * vy - dy * vx;
    const det = ux * px + uy * py + uz * pz;
    if (Math.abs(det) < 1e-20) continue;
    const sx = ox - points[a], sy = oy - points[a + 1], sz = oz - points[a + 2];
    const beta = (sx * px + sy * py + sz * pz) / det;
    if (beta < 0 || beta > 1) continue;
    const qx = sy * uz - sz * uy, qy = sz * ux - sx * uz, qz = sx * uy - sy * ux;
    const gamma = (dx * qx + dy * qy + dz * qz) / det;
    if (gamma < 0 || beta + gamma > 1) continue;
    const distance = (vx * qx + vy * qy + vz * qz) / det;
    if (distance <= 0 || distance >= limit) continue;
    limit = distance;
    best = { triangle: t / 3, weights: [1 - beta - gamma, beta, gamma], distance, normal: [uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx] };
  }
  if (!best) return null;
  const size = Math.hypot(...best.normal) || 1;
  best.normal = best.normal.map((n) => n / size);
  best.position = [ox + limit * dx, oy + limit * dy, oz + limit * dz];
  return best;
}
