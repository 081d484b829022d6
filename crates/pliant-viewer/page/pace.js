/** Time in ms after which drawing continues even if the graphics card has not finished. */
const MAX_WAIT = 1000;

/**
 * Waits for the graphics card before the next picture. Drawing ahead of it would only fill its queue and
 * increase the delay between a drag and its effect.
 */
export class Pace {
  #fence = null;
  #since = 0;

  constructor(gl) {
    this.gl = gl;
  }

  /** Records that a picture was sent to the card. */
  drew() {
    const { gl } = this;
    if (this.#fence) gl.deleteSync(this.#fence);
    this.#fence = gl.fenceSync(gl.SYNC_GPU_COMMANDS_COMPLETE, 0);
    this.#since = performance.now();
    gl.flush();
  }

  /** True if the next picture may be drawn. */
  get ready() {
    const { gl } = this;
    if (!this.#fence || performance.now() - this.#since > MAX_WAIT) return true;
    if (gl.getSyncParameter(this.#fence, gl.SYNC_STATUS) !== gl.SIGNALED) return false;
    gl.deleteSync(this.#fence);
    this.#fence = null;
    return true;
  }
}
