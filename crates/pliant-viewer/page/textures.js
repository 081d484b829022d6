/** Textures that hold numbers, in rows of 1,024, read with `texelFetch`. */
import * as THREE from './vendor/three.module.min.js';

/** Texels in a row: number i is at (i mod 1024, i / 1024). */
export const ROW_TEXELS = 1024;

const LAYOUTS = {
  r32ui: [1, THREE.RedIntegerFormat, THREE.UnsignedIntType, 'R32UI', Uint32Array],
  rg32ui: [2, THREE.RGIntegerFormat, THREE.UnsignedIntType, 'RG32UI', Uint32Array],
  rgba32ui: [4, THREE.RGBAIntegerFormat, THREE.UnsignedIntType, 'RGBA32UI', Uint32Array],
  rg32f: [2, THREE.RGFormat, THREE.FloatType, 'RG32F', Float32Array],
  rgba32f: [4, THREE.RGBAFormat, THREE.FloatType, 'RGBA32F', Float32Array],
};

/** A texture with room for `count` texels; `fill(array)` writes them. */
export function dataTexture(layout, count, fill) {
  const [channels, format, type, internalFormat, Numbers] = LAYOUTS[layout];
  const rows = Math.max(1, Math.ceil(count / ROW_TEXELS));
  const array = new Numbers(rows * ROW_TEXELS * channels);
  fill?.(array);
  const texture = new THREE.DataTexture(array, ROW_TEXELS, rows, format, type);
  texture.internalFormat = internalFormat;
  texture.needsUpdate = true;
  return texture;
}

/** GLSL: the texel of number i. */
export const TEXEL = /* glsl */ `
  ivec2 texel(int i) { return ivec2(i & 1023, i >> 10); }
`;
