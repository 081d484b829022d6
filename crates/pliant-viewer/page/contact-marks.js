import * as THREE from './vendor/three.module.min.js';
import { floats } from './protocol.js';

/** Contacts of a frame: a dot where two bodies touch, and a line in the direction in which the first is pushed. */
export class ContactMarks {
  constructor() {
    this.group = new THREE.Group();
    this.lineMaterial = new THREE.LineBasicMaterial({ depthTest: false, transparent: true, opacity: 0.9 });
    this.dotMaterial = new THREE.PointsMaterial({ size: 5, sizeAttenuation: false, depthTest: false, transparent: true, opacity: 0.9 });
    this.lines = new THREE.LineSegments(new THREE.BufferGeometry(), this.lineMaterial);
    this.dots = new THREE.Points(new THREE.BufferGeometry(), this.dotMaterial);
    for (const thing of [this.lines, this.dots]) {
      thing.frustumCulled = false;
      thing.renderOrder = 4;
      this.group.add(thing);
    }
  }

  set colour(colour) {
    this.lineMaterial.color.set(colour);
    this.dotMaterial.color.set(colour);
  }

  /** A unit vector is drawn `length` m long. */
  update(frame, length) {
    const all = frame && floats(frame, frame.head.contacts);
    const count = all ? all.length / 6 : 0;
    this.group.visible = count > 0;
    if (!count) return;
    const dots = new Float32Array(3 * count);
    const lines = new Float32Array(6 * count);
    for (let i = 0; i < count; i++) {
      for (let axis = 0; axis < 3; axis++) {
        const p = all[6 * i + axis];
        dots[3 * i + axis] = lines[6 * i + axis] = p;
        lines[6 * i + 3 + axis] = p + length * all[6 * i + 3 + axis];
      }
    }
    replace(this.dots, dots);
    replace(this.lines, lines);
  }
}

function replace(object, positions) {
  object.geometry.dispose();
  object.geometry = new THREE.BufferGeometry();
  object.geometry.setAttribute('position', new THREE.BufferAttribute(positions, 3));
}
