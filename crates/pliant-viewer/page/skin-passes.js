import * as THREE from './vendor/three.module.min.js';
import { NORMAL_FRAGMENT, PASS_VERTEX, POINT_FRAGMENT } from './skin-shader.js';
import { surfaceNormals, surfacePoints } from './skin-cpu.js';

/** The layout of a texture in which each slot has its own rows. */
class Layout {
  constructor(count, slots) {
    this.count = count;
    this.wide = Math.min(1024, 2 ** Math.ceil(Math.log2(Math.max(1, count))));
    this.rows = Math.max(1, Math.ceil(count / this.wide));
    this.height = this.rows * slots;
  }
}

/** Computes points and normals of all bodies of one model on the graphics card. */
class GpuPasses {
  constructor(model, slots, slotTexture, nodes) {
    this.points = new Layout(model.points, slots);
    this.normals = new Layout(model.vertices, slots);
    this.pointTarget = target(this.points);
    this.normalTarget = target(this.normals);
    this.pointPass = pass(POINT_FRAGMENT, this.points, {
      nodes: nodes.texture, slots: slotTexture,
      influences: model.influenceTexture, influenceRange: model.influenceRange,
    });
    this.normalPass = pass(NORMAL_FRAGMENT, this.normals, {
      points: this.pointTarget.texture, pointWide: this.points.wide, pointRows: this.points.rows,
      fanRange: model.fanRange, fans: model.fanTexture, trianglePoints: model.trianglePoints,
    });
  }

  get pointTexture() { return this.pointTarget.texture; }
  get normalTexture() { return this.normalTarget.texture; }

  run(renderer) {
    draw(renderer, this.pointPass, this.pointTarget);
    draw(renderer, this.normalPass, this.normalTarget);
    renderer.setRenderTarget(null);
  }

  dispose() {
    for (const thing of [this.pointTarget, this.normalTarget, this.pointPass, this.normalPass]) thing.dispose();
  }
}

/** The same on the CPU, for cards that cannot render to floating-point targets. */
class CpuPasses {
  constructor(model, slots, slotTexture, nodes) {
    Object.assign(this, { model, slots, slotTexture, nodes });
    this.points = new Layout(model.points, slots);
    this.normals = new Layout(model.vertices, slots);
    this.pointTexture = floatTexture(this.points);
    this.normalTexture = floatTexture(this.normals);
  }

  run() {
    for (let slot = 0; slot < this.slots; slot++) {
      const first = this.slotTexture.image.data[8 * slot];
      const points = surfacePoints(this.model, this.nodes.array, first, 4);
      const normals = surfaceNormals(this.model, points);
      this.pointTexture.image.data.set(points, 4 * slot * this.points.rows * this.points.wide);
      this.normalTexture.image.data.set(normals, 4 * slot * this.normals.rows * this.normals.wide);
    }
    this.pointTexture.needsUpdate = true;
    this.normalTexture.needsUpdate = true;
  }

  dispose() {
    this.pointTexture.dispose();
    this.normalTexture.dispose();
  }
}

/** The passes that this card supports. */
export function skinPasses(renderer, model, slots, slotTexture, nodes) {
  const able = renderer.extensions.has('EXT_color_buffer_float');
  return new (able ? GpuPasses : CpuPasses)(model, slots, slotTexture, nodes);
}

function floatTexture(layout) {
  const array = new Float32Array(4 * layout.wide * layout.height);
  return new THREE.DataTexture(array, layout.wide, layout.height, THREE.RGBAFormat, THREE.FloatType);
}

function target(layout) {
  return new THREE.WebGLRenderTarget(layout.wide, layout.height, {
    type: THREE.FloatType, format: THREE.RGBAFormat, internalFormat: 'RGBA32F', depthBuffer: false,
    minFilter: THREE.NearestFilter, magFilter: THREE.NearestFilter, generateMipmaps: false,
  });
}

function pass(fragmentShader, layout, values) {
  const uniforms = { wide: { value: layout.wide }, rows: { value: layout.rows }, count: { value: layout.count } };
  for (const [name, value] of Object.entries(values)) uniforms[name] = { value };
  return new THREE.RawShaderMaterial({
    glslVersion: THREE.GLSL3, vertexShader: PASS_VERTEX, fragmentShader, uniforms,
    depthTest: false, depthWrite: false, blending: THREE.NoBlending,
  });
}

const screen = new THREE.Mesh(new THREE.BufferGeometry());
screen.geometry.setAttribute('position', new THREE.Float32BufferAttribute([-1, -1, 0, 3, -1, 0, -1, 3, 0], 3));
screen.frustumCulled = false;
const camera = new THREE.Camera();

function draw(renderer, material, renderTarget) {
  screen.material = material;
  renderer.setRenderTarget(renderTarget);
  renderer.render(screen, camera);
}
