import * as THREE from './vendor/three.module.min.js';

const FIELD_OF_VIEW = 32;
/** Time in which the camera covers most of the way to where it should be, in s. */
const EASE = 0.09;
const STEEPEST = 1.5;
/** Room about what is fitted, as a factor of its size. */
const MARGIN = 1.12;
const CORNERS = [-1, 1].flatMap((x) => [-1, 1].flatMap((y) => [-1, 1].map((z) => [x, y, z])));

/** The camera: about a target, at a distance, by two angles. It glides to where it was sent. */
export class CameraControl {
  constructor() {
    this.camera = new THREE.PerspectiveCamera(FIELD_OF_VIEW, 1, 0.01, 100);
    this.goal = { target: new THREE.Vector3(), distance: 5, yaw: 0.5, pitch: 0.3 };
    this.now = copy(this.goal);
    this.inset = { left: 0, right: 0, top: 0, bottom: 0 };
    this.width = this.height = 1;
    /** No gliding: for pictures that repeat. */
    this.still = matchMedia('(prefers-reduced-motion: reduce)').matches;
    /** Whether a person moved it since everything was shown. */
    this.touched = false;
    this.#place();
  }

  /** The size of the canvas, and how much of it panels cover: the target stands in the middle of the rest. */
  resize(width, height, inset) {
    Object.assign(this, { width, height, inset });
    this.#place();
  }

  orbit(dx, dy) {
    this.touched = true;
    this.goal.yaw -= dx;
    this.goal.pitch = THREE.MathUtils.clamp(this.goal.pitch + dy, -STEEPEST, STEEPEST);
  }

  /** Moves the target by so many pixels of the screen. */
  pan(dx, dy) {
    this.touched = true;
    const pixel = this.pixel(this.goal.target);
    const right = new THREE.Vector3().setFromMatrixColumn(this.camera.matrixWorld, 0);
    const up = new THREE.Vector3().setFromMatrixColumn(this.camera.matrixWorld, 1);
    this.goal.target.addScaledVector(right, -dx * pixel).addScaledVector(up, dy * pixel);
  }

  /** Nearer by a factor; what lies under (x, y) stays there. */
  zoom(factor, x = null, y = null) {
    this.touched = true;
    const distance = THREE.MathUtils.clamp(this.goal.distance * factor, this.nearest ?? 1e-3, this.farthest ?? 1e4);
    const shrink = distance / this.goal.distance;
    if (x !== null) {
      const [cx, cy] = this.centre();
      this.pan((x - cx) * (shrink - 1), (y - cy) * (shrink - 1));
    }
    this.goal.distance = distance;
  }

  /** The middle of what panels leave free, in pixels. */
  centre() {
    const { left, right, top, bottom } = this.inset;
    return [(left + this.width - right) / 2, (top + this.height - bottom) / 2];
  }

  /** Shows all of a box, from where the camera looks now: every corner falls into what panels leave free. */
  fit(box) {
    const centre = box.getCenter(new THREE.Vector3());
    const half = box.getSize(new THREE.Vector3()).multiplyScalar(0.5 * MARGIN).max(new THREE.Vector3(1e-4, 1e-4, 1e-4));
    this.goal.target.copy(centre);
    this.goal.distance = this.#distance(half);
    this.nearest = half.length() / 40;
    this.farthest = half.length() * 60;
    this.touched = false;
  }

  /**
   * Shows all of these points, as large as they can be from where the camera looks now.
   *
   * A point at (r, u, f) in the camera's axes is seen inside if |r − R| ≤ (d − f) tan α and |u − U| ≤ (d − f) tan β. So
   * d = (max (r + f tan α) − min (r − f tan α)) / (2 tan α) is the least distance, R the mean of the two; and so upwards.
   * `lists` holds arrays of points, four numbers each.
   */
  frame(lists, zoom = 1) {
    const axes = this.#axes();
    const sides = [this.#tangents().across, this.#tangents().along].map((tangent) => ({ tangent: tangent / MARGIN, high: -Infinity, low: Infinity }));
    let nearest = -Infinity, farthest = Infinity;
    for (const list of lists) {
      for (let i = 0; i < list.length; i += 4) {
        const [r, u, f] = axes.map((axis) => axis.x * list[i] + axis.y * list[i + 1] + axis.z * list[i + 2]);
        sides.forEach((side, k) => {
          side.high = Math.max(side.high, [r, u][k] + f * side.tangent);
          side.low = Math.min(side.low, [r, u][k] - f * side.tangent);
        });
        nearest = Math.max(nearest, f);
        farthest = Math.min(farthest, f);
      }
    }
    if (!Number.isFinite(nearest)) return;
    const [right, up] = sides.map(({ high, low }) => (high + low) / 2);
    const depth = (nearest + farthest) / 2;
    const distance = Math.max(...sides.map(({ high, low, tangent }) => (high - low) / (2 * tangent))) - depth;
    this.goal.target.set(0, 0, 0).addScaledVector(axes[0], right).addScaledVector(axes[1], up).addScaledVector(axes[2], depth);
    this.goal.distance = Math.max(1e-4, distance) * zoom;
    this.touched = false;
  }

  /** A corner at (r, u, f) in the camera's axes is seen inside if |r| ≤ (d − f) tan α, and so upwards. */
  #distance(half) {
    const { across, along } = this.#tangents();
    const axes = this.#axes();
    let distance = 0;
    for (const signs of CORNERS) {
      const [r, u, f] = axes.map((axis) => new THREE.Vector3(...signs).multiply(half).dot(axis));
      distance = Math.max(distance, f + Math.abs(r) / across, f + Math.abs(u) / along);
    }
    return distance;
  }

