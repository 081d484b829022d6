import { SurfaceCursor } from './surface-cursor.js';

const ORBIT_SPEED = 0.006;
const KEY_STEP = 14;

/**
 * Mouse, pen, touch and keys on the canvas. Input on a body goes to the tool, the rest moves the camera;
 * two fingers on the background zoom and move it.
 */
export class PointerControl {
  #drags = new Map();
  #hover = null;
  #key = null;

  constructor({ canvas, view, picker }) {
    Object.assign(this, { canvas, view, picker, tool: null });
    this.cursor = new SurfaceCursor(view.scene);
    const listen = (name, f, options) => canvas.addEventListener(name, f, options);
    listen('pointerdown', (event) => this.#down(event));
    listen('pointermove', (event) => this.#move(event));
    listen('pointerup', (event) => this.#up(event));
    listen('pointercancel', (event) => this.#up(event));
    listen('pointerleave', () => this.#setHover(null));
    listen('wheel', (event) => this.#wheel(event), { passive: false });
    listen('contextmenu', (event) => event.preventDefault());
    listen('blur', () => this.endKeyDrag());
  }

  /** True while something is pulled, painted or rotated. */
  get busy() {
    return this.#drags.size > 0 || this.#key !== null;
  }

  #place(event) {
    const { left, top } = this.canvas.getBoundingClientRect();
    return [event.clientX - left, event.clientY - top];
  }

  #down(event) {
    const [x, y] = this.#place(event);
    this.canvas.setPointerCapture(event.pointerId);
    const drag = this.#toolDrag(event, x, y) ?? { camera: true, pan: event.button !== 0 || event.shiftKey, move() {}, end() {} };
    this.#drags.set(event.pointerId, Object.assign(drag, { x, y }));
    this.canvas.style.cursor = drag.cursor ?? 'move';
    this.#setHover(null);
  }

  #toolDrag(event, x, y) {
    if (event.button !== 0 || event.shiftKey || event.ctrlKey || event.altKey) return null;
    const hit = this.picker.at(x, y);
    return hit ? this.tool.begin(hit, x, y) : null;
  }

  #move(event) {
    const [x, y] = this.#place(event);
    const drag = this.#drags.get(event.pointerId);
    if (!drag) {
      if (event.pointerType !== 'touch') this.#setHover([x, y]);
      return;
    }
    if (drag.camera) this.#moveCamera(drag, x, y);
    else drag.move(x, y);
    Object.assign(drag, { x, y });
  }

  #moveCamera(drag, x, y) {
    const other = [...this.#drags.values()].find((d) => d.camera && d !== drag);
    const { control } = this.view;
    if (other) {
      const span = (px, py) => Math.hypot(px - other.x, py - other.y) || 1;
      control.zoom(span(drag.x, drag.y) / span(x, y), (x + other.x) / 2, (y + other.y) / 2);
      control.pan((x - drag.x) / 2, (y - drag.y) / 2);
    } else if (drag.pan) control.pan(x - drag.x, y - drag.y);
    else control.orbit((x - drag.x) * ORBIT_SPEED, (y - drag.y) * ORBIT_SPEED);
  }

  #up(event) {
    const drag = this.#drags.get(event.pointerId);
    this.#drags.delete(event.pointerId);
    drag?.end();
    this.canvas.style.cursor = '';
  }

  #wheel(event) {
    event.preventDefault();
    const [x, y] = this.#place(event);
    const lines = event.deltaMode === 1 ? 16 : 1;
    const step = Math.max(-80, Math.min(80, event.deltaY * lines));
    this.view.control.zoom(Math.exp(step * (event.ctrlKey ? 0.01 : 0.0025)), x, y);
  }

  #setHover(place) {
    this.#hover = place;
    this.hoverDirty = true;
  }

  /** Once per drawn frame: finds the point under the pointer, and draws the ring of the tool there. */
  update(moved) {
    if (this.#key || !(this.hoverDirty || (moved && this.#hover))) return;
    this.hoverDirty = false;
    const hit = this.#hover && this.view.nodes ? this.picker.at(...this.#hover) : null;
    if (!this.busy) this.canvas.style.cursor = hit ? (this.tool.name === 'pull' ? 'grab' : 'crosshair') : '';
    this.#ring(hit);
  }

  #ring(hit) {
    const reaches = hit && this.tool.reach;
    if (this.cursor.show(reaches ? hit : null, reaches ? this.tool.reach(hit.body) : 0)) this.view.dirty = true;
  }

  /** Grabs by key at the centre of the view, or releases. Returns a text for screen readers. */
  toggleKeyDrag() {
    if (this.#key) return this.endKeyDrag();
    const [x, y] = this.view.control.centre();
    const hit = this.picker.at(x, y);
    if (!hit) return 'There is no body under the cross. Rotate with the arrows, move with Shift and the arrows, or press N for the next body.';
    this.#key = { ...this.tool.begin(hit, x, y), x, y };
    if (!this.tool.holds) return this.endKeyDrag(this.tool.done);
    return 'Holding. Arrows pull, Page Up and Page Down push away and pull closer, Enter releases.';
  }

  /** Moves a grab by key, if there is one: `dx`, `dy` in steps. */
  moveKeyDrag(dx, dy, depth = 0) {
    if (!this.#key) return false;
    this.#key.x += KEY_STEP * dx;
    this.#key.y += KEY_STEP * dy;
    if (depth) this.#key.deeper?.(0.04 * depth);
    else this.#key.move(this.#key.x, this.#key.y);
    return true;
  }

  endKeyDrag(words = 'Released.') {
    this.#key?.end();
    const held = this.#key !== null;
    this.#key = null;
    return held ? words : null;
  }
}
