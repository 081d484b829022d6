import { dataTexture } from './textures.js';
import { floats, integers } from './protocol.js';

/** The constant part of a surface: the nodes of its points, and the triangles around its vertices. */
export class SurfaceModel {
  constructor(message) {
    const { head } = message;
    const buffers = head.buffers;
    this.head = head;
    this.message = message;
    this.points = head.points;
    this.vertices = head.vertices;
    this.influenceStart = integers(message, buffers.influence_start);
    this.influences = floats(message, buffers.influences);
    this.vertexPoint = integers(message, buffers.vertex_point);
    this.triangles = integers(message, buffers.triangles);
    this.fanStart = integers(message, buffers.fan_start);
    this.fans = integers(message, buffers.fans);
    this.uv = floats(message, buffers.uv);
    this.colour = floats(message, buffers.colour);
    this.lines = integers(message, buffers.lines);
    this.edges = integers(message, buffers.edges);
    this.rest = floats(message, buffers.rest);
    this.#makeTextures();
  }

  #makeTextures() {
    this.influenceTexture = dataTexture('rg32f', this.influences.length / 2, (a) => a.set(this.influences));
    this.influenceRange = rangeTexture(this.influenceStart, this.points);
    this.fanRange = rangeTexture(this.fanStart, this.vertices);
    this.fanTexture = dataTexture('r32ui', this.fans.length, (a) => a.set(this.fans));
    const { triangles, vertexPoint } = this;
    this.trianglePoints = dataTexture('rgba32ui', triangles.length / 3, (a) => {
      for (let k = 0; k < triangles.length; k++) a[4 * Math.floor(k / 3) + (k % 3)] = vertexPoint[triangles[k]];
    });
  }

  dispose() {
    const all = [this.influenceTexture, this.influenceRange, this.fanRange, this.fanTexture, this.trianglePoints];
    for (const texture of all) texture.dispose();
  }
}

/** Begin and end of each of `count` lists. */
function rangeTexture(start, count) {
  return dataTexture('rg32ui', count, (array) => {
    for (let i = 0; i < count; i++) array.set([start[i], start[i + 1]], 2 * i);
  });
}
