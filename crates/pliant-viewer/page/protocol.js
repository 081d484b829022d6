/** Decodes the messages of the socket, as described in PROTOCOL.md. */

/** The protocol version of this page. */
export const PROTOCOL = 1;

/** Added to the id of a model for the boundary of its cells. */
export const OF_CELLS = 2 ** 31;

const KINDS = { 1: 'frame', 2: 'model', 3: 'held' };

/** Splits a binary message into its kind, its JSON head, and the start of its payload. */
export function decode(buffer) {
  const view = new DataView(buffer);
  const kind = KINDS[view.getUint32(0, true)];
  const length = view.getUint32(4, true);
  const head = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 8, length)));
  return { kind, head, buffer, base: 8 + length };
}

/** The numbers `{offset, count}` of a payload as f32, without a copy. */
export function floats(message, part) {
  return part ? new Float32Array(message.buffer, message.base + part.offset, part.count) : null;
}

/** The numbers `{offset, count}` of a payload as u32, without a copy. */
export function integers(message, part) {
  return part ? new Uint32Array(message.buffer, message.base + part.offset, part.count) : null;
}

/** A point P of the protocol: a point on the surface of a body. */
export function placeOn(hit) {
  if (hit.ray) return { ray: hit.ray };
  return { at: { body: hit.body, triangle: hit.triangle, weights: hit.weights, model: hit.model } };
}
