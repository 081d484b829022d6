import * as THREE from './vendor/three.module.min.js';

/** Meshes of obstacles. Horizontal planes are drawn as the floor of the stage instead. */
export class ObstacleMeshes {
  constructor(obstacles, origin) {
    this.group = new THREE.Group();
    this.origin = origin;
    this.meshes = obstacles.map((obstacle) => this.#make(obstacle));
    obstacles.forEach((obstacle, i) => this.#place(this.meshes[i], obstacle));
  }

  #make(obstacle) {
    if (levelPlane(obstacle)) return null;
    const material = new THREE.MeshStandardMaterial({ roughness: 0.9, metalness: 0 });
    const [r, g, b] = obstacle.colour.map((c) => c / 255);
    material.color.setRGB(r, g, b, THREE.SRGBColorSpace);
    const mesh = new THREE.Mesh(shapeGeometry(obstacle.shape), material);
    if (obstacle.shape.plane) makeSheet(material);
    mesh.receiveShadow = true;
    mesh.castShadow = !obstacle.shape.plane;
    this.group.add(mesh);
    return mesh;
  }

  #place(mesh, { position, rotation }) {
    if (!mesh) return;
    mesh.position.set(...position.map((p, axis) => p - this.origin[axis]));
    mesh.quaternion.set(...rotation);
  }

  /** Moves the moving obstacles: `{index, position, rotation}`. */
  update(moved) {
    for (const { index, position, rotation } of moved ?? []) this.#place(this.meshes[index], { position, rotation });
  }

  dispose() {
    for (const mesh of this.meshes) {
      mesh?.geometry.dispose();
      mesh?.material.dispose();
    }
  }
}

/** True for a fixed plane that faces up: a floor. */
export function levelPlane({ shape, rotation, moves }) {
  if (!shape.plane || moves) return false;
  const up = new THREE.Vector3(...shape.plane.normal).applyQuaternion(new THREE.Quaternion(...rotation));
  return up.y > 0.9999;
}

function makeSheet(material) {
  material.side = THREE.DoubleSide;
  material.transparent = true;
  material.opacity = 0.35;
  material.depthWrite = false;
}

function shapeGeometry(shape) {
  if (shape.sphere) return new THREE.SphereGeometry(shape.sphere.radius, 64, 40);
  if (shape.box) return new THREE.BoxGeometry(...shape.box.half.map((h) => 2 * h));
  if (shape.capsule) return new THREE.CapsuleGeometry(shape.capsule.radius, 2 * shape.capsule.half_length, 24, 48);
  if (shape.surface) return surfaceGeometry(shape.surface);
  return planeGeometry(shape.plane?.normal ?? [0, 1, 0]);
}

/** Flat-shaded triangles, since the floors of games have sharp edges. */
function surfaceGeometry({ points, triangles }) {
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute('position', new THREE.BufferAttribute(new Float32Array(triangles.flat().flatMap((point) => points[point])), 3));
  geometry.computeVertexNormals();
  return geometry;
}

/** A square that represents an infinite plane. */
function planeGeometry(normal) {
  const turn = new THREE.Quaternion().setFromUnitVectors(new THREE.Vector3(0, 0, 1), new THREE.Vector3(...normal).normalize());
  return new THREE.PlaneGeometry(12, 12).applyQuaternion(turn);
}
