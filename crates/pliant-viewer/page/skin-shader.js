/**
 * Computes surfaces from nodes on the graphics card, in two passes and a draw.
 *
 * ```text
 * points    p_i = Σ_k w_ik x_(first + k)                 a texel for each point of each body
 * normals   n_v = Σ_(triangles of v's fan) (b − a) × (c − a)   a texel for each vertex: weighted by area
 * draw      vertices fetch both by their numbers
 * ```
 *
 * Normals come from the current surface, not from cells, so that no cell shows as a crease. Bodies with one
 * model (copies) are *slots*: rows of the same targets, instances of the same draw.
 */
import { TEXEL } from './textures.js';

const HEAD = /* glsl */ `
  precision highp float;
  precision highp int;
  precision highp sampler2D;
  precision highp usampler2D;
  ${TEXEL}
`;

/** A triangle that covers the target. */
export const PASS_VERTEX = /* glsl */ `
  in vec3 position;
  void main() { gl_Position = vec4(position.xy, 0.0, 1.0); }
`;

/** Layout of a target: `wide` texels in a row, `rows` rows for each slot. */
const PLACE = /* glsl */ `
  uniform int wide;
  uniform int rows;
  uniform int count;
  int slotHere() { return int(gl_FragCoord.y) / rows; }
  int numberHere() { return (int(gl_FragCoord.y) - slotHere() * rows) * wide + int(gl_FragCoord.x); }
`;

/** Points: xyz and, in w, the field. */
export const POINT_FRAGMENT = /* glsl */ `
  ${HEAD}
  ${PLACE}
  uniform sampler2D nodes;
  uniform sampler2D slots;
  uniform sampler2D influences;
  uniform usampler2D influenceRange;
  out vec4 result;

  void main() {
    result = vec4(0.0);
    int number = numberHere();
    if (number >= count) return;
    int first = int(texelFetch(slots, texel(2 * slotHere()), 0).x + 0.5);
    uvec2 range = texelFetch(influenceRange, texel(number), 0).xy;
    for (uint k = range.x; k < range.y; k++) {
      vec2 influence = texelFetch(influences, texel(int(k)), 0).xy;
      result += influence.y * texelFetch(nodes, texel(first + int(influence.x + 0.5)), 0);
    }
  }
`;

/** Normals of vertices. */
export const NORMAL_FRAGMENT = /* glsl */ `
  ${HEAD}
  ${PLACE}
  uniform sampler2D points;
  uniform int pointWide;
  uniform int pointRows;
  uniform usampler2D fanRange;
  uniform usampler2D fans;
  uniform usampler2D trianglePoints;
  out vec4 result;

  vec3 at(uint point, int slot) {
    int i = int(point);
    return texelFetch(points, ivec2(i % pointWide, slot * pointRows + i / pointWide), 0).xyz;
  }

  void main() {
    result = vec4(0.0);
    int number = numberHere();
    if (number >= count) return;
    int slot = slotHere();
    vec3 sum = vec3(0.0);
    uvec2 range = texelFetch(fanRange, texel(number), 0).xy;
    for (uint k = range.x; k < range.y; k++) {
      uint triangle = texelFetch(fans, texel(int(k)), 0).x;
      uvec3 corner = texelFetch(trianglePoints, texel(int(triangle)), 0).xyz;
      vec3 a = at(corner.x, slot);
      sum += cross(at(corner.y, slot) - a, at(corner.z, slot) - a);
    }
    float size = length(sum);
    result = vec4(size > 0.0 ? sum / size : vec3(0.0, 1.0, 0.0), 0.0);
  }
`;

/** Declarations for a three.js vertex shader that draws a skin. */
export const SKIN_PARS = /* glsl */ `
  in uint skinPoint;
  uniform highp sampler2D skinPoints;
  uniform highp sampler2D skinNormals;
  uniform highp sampler2D skinSlots;
  uniform ivec4 skinLayout; // points: wide, rows; normals: wide, rows
  varying float skinField;
  varying vec3 skinTint;
  varying vec3 skinMark; // asleep, selected, rigid
  ${TEXEL}
  vec4 skinPosition() {
    int i = int(skinPoint);
    return texelFetch(skinPoints, ivec2(i % skinLayout.x, gl_InstanceID * skinLayout.y + i / skinLayout.x), 0);
  }
  vec3 skinNormal() {
    return texelFetch(skinNormals, ivec2(gl_VertexID % skinLayout.z, gl_InstanceID * skinLayout.w + gl_VertexID / skinLayout.z), 0).xyz;
  }
`;

