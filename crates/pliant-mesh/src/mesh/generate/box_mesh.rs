//! Boxes and straight bars.

use glam::DVec3;

use crate::mesh::{Mesh, MeshError};

use super::fill::{side_sets, straight_mesh};
use super::jitter::{Jitter, jittered};
use super::lattice_grid::{LatticeGrid, box_cells};
use super::{Split, check};

/// A box of equal cells, aligned with the axes.
///
/// ```
/// use pliant_mesh::mesh::generate::{BoxConfig, Split, box_mesh};
///
/// let bar = BoxConfig { size: [4.0, 1.0, 1.0], cells: [8, 2, 2], ..Default::default() };
/// let mesh = box_mesh(&BoxConfig { split: Split::Tet5, degree: 2, ..bar })?;
/// assert_eq!((mesh.cell_count(), mesh.nodes.len()), (160, 393));
/// # Ok::<(), pliant_mesh::mesh::MeshError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BoxConfig {
    /// Smallest corner, in m (default the origin).
    pub origin: [f64; 3],
    /// Lengths along the axes, in m (default `1`).
    pub size: [f64; 3],
    /// Hexahedra along the axes, before they are split (default `1`).
    pub cells: [usize; 3],
    /// The split of each hexahedron (default [`Split::Tet5`]).
    pub split: Split,
    /// Degree of the cells (default `1`).
    pub degree: usize,
    /// Largest random displacement of the corners, as a fraction of the cell size in [0, 0.5) (default `0`).
    /// Nodes of the boundary stay in their sides.
    pub jitter: f64,
    /// Seed of the random numbers (default `0`).
    pub seed: u64,
}

impl Default for BoxConfig {
    fn default() -> Self {
        Self {
            origin: [0.0; 3],
            size: [1.0; 3],
            cells: [1; 3],
            split: Split::default(),
            degree: 1,
            jitter: 0.0,
            seed: 0,
        }
    }
}

impl BoxConfig {
    /// Checks every field.
    pub fn check(&self) -> Result<(), MeshError> {
        let Self { origin, size, cells, split, degree, jitter, seed: _ } = *self;
        origin.into_iter().try_for_each(|x| check::finite("the origin of the box", x))?;
        size.into_iter().try_for_each(|x| check::positive("a side of the box", x))?;
        cells.into_iter().try_for_each(|n| check::at_least("a number of cells", n, 1))?;
        check::kind_and_size(split, degree, check::counts(cells))?;
        if !(0.0..0.5).contains(&jitter) {
            let expected = "a fraction of the cell size in [0, 0.5)";
            return Err(MeshError::Generator { what: "the jitter", value: jitter, expected });
        }
        Ok(())
    }
}

/// Generates a box, with node sets `x-`, `x+`, `y-`, `y+`, `z-`, `z+` of all control points of its sides.
pub fn box_mesh(config: &BoxConfig) -> Result<Mesh, MeshError> {
    config.check()?;
    let grid = LatticeGrid::new(box_cells(config.cells), None);
    let cell = DVec3::from(config.size) / DVec3::from(config.cells.map(|n| n as f64));
    let corner = |point: &[i32; 4]| {
        let place = |axis: usize| side_exact(config, axis, point[axis]);
        DVec3::new(place(0), place(1), place(2))
    };
    let positions: Vec<DVec3> = grid.nodes.iter().map(corner).collect();
    let jitter = Jitter { reach: config.jitter * cell, cells: config.cells, seed: config.seed };
    let positions = jittered(&grid, positions, config.split, &jitter)?;
    let mut mesh = straight_mesh(&grid.corners, positions, config.split)?;
    let last = config.cells.map(|n| n as i32);
    mesh.node_sets = side_sets(
        &grid,
        &[
            ("x-", &|point| point[0] == 0),
            ("x+", &|point| point[0] == last[0]),
            ("y-", &|point| point[1] == 0),
            ("y+", &|point| point[1] == last[1]),
            ("z-", &|point| point[2] == 0),
            ("z+", &|point| point[2] == last[2]),
        ],
    );
    if config.degree == 1 { Ok(mesh) } else { mesh.elevated(config.degree) }
}

/// Coordinate of a grid plane; the last plane lies exactly at the end of the box.
fn side_exact(config: &BoxConfig, axis: usize, plane: i32) -> f64 {
    let (origin, size, count) = (config.origin[axis], config.size[axis], config.cells[axis]);
    origin + size * (f64::from(plane) / count as f64)
}
