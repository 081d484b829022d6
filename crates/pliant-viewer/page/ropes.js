import * as THREE from './vendor/three.module.min.js';
import { TEXEL } from './textures.js';

const VERTEX = /* glsl */ `
  precision highp sampler2D;
  in uint skinPoint;
  uniform sampler2D points;
  uniform ivec2 layoutOf;
  uniform sampler2D slots;
  out vec3 tint;
  ${TEXEL}
  void main() {
    int i = int(skinPoint);
    tint = texelFetch(slots, texel(2 * gl_InstanceID + 1), 0).xyz;
    vec3 p = texelFetch(points, ivec2(i % layoutOf.x, gl_InstanceID * layoutOf.y + i / layoutOf.x), 0).xyz;
    gl_Position = projectionMatrix * modelViewMatrix * vec4(p, 1.0);
  }
`;

const FRAGMENT = /* glsl */ `
  in vec3 tint;
  out vec4 result;
  void main() {
    result = vec4(tint, 1.0);
    result = linearToOutputTexel(result);
  }
`;

/** Lines that belong to a surface, such as ropes: segments between points. */
export class Ropes {
  constructor(body) {
    const { model, passes, slots } = body;
    const geometry = new THREE.InstancedBufferGeometry();
    geometry.instanceCount = slots.length;
    geometry.setAttribute('skinPoint', new THREE.BufferAttribute(model.lines, 1));
    geometry.setIndex(Array.from(model.lines.keys()));
    const material = new THREE.ShaderMaterial({
      glslVersion: THREE.GLSL3, vertexShader: VERTEX, fragmentShader: FRAGMENT,
      uniforms: {
        points: { value: passes.pointTexture }, slots: { value: body.slotTexture },
        layoutOf: { value: new THREE.Vector2(passes.points.wide, passes.points.rows) },
      },
    });
    this.lines = new THREE.LineSegments(geometry, material);
    this.lines.frustumCulled = false;
  }

  dispose() {
    this.lines.geometry.dispose();
    this.lines.material.dispose();
  }
}
