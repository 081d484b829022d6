import * as THREE from './vendor/three.module.min.js';

/** Direction to the key light. */
const KEY_LIGHT_DIRECTION = new THREE.Vector3(-0.45, 1, 0.55).normalize();

const FLOOR_PARS = /* glsl */ `
  varying vec3 floorHere;
  uniform vec3 floorCentre;
  uniform float floorReach;
  uniform float floorCell;
  uniform float floorGrid;
  uniform float floorShade;
  uniform vec3 floorInk;
  float gridLine(vec2 p) {
    vec2 width = fwidth(p);
    vec2 near = abs(fract(p - 0.5) - 0.5) / max(width, vec2(1e-6));
    float line = 1.0 - min(min(near.x, near.y), 1.0);
    return line * (1.0 - smoothstep(0.15, 0.5, max(width.x, width.y)));
  }
`;

/** A lit area that fades into the background, with grid lines and shadows. */
const FLOOR_COLOUR = /* glsl */ `
  float far = length(floorHere.xz - floorCentre.xz) / floorReach;
  float pool = 1.0 - smoothstep(0.0, 1.0, far);
  float grid = 0.5 * gridLine(floorHere.xz / floorCell) + gridLine(floorHere.xz / (5.0 * floorCell));
  vec3 floorColour = mix(color, floorInk, min(1.0, grid) * floorGrid);
  floorColour *= 1.0 - floorShade * (1.0 - getShadowMask());
  gl_FragColor = vec4(floorColour, pool * pool);
`;

/** Lights, floor and background. */
export class Stage {
  constructor(scene) {
    this.scene = scene;
    this.sky = new THREE.HemisphereLight(0xffffff, 0x888888, 1.4);
    this.key = new THREE.DirectionalLight(0xffffff, 2.2);
    this.fill = new THREE.DirectionalLight(0xffffff, 0.5);
    this.fill.position.set(0.8, 0.25, -0.7);
    this.#shadow();
    this.#floor();
    scene.add(this.sky, this.key, this.key.target, this.fill, this.floor);
  }

  #shadow() {
    const { shadow } = this.key;
    this.key.castShadow = true;
    shadow.mapSize.set(1024, 1024);
    shadow.radius = 4;
    shadow.bias = -0.0003;
  }

  #floor() {
    this.uniforms = {
      floorCentre: { value: new THREE.Vector3() }, floorReach: { value: 10 }, floorCell: { value: 0.5 },
      floorGrid: { value: 0.2 }, floorShade: { value: 0.4 }, floorInk: { value: new THREE.Color() },
    };
    const material = new THREE.ShadowMaterial({ transparent: true, toneMapped: false });
    material.onBeforeCompile = (shader) => {
      Object.assign(shader.uniforms, this.uniforms);
      shader.vertexShader = shader.vertexShader
        .replace('#include <common>', '#include <common>\nvarying vec3 floorHere;')
        .replace('#include <begin_vertex>', '#include <begin_vertex>\nfloorHere = (modelMatrix * vec4(position, 1.0)).xyz;');
      shader.fragmentShader = shader.fragmentShader
        .replace('#include <common>', `#include <common>\n${FLOOR_PARS}`)
        .replace(/gl_FragColor = [^;]*;/, FLOOR_COLOUR);
    };
    this.floor = new THREE.Mesh(new THREE.PlaneGeometry(2, 2).rotateX(-Math.PI / 2), material);
    this.floor.receiveShadow = true;
    this.floor.frustumCulled = false;
    this.floor.renderOrder = -1;
  }

  /** Colours of the theme. */
  set theme({ back, floor, ink, grid, shade, light, ground, sky, key }) {
    this.scene.background = new THREE.Color(back);
    this.floor.material.color.set(floor);
    this.uniforms.floorInk.value.set(ink);
    this.grid = grid;
    this.#lines();
    this.uniforms.floorShade.value = shade;
    this.sky.color.set(light);
    this.sky.groundColor.set(ground);
    this.sky.intensity = sky;
    this.key.intensity = key;
  }

  /** `solid`: bodies rest on the floor; otherwise it only shows shadows and does not write depth. */
  setFloor(height, solid) {
    this.floor.position.y = height;
    this.floor.material.depthWrite = solid;
    this.solid = solid;
    this.#lines();
  }

  /** Draws fainter lines on a floor that is not solid. */
  #lines() {
    this.uniforms.floorGrid.value = this.grid * (this.solid ? 1 : 0.5);
  }

  /** Fits floor and shadow to a box that contains all bodies. The box changes rarely, so that shadows do not flicker. */
  fit(box, grid) {
    const centre = box.getCenter(new THREE.Vector3());
    const radius = Math.max(1e-3, box.getSize(new THREE.Vector3()).length() / 2);
    const reach = 7 * radius;
    this.floor.position.x = centre.x;
    this.floor.position.z = centre.z;
    this.floor.scale.setScalar(reach);
    this.uniforms.floorCentre.value.copy(centre);
    this.uniforms.floorReach.value = reach;
    this.uniforms.floorCell.value = grid;
    this.#aim(centre, radius);
  }

  #aim(centre, radius) {
    const { camera } = this.key.shadow;
    this.key.target.position.copy(centre);
    this.key.position.copy(centre).addScaledVector(KEY_LIGHT_DIRECTION, 4 * radius);
    const half = 1.25 * radius;
    Object.assign(camera, { left: -half, right: half, top: half, bottom: -half, near: 1.5 * radius, far: 10 * radius });
    camera.updateProjectionMatrix();
    this.key.shadow.normalBias = (4 * half) / this.key.shadow.mapSize.x; // two texels, so that surfaces do not shadow themselves
  }
}
