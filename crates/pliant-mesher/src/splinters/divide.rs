//! Divides the solid among cells.

use glam::DVec3;
use pliant_mesh::geometry::Aabb;

use super::cells::Cell;
use super::chunk::Chunk;
use super::plane::Plane;

/// The part of a chunk in each cell, without empty ones.
///
/// Cells are halved recursively, and the solid is clipped to the bounding box of each half. So a cell is clipped only
/// from the nearby part, and the total cost is little more than the solid's size times the logarithm of the number of
/// cells.
pub(super) fn divided(solid: Chunk, cells: &[Cell]) -> Vec<(u32, Chunk)> {
    let mut all: Vec<u32> = (0..cells.len() as u32).collect();
    // Far enough from all cells that the cell planes cut off all temporary caps, close enough to clip most of the
    // solid.
    let bounds = cells.iter().fold(Aabb::EMPTY, |all, cell| all.union(&cell.bounds));
    let margin = 1e-4 * (bounds.high - bounds.low).max_element();
    halved(solid, cells, &mut all, margin)
}

fn halved(chunk: Chunk, cells: &[Cell], some: &mut [u32], margin: f64) -> Vec<(u32, Chunk)> {
    if chunk.is_empty() {
        return Vec::new();
    }
    match *some {
        [] => Vec::new(),
        [one] => {
            let chunk = cut_to_cell(chunk, &cells[one as usize]);
            if chunk.is_empty() { Vec::new() } else { vec![(one, chunk)] }
        }
        _ => {
            let centre = |cell: &u32| cells[*cell as usize].bounds.centre();
            let spread = Aabb::of(some.iter().map(centre));
            let axis = longest(spread.high - spread.low);
            let order = |a: &u32, b: &u32| {
                centre(a)[axis].total_cmp(&centre(b)[axis]).then_with(|| a.cmp(b))
            };
            let middle = some.len() / 2;
            some.select_nth_unstable_by(middle, order);
            let (low, high) = some.split_at_mut(middle);
            let part = |chunk: Chunk, some: &mut [u32]| {
                halved(cut_to_box(chunk, cells, some, margin), cells, some, margin)
            };
            let copy = chunk.clone();
            let (mut parts, rest) = rayon::join(|| part(copy, low), || part(chunk, high));
            parts.extend(rest);
            parts
        }
    }
}

fn longest(sides: DVec3) -> usize {
    if sides.x >= sides.y && sides.x >= sides.z {
        0
    } else if sides.y >= sides.z {
        1
    } else {
        2
    }
}

fn cut_to_cell(chunk: Chunk, cell: &Cell) -> Chunk {
    let planes = cell.planes.iter().enumerate();
    planes.fold(chunk, |chunk, (number, plane)| chunk.clipped(plane, number as u32))
}

/// Clips away the parts far outside the bounding box of some cells.
fn cut_to_box(chunk: Chunk, cells: &[Cell], some: &[u32], margin: f64) -> Chunk {
    let all = some.iter().map(|cell| cells[*cell as usize].bounds);
    let bounds = all.fold(Aabb::EMPTY, |a, b| a.union(&b)).inflated(margin);
    let axes = [DVec3::X, DVec3::Y, DVec3::Z].into_iter().enumerate();
    let planes = axes.flat_map(|(axis, normal)| {
        let (low, high) = (bounds.low[axis], bounds.high[axis]);
        [(normal, high), (-normal, -low)]
    });
    planes.fold(chunk, |chunk, (normal, offset)| {
        chunk.clipped(&Plane { normal, offset, keeps_zero: true }, u32::MAX)
    })
}
