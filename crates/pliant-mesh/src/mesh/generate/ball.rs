//! Balls.

use std::f64::consts::FRAC_PI_4;

use glam::DVec3;

use crate::element::Kind;
use crate::mesh::{Mesh, MeshError};

use super::fill::curved_mesh;
use super::lattice_grid::{LatticeCell, LatticeGrid, back, box_cells, step};
use super::{Split, check};

/// Half the side of the central cube, for a ball of radius one.
const CUBE: f64 = 0.4;

/// A ball: a central cube of cells, and layers of cells on its six sides.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BallConfig {
    /// Centre, in m (default the origin).
    pub centre: [f64; 3],
    /// Radius, in m (default `1`).
    pub radius: f64,
    /// Hexahedra along a side of the central cube (default `2`).
    pub cells: usize,
    /// Layers of hexahedra between the cube and the sphere (default `1`).
    pub layers: usize,
    /// The split of each hexahedron (default [`Split::Tet5`]).
    pub split: Split,
    /// Degree of the cells (default `2`).
    pub degree: usize,
}

impl Default for BallConfig {
    fn default() -> Self {
        let (centre, split) = ([0.0; 3], Split::default());
        Self { centre, radius: 1.0, cells: 2, layers: 1, split, degree: 2 }
    }
}

impl BallConfig {
    /// Checks every field.
    pub fn check(&self) -> Result<(), MeshError> {
        let Self { centre, radius, cells, layers, split: _, degree: _ } = *self;
        centre.into_iter().try_for_each(|x| check::finite("the centre of the ball", x))?;
        check::positive("the radius of the ball", radius)?;
        check::at_least("the cells of the ball", cells, 1)?;
        check::at_least("the layers of the ball", layers, 1)?;
        self.kind().map(drop)
    }

    fn kind(&self) -> Result<Kind, MeshError> {
        let [n, layers] = [self.cells, self.layers].map(|count| count as f64);
        check::kind_and_size(self.split, self.degree, [n, n, n + 6.0 * layers])
    }
}

/// Generates a ball of curved cells whose boundary passes through the sphere at every Lagrange node; the node set
/// `surface` holds that boundary.
pub fn ball(config: &BallConfig) -> Result<Mesh, MeshError> {
    config.check()?;
    let kind = config.kind()?;
    let grid = LatticeGrid::new(ball_cells(config.cells, config.layers), None);
    let place = |at: [f64; 4]| {
        let point = unit_ball_point(at, config.cells as f64, config.layers as f64);
        DVec3::from(config.centre) + config.radius * point
    };
    Ok(curved_mesh(&grid, config.split, kind, &place)?.with_boundary_set("surface"))
}

/// Cells of the cube, then of the shell.
///
/// The third direction of the cells, along which prisms are swept, runs along z in the cube and in the shells above
/// and below it, and around the z axis in the four other shells, so that prisms match at every border.
fn ball_cells(cells: usize, layers: usize) -> Vec<LatticeCell> {
    let n = cells as i32;
    let mut all = box_cells([cells; 3]);
    let outward = step(3);
    for layer in 0..layers as i32 {
        for a in 0..n {
            for b in 0..n {
                let mut add = |base: [i32; 3], steps| {
                    let [x, y, z] = base;
                    all.push(LatticeCell { base: [x, y, z, layer], steps });
                };
                add([n, b, a], [step(2), outward, step(1)]);
                add([n - b, n, a], [step(2), outward, back(0)]);
                add([0, n - b, a], [step(2), outward, back(1)]);
                add([b, 0, a], [step(2), outward, step(0)]);
                add([a, b, n], [step(0), step(1), outward]);
                add([a, b, 0], [step(1), step(0), outward]);
            }
        }
    }
    all
}

/// Point of the unit ball: coordinates 0 to 2 range over the cube, coordinate 3 over the layers outside it.
fn unit_ball_point(at: [f64; 4], n: f64, layers: f64) -> DVec3 {
    let q = DVec3::new(at[0], at[1], at[2]) * (2.0 / n) - DVec3::ONE;
    let t = at[3] / layers;
    // Equal angles along the sides of the cube give cells of nearly equal size on the sphere.
    let direction = (q * FRAC_PI_4).map(f64::tan);
    let sphere = direction / direction.length().max(f64::MIN_POSITIVE);
    q * (CUBE * (1.0 - t)) + sphere * t
}
