import * as THREE from './vendor/three.module.min.js';
import { BodyMesh } from './body-mesh.js';
import { CameraControl } from './camera-control.js';
import { CellEdges } from './cell-edges.js';
import { MapTexture } from './colour-map.js';
import { ContactMarks } from './contact-marks.js';
import { HandleMarks } from './handle-marks.js';
import { NodeMarks } from './node-marks.js';
import { NodeTexture } from './node-texture.js';
import { ObstacleMeshes, levelPlane } from './obstacle-mesh.js';
import { Pace } from './pace.js';
import { Ropes } from './ropes.js';
import { Stage } from './stage.js';
import { SurfaceModel } from './surface-model.js';
import { makeSkinUniforms } from './skin-material.js';
import { OF_CELLS } from './protocol.js';

/** The 3D view: the renderer and all objects of a scene. */
export class View {
  constructor(canvas) {
    this.canvas = canvas;
    this.renderer = new THREE.WebGLRenderer({ canvas, antialias: true, powerPreference: 'high-performance' });
    this.renderer.shadowMap.enabled = true;
    this.renderer.shadowMap.type = THREE.PCFShadowMap;
    this.renderer.shadowMap.autoUpdate = false;
    this.renderer.toneMapping = THREE.NeutralToneMapping;
    this.scene = new THREE.Scene();
    this.stage = new Stage(this.scene);
    this.control = new CameraControl();
    this.map = new MapTexture();
    this.skinUniforms = makeSkinUniforms(this.map.texture);
    this.edgeLooks = { colour: { value: new THREE.Color() }, strength: { value: 0.5 } };
    this.pace = new Pace(this.renderer.getContext());
    this.contacts = new ContactMarks();
    this.handles = new HandleMarks();
    this.scene.add(this.contacts.group, this.handles.group);
    this.display = { cells: 'off', contacts: false, sleep: true, pins: true, probes: true, shadow: true, splinters: true };
    this.generation = null;
    this.models = new Map();
    this.bodies = [];
    this.edges = [];
    this.old = [];
    this.dirty = true;
  }

  get camera() { return this.control.camera; }

  /** Shows a new generation of a scene: updates only colours if the shapes are unchanged, only bodies if the stage is. */
  build({ scene, models }) {
    const drawn = this.#drawn(scene, models);
    const [shapes, setting] = [shapesOf(scene, drawn), surroundingsOf(scene)];
    const known = drawn.every((id) => this.models.get(id)?.message === models.get(id));
    this.stale = false;
    this.generation = scene.generation;
    this.origin = scene.origin;
    /** The scene that is drawn; the session may already have the next one. */
    this.current = scene;
    if (known && shapes === this.shapes && setting === this.setting) {
      for (const body of this.bodies) body.describe(scene.bodies);
      return;
    }
    const stays = this.nodes && this.shapes && setting === this.setting;
    Object.assign(this, { shapes, setting });
    if (stays) this.#exchange(scene, models, drawn);
    else this.#layOut(scene, models, drawn);
  }

