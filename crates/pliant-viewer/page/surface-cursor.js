import * as THREE from './vendor/three.module.min.js';

/** A ring on the surface under the pointer that shows the radius of a pin or brush. */
export class SurfaceCursor {
  constructor(scene) {
    const angles = Array.from({ length: 64 }, (_, i) => (i / 64) * 2 * Math.PI);
    const points = angles.map((a) => new THREE.Vector3(Math.cos(a), Math.sin(a), 0));
    this.material = new THREE.LineBasicMaterial({ transparent: true, opacity: 0.95, depthTest: false, toneMapped: false });
    this.ring = new THREE.LineLoop(new THREE.BufferGeometry().setFromPoints(points), this.material);
    this.ring.visible = false;
    this.ring.renderOrder = 6;
    scene.add(this.ring);
  }

  /** Shows the ring at `hit` with a radius in m, or hides it; returns true if anything changed. */
  show(hit, radius) {
    const changed = this.ring.visible || Boolean(hit);
    this.ring.visible = Boolean(hit);
    if (!hit) return changed;
    const normal = new THREE.Vector3(...hit.normal);
    this.ring.position.set(...hit.position).addScaledVector(normal, 0.02 * radius);
    this.ring.quaternion.setFromUnitVectors(new THREE.Vector3(0, 0, 1), normal);
    this.ring.scale.setScalar(radius);
    return changed;
  }
}
