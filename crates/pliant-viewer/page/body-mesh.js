import * as THREE from './vendor/three.module.min.js';
import { dataTexture } from './textures.js';
import { skinPasses } from './skin-passes.js';
import { skinDepthMaterial, skinMaterial } from './skin-material.js';
import { partTextures } from './part-textures.js';

/** Names of the parts with faces between splinters: open faces, and faces that move as one. */
const INSIDE = ['inside', 'closed'];

/** All bodies of one model: their points and normals, and the mesh that draws them. */
export class BodyMesh {
  /** `slots` are the indices of the bodies in the scene, in order. */
  constructor(renderer, model, slots, bodies, nodes, skinUniforms) {
    this.model = model;
    this.slots = slots;
    this.slotTexture = dataTexture('rgba32f', 2 * slots.length);
    this.describe(bodies);
    this.passes = skinPasses(renderer, model, slots.length, this.slotTexture, nodes);
    this.places = {
      skinPoints: { value: this.passes.pointTexture }, skinNormals: { value: this.passes.normalTexture },
      skinSlots: { value: this.slotTexture },
      skinLayout: { value: new THREE.Vector4(this.passes.points.wide, this.passes.points.rows, this.passes.normals.wide, this.passes.normals.rows) },
    };
    this.textures = partTextures(model);
    this.mesh = this.#mesh(skinUniforms);
  }

  /** Writes colours and node offsets of the bodies; repeated after an edit that keeps the shapes. */
  describe(bodies) {
    const colour = new THREE.Color();
    this.slots.forEach((index, slot) => {
      const body = bodies[index];
      const [r, g, b] = body.colour.map((c) => c / 255);
      colour.setRGB(r, g, b, THREE.SRGBColorSpace);
      this.slotTexture.image.data.set([body.first, 0, 0, body.rigid ? 1 : 0, colour.r, colour.g, colour.b, 0], 8 * slot);
    });
    this.slotTexture.needsUpdate = true;
  }

  /** Marks bodies: `asleep` and `glow` are functions of the body's index in the scene, 0 to 1. */
  mark(asleep, glow) {
    const data = this.slotTexture.image.data;
    let changed = false;
    this.slots.forEach((index, slot) => {
      const marks = [asleep(index), glow(index)];
      if (data[8 * slot + 1] === marks[0] && data[8 * slot + 2] === marks[1]) return;
      data.set(marks, 8 * slot + 1);
      changed = true;
    });
    if (changed) this.slotTexture.needsUpdate = true;
    return changed;
  }

  #mesh(skinUniforms) {
    const { model } = this;
    const parts = model.head.parts?.length ? model.head.parts : [{ first: 0, count: model.head.triangles }];
    const geometry = this.#geometry(parts);
    const materials = parts.map((part) => skinMaterial(skinUniforms, this.places, {
      map: this.textures[part.texture] ?? null, colour: part.colour ?? null,
      vertexColours: Boolean(model.colour), twoSided: model.head.two_sided, inside: INSIDE.includes(part.name),
    }));
    const mesh = new THREE.Mesh(geometry, materials);
    mesh.customDepthMaterial = skinDepthMaterial(this.places, model.head.two_sided);
    mesh.frustumCulled = false;
    mesh.castShadow = mesh.receiveShadow = true;
    return mesh;
  }

  #geometry(parts) {
    const { model } = this;
    const geometry = new THREE.InstancedBufferGeometry();
    geometry.instanceCount = this.slots.length;
    geometry.setIndex(new THREE.BufferAttribute(model.triangles, 1));
    geometry.setAttribute('skinPoint', new THREE.BufferAttribute(model.vertexPoint, 1));
    // Never read, but without it three.js shades flat.
    geometry.setAttribute('normal', new THREE.BufferAttribute(new Int8Array(3 * model.vertices), 3));
    if (model.uv) geometry.setAttribute('uv', new THREE.BufferAttribute(model.uv, 2));
    if (model.colour) geometry.setAttribute('color', new THREE.BufferAttribute(linear(model.colour), 3));
    parts.forEach((part, material) => geometry.addGroup(3 * part.first, 3 * part.count, material));
    return geometry;
  }

  /** Makes the mesh transparent, to show its inside. */
  set seeThrough(on) {
    if (on === (this.mesh.material[0].transparent ?? false)) return;
    for (const material of this.mesh.material) {
      material.transparent = on;
      material.opacity = on ? 0.28 : 1;
      material.depthWrite = !on;
      material.needsUpdate = true;
    }
  }

  /** Recomputes points and normals. */
  update(renderer) {
    this.passes.run(renderer);
  }

  dispose() {
    this.passes.dispose();
    this.ropes?.dispose();
    this.slotTexture.dispose();
    this.mesh.geometry.dispose();
    for (const thing of [...this.mesh.material, this.mesh.customDepthMaterial, ...this.textures]) thing.dispose();
  }
}

function linear(colours) {
  return colours.map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
}