  /** Tangents of half the angles, to the sides and upwards, that panels leave free. */
  #tangents() {
    const { left, right, top, bottom } = this.inset;
    const tangent = Math.tan(THREE.MathUtils.degToRad(FIELD_OF_VIEW / 2)) / this.height;
    return { across: tangent * Math.max(80, this.width - left - right), along: tangent * Math.max(80, this.height - top - bottom) };
  }

  /** To the right, upwards and towards the camera. */
  #axes() {
    const { yaw, pitch } = this.goal;
    return [
      new THREE.Vector3(Math.cos(yaw), 0, -Math.sin(yaw)),
      new THREE.Vector3(-Math.sin(yaw) * Math.sin(pitch), Math.cos(pitch), -Math.cos(yaw) * Math.sin(pitch)),
      new THREE.Vector3(Math.sin(yaw) * Math.cos(pitch), Math.sin(pitch), Math.cos(yaw) * Math.cos(pitch)),
    ];
  }

  /** A step of the glide; tells whether anything moved. */
  update(seconds) {
    const { now, goal } = this;
    const share = this.still ? 1 : 1 - Math.exp(-seconds / EASE);
    const gap = now.target.distanceTo(goal.target) / goal.distance + Math.abs(now.distance / goal.distance - 1)
      + Math.abs(now.yaw - goal.yaw) + Math.abs(now.pitch - goal.pitch);
    if (gap === 0) return false;
    const part = gap < 1e-4 ? 1 : share;
    now.target.lerp(goal.target, part);
    for (const name of ['distance', 'yaw', 'pitch']) now[name] += part * (goal[name] - now[name]);
    if (part === 1) this.now = copy(goal);
    this.#place();
    return true;
  }

  /** Jumps to the goal at once. */
  settle() {
    this.now = copy(this.goal);
    this.#place();
  }

  /** The size of a pixel at a place, in m. */
  pixel(place) {
    const depth = place.distanceTo(this.camera.position);
    return (2 * depth * Math.tan(THREE.MathUtils.degToRad(FIELD_OF_VIEW / 2))) / this.height;
  }

  /** The ray through a pixel of the canvas. */
  ray(x, y) {
    const ray = new THREE.Ray();
    ray.origin.copy(this.camera.position);
    ray.direction.set((2 * x) / this.width - 1, 1 - (2 * y) / this.height, 0.5).unproject(this.camera).sub(ray.origin).normalize();
    return ray;
  }

  /** Where a place is seen, in pixels of the canvas; `ahead` tells whether it lies before the camera. */
  project(place) {
    const p = new THREE.Vector3(...place).project(this.camera);
    return { x: ((p.x + 1) / 2) * this.width, y: ((1 - p.y) / 2) * this.height, ahead: p.z < 1 };
  }

  #place() {
    const { target, distance, yaw, pitch } = this.now;
    const { camera, width, height } = this;
    camera.position.set(Math.sin(yaw) * Math.cos(pitch), Math.sin(pitch), Math.cos(yaw) * Math.cos(pitch));
    camera.position.multiplyScalar(distance).add(target);
    camera.lookAt(target);
    camera.aspect = width / height;
    camera.near = distance / 100;
    camera.far = distance * 40 + 10;
    const [cx, cy] = this.centre();
    camera.setViewOffset(width, height, width / 2 - cx, height / 2 - cy, width, height);
    camera.updateMatrixWorld();
  }
}

function copy({ target, distance, yaw, pitch }) {
  return { target: target.clone(), distance, yaw, pitch };
}
