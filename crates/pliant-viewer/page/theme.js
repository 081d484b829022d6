import { byId } from './dom.js';

/** Colours of the 3D view; those of the page itself are in style.css. */
const THEMES = {
  light: {
    stage: { back: '#e9e8e4', floor: '#f4f3f0', ink: '#a5a29b', grid: 0.4, shade: 0.34, light: '#ffffff', ground: '#cfc8bd', sky: 2.4, key: 1.6 },
    edge: '#1d1f23', edgeStrength: 0.42, accent: '#0f766e', contact: '#b3261e', handle: '#0b7a72', pin: '#33363b',
  },
  dark: {
    stage: { back: '#17191c', floor: '#282b30', ink: '#6b727c', grid: 0.45, shade: 0.6, light: '#eef2f8', ground: '#8d877f', sky: 2.1, key: 2.0 },
    edge: '#f2f3f5', edgeStrength: 0.34, accent: '#6fd3c4', contact: '#ff8a7a', handle: '#8ff0e0', pin: '#e8e9ec',
  },
};

const STORAGE_KEY = 'pliant-theme';

/** The theme, dark or light: that of the system, until the user selects one. */
export class Theme {
  constructor(view, wanted = null) {
    this.view = view;
    this.system = matchMedia('(prefers-color-scheme: dark)');
    this.chosen = wanted ?? recall();
    this.system.addEventListener('change', () => this.apply());
    byId('theme').addEventListener('click', () => this.toggle());
    this.apply();
  }

  get name() {
    return this.chosen ?? (this.system.matches ? 'dark' : 'light');
  }

  toggle() {
    this.chosen = this.name === 'dark' ? 'light' : 'dark';
    try {
      localStorage.setItem(STORAGE_KEY, this.chosen);
    } catch { /* without storage the choice is not saved */ }
    this.apply();
  }

  apply() {
    document.documentElement.dataset.theme = this.name;
    byId('theme').setAttribute('aria-label', this.name === 'dark' ? 'Light colours' : 'Dark colours');
    this.view.theme = THEMES[this.name];
  }
}

function recall() {
  try {
    const kept = localStorage.getItem(STORAGE_KEY);
    return kept in THEMES ? kept : null;
  } catch {
    return null;
  }
}
