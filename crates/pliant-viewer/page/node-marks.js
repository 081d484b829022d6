import * as THREE from './vendor/three.module.min.js';
import { TEXEL } from './textures.js';
import { integers } from './protocol.js';

const VERTEX = /* glsl */ `
  precision highp sampler2D;
  in uint node;
  in float kind;
  uniform sampler2D nodes;
  uniform float size;
  out float vKind;
  ${TEXEL}
  void main() {
    vKind = kind;
    gl_Position = projectionMatrix * modelViewMatrix * vec4(texelFetch(nodes, texel(int(node)), 0).xyz, 1.0);
    gl_Position.z -= 1e-3 * gl_Position.w;
    gl_PointSize = size;
  }
`;

const FRAGMENT = /* glsl */ `
  in float vKind;
  uniform vec3 plain;
  uniform vec3 mine;
  out vec4 result;
  void main() {
    float r = 2.0 * length(gl_PointCoord - 0.5);
    if (r > 1.0) discard;
    vec3 colour = vKind > 0.5 ? mine : plain;
    result = vec4(colour, 0.9 * smoothstep(1.0, 0.8, r));
  }
`;

/** Dots at the pinned nodes. */
export class NodeMarks {
  constructor(nodes) {
    this.material = new THREE.ShaderMaterial({
      glslVersion: THREE.GLSL3, vertexShader: VERTEX, fragmentShader: FRAGMENT, transparent: true, depthWrite: false,
      uniforms: {
        nodes: { value: nodes.texture }, size: { value: 5 },
        plain: { value: new THREE.Color() }, mine: { value: new THREE.Color() },
      },
    });
    this.points = new THREE.Points(new THREE.BufferGeometry(), this.material);
    this.points.frustumCulled = false;
    this.points.renderOrder = 3;
  }

  /** Takes a `held` message: nodes of the bodies of `scene`. */
  set(held, scene) {
    const marks = pinnedNodes(held, scene);
    this.points.geometry.dispose();
    const geometry = new THREE.BufferGeometry();
    const ids = Uint32Array.from(marks, (mark) => mark.node);
    geometry.setAttribute('node', new THREE.BufferAttribute(ids, 1));
    geometry.setAttribute('kind', new THREE.BufferAttribute(Float32Array.from(marks, (mark) => (mark.mine ? 1 : 0)), 1));
    geometry.setDrawRange(0, ids.length);
    this.points.geometry = geometry;
    this.points.visible = this.shown && ids.length > 0;
  }

  shown = true;

  dispose() {
    this.points.geometry.dispose();
    this.material.dispose();
  }
}

/** All pinned nodes: `{node (index in a frame), body, pin, mine}`. */
export function pinnedNodes(held, scene) {
  if (!held) return [];
  return held.head.pins.flatMap(({ body, pin, mine, offset, count }) => {
    const first = scene.bodies[body]?.first ?? 0;
    return Array.from(integers(held, { offset, count }), (node) => ({ node: first + node, body, pin, mine }));
  });
}
