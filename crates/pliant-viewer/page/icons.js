/** Icons: strokes on a square of 24 units, drawn for this page. */
const PATHS = {
  play: 'M8 5.5v13l10.5-6.5z',
  pause: 'M9 6v12M15 6v12',
  step: 'M7 6v12l8-6zM17.5 6v12',
  reset: 'M5.5 12a6.5 6.5 0 1 0 2.2-4.9M7.5 3.5v4h4',
  record: 'M12 7.5a4.5 4.5 0 1 0 0 9 4.5 4.5 0 0 0 0-9z',
  pull: 'M5 19 17.5 6.500M11.500 6h6.500v6.500M5.800 16.200a2 2 0 1 0 2 2',
  pin: 'M12 14v6.500M8 4h8l-1.200 5.500 2.700 4.500h-11l2.700-4.500z',
  paint: 'M4.500 19.500c.3-3 1.300-4.700 3.300-4.700a2.400 2.400 0 0 1 2.400 2.400c0 2-2 2.600-5.700 2.300zM9.500 14 18 4.800l1.700 1.600L11.300 15.500',
  hammer: 'M5 19.500l8-8M9.500 8 13 4.500l6.500 6.500L16 14.500z',
  bullet: 'M3.500 12H10M3.500 8.500h3M3.500 15.500h3M12 8.500h3.500c3 0 5 2 5 3.500s-2 3.500-5 3.500H12z',
  blast: 'M12 3.500 13.500 8.300 18 6 15.700 10.500 20.500 12 15.700 13.500 18 18 13.500 15.700 12 20.500 10.500 15.700 6 18 8.300 13.500 3.500 12 8.300 10.500 6 6 10.500 8.300z',
  twist: 'M7 4c0 5 10 5 10 10 0 3-4 3-4 6M17 4c0 5-10 5-10 10 0 3 4 3 4 6',
  replay: 'M5.500 12a6.500 6.500 0 1 0 2.200-4.900M7.500 3.500v4h4M11 9.500v5.500l4-2.750z',
  fit: 'M4.500 9V4.500H9M15 4.500h4.500V9M19.500 15v4.500H15M9 19.500H4.500V15M9.500 9.500h5v5h-5z',
  commit: 'M4.500 12.500l4.500 4.500 6-10M13 17l6.500-10',
  undo: 'M8.500 5 4.500 9l4 4M4.500 9h9a5 5 0 0 1 0 10H9',
  redo: 'M15.500 5l4 4-4 4M19.500 9h-9a5 5 0 0 0 0 10H15',
  save: 'M12 4v11M7.500 11l4.500 4.500 4.500-4.500M5 19.500h14',
  theme: 'M12 4a8 8 0 1 0 0 16zM12 4a8 8 0 0 1 0 16',
  help: 'M9 9.200a3 3 0 1 1 4.600 2.500c-1 .7-1.600 1.200-1.600 2.300M12 17.500v.1',
  settings: 'M4.500 7.500h8M17 7.500h2.500M14.800 5.500v4M4.500 16.500H7M11.500 16.500h8M9.200 14.500v4',
  gallery: 'M4.500 5h6.500v6H4.500zM13 5h6.500v6H13zM4.500 13h6.500v6H4.500zM13 13h6.500v6H13z',
  close: 'M6.500 6.500l11 11M17.500 6.500l-11 11',
  lock: 'M6.500 11h11v8.500h-11zM9 11V8a3 3 0 0 1 6 0v3',
  unlock: 'M6.500 11h11v8.500h-11zM9 11V8a3 3 0 0 1 5.800-1',
  down: 'M7 10l5 5 5-5',
  trash: 'M5 7h14M9.500 7V4.500h5V7M7 7l.8 12.500h8.400L17 7M10.500 10.500v5.500M13.500 10.500v5.500',
  file: 'M7 3.500h7l4 4v13H7zM14 3.500v4h4M12.500 17v-6M10 13.500l2.500-2.500 2.500 2.500',
  warning: 'M12 4.500 21 19.500H3zM12 10v4.500M12 17v.1',
};

/** The icon with this name. It is decoration: the element that uses it needs a label. */
export function icon(name) {
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  svg.setAttribute('viewBox', '0 0 24 24');
  svg.setAttribute('aria-hidden', 'true');
  svg.classList.add('icon');
  const path = document.createElementNS('http://www.w3.org/2000/svg', 'path');
  path.setAttribute('d', PATHS[name]);
  svg.append(path);
  return svg;
}

/** Puts icons into all elements that name one in `data-icon`. */
export function fillIcons(root = document) {
  for (const element of root.querySelectorAll('[data-icon]')) element.prepend(icon(element.dataset.icon));
}

/** Shows another icon on an element. */
export function setIcon(element, name) {
  if (element.dataset.icon === name) return;
  element.dataset.icon = name;
  element.querySelector('svg.icon path').setAttribute('d', PATHS[name]);
}
