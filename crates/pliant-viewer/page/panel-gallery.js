import { byId, el } from './dom.js';
import { icon } from './icons.js';
import { sentence } from './format.js';

/** The gallery: scenes with pictures, all scenes, and files of the user. */
export class GalleryPanel {
  #filled = false;

  constructor({ link, session, notify, drop }) {
    Object.assign(this, { link, session, notify, drop });
    this.dialog = byId('gallery');
    byId('scene').addEventListener('click', () => this.open());
    byId('file-button').addEventListener('click', () => byId('file-input').click());
    byId('file-input').addEventListener('change', (event) => this.#file(event.target));
    byId('catalogue-search').addEventListener('input', (event) => this.#filter(event.target.value));
    session.on('scene', (scene) => this.#mark(scene));
  }

  async open() {
    this.dialog.showModal();
    if (this.#filled) return;
    try {
      const [gallery, scenes] = await Promise.all(['/gallery', '/scenes'].map(list));
      byId('gallery-cards').replaceChildren(...gallery.map((entry) => this.#card(entry)));
      byId('catalogue').replaceChildren(...scenes.map((entry) => this.#entry(entry)));
      this.#filled = true;
      this.#mark(this.session.scene);
    } catch (error) {
      this.notify(`The gallery cannot be read: ${error.message}`);
    }
  }

  close() {
    this.dialog.close();
  }

  #mark(scene) {
    byId('scene-title').textContent = scene?.title ?? 'Pliant';
    for (const node of this.dialog.querySelectorAll('[data-scene]')) {
      if (node.dataset.scene === scene?.name) node.setAttribute('aria-current', 'true');
      else node.removeAttribute('aria-current');
    }
  }

  #card({ name, title, text, hint, picture }) {
    const image = picture
      ? el('img', { src: picture, alt: '', loading: 'lazy', width: 320, height: 200, onerror: (event) => event.target.replaceWith(blank()) })
      : blank();
    return el('li', {}, el('button', { type: 'button', class: 'card', 'data-scene': name, onclick: () => this.choose(name) },
      image, el('span', { class: 'card-title' }, title), el('span', { class: 'card-text' }, sentence(text)),
      hint ? el('span', { class: 'card-hint' }, hint) : null));
  }

  #entry({ name, title }) {
    return el('li', {}, el('button', { type: 'button', class: 'entry', 'data-scene': name, onclick: () => this.choose(name) },
      el('span', {}, title), el('code', {}, name)));
  }

  #filter(words) {
    const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
    for (const node of byId('catalogue').children) {
      const text = node.textContent.toLowerCase();
      node.hidden = !wanted.every((word) => text.includes(word));
    }
  }

  async choose(name) {
    this.close();
    await this.link.ask({ open: { scene: name } }).catch(() => {});
  }

  #file(input) {
    const [file] = input.files;
    input.value = '';
    if (!file) return;
    this.close();
    this.drop.offer(file);
  }
}

function blank() {
  return el('span', { class: 'card-blank' }, icon('gallery'));
}

async function list(address) {
  const answer = await fetch(address);
  const body = await answer.json();
  if (!answer.ok) throw new Error(body.error?.message ?? answer.statusText);
  return body;
}
