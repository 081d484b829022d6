//! Bars bent along a circle.

use std::f64::consts::{PI, TAU};

use glam::DVec3;

use crate::element::Kind;
use crate::mesh::{Mesh, MeshError};

use super::fill::{curved_mesh, grown_sets};
use super::lattice_grid::{LatticeGrid, box_cells};
use super::{Split, check};

/// A bar of rectangular section whose centre line is an arc of a circle about the z axis.
///
/// It starts on the x axis at `centre + radius` and runs anticlockwise.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CurvedBarConfig {
    /// Centre of the circle, in m (default the origin).
    pub centre: [f64; 3],
    /// Radius of the centre line, in m (default `2`).
    pub radius: f64,
    /// Angle of the arc, in rad, less than a full turn (default π).
    pub angle: f64,
    /// Size of the section along the radius and along z, in m (default `0.5`).
    pub section: [f64; 2],
    /// Hexahedra along the radius, z and the arc (default `[1, 1, 8]`).
    pub cells: [usize; 3],
    /// The split of each hexahedron (default [`Split::Tet5`]).
    pub split: Split,
    /// Degree of the cells (default `2`).
    pub degree: usize,
}

impl Default for CurvedBarConfig {
    fn default() -> Self {
        Self {
            centre: [0.0; 3],
            radius: 2.0,
            angle: PI,
            section: [0.5; 2],
            cells: [1, 1, 8],
            split: Split::default(),
            degree: 2,
        }
    }
}

impl CurvedBarConfig {
    /// Checks every field.
    pub fn check(&self) -> Result<(), MeshError> {
        let Self { centre, radius, angle, section, cells, split: _, degree: _ } = *self;
        centre.into_iter().try_for_each(|x| check::finite("the centre of the arc", x))?;
        check::positive("the radius of the bar", radius)?;
        check::below("the angle of the bar", angle, TAU, "a full turn")?;
        check::below("the bar's size along the radius", section[0], 2.0 * radius, "2 radii")?;
        check::positive("the bar's size along z", section[1])?;
        cells.into_iter().try_for_each(|n| check::at_least("a number of cells", n, 1))?;
        self.kind().map(drop)
    }

    fn kind(&self) -> Result<Kind, MeshError> {
        check::kind_and_size(self.split, self.degree, check::counts(self.cells))
    }
}

/// Generates a bent bar of curved cells, with node sets `start`, `end` (its end faces) and `surface`.
pub fn curved_bar(config: &CurvedBarConfig) -> Result<Mesh, MeshError> {
    config.check()?;
    let kind = config.kind()?;
    let [nr, nz, along] = config.cells;
    // The lattice axes are the radius, −z and the arc, so that the frame is right-handed.
    let grid = LatticeGrid::new(box_cells(config.cells), None);
    let place = |at: [f64; 4]| {
        let radius = config.radius + config.section[0] * (at[0] / nr as f64 - 0.5);
        let z = config.section[1] * (0.5 - at[1] / nz as f64);
        let (sin, cos) = (config.angle * at[2] / along as f64).sin_cos();
        DVec3::from(config.centre) + DVec3::new(radius * cos, radius * sin, z)
    };
    let mut mesh = curved_mesh(&grid, config.split, kind, &place)?;
    let last = along as i32;
    mesh.node_sets =
        grown_sets(&grid, &mesh, &[("start", &|p| p[2] == 0), ("end", &|p| p[2] == last)]);
    Ok(mesh.with_boundary_set("surface"))
}
