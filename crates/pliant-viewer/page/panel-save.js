import { byId, el } from './dom.js';

/** The files that can be saved, by the id of their buttons. */
const FILES = {
  'save-scene': { path: '/save/scene.toml', name: 'toml' },
  'save-session': { path: '/save/session', name: 'session' },
  'save-obj': { path: '/save/shape.obj', name: 'obj' },
  'save-glb': { path: '/save/shape.glb', name: 'glb', field: true },
  'save-vtu': { path: '/save/shape.vtu', name: 'vtu', body: true },
  'save-animation-glb': { path: '/save/animation.glb', name: 'glb', suffix: '-animation' },
  'save-animation-vtu': { path: '/save/animation.zip', name: 'zip', suffix: '-animation' },
};

/** Saves scene, shape, animation and picture as files. */
export class SavePanel {
  constructor({ session, display, notify, announce, picture }) {
    Object.assign(this, { session, display, notify, announce, picture });
    this.dialog = byId('save');
    byId('save-open').addEventListener('click', () => this.open());
    for (const [id, file] of Object.entries(FILES)) byId(id).addEventListener('click', () => this.#save(file));
    byId('save-picture').addEventListener('click', () => this.savePicture());
  }

  open() {
    this.dialog.showModal();
  }

  get #stem() {
    return (this.session.scene?.name ?? 'pliant').replace(/[^\w-]+/g, '-');
  }

  /** `field`: coloured by the shown field. */
  async #save({ path, name, suffix = '', body, field }) {
    const query = body ? `?body=${this.session.selected ?? 0}` : field && this.display.field ? `?field=${this.display.field}` : '';
    const address = path + query;
    this.announce('Saving.');
    try {
      const answer = await fetch(address);
      if (!answer.ok) throw new Error((await answer.json()).error?.message ?? answer.statusText);
      download(await answer.blob(), `${this.#stem}${suffix}.${name}`);
      this.dialog.close();
    } catch (error) {
      this.notify(`Nothing was saved: ${error.message}`);
    }
  }

  async savePicture() {
    const frame = this.session.frame?.head.frame ?? 0;
    download(await this.picture(), `${this.#stem}-${String(frame).padStart(5, '0')}.png`);
    this.dialog.close();
  }
}

/** Starts the download of a file. */
function download(blob, name) {
  const href = URL.createObjectURL(blob);
  el('a', { href, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(href), 10000);
  window.pliant.lastSaved = { name, bytes: blob.size };
}