  /** The drawn model of each body: its own, or the boundary of its cells if that is selected and available. */
  #drawn(scene, models) {
    const plain = (body) => !this.display.splinters && body.surface && models.has(body.model + OF_CELLS);
    return scene.bodies.map((body) => (plain(body) ? body.model + OF_CELLS : body.model));
  }

  /** Replaces bodies on the same stage after a break or reset. Unchanged ones stay. */
  #exchange(scene, models, drawn) {
    if (scene.nodes > this.nodes.count) {
      this.#removeBodies();
      this.scene.remove(this.pins.points);
      this.old.push(this.pins, this.nodes);
      this.nodes = new NodeTexture(2 * scene.nodes);
      this.pins = new NodeMarks(this.nodes);
      this.scene.add(this.pins.points);
      this.paintMarks();
    }
    this.#takeModels(models, drawn);
    const bodies = new Map(this.bodies.map((body) => [body.model, body]));
    const edges = new Map(this.edges.map((edges) => [edges.model, edges]));
    this.bodies = [];
    this.edges = [];
    for (const [id, model] of this.models) this.#addBodies(model, slotsOf(scene, drawn, id), scene, bodies, edges);
    for (const body of bodies.values()) this.#removeBody(body);
    for (const old of edges.values()) this.#removeEdges(old);
    this.show(this.display);
  }

  /** Builds a new stage. The old one is disposed after the first draw, so that its shaders are not compiled twice. */
  #layOut(scene, models, drawn) {
    this.#removeAll();
    this.nodes = new NodeTexture(scene.nodes);
    this.#takeModels(models, drawn);
    for (const [id, model] of this.models) this.#addBodies(model, slotsOf(scene, drawn, id), scene);
    this.obstacles = new ObstacleMeshes(scene.obstacles ?? [], scene.origin);
    this.pins = new NodeMarks(this.nodes);
    this.scene.add(this.obstacles.group, this.pins.points);
    this.#setStage(scene);
    this.show(this.display);
    this.paintMarks();
    this.fresh = this.sceneName !== scene.name;
    this.sceneName = scene.name;
  }

  #takeModels(models, drawn) {
    const used = new Set(drawn);
    for (const [id, model] of this.models) {
      if (used.has(id) && models.get(id) === model.message) continue;
      this.old.push(model);
      this.models.delete(id);
    }
    for (const id of used) if (!this.models.has(id) && models.has(id)) this.models.set(id, new SurfaceModel(models.get(id)));
  }

  /** Adds the bodies of one model; reuses matching ones of `oldBodies` and `oldEdges`, and removes those from the maps. */
  #addBodies(model, slots, scene, oldBodies = new Map(), oldEdges = new Map()) {
    if (!slots.length) return;
    this.#addEdges(model, slots, scene, oldEdges);
    const old = oldBodies.get(model);
    if (old?.slots.length === slots.length) {
      oldBodies.delete(model);
      old.slots = slots;
      old.describe(scene.bodies);
      this.bodies.push(old);
      return;
    }
    const body = new BodyMesh(this.renderer, model, slots, scene.bodies, this.nodes, this.skinUniforms);
    this.bodies.push(body);
    this.scene.add(body.mesh);
    if (model.lines?.length) {
      body.ropes = new Ropes(body);
      this.scene.add(body.ropes.lines);
    }
  }

  #addEdges(model, slots, scene, oldEdges) {
    const places = slots.map((i) => scene.bodies[i].first).join();
    let edges = oldEdges.get(model);
    if (edges?.places === places) oldEdges.delete(model);
    else {
      edges = Object.assign(new CellEdges(model, slots.map((i) => scene.bodies[i]), this.nodes, this.edgeLooks), { model, places });
      this.scene.add(edges.group);
    }
    this.edges.push(edges);
  }

  #setStage(scene) {
    const { min, max } = scene.bounds;
    const local = (p) => new THREE.Vector3(...p.map((v, axis) => v - scene.origin[axis]));
    this.box = new THREE.Box3(local(min), local(max));
    const floors = (scene.obstacles ?? []).filter(levelPlane).map(({ position }) => position[1] - scene.origin[1]);
    const size = this.box.getSize(new THREE.Vector3()).length();
    this.stage.setFloor(floors.length ? Math.max(...floors) : this.box.min.y - 0.18 * size, floors.length > 0);
    this.floorHeight = this.stage.floor.position.y;
    if (floors.length && this.floorHeight > this.box.min.y - size) this.box.min.y = Math.min(this.box.min.y, this.floorHeight);
    this.start = this.box.clone();
    this.home = this.start.clone();
    this.stage.fit(this.#lit(), niceStep(size / 8));
  }

  /** The box that light and floor must cover: the bodies and the ground below them. */
  #lit() {
    const box = this.box.clone();
    box.min.y = Math.min(box.min.y, this.floorHeight);
    return box;
  }

  /** Shows a frame. */
  update(frame) {
    const { head } = frame;
    const again = head.frame < this.frameShown;
    this.frameShown = head.frame;
    this.nodes.update(frame);
    if (again) this.relight();
    const asleep = new Set(head.asleep ?? []);
    this.asleep = asleep;
    this.#mark();
    for (const body of this.bodies) body.update(this.renderer);
    this.obstacles.update(head.obstacles);
    this.contacts.update(this.display.contacts ? frame : null, 0.05 * this.home.getSize(new THREE.Vector3()).length());
    this.#follow();
    this.#lightsChanged();
    if (this.fresh) this.#welcome();
  }

  /** After the first frame of another scene, shows all of it, in the current and the initial state. */
  #welcome() {
    this.fresh = false;
    this.home.union(this.#near());
    this.fit(true);
  }

  /** Shadows are updated only when something has moved, not when only the camera has. */
  #lightsChanged() {
    this.renderer.shadowMap.needsUpdate = true;
    this.dirty = true;
  }

  /** The glow of a body that was just selected. */
  glow = { body: null, strength: 0 };

  #mark() {
    const whole = (index) => this.current?.bodies[index]?.piece_of ?? index;
    const glow = (index) => (whole(index) === this.glow.body ? this.glow.strength : 0);
    return this.bodies.map((body) => body.mark((index) => (this.asleep?.has(index) ? 1 : 0), glow)).some(Boolean);
  }

  /** Updates the marks of bodies after a change other than a new frame. */
  remark() {
    if (this.#mark()) this.dirty = true;
  }

  /** Resets light and floor, so that they depend only on this frame. */
  relight() {
    this.home = this.start.clone().union(this.#near());
    this.box = this.home.clone();
    this.stage.fit(this.#lit(), this.stage.uniforms.floorCell.value);
    this.#follow();
    this.#lightsChanged();
  }

  /** Widens the lit box when bodies leave it. */
  #follow() {
    const { min, max } = this.nodes.box;
    const now = new THREE.Box3(new THREE.Vector3(...min), new THREE.Vector3(...max));
    if (!Number.isFinite(now.min.x + now.max.x) || this.box.containsBox(now)) return;
    const size = this.home.getSize(new THREE.Vector3()).length();
    const limit = this.home.clone().expandByScalar(2 * size);
    this.box.union(now.expandByScalar(0.1 * size)).intersect(limit);
    this.stage.fit(this.#lit(), this.stage.uniforms.floorCell.value);
  }

  /** The box of all nodes as they are now. */
  extent() {
    const box = this.nodes?.box;
    const now = box && new THREE.Box3(new THREE.Vector3(...box.min), new THREE.Vector3(...box.max));
    return now && !now.isEmpty() && now.getSize(new THREE.Vector3()).length() > 0 ? now : this.start;
  }

  /** The box of all nodes, without bodies that have flown away. */
  #near() {
    const reach = this.start.clone().expandByScalar(2 * this.start.getSize(new THREE.Vector3()).length());
    const box = this.extent().clone().intersect(reach);
    return box.isEmpty() ? this.start : box;
  }

  fit(atOnce = false) {
    if (!this.home) return;
    this.control.fit(atOnce ? this.home : this.extent());
    if (atOnce) this.control.settle();
    this.dirty = true;
  }

  /** Applies the settings of the display panel. */
  show(display) {
    this.display = display;
    for (const edges of this.edges) edges.show(display.cells);
    for (const body of this.bodies) body.seeThrough = display.cells === 'all';
    this.skinUniforms.sleepShown.value = display.sleep ? 1 : 0;
    this.stage.key.castShadow = display.shadow;
    if (this.pins) {
      this.pins.shown = display.pins;
      this.pins.points.visible = display.pins;
    }
    if (!display.contacts) this.contacts.group.visible = false;
    this.#lightsChanged();
  }

  /** Applies the colours of the theme. */
  set theme(colours) {
    this.colours = colours;
    this.stage.theme = colours.stage;
    this.edgeLooks.colour.value.set(colours.edge);
    this.edgeLooks.strength.value = colours.edgeStrength;
    this.skinUniforms.selectColour.value.set(colours.accent);
    this.skinUniforms.skyColour.value.set(colours.stage.light);
    this.contacts.colour = colours.contact;
    this.handles.colour = colours.handle;
    this.paintMarks();
    this.dirty = true;
  }

  paintMarks() {
    if (!this.pins || !this.colours) return;
    this.pins.material.uniforms.plain.value.set(this.colours.pin);
    this.pins.material.uniforms.mine.value.set(this.colours.handle);
    this.pins.material.uniforms.size.value = 6 * this.renderer.getPixelRatio();
  }

  resize(width, height, ratio, inset) {
    this.renderer.setPixelRatio(ratio);
    this.renderer.setSize(width, height, false);
    this.control.resize(width, height, inset);
    this.paintMarks();
    this.dirty = true;
  }

  render() {
    this.renderer.render(this.scene, this.camera);
    this.dirty = false;
    for (const thing of this.old.splice(0)) thing?.dispose();
    this.pace.drew();
  }

  /** Converts between world coordinates and page coordinates, which start at the origin of the scene. */
  toPage(p) { return p.map((v, axis) => v - this.origin[axis]); }
  toWorld(p) { return p.map((v, axis) => v + this.origin[axis]); }

  #removeAll() {
    this.#removeBodies();
    if (this.obstacles) this.scene.remove(this.obstacles.group, this.pins.points);
    this.old.push(this.obstacles, this.pins, this.nodes);
  }

  #removeBodies() {
    for (const body of this.bodies.splice(0)) this.#removeBody(body);
    for (const edges of this.edges.splice(0)) this.#removeEdges(edges);
  }

  #removeBody(body) {
    this.scene.remove(body.mesh);
    if (body.ropes) this.scene.remove(body.ropes.lines);
    this.old.push(body);
  }

  #removeEdges(edges) {
    this.scene.remove(edges.group);
    this.old.push(edges);
  }
}

/** The visible bodies of a model. */
function slotsOf(scene, drawn, model) {
  return scene.bodies.flatMap((body, i) => (drawn[i] === model && !body.gone ? [i] : []));
}

/** A key of the shapes: if it is unchanged, all meshes stay. */
function shapesOf({ nodes, bodies }, drawn) {
  return JSON.stringify([nodes, bodies.map(({ first, gone }, i) => [drawn[i], first, Boolean(gone)])]);
}

/** A key of the stage: if it is unchanged, the stage stays. */
function surroundingsOf({ name, origin, obstacles, bounds }) {
  const things = (obstacles ?? []).map(({ shape, colour, position, rotation }) => [shape, colour, position, rotation]);
  return JSON.stringify([name, origin, bounds, things]);
}

/** 1, 2 or 5 times a power of ten, near `size`. */
function niceStep(size) {
  const power = 10 ** Math.floor(Math.log10(Math.max(1e-9, size)));
  return [1, 2, 5, 10].find((step) => step * power >= size) * power;
}
