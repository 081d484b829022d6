const KEY_ROTATION = 0.08;
const KEY_PAN = 28;
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/** Keyboard shortcuts. Those of the camera and of grabs work while the view has the focus; the others except while typing. */
export class Shortcuts {
  constructor(app) {
    this.app = app;
    const { play, display, gallery, save, help, theme, legend, tools, panel } = app;
    this.plain = {
      ' ': () => this.#live(() => play.toggle()), '.': () => this.#live(() => play.step()), r: () => this.#live(() => play.reset()),
      '[': () => play.shiftSpeed(-1), ']': () => play.shiftSpeed(1),
      f: () => app.view.fit(), c: () => display.nextField(), e: () => display.nextCells(), l: () => legend.lock(!legend.locked),
      t: () => theme.toggle(), p: () => panel.toggle(), g: () => gallery.open(), s: () => save.open(),
      o: () => document.getElementById('file-input').click(), '?': () => help.toggle(), n: () => app.nextBody(), k: () => app.commit(),
      1: () => tools.choose('pull'), 2: () => tools.choose('pin'), 3: () => tools.choose('paint'),
      4: () => tools.choose('hammer'), 5: () => tools.choose('bullet'), 6: () => tools.choose('blast'), 7: () => tools.choose('twist'),
      v: () => app.replay.toggle(), x: () => display.set({ splinters: !display.state.splinters }),
      '+': () => app.view.control.zoom(0.85), '=': () => app.view.control.zoom(0.85), '-': () => app.view.control.zoom(1 / 0.85),
    };
    addEventListener('keydown', (event) => this.#key(event));
  }

  /** Commands to the world end a replay. */
  #live(action) {
    this.app.replay.stop(false);
    return action();
  }

  #key(event) {
    if (document.querySelector('dialog[open]')) {
      if (event.key === '?' && this.app.help.dialog.open) this.app.help.toggle();
      return;
    }
    if ((event.ctrlKey || event.metaKey) && !event.altKey) return this.#edit(event);
    if (event.altKey || typing(event.target)) return undefined;
    if (event.target === this.app.canvas && this.#view(event)) return event.preventDefault();
    if (event.key === ' ' && event.target.closest?.('button, summary, select, input[type=checkbox], input[type=radio]')) return undefined;
    const action = this.plain[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (!action) return undefined;
    event.preventDefault();
    return action();
  }

  #edit(event) {
    const key = event.key.toLowerCase();
    if (typing(event.target) || !(key === 'z' || key === 'y')) return;
    event.preventDefault();
    if (key === 'y' || event.shiftKey) this.app.redo();
    else this.app.undo();
  }

  /** Keys of the view: the camera, or a grab if there is one. */
  #view(event) {
    const { pointer, view } = this.app;
    const arrow = ARROWS[event.key];
    if (arrow) {
      if (pointer.moveKeyDrag(...arrow)) return true;
      if (event.shiftKey) view.control.pan(-KEY_PAN * arrow[0], -KEY_PAN * arrow[1]);
      else view.control.orbit(-KEY_ROTATION * arrow[0], -KEY_ROTATION * arrow[1]);
      return true;
    }
    if (event.key === 'PageUp') return pointer.moveKeyDrag(0, 0, 1);
    if (event.key === 'PageDown') return pointer.moveKeyDrag(0, 0, -1);
    if (event.key === 'Enter') return this.app.announce(pointer.toggleKeyDrag()) || true;
    if (event.key === 'Escape') return this.app.announce(pointer.endKeyDrag()) || true;
    return false;
  }
}

/** True if keys belong to a text field; sliders and switches use only arrows and Space. */
function typing(target) {
  if (target.matches?.('textarea, select, input[type=text], input[type=search], input[type=color]')) return true;
  return false;
}
