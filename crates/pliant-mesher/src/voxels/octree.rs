//! The leaves that triangles and lines touch.

use std::sync::atomic::{AtomicBool, Ordering};

use glam::DVec3;
use pliant::geometry::Surface;
use rayon::prelude::*;

use super::grid::Grid;
use super::overlap::{Overlap, bounds};

/// The smallest number of triangles for a parallel task.
const MIN_TRIANGLES_PER_TASK: usize = 256;

/// True for each leaf of a grid that a triangle or line of a surface touches: the boundary (Nesme et al. 2006, section
/// 3.1).
///
/// Many threads set marks at once. Marks are only ever set, so their order does not matter.
pub(super) fn touched_leaves(surface: &Surface, grid: &Grid) -> Vec<bool> {
    let touched: Vec<AtomicBool> = (0..grid.leaf_count()).map(|_| AtomicBool::new(false)).collect();
    par_items(surface).for_each(|item| {
        for_each_touched_leaf(grid, corners_in_leaves(surface, grid, &item), |leaf| {
            touched[grid.leaf_index(leaf)].store(true, Ordering::Relaxed);
        });
    });
    touched.into_iter().map(AtomicBool::into_inner).collect()
}

/// The sum over triangles and lines of `weight`(number of leaves it touches).
pub(super) fn sum_of_touches(
    surface: &Surface,
    grid: &Grid,
    weight: impl Fn(usize) -> usize + Sync,
) -> usize {
    let touches = |item: [u32; 3]| {
        let mut count = 0;
        for_each_touched_leaf(grid, corners_in_leaves(surface, grid, &item), |_| count += 1);
        weight(count)
    };
    par_items(surface).map(touches).sum()
}

/// Triangles, then lines as degenerate triangles.
pub(super) fn items(surface: &Surface) -> impl Iterator<Item = [u32; 3]> {
    (0..surface.triangles.len() + surface.lines.len()).map(|k| item(surface, k))
}

fn par_items(surface: &Surface) -> impl IndexedParallelIterator<Item = [u32; 3]> {
    let all = 0..surface.triangles.len() + surface.lines.len();
    all.into_par_iter().with_min_len(MIN_TRIANGLES_PER_TASK).map(|k| item(surface, k))
}

fn item(surface: &Surface, k: usize) -> [u32; 3] {
    surface.triangles.get(k).copied().unwrap_or_else(|| {
        let [a, b] = surface.lines[k - surface.triangles.len()];
        [a, b, b]
    })
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
    let (low, high) = bounds(&corners);
    let (low, high) = (grid.leaf_at(low), grid.leaf_at(high));
    if low == high {
        return visit(low);
    }
    descend(&Overlap::new(corners), low, high, &mut visit);
}

/// Halves a box of leaves, `low` to `high` inclusive, while the triangle touches it.
///
/// Three halvings are one level of the octree. Starting from the box around the triangle skips the levels on which a
/// small triangle has a single branch.
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
