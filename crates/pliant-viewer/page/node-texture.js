import { dataTexture } from './textures.js';
import { floats } from './protocol.js';

/**
 * The nodes of all bodies as a texture: position in xyz, the shown field in w.
 *
 * Only the nodes of a frame are transmitted; the graphics card computes surfaces, edges and pins from them.
 */
export class NodeTexture {
  constructor(count) {
    this.count = count;
    this.texture = dataTexture('rgba32f', count);
    this.array = this.texture.image.data;
    /** Positions of the newest frame, three numbers a node, relative to the scene's origin. */
    this.positions = new Float32Array(3 * count);
    this.box = { min: [0, 0, 0], max: [0, 0, 0] };
  }

  /** Takes the nodes of a frame. */
  update(frame) {
    this.positions = floats(frame, frame.head.nodes);
    const field = floats(frame, frame.head.field);
    const { array, positions } = this;
    const count = Math.min(this.count, positions.length / 3);
    for (let node = 0; node < count; node++) {
      array[4 * node] = positions[3 * node];
      array[4 * node + 1] = positions[3 * node + 1];
      array[4 * node + 2] = positions[3 * node + 2];
      array[4 * node + 3] = field ? field[node] : 0;
    }
    this.texture.needsUpdate = true;
    this.#measure(count);
  }

  #measure(count) {
    const min = [Infinity, Infinity, Infinity];
    const max = [-Infinity, -Infinity, -Infinity];
    for (let i = 0; i < 3 * count; i++) {
      const value = this.positions[i];
      if (value < min[i % 3]) min[i % 3] = value;
      if (value > max[i % 3]) max[i % 3] = value;
    }
    this.box = count ? { min, max } : { min: [0, 0, 0], max: [0, 0, 0] };
  }

  dispose() {
    this.texture.dispose();
  }
}
