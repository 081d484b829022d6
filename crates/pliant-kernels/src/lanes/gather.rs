//! Loads and stores between memory and lanes: nodes, rest points, gradients.

use glam::DVec3;

use super::Batch;
use crate::math::{LANES, Lane, Lanes, Mat3, Pack, Vec3};

/// Reads one vector per node of the cells selected by `lanes`, with room for `ROOM` nodes; unused entries are zero.
#[inline(always)]
pub(crate) fn gather<L: Lanes, const ROOM: usize>(
    lanes: L,
    nodes: &[[u32; LANES]],
    x: &[DVec3],
) -> [Vec3<L::Lane>; ROOM] {
    let mut gathered = [Vec3([lanes.splat(0.0); 3]); ROOM];
    for (gathered, nodes) in gathered.iter_mut().zip(nodes) {
        *gathered = gather_one(lanes, nodes, x);
    }
    gathered
}

/// Reads the vector of one node of the cells selected by `lanes`.
#[inline(always)]
pub(crate) fn gather_one<L: Lanes>(lanes: L, nodes: &[u32; LANES], x: &[DVec3]) -> Vec3<L::Lane> {
    let mut packs = [[0.0; LANES]; 3];
    for lane in lanes.selected() {
        let position = x[nodes[lane] as usize];
        packs[0][lane] = position.x;
        packs[1][lane] = position.y;
        packs[2][lane] = position.z;
    }
    load(lanes, &packs, 0)
}

/// Reads the vectors of one node of the cells of all lanes.
#[inline(always)]
pub(crate) fn gather_node(nodes: &[u32; LANES], x: &[DVec3], [xs, ys, zs]: &mut [Pack; 3]) {
    for (lane, node) in nodes.iter().enumerate() {
        let position = x[*node as usize];
        (xs[lane], ys[lane], zs[lane]) = (position.x, position.y, position.z);
    }
}

/// Writes the vectors of the cells selected by `lanes`, cell after cell.
#[inline(always)]
pub(crate) fn scatter<L: Lanes>(lanes: L, values: &[Vec3<L::Lane>], cells: &mut [DVec3]) {
    let n = values.len();
    for (a, value) in values.iter().enumerate() {
        let mut packs = [[0.0; LANES]; 3];
        for (component, pack) in value.0.iter().zip(&mut packs) {
            lanes.store(*component, pack);
        }
        for lane in lanes.selected() {
            cells[lane * n + a] = DVec3::new(packs[0][lane], packs[1][lane], packs[2][lane]);
        }
    }
}

/// Returns J⁻¹ and the volume of a quadrature point.
#[inline(always)]
pub(crate) fn rest_point<L: Lanes>(
    lanes: L,
    batch: &Batch,
    rest: &[[Pack; 10]],
    point: usize,
) -> (Mat3<L::Lane>, L::Lane) {
    let (stored, scale) =
        if batch.straight { (&rest[0], batch.weights[point]) } else { (&rest[point], 1.0) };
    (load_matrix(lanes, stored, 0), lanes.load(&stored[9]) * scale)
}

/// Loads a vector from three packs starting at index `i`.
#[inline(always)]
pub(crate) fn load<L: Lanes>(lanes: L, packs: &[Pack], i: usize) -> Vec3<L::Lane> {
    Vec3([lanes.load(&packs[i]), lanes.load(&packs[i + 1]), lanes.load(&packs[i + 2])])
}

/// Loads a matrix by columns, starting at index `i`.
#[inline(always)]
pub(crate) fn load_matrix<L: Lanes>(lanes: L, packs: &[Pack], i: usize) -> Mat3<L::Lane> {
    Mat3([load(lanes, packs, i), load(lanes, packs, i + 3), load(lanes, packs, i + 6)])
}

/// Writes vectors, or the columns of a matrix, one after the other.
#[inline(always)]
pub(crate) fn store<L: Lanes>(lanes: L, vectors: &[Vec3<L::Lane>], packs: &mut [Pack]) {
    for (vector, packs) in vectors.iter().zip(packs.as_chunks_mut::<3>().0) {
        for (component, pack) in vector.0.iter().zip(packs) {
            lanes.store(*component, pack);
        }
    }
}

/// Returns the reference gradients at a quadrature point of cells with `n` nodes.
#[inline(always)]
pub(crate) fn table(batch: &Batch, n: usize, point: usize) -> &[[f64; 3]] {
    &batch.gradients[point * n..(point + 1) * n]
}

/// Returns ∂x/∂ξ = Σₐ xₐ ⊗ ∂Bₐ/∂ξ over the nodes that have a gradient.
#[inline(always)]
pub(crate) fn reference_gradient<R: Lane>(x: &[Vec3<R>], gradients: &[[f64; 3]]) -> Mat3<R> {
    let zero = x[0].0[0].zero();
    let mut gradient = Mat3([Vec3([zero; 3]); 3]);
    for i in 0..3 {
        let mut sums = [zero; 3];
        for (x, weights) in x.iter().zip(gradients) {
            for (sum, weight) in sums.iter_mut().zip(weights) {
                *sum = x.0[i].mul_add(zero.like(*weight), *sum);
            }
        }
        for (column, sum) in gradient.0.iter_mut().zip(sums) {
            column.0[i] = sum;
        }
    }
    gradient
}

/// Adds H g to the sum of every node, for gradients g that are equal in all lanes.
#[inline(always)]
pub(crate) fn add_applied<R: Lane>(nodes: &mut [Vec3<R>], h: &Mat3<R>, gradients: &[[f64; 3]]) {
    for i in 0..3 {
        let [a, b, c] = [h.at(i, 0), h.at(i, 1), h.at(i, 2)];
        for (node, [x, y, z]) in nodes.iter_mut().zip(gradients) {
            let sum = a.mul_add(a.like(*x), node.0[i]);
            let sum = b.mul_add(a.like(*y), sum);
            node.0[i] = c.mul_add(a.like(*z), sum);
        }
    }
}
