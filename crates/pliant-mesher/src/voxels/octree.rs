//! Which leaves triangles and lines pass through.

use glam::DVec3;
use pliant::geometry::Surface;
use rayon::prelude::*;

use super::grid::Grid;
use super::overlap::Overlap;

/// Triangles that one task takes: any number gives the same leaves.
const CHUNK: usize = 1024;

/// Numbers of the leaves that the triangles and lines of a surface touch, some of them more than
/// once: the boundary (Nesme et al. 2006, section 3.1).
pub(super) fn touched_leaves(surface: &Surface, grid: &Grid) -> Vec<Vec<u32>> {
    let items: Vec<[u32; 3]> = items(surface).collect();
    let touched = |chunk: &[[u32; 3]]| {
        let mut leaves = Vec::new();
        for item in chunk {
            let corners = corners_in_leaves(surface, grid, item);
            for_each_touched_leaf(grid, corners, |leaf| leaves.push(grid.leaf_index(leaf) as u32));
        }
        leaves
    };
    items.par_chunks(CHUNK).map(touched).collect()
}

/// Triangles, then lines as triangles that are flat.
pub(super) fn items(surface: &Surface) -> impl Iterator<Item = [u32; 3]> {
    let lines = surface.lines.iter().map(|[a, b]| [*a, *b, *b]);
    surface.triangles.iter().copied().chain(lines)
}

/// The corners of a triangle, in leaves.
pub(super) fn corners_in_leaves(surface: &Surface, grid: &Grid, item: &[u32; 3]) -> [DVec3; 3] {
    item.map(|vertex| grid.in_leaves(surface.vertices[vertex as usize]))
}

/// Calls `visit` with every leaf a triangle touches.
pub(super) fn for_each_touched_leaf(
    grid: &Grid,
    corners: [DVec3; 3],
    mut visit: impl FnMut([u32; 3]),
) {
    let triangle = Overlap::new(corners);
    let (low, high) = triangle.bounds();
    descend(&triangle, grid.leaf_at(low), grid.leaf_at(high), &mut visit);
}

/// Halves a box of leaves, `low` to `high` inclusive, as long as the triangle touches it.
///
/// Three halvings are one level of the octree. Starting from the box around the triangle skips the
/// levels on which a small triangle has a single branch.
fn descend(triangle: &Overlap, low: [u32; 3], high: [u32; 3], visit: &mut impl FnMut([u32; 3])) {
    let end = DVec3::from(high.map(f64::from)) + 1.0;
    if !triangle.touches(DVec3::from(low.map(f64::from)), end) {
        return;
    }
    if low == high {
        return visit(low);
    }
    let length = |axis: &usize| high[*axis] - low[*axis];
    let axis = (0..3).max_by_key(length).expect("there are three axes");
    let middle = low[axis] + length(&axis) / 2;
    let (mut first_high, mut second_low) = (high, low);
    (first_high[axis], second_low[axis]) = (middle, middle + 1);
    descend(triangle, low, first_high, visit);
    descend(triangle, second_low, high, visit);
}
