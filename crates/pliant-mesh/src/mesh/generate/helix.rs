//! Coil springs.

use std::f64::consts::TAU;

use glam::DVec3;

use crate::element::Kind;
use crate::mesh::{Mesh, MeshError};

use super::disc::Disc;
use super::fill::{curved_mesh, grown_sets};
use super::lattice_grid::LatticeGrid;
use super::{Split, check};

/// A wire of round section wound about the y axis, rising along +y.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct HelixConfig {
    /// Centre of the circle on which the wire starts, in m (default the origin).
    pub centre: [f64; 3],
    /// Radius of the centre line, in m (default `1`).
    pub coil_radius: f64,
    /// Radius of the wire, in m, smaller than the coil radius and than half the pitch (default `0.2`).
    pub wire_radius: f64,
    /// Rise per turn, in m (default `1`).
    pub pitch: f64,
    /// Number of turns (default `2`).
    pub turns: f64,
    /// Hexahedra along a side of the central square of the section (default `1`).
    pub cells: usize,
    /// Layers of hexahedra around that square; with 0 the section is the square inscribed in the circle (default
    /// `1`).
    pub layers: usize,
    /// Hexahedra along the wire (default `32`).
    pub along: usize,
    /// The split of each hexahedron (default [`Split::Tet5`]).
    pub split: Split,
    /// Degree of the cells (default `2`).
    pub degree: usize,
}

impl Default for HelixConfig {
    fn default() -> Self {
        Self {
            centre: [0.0; 3],
            coil_radius: 1.0,
            wire_radius: 0.2,
            pitch: 1.0,
            turns: 2.0,
            cells: 1,
            layers: 1,
            along: 32,
            split: Split::default(),
            degree: 2,
        }
    }
}

impl HelixConfig {
    /// Checks every field.
    pub fn check(&self) -> Result<(), MeshError> {
        let Self { centre, coil_radius, wire_radius, pitch, turns, cells, along, .. } = *self;
        centre.into_iter().try_for_each(|x| check::finite("the centre of the helix", x))?;
        check::positive("the radius of the coil", coil_radius)?;
        check::positive("the pitch of the helix", pitch)?;
        check::positive("the turns of the helix", turns)?;
        check::below("the radius of the wire", wire_radius, coil_radius, "the coil's radius")?;
        if turns > 1.0 {
            let half_rise = 0.5 * pitch * self.slope_cosine();
            check::below("the radius of the wire", wire_radius, half_rise, "half the pitch")?;
        }
        check::at_least("the cells of the section", cells, 1)?;
        check::at_least("the cells along the wire", along, 1)?;
        self.kind().map(drop)
    }

    fn kind(&self) -> Result<Kind, MeshError> {
        let disc = Disc { cells: self.cells, layers: self.layers };
        check::kind_and_size(self.split, self.degree, disc.counts(self.along))
    }

    /// Cosine of the angle at which the wire rises: the distance of neighbouring turns is the pitch times this.
    fn slope_cosine(&self) -> f64 {
        let run = TAU * self.coil_radius;
        run / run.hypot(self.pitch)
    }
}

/// Generates a helix of curved cells, with node sets `start`, `end` (its end faces) and `surface`.
pub fn helix(config: &HelixConfig) -> Result<Mesh, MeshError> {
    config.check()?;
    let kind = config.kind()?;
    let disc = Disc { cells: config.cells, layers: config.layers };
    let grid = LatticeGrid::new(disc.swept_cells(config.along), None);
    let place = |at: [f64; 4]| {
        let section = disc.point(at).map(|x| x * config.wire_radius);
        DVec3::from(config.centre) + wire_point(config, at[3] / config.along as f64, section)
    };
    let mut mesh = curved_mesh(&grid, config.split, kind, &place)?;
    let last = config.along as i32;
    mesh.node_sets =
        grown_sets(&grid, &mesh, &[("start", &|p| p[3] == 0), ("end", &|p| p[3] == last)]);
    Ok(mesh.with_boundary_set("surface"))
}

/// Point of the wire at fraction `t` of its length, offset by `[u, v]` from its centre line: u away from the axis, v
/// downward, perpendicular to u and the wire.
fn wire_point(config: &HelixConfig, t: f64, [u, v]: [f64; 2]) -> DVec3 {
    let (sin, cos) = (TAU * config.turns * t).sin_cos();
    let (outward, forward) = (DVec3::new(cos, 0.0, -sin), DVec3::new(-sin, 0.0, -cos));
    let cosine = config.slope_cosine();
    let sine = cosine * config.pitch / (TAU * config.coil_radius);
    let up = DVec3::Y * cosine - forward * sine;
    let rise = DVec3::Y * (config.pitch * config.turns * t);
    outward * (config.coil_radius + u) + rise - up * v
}
