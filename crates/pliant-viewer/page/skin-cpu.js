/** Computes surfaces from nodes on the CPU: for picking, and for graphics cards without the needed features. */

/**
 * Points of a body, four numbers each: `p = Σ w x`, and the field if nodes have one.
 * `nodes` holds `stride` numbers for each node.
 */
export function surfacePoints(model, nodes, first, stride) {
  const { influenceStart, influences, points } = model;
  const result = new Float32Array(4 * points);
  for (let point = 0; point < points; point++) {
    let x = 0, y = 0, z = 0, w = 0;
    for (let k = influenceStart[point]; k < influenceStart[point + 1]; k++) {
      const at = stride * (first + influences[2 * k]);
      const weight = influences[2 * k + 1];
      x += weight * nodes[at];
      y += weight * nodes[at + 1];
      z += weight * nodes[at + 2];
      if (stride === 4) w += weight * nodes[at + 3];
    }
    result.set([x, y, z, w], 4 * point);
  }
  return result;
}

/** Normals of vertices, four numbers each, from the points of `surfacePoints`. */
export function surfaceNormals(model, points) {
  const faces = faceNormals(model, points);
  const result = new Float32Array(4 * model.vertices);
  for (let vertex = 0; vertex < model.vertices; vertex++) {
    let x = 0, y = 0, z = 0;
    for (let k = model.fanStart[vertex]; k < model.fanStart[vertex + 1]; k++) {
      const at = 3 * model.fans[k];
      x += faces[at];
      y += faces[at + 1];
      z += faces[at + 2];
    }
    const size = Math.hypot(x, y, z) || 1;
    result.set([x / size, y / size, z / size, 0], 4 * vertex);
  }
  return result;
}

/** (b − a) × (c − a) of each triangle. */
function faceNormals({ triangles, vertexPoint }, points) {
  const result = new Float32Array(triangles.length);
  for (let t = 0; t < triangles.length; t += 3) {
    const [a, b, c] = [0, 1, 2].map((corner) => 4 * vertexPoint[triangles[t + corner]]);
    const ux = points[b] - points[a], uy = points[b + 1] - points[a + 1], uz = points[b + 2] - points[a + 2];
    const vx = points[c] - points[a], vy = points[c + 1] - points[a + 1], vz = points[c + 2] - points[a + 2];
    result[t] = uy * vz - uz * vy;
    result[t + 1] = uz * vx - ux * vz;
    result[t + 2] = ux * vy - uy * vx;
  }
  return result;
}
