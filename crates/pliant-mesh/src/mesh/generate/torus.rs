//! Rings.

use std::f64::consts::TAU;

use glam::DVec3;

use crate::element::Kind;
use crate::mesh::{Mesh, MeshError};

use super::disc::Disc;
use super::fill::curved_mesh;
use super::lattice_grid::LatticeGrid;
use super::{Split, check};

/// A ring of round section about the y axis through its centre.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TorusConfig {
    /// Centre, in m (default the origin).
    pub centre: [f64; 3],
    /// Radius of the centre line, in m (default `1`).
    pub ring_radius: f64,
    /// Radius of the section, in m, smaller than the ring radius (default `0.25`).
    pub tube_radius: f64,
    /// Hexahedra along a side of the central square of the section (default `2`).
    pub cells: usize,
    /// Layers of hexahedra around that square; with 0 the section is the square inscribed in the circle (default
    /// `1`).
    pub layers: usize,
    /// Hexahedra around the ring, at least 3; even for [`Split::Tet5`] (default `16`).
    pub around: usize,
    /// The split of each hexahedron (default [`Split::Tet5`]).
    pub split: Split,
    /// Degree of the cells (default `2`).
    pub degree: usize,
}

impl Default for TorusConfig {
    fn default() -> Self {
        Self {
            centre: [0.0; 3],
            ring_radius: 1.0,
            tube_radius: 0.25,
            cells: 2,
            layers: 1,
            around: 16,
            split: Split::default(),
            degree: 2,
        }
    }
}

impl TorusConfig {
    /// Checks every field.
    pub fn check(&self) -> Result<(), MeshError> {
        let Self { centre, ring_radius, tube_radius, cells, around, .. } = *self;
        centre.into_iter().try_for_each(|x| check::finite("the centre of the torus", x))?;
        check::positive("the radius of the ring", ring_radius)?;
        check::below("the radius of the tube", tube_radius, ring_radius, "the ring's radius")?;
        check::at_least("the cells of the section", cells, 1)?;
        check::at_least("the cells around the ring", around, 3)?;
        self.kind().map(drop)
    }

    fn kind(&self) -> Result<Kind, MeshError> {
        let disc = Disc { cells: self.cells, layers: self.layers };
        check::kind_and_size(self.split, self.degree, disc.counts(self.around))
    }
}

/// Generates a torus of curved cells; the node set `surface` holds its boundary.
pub fn torus(config: &TorusConfig) -> Result<Mesh, MeshError> {
    config.check()?;
    let kind = config.kind()?;
    let disc = Disc { cells: config.cells, layers: config.layers };
    let grid = LatticeGrid::new(disc.swept_cells(config.around), Some(config.around as i32));
    let place = |at: [f64; 4]| {
        let [u, v] = disc.point(at).map(|x| x * config.tube_radius);
        let (sin, cos) = (TAU * at[3] / config.around as f64).sin_cos();
        let radius = config.ring_radius + u;
        DVec3::from(config.centre) + DVec3::new(radius * cos, v, radius * sin)
    };
    Ok(curved_mesh(&grid, config.split, kind, &place)?.with_boundary_set("surface"))
}
