import * as THREE from './vendor/three.module.min.js';
import { INSIDE_VERTEX, SKIN_COLOUR, SKIN_COLOUR_PARS, SKIN_PARS, SKIN_RIM, SKIN_VERTEX } from './skin-shader.js';

/** The uniforms that all skins share. */
export function makeSkinUniforms(map) {
  return {
    fieldMap: { value: map },
    fieldRange: { value: new THREE.Vector2(0, 1) },
    fieldSteps: { value: 0 },
    fieldLog: { value: 0 },
    fieldOn: { value: 0 },
    sleepShown: { value: 1 },
    selectColour: { value: new THREE.Color(0xffffff) },
    skyColour: { value: new THREE.Color(0xffffff) },
  };
}

/** A lit material for one part of a skin; `inside` is true for faces between splinters. */
export function skinMaterial(skinUniforms, places, { map, colour, vertexColours, twoSided, inside }) {
  const own = Boolean(map || colour || vertexColours);
  const material = new THREE.MeshStandardMaterial({
    roughness: 0.5, metalness: 0, side: twoSided ? THREE.DoubleSide : THREE.FrontSide, map, vertexColors: vertexColours,
  });
  if (colour) material.color.setRGB(colour[0], colour[1], colour[2]);
  material.onBeforeCompile = (shader) => {
    Object.assign(shader.uniforms, skinUniforms, places, { ownColour: { value: own ? 1 : 0 } });
    shader.vertexShader = placeOnSkin(shader.vertexShader)
      .replace('#include <beginnormal_vertex>', 'vec3 objectNormal = skinNormal();')
      .replace('#include <project_vertex>', inside ? INSIDE_VERTEX : '#include <project_vertex>');
    shader.fragmentShader = shader.fragmentShader
      .replace('#include <common>', `#include <common>\n${SKIN_COLOUR_PARS}`)
      .replace('#include <color_fragment>', SKIN_COLOUR)
      .replace('#include <opaque_fragment>', SKIN_RIM);
  };
  material.customProgramCacheKey = () => (inside ? 'skin-inside' : 'skin');
  return material;
}

/** The depth material of the same skin, for shadows. */
export function skinDepthMaterial(places, twoSided) {
  const material = new THREE.MeshDepthMaterial({ side: twoSided ? THREE.DoubleSide : THREE.FrontSide });
  material.onBeforeCompile = (shader) => {
    Object.assign(shader.uniforms, places);
    shader.vertexShader = placeOnSkin(shader.vertexShader);
  };
  material.customProgramCacheKey = () => 'skin-depth';
  return material;
}

function placeOnSkin(vertexShader) {
  return vertexShader
    .replace('#include <common>', `#include <common>\n${SKIN_PARS}`)
    .replace('#include <begin_vertex>', SKIN_VERTEX);
}
