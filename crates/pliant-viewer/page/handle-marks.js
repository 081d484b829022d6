import * as THREE from './vendor/three.module.min.js';

/** Marks of grabs: a ball at the point, a rod to the target, and a cone at its end. Sizes are in screen pixels. */
export class HandleMarks {
  #all = [];

  constructor() {
    this.group = new THREE.Group();
    this.material = new THREE.MeshBasicMaterial({ depthTest: false, transparent: true, opacity: 0.95, toneMapped: false });
    this.ball = new THREE.SphereGeometry(1, 20, 14);
    this.rod = new THREE.CylinderGeometry(1, 1, 1, 12).translate(0, 0.5, 0);
    this.cone = new THREE.ConeGeometry(1, 2.2, 18).translate(0, -1.1, 0);
  }

  set colour(colour) {
    this.material.color.set(colour);
  }

  /** `handles`: `{point, target}` in the page's coordinates; `pixel(p)` is the size of a pixel at p, in m. */
  update(handles, pixel) {
    while (this.#all.length < handles.length) this.#all.push(this.#make());
    this.#all.forEach((handle, i) => {
      handle.visible = i < handles.length;
      if (handle.visible) place(handle, handles[i], pixel);
    });
  }

  #make() {
    const handle = new THREE.Group();
    for (const geometry of [this.ball, this.rod, this.cone]) {
      const mesh = new THREE.Mesh(geometry, this.material);
      mesh.renderOrder = 5;
      mesh.frustumCulled = false;
      handle.add(mesh);
    }
    this.group.add(handle);
    return handle;
  }
}

const UP = new THREE.Vector3(0, 1, 0);

function place(handle, { point, target }, pixel) {
  const from = new THREE.Vector3(...point);
  const to = new THREE.Vector3(...target);
  const way = to.clone().sub(from);
  const length = way.length();
  const size = pixel(from);
  const [ball, rod, cone] = handle.children;
  ball.position.copy(from);
  ball.scale.setScalar(6 * size);
  const turn = new THREE.Quaternion().setFromUnitVectors(UP, length > 0 ? way.divideScalar(length) : UP);
  const tip = 7 * pixel(to);
  rod.visible = cone.visible = length > tip;
  rod.position.copy(from);
  rod.quaternion.copy(turn);
  rod.scale.set(2 * size, Math.max(1e-9, length - 2 * tip), 2 * size);
  cone.position.copy(to);
  cone.quaternion.copy(turn);
  cone.scale.setScalar(tip);
}
