/** ms after which a card that does not answer is drawn to again all the same. */
const PATIENCE = 1000;

/**
 * Whether the graphics card is done with the last picture. Drawing ahead of it would only fill its queue: what a hand does
 * would be seen later and later.
 */
export class Pace {
  #fence = null;
  #since = 0;

  constructor(gl) {
    this.gl = gl;
  }

  /** A picture was sent to the card. */
  drew() {
    const { gl } = this;
    if (this.#fence) gl.deleteSync(this.#fence);
    this.#fence = gl.fenceSync(gl.SYNC_GPU_COMMANDS_COMPLETE, 0);
    this.#since = performance.now();
    gl.flush();
  }

  /** Whether the next one may be. */
  get ready() {
    const { gl } = this;
    if (!this.#fence || performance.now() - this.#since > PATIENCE) return true;
    if (gl.getSyncParameter(this.#fence, gl.SYNC_STATUS) !== gl.SIGNALED) return false;
    gl.deleteSync(this.#fence);
    this.#fence = null;
    return true;
  }
}