/** Replaces `begin_vertex` of three.js. */
export const SKIN_VERTEX = /* glsl */ `
  vec4 skinHere = skinPosition();
  vec3 transformed = skinHere.xyz;
  skinField = skinHere.w;
  skinMark = texelFetch(skinSlots, texel(2 * gl_InstanceID), 0).yzw;
  skinTint = texelFetch(skinSlots, texel(2 * gl_InstanceID + 1), 0).xyz;
`;

/**
 * Replaces `project_vertex` of three.js for faces between splinters: they are drawn in place, but their depth is
 * increased by 0.2 % of their distance. Where splinters touch, outside faces hide them completely; a visible gap shows
 * them.
 */
export const INSIDE_VERTEX = /* glsl */ `
  #include <project_vertex>
  vec4 skinDeeper = projectionMatrix * vec4(1.002 * mvPosition.xyz, 1.0);
  gl_Position.z = skinDeeper.z / skinDeeper.w * gl_Position.w;
`;

/** Declarations of the fragment shader. */
export const SKIN_COLOUR_PARS = /* glsl */ `
  varying float skinField;
  varying vec3 skinTint;
  varying vec3 skinMark;
  uniform sampler2D fieldMap;
  uniform vec2 fieldRange;
  uniform float fieldSteps;
  uniform float fieldLog;
  uniform float fieldOn;
  uniform float ownColour;
  uniform float sleepShown;
  uniform vec3 selectColour;
  uniform vec3 skyColour;
`;

/** Replaces `color_fragment` of three.js: body colour or field; sleeping bodies are paler. */
export const SKIN_COLOUR = /* glsl */ `
  #include <color_fragment>
  diffuseColor.rgb *= mix(skinTint, vec3(1.0), ownColour);
  vec3 fieldHere = vec3(skinField, fieldRange);
  if (fieldLog > 0.5) fieldHere = log(max(fieldHere, 1e-30));
  float along = clamp((fieldHere.x - fieldHere.y) / max(fieldHere.z - fieldHere.y, 1e-30), 0.0, 1.0);
  if (fieldSteps > 1.5) along = (floor(along * (fieldSteps - 1.0) + 0.5) + 0.5) / fieldSteps;
  vec3 mapped = texture2D(fieldMap, vec2(along, 0.5)).rgb;
  diffuseColor.rgb = mix(diffuseColor.rgb, mapped, fieldOn * (1.0 - skinMark.z));
  float grey = dot(diffuseColor.rgb, vec3(0.3, 0.55, 0.15));
  diffuseColor.rgb = mix(diffuseColor.rgb, vec3(grey) * 0.92 + 0.02, 0.6 * skinMark.x * sleepShown * (1.0 - fieldOn));
`;

/** After lighting: a soft sky in grazing reflection, and a rim on a body that was just selected. */
export const SKIN_RIM = /* glsl */ `
  outgoingLight = mix(outgoingLight, diffuseColor.rgb, 0.45 * fieldOn); // field colours get less lighting, so that they stay readable
  vec3 skinView = normalize(vViewPosition);
  float skinRim = pow(1.0 - abs(dot(skinView, normal)), 3.0);
  vec3 skinUp = normalize((viewMatrix * vec4(0.0, 1.0, 0.0, 0.0)).xyz);
  float skinSky = smoothstep(-0.2, 1.0, dot(reflect(-skinView, normal), skinUp));
  outgoingLight += skyColour * (0.045 + 0.32 * skinRim) * skinSky;
  outgoingLight += selectColour * (0.15 + 1.2 * skinRim) * skinMark.y;
  #include <opaque_fragment>
`;
