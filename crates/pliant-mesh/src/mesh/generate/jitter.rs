//! Random displacement of the corners of a box.

use glam::DVec3;

use crate::mesh::MeshError;
use crate::mesh::validity::Certifier;

use super::Split;
use super::fill::straight_mesh;
use super::lattice_grid::{Coordinate, LatticeGrid};
use crate::math::SplitMix;

/// Limits of the random displacement of corners.
#[derive(Debug, Clone, Copy)]
pub(super) struct Jitter {
    /// Largest displacement along each axis, in m.
    pub(super) reach: DVec3,
    /// Cells along each axis: nodes of the first and last plane stay in it.
    pub(super) cells: [usize; 3],
    /// Seed of the random numbers.
    pub(super) seed: u64,
}

/// Number of times that displacements are halved before all corners stay undisplaced.
const MAX_HALVINGS: usize = 30;

/// Smallest fraction of its det J that a cell keeps.
const MIN_DET_RATIO: f64 = 0.1;

/// Displaces the corners at random. Where that would invert or squeeze a cell too much, the displacements of the
/// corners of its hexahedron are halved until it does not.
pub(super) fn jittered(
    grid: &LatticeGrid,
    rest: Vec<DVec3>,
    split: Split,
    jitter: &Jitter,
) -> Result<Vec<DVec3>, MeshError> {
    if jitter.reach == DVec3::ZERO {
        return Ok(rest);
    }
    let mut moves = random_moves(grid, jitter);
    for _ in 0..MAX_HALVINGS {
        let positions: Vec<DVec3> = rest.iter().zip(&moves).map(|(x, d)| *x + *d).collect();
        let squeezed = squeezed_hexes(grid, &rest, &positions, split)?;
        if squeezed.is_empty() {
            return Ok(positions);
        }
        halve_moves(&mut moves, grid, &squeezed);
    }
    Ok(rest)
}

fn random_moves(grid: &LatticeGrid, jitter: &Jitter) -> Vec<DVec3> {
    let mut random = SplitMix::new(jitter.seed);
    let mut draw = |point: &Coordinate| {
        let [x, y, z]: [f64; 3] = std::array::from_fn(|axis| {
            // Drawn for boundary nodes too, so that every node consumes the same number of random values.
            let value = random.signed_unit();
            let on_side = point[axis] == 0 || point[axis] == jitter.cells[axis] as i32;
            if on_side { 0.0 } else { value }
        });
        DVec3::new(x, y, z) * jitter.reach
    };
    grid.nodes.iter().map(&mut draw).collect()
}

fn halve_moves(moves: &mut [DVec3], grid: &LatticeGrid, hexes: &[usize]) {
    let mut touched = vec![false; moves.len()];
    for hex in hexes {
        grid.corners[*hex].iter().for_each(|node| touched[*node as usize] = true);
    }
    for (step, _) in moves.iter_mut().zip(&touched).filter(|(_, touched)| **touched) {
        *step *= 0.5;
    }
}

/// Hexahedra that contain a cell with too small a det J after the displacement.
fn squeezed_hexes(
    grid: &LatticeGrid,
    rest: &[DVec3],
    positions: &[DVec3],
    split: Split,
) -> Result<Vec<usize>, MeshError> {
    let before = straight_mesh(&grid.corners, rest.to_vec(), split)?;
    let after = straight_mesh(&grid.corners, positions.to_vec(), split)?;
    let certifier = Certifier::new(before.blocks[0].kind);
    let smallest = |points: &[DVec3]| certifier.validity(points).smallest_det;
    let mut hexes: Vec<usize> = Vec::new();
    for (cell, (_, nodes)) in before.cells().enumerate() {
        // Compared with the undisplaced cell, so that the limit does not depend on size or split.
        let kept = MIN_DET_RATIO * smallest(&before.cell_points(nodes));
        if smallest(&after.cell_points(nodes)) < kept {
            hexes.push(cell / split.cells_per_hex());
        }
    }
    hexes.dedup();
    Ok(hexes)
}
