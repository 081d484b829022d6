//! Fins.

use glam::DVec3;

use crate::mesh::{Mesh, MeshError};

use super::fill::{grown_sets, straight_mesh};
use super::lattice_grid::{Coordinate, LatticeGrid, box_cells};
use super::{Split, check};

/// A fin: a plate that rises from its root, sweeps back, bends sideways and tapers.
///
/// The root lies along x, the height along y, the thickness along z. Cells are straight for every degree. The default
/// has 8,640 cells and 2,775 nodes, close to the fin of Bargteil & Cohen 2014, Table I (8,705 and 2,740).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FinConfig {
    /// Middle of the root, in m (default the origin).
    pub base: [f64; 3],
    /// Height of the rear edge, in m (default `1`).
    pub height: f64,
    /// Length of the root, in m (default `0.7`).
    pub chord: f64,
    /// Thickness in the middle of the root, in m, less than the chord (default `0.07`).
    pub thickness: f64,
    /// Hexahedra along the root, the height and the thickness (default `[24, 36, 2]`).
    pub cells: [usize; 3],
    /// The split of each hexahedron (default [`Split::Tet5`]).
    pub split: Split,
    /// Degree of the cells (default `1`).
    pub degree: usize,
}

impl Default for FinConfig {
    fn default() -> Self {
        Self {
            base: [0.0; 3],
            height: 1.0,
            chord: 0.7,
            thickness: 0.07,
            cells: [24, 36, 2],
            split: Split::default(),
            degree: 1,
        }
    }
}

impl FinConfig {
    /// Checks every field.
    pub fn check(&self) -> Result<(), MeshError> {
        let Self { base, height, chord, thickness, cells, split, degree } = *self;
        base.into_iter().try_for_each(|x| check::finite("the base of the fin", x))?;
        check::positive("the height of the fin", height)?;
        check::positive("the chord of the fin", chord)?;
        check::below("the thickness of the fin", thickness, chord, "its chord")?;
        cells.into_iter().try_for_each(|n| check::at_least("a number of cells", n, 1))?;
        check::kind_and_size(split, degree, check::counts(cells)).map(drop)
    }

    /// Point at coordinates `along` the chord in [−1, 1], `up` the height in [0, 1] and `through` the thickness in
    /// [−1, 1].
    fn point(&self, along: f64, up: f64, through: f64) -> DVec3 {
        // Cells are denser near the tip, where the fin is small.
        let t = up + GRADING * up * (1.0 - up);
        let half_chord = 0.5 * self.chord * (1.0 - CHORD_TAPER * t * t.sqrt());
        let x = along * half_chord + SWEEP * self.height * t * t;
        let y = self.height * t * (1.0 - ROUNDING * t * (along - 1.0).powi(2));
        let thin = (1.0 - THICKNESS_TAPER * t) * (1.0 - EDGE_TAPER * along * along);
        let z = BEND * self.height * t * t * (1.0 - 0.2 * along);
        DVec3::new(x, y, z + through * 0.5 * self.thickness * thin)
    }
}

/// Coefficient that makes cells denser at the tip than at the root.
const GRADING: f64 = 0.3;
/// Offset of the tip behind the root (sweep) and to its side (bend), as fractions of the height.
const SWEEP: f64 = 0.36;
const BEND: f64 = 0.14;
/// Drop of the tip towards its leading corner, as a fraction of a quarter of the height.
const ROUNDING: f64 = 0.009;
/// Relative loss of chord and thickness from root to tip, and of thickness towards the edges.
const CHORD_TAPER: f64 = 0.55;
const THICKNESS_TAPER: f64 = 0.45;
const EDGE_TAPER: f64 = 0.4;

/// Generates a fin, with node sets `root` and `surface`.
pub fn fin(config: &FinConfig) -> Result<Mesh, MeshError> {
    config.check()?;
    let grid = LatticeGrid::new(box_cells(config.cells), None);
    let [nx, ny, nz] = config.cells.map(|count| count as f64);
    let place = |point: &Coordinate| {
        let [x, y, z, _] = point.map(f64::from);
        DVec3::from(config.base) + config.point(2.0 * x / nx - 1.0, y / ny, 2.0 * z / nz - 1.0)
    };
    let mesh = straight_mesh(&grid.corners, grid.nodes.iter().map(place).collect(), config.split)?;
    let mut mesh = mesh.elevated(config.degree)?;
    mesh.node_sets = grown_sets(&grid, &mesh, &[("root", &|point| point[1] == 0)]);
    Ok(mesh.with_boundary_set("surface"))
}
