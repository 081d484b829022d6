import { byId } from './dom.js';
import { digits } from './format.js';

const READABLE = /\.(obj|ply|stl|glb)$/i;
const MAX_BYTES = 32 * 1024 * 1024;

/** Makes bodies from files that are dropped onto the page. */
export class Drop {
  #file = null;

  constructor({ session, view, notify, announce }) {
    Object.assign(this, { session, view, notify, announce });
    this.dialog = byId('upload');
    this.size = byId('upload-size');
    addEventListener('dragover', (event) => this.#over(event));
    addEventListener('dragleave', (event) => { if (!event.relatedTarget) this.#showDropOverlay(false); });
    addEventListener('drop', (event) => this.#drop(event));
    byId('upload-form').addEventListener('submit', (event) => this.#submit(event));
    byId('upload-cancel').addEventListener('click', () => this.dialog.close());
    this.size.addEventListener('input', () => this.#showSize());
    byId('upload-cells').addEventListener('input', () => this.#showCells());
  }

  /** Largest extent in m; the slider is logarithmic, from 0.1 to 5. */
  get metres() {
    return Number((0.1 * 50 ** (this.size.value / 100)).toPrecision(2));
  }

  #over(event) {
    if (![...event.dataTransfer.types].includes('Files')) return;
    event.preventDefault();
    event.dataTransfer.dropEffect = 'copy';
    this.#showDropOverlay(true);
  }

  #showDropOverlay(on) {
    byId('drop-veil').hidden = !on;
  }

  #drop(event) {
    event.preventDefault();
    this.#showDropOverlay(false);
    const [file] = event.dataTransfer.files;
    if (file) this.offer(file);
  }

  /** Opens the dialog with the settings of a new body. */
  offer(file) {
    if (!READABLE.test(file.name)) return this.notify(`“${file.name}” cannot be read. Use an OBJ, PLY, STL or GLB file.`);
    if (file.size > MAX_BYTES) return this.notify(`“${file.name}” is larger than 32 MB. Reduce its number of triangles and try again.`);
    this.#file = file;
    byId('upload-name').textContent = file.name;
    this.size.value = 100 * (Math.log(1 / 0.1) / Math.log(50));
    this.#showSize();
    this.#showCells();
    this.#waiting(false);
    this.dialog.showModal();
    return undefined;
  }

  #showSize() {
    byId('upload-size-value').textContent = `${digits(this.metres)} m`;
    this.size.style.setProperty('--fill', `${this.size.value}%`);
    this.size.setAttribute('aria-valuetext', `${digits(this.metres)} metres`);
  }

  #showCells() {
    const input = byId('upload-cells');
    byId('upload-cells-value').textContent = input.value;
    input.style.setProperty('--fill', `${((input.value - input.min) / (input.max - input.min)) * 100}%`);
  }

  #waiting(on) {
    byId('upload-add').disabled = on;
    byId('upload-add').textContent = on ? 'Making the mesh…' : 'Add';
  }

  async #submit(event) {
    event.preventDefault();
    this.#waiting(true);
    const form = new FormData(byId('upload-form'));
    const query = new URLSearchParams({ name: this.#file.name, size: this.metres, mesher: form.get('mesher'), cells: byId('upload-cells').value, into: form.get('into') });
    try {
      const answer = await fetch(`/upload?${query}`, { method: 'POST', body: await this.#file.arrayBuffer() });
      const body = await answer.json();
      if (!answer.ok) throw new Error(body.error?.message ?? answer.statusText);
      this.#done(body);
    } catch (error) {
      this.notify(`“${this.#file.name}” could not be added: ${error.message}`);
      this.#waiting(false);
    }
  }

  #done({ body, name, notes }) {
    this.dialog.close();
    this.announce(`${name} was added.`);
    for (const note of notes ?? []) this.notify(note, 'notice');
    this.session.select(body);
    this.#fitWhenDrawn(body);
  }

  /** Shows everything once the new body is drawn. */
  #fitWhenDrawn(body) {
    const end = this.session.on('frame', () => {
      if (this.session.scene.bodies.length <= body) return;
      end();
      this.view.fit();
    });
  }
}
