import * as THREE from './vendor/three.module.min.js';

const FIELD_OF_VIEW = 32;
/** Time constant of the camera motion, in s. */
const EASE_TIME = 0.09;
const MAX_PITCH = 1.5;
/** Margin around a fitted box, as a factor of its size. */
const MARGIN = 1.12;
const CORNERS = [-1, 1].flatMap((x) => [-1, 1].flatMap((y) => [-1, 1].map((z) => [x, y, z])));

/** The camera: a target, a distance and two angles. It moves smoothly to its goal. */
export class CameraControl {
  constructor() {
    this.camera = new THREE.PerspectiveCamera(FIELD_OF_VIEW, 1, 0.01, 100);
    this.goal = { target: new THREE.Vector3(), distance: 5, yaw: 0.5, pitch: 0.3 };
    this.now = copy(this.goal);
    this.inset = { left: 0, right: 0, top: 0, bottom: 0 };
    this.width = this.height = 1;
    /** True to move at once, for reproducible pictures. */
    this.still = matchMedia('(prefers-reduced-motion: reduce)').matches;
    /** True if a user has moved the camera since the last fit. */
    this.touched = false;
    this.#place();
  }

  /** Sets the size of the canvas and the parts that panels cover: the target appears in the middle of the rest. */
  resize(width, height, inset) {
    Object.assign(this, { width, height, inset });
    this.#place();
  }

  orbit(dx, dy) {
    this.touched = true;
    this.goal.yaw -= dx;
    this.goal.pitch = THREE.MathUtils.clamp(this.goal.pitch + dy, -MAX_PITCH, MAX_PITCH);
  }

  /** Moves the target by pixels of the screen. */
  pan(dx, dy) {
    this.touched = true;
    const pixel = this.pixel(this.goal.target);
    const right = new THREE.Vector3().setFromMatrixColumn(this.camera.matrixWorld, 0);
    const up = new THREE.Vector3().setFromMatrixColumn(this.camera.matrixWorld, 1);
    this.goal.target.addScaledVector(right, -dx * pixel).addScaledVector(up, dy * pixel);
  }

  /** Changes the distance by a factor; the point under (x, y) stays in place. */
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

  /** The centre of the area that panels leave free, in pixels. */
  centre() {
    const { left, right, top, bottom } = this.inset;
    return [(left + this.width - right) / 2, (top + this.height - bottom) / 2];
  }

  /** Shows a whole box in the current direction: every corner is in the area that panels leave free. */
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
   * Shows all points, as large as possible in the current direction.
   *
   * A point at (r, u, f) in the camera's axes is visible if |r − R| ≤ (d − f) tan α and |u − U| ≤ (d − f) tan β. So
   * d = (max (r + f tan α) − min (r − f tan α)) / (2 tan α) is the smallest distance, R the mean of the two; likewise for U.
   * Derived here. `lists` holds arrays of points, four numbers each.
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

  /** A corner at (r, u, f) in the camera's axes is visible if |r| ≤ (d − f) tan α, and likewise for u. Derived here. */
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

  /** Tangents of half the horizontal and vertical angles of the area that panels leave free. */
  #tangents() {
    const { left, right, top, bottom } = this.inset;
    const tangent = Math.tan(THREE.MathUtils.degToRad(FIELD_OF_VIEW / 2)) / this.height;
    return { across: tangent * Math.max(80, this.width - left - right), along: tangent * Math.max(80, this.height - top - bottom) };
  }

  /** The axes of the camera: right, up and toward the camera. */
  #axes() {
    const { yaw, pitch } = this.goal;
    return [
      new THREE.Vector3(Math.cos(yaw), 0, -Math.sin(yaw)),
      new THREE.Vector3(-Math.sin(yaw) * Math.sin(pitch), Math.cos(pitch), -Math.cos(yaw) * Math.sin(pitch)),
      new THREE.Vector3(Math.sin(yaw) * Math.cos(pitch), Math.sin(pitch), Math.cos(yaw) * Math.cos(pitch)),
    ];
  }

  /** Moves the camera toward its goal; returns true if it moved. */
  update(seconds) {
    const { now, goal } = this;
    const share = this.still ? 1 : 1 - Math.exp(-seconds / EASE_TIME);
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

  /** The size of a pixel at a position, in m. */
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

  /** Projects a position to pixels of the canvas; `ahead` is true if it is in front of the camera. */
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
