/** Helpers that create elements. */

/** Creates an element with attributes, listeners (`onclick: f`) and children; `false` and null omit an attribute. */
export function el(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? '' : value);
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return element;
}

/** The element of `index.html` with this id. */
export function byId(id) {
  return document.getElementById(id);
}

/** Calls `f` at most once in `interval` ms, with the newest arguments; the last call is never lost. */
export function throttle(interval, f) {
  let timer = null;
  let pending = null;
  let last = -Infinity;
  const fire = () => {
    timer = null;
    last = performance.now();
    const args = pending;
    pending = null;
    f(...args);
  };
  return (...args) => {
    pending = args;
    if (timer === null) timer = setTimeout(fire, Math.max(0, last + interval - performance.now()));
  };
}
