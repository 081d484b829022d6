//! Places of the surface's vertices in the cells.

use glam::DVec3;
use pliant::body::MeshPoint;
use pliant::geometry::Surface;
use pliant_kernels::math::parallel_map;

use crate::embedding::Embedding;

use super::matter::Matter;
use super::split::split;

/// Embeds a surface in the cells around it (Nesme et al. 2006, section 3.2).
pub(super) fn embedding(surface: &Surface, matter: &Matter) -> Embedding {
    let resolution = f64::from(matter.grid.resolution());
    let in_cells = |x: &DVec3| matter.grid.in_leaves(*x) / resolution;
    let points = surface.vertices.iter().map(in_cells).collect();
    let (surface, points) = split(surface, points);
    let places = parallel_map(&points, |point| place(matter, *point));
    Embedding { surface, places }
}

/// The place of a point, given in cells from the lowest corner of the grid.
///
/// The leaf that contains the point determines the piece, and so which of several cells in the same grid cell. On the
/// face between two cells the upper one is taken: the surface touches leaves on both sides, so the cells share the
/// nodes of the face, and both give the same point.
fn place(matter: &Matter, point: DVec3) -> MeshPoint {
    let grid = matter.grid;
    let leaf = grid.leaf_at(point * f64::from(grid.resolution()));
    let in_cell = |cell: u32| {
        let corner = grid.cell(matter.cells.grid_cells[cell as usize] as usize);
        point - DVec3::from(corner.map(f64::from))
    };
    match matter.cell_of_leaf(grid.leaf_index(leaf)) {
        Some(cell) => MeshPoint::within(cell, in_cell(cell)),
        None => {
            let cell = nearest_cell(matter, point);
            let xi = in_cell(cell).clamp(DVec3::ZERO, DVec3::ONE);
            MeshPoint { cell, xi, offset: in_cell(cell) - xi }
        }
    }
}

/// The cell nearest to a vertex that no triangle or line uses. Searches all cells: such vertices are few.
fn nearest_cell(matter: &Matter, point: DVec3) -> u32 {
    let distance_squared = |cell: &usize| {
        let corner = matter.grid.cell(matter.cells.grid_cells[*cell] as usize);
        (DVec3::from(corner.map(f64::from)) + 0.5).distance_squared(point)
    };
    let all = 0..matter.cells.count();
    let nearest =
        all.min_by(|a, b| distance_squared(a).total_cmp(&distance_squared(b))).unwrap_or(0);
    nearest as u32
}
