/** An event source: listeners by name. */
export class Signal {
  #listeners = new Map();

  /** Calls `listener` with every value of `name`; returns a function that removes it. */
  on(name, listener) {
    if (!this.#listeners.has(name)) this.#listeners.set(name, new Set());
    this.#listeners.get(name).add(listener);
    return () => this.#listeners.get(name).delete(listener);
  }

  /** Passes `value` to all listeners of `name`. */
  emit(name, value) {
    for (const listener of this.#listeners.get(name) ?? []) listener(value);
  }
}
