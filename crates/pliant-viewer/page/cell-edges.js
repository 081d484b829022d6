import * as THREE from './vendor/three.module.min.js';
import { TEXEL } from './textures.js';

/** Number of line segments of an edge, by degree. */
const SEGMENTS_BY_DEGREE = [0, 1, 8, 12];

const VERTEX = /* glsl */ `
  precision highp sampler2D;
  in float along;
  in uvec4 controls;
  uniform sampler2D nodes;
  uniform int first;
  uniform int degree;
  ${TEXEL}
  vec3 node(uint i) { return texelFetch(nodes, texel(first + int(i)), 0).xyz; }

  // De Casteljau's scheme: the curve Σ B_k(t) x_k by blending, one degree at a time.
  void main() {
    vec3 a = node(controls.x), b = node(controls.y);
    vec3 p = mix(a, b, along);
    if (degree > 1) {
      vec3 c = node(controls.z);
      vec3 q = mix(b, c, along);
      if (degree > 2) {
        vec3 r = mix(c, node(controls.w), along);
        p = mix(p, q, along);
        q = mix(q, r, along);
      }
      p = mix(p, q, along);
    }
    gl_Position = projectionMatrix * modelViewMatrix * vec4(p, 1.0);
    gl_Position.z -= 4e-4 * gl_Position.w; // slightly in front of its surface
  }
`;

const FRAGMENT = /* glsl */ `
  uniform vec3 colour;
  uniform float strength;
  out vec4 result;
  void main() { result = vec4(colour, strength); }
`;

/** The edges of the cells of a body, curved for degree 2 and 3. */
export class CellEdges {
  constructor(model, bodies, nodes, skinUniforms) {
    this.group = new THREE.Group();
    this.groups = (model.head.edges ?? []).map((part) => ({ part, geometry: edgeGeometry(model, part) }));
    for (const { part, geometry } of this.groups) {
      this.material = edgeMaterial(nodes, part.degree, skinUniforms);
      for (const body of bodies) this.group.add(this.#lines(geometry, this.material, body.first));
    }
  }

  #lines(geometry, material, first) {
    const lines = new THREE.LineSegments(geometry, material);
    lines.frustumCulled = false;
    lines.renderOrder = 2;
    lines.onBeforeRender = () => {
      material.uniforms.first.value = first;
      material.uniformsNeedUpdate = true;
    };
    return lines;
  }

  /** 'off', 'outside' (edges of the boundary) or 'all'. */
  show(which) {
    this.group.visible = which !== 'off';
    for (const { part, geometry } of this.groups) geometry.instanceCount = which === 'all' ? part.count : part.outside;
  }

  dispose() {
    for (const { geometry } of this.groups) geometry.dispose();
    for (const child of this.group.children) child.material.dispose();
  }
}

function edgeGeometry(model, part) {
  const pieces = SEGMENTS_BY_DEGREE[part.degree] ?? 8;
  const geometry = new THREE.InstancedBufferGeometry();
  const along = Float32Array.from({ length: pieces + 1 }, (_, i) => i / pieces);
  const index = Array.from({ length: pieces }, (_, i) => [i, i + 1]).flat();
  geometry.setAttribute('along', new THREE.BufferAttribute(along, 1));
  geometry.setIndex(index);
  geometry.setAttribute('controls', new THREE.InstancedBufferAttribute(controls(model, part), 4));
  return geometry;
}

/** Four control nodes for each edge; a lower degree does not read all of them. */
function controls(model, part) {
  const start = edgeStart(model.head.edges, part);
  const size = part.degree + 1;
  const result = new Uint32Array(4 * part.count);
  for (let edge = 0; edge < part.count; edge++) {
    for (let k = 0; k < Math.min(4, size); k++) result[4 * edge + k] = model.edges[start + edge * size + k];
  }
  return result;
}

/** The start of a group in the buffer, which holds degree + 1 numbers for each edge of all groups. */
function edgeStart(groups, part) {
  let start = 0;
  for (const group of groups) {
    if (group === part) break;
    start += group.count * (group.degree + 1);
  }
  return start;
}

function edgeMaterial(nodes, degree, skinUniforms) {
  return new THREE.ShaderMaterial({
    glslVersion: THREE.GLSL3, vertexShader: VERTEX, fragmentShader: FRAGMENT, transparent: true, depthWrite: false,
    uniforms: { nodes: { value: nodes.texture }, first: { value: 0 }, degree: { value: degree }, ...skinUniforms },
  });
}
