import * as THREE from './vendor/three.module.min.js';

/**
 * Colour maps in OKLCH (lightness, chroma, hue), in which equal steps look equally large. Lightness increases evenly,
 * so that the maps also work in grey and for colour-blind users.
 */
const MAPS = {
  sequential: (t) => [0.42 + 0.49 * t, 0.09 + 0.04 * Math.sin(Math.PI * t) + 0.05 * t, 282 - 187 * t ** 0.85],
  diverging: (t) => {
    const side = 2 * t - 1;
    return [0.88 - 0.4 * Math.abs(side) ** 1.1, 0.15 * Math.abs(side) ** 0.8, side < 0 ? 250 : 40];
  },
  steps: (t) => [0.5 + 0.32 * t, 0.11, 260 - 175 * t],
};

/** Colour maps of fields: `around` is the value in the middle, `steps` means integers, `log` powers of ten, `range` is a fixed range. */
export const FIELD_STYLES = {
  stress: { label: 'Stress', map: 'sequential' },
  strain: { label: 'Strain', map: 'sequential' },
  volume: { label: 'Volume change', map: 'diverging', around: 1 },
  speed: { label: 'Speed', map: 'sequential' },
  displacement: { label: 'Displacement', map: 'sequential' },
  degree: { label: 'Degree', map: 'steps', steps: true },
  region: { label: 'Region', map: 'steps', steps: true },
  stiffness: { label: 'Stiffness', map: 'sequential', log: true },
  'plastic-strain': { label: 'Plastic strain', map: 'sequential' },
  'yield-share': { label: 'Yield reached', map: 'sequential', range: [0, 1] },
  'limit-share': { label: 'Plastic limit reached', map: 'sequential', range: [0, 1] },
};

/** The colour of a map at `t`, as sRGB from 0 to 1. */
export function colourAt(name, t) {
  const [lightness, chroma, hue] = MAPS[name](t);
  const a = chroma * Math.cos((hue * Math.PI) / 180);
  const b = chroma * Math.sin((hue * Math.PI) / 180);
  return linearFromOklab(lightness, a, b).map(encode);
}

/** Ottosson 2020: OKLab to linear sRGB. */
function linearFromOklab(lightness, a, b) {
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ];
}

function encode(c) {
  const x = Math.min(1, Math.max(0, c));
  return x <= 0.0031308 ? 12.92 * x : 1.055 * x ** (1 / 2.4) - 0.055;
}

/** A map as a texture of 256 texels; `set` selects another map. */
export class MapTexture {
  constructor() {
    this.texture = new THREE.DataTexture(new Uint8Array(4 * 256), 256, 1, THREE.RGBAFormat);
    this.texture.colorSpace = THREE.SRGBColorSpace;
    this.texture.minFilter = this.texture.magFilter = THREE.LinearFilter;
    this.set('sequential');
  }

  set(name) {
    for (let i = 0; i < 256; i++) {
      const rgb = colourAt(name, i / 255).map((c) => Math.round(255 * c));
      this.texture.image.data.set([...rgb, 255], 4 * i);
    }
    this.texture.needsUpdate = true;
  }
}
