//! Local toughness of a body, relative to that of its materials.

use glam::DVec3;

use crate::body::model::error::ModelError;
use pliant_kernels::math::SplitMix;
use pliant_mesh::mesh::Mesh;

/// Factors on the toughness of the materials: cell by cell, and across seams.
///
/// ```
/// use glam::DVec3;
/// use pliant::body::{Seam, ToughnessMap};
/// use pliant::mesh::generate::{BoxConfig, box_mesh};
/// use pliant::{Material, Model, Toughness};
///
/// let bar = box_mesh(&BoxConfig { size: [4.0, 1.0, 1.0], cells: [8, 2, 2], ..Default::default() })?;
/// let chocolate = Material { toughness: Some(Toughness::new(1e5)), ..Default::default() };
/// let seam = Seam { point: DVec3::X * 2.0, normal: DVec3::X, share: 0.3 };
/// let map = ToughnessMap { seams: vec![seam], ..Default::default() };
/// let model = Model::uniform(bar, chocolate)?.with_toughness(map)?;
/// assert!(model.is_breakable());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ToughnessMap {
    /// A factor on the material's toughness for each cell; empty for 1 everywhere.
    pub shares: Vec<f64>,
    /// Planes along which the body is weaker.
    pub seams: Vec<Seam>,
}

/// A plane along which a body is scored: there it breaks more easily under tension across the plane.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Seam {
    /// A point of the plane at rest, in m.
    pub point: DVec3,
    /// Its normal; its length does not matter.
    pub normal: DVec3,
    /// The factor on the toughness across the plane: above 0, at most 1.
    pub share: f64,
}

impl ToughnessMap {
    /// Random factors between 1 − `variation` and 1 + `variation`; the same seed gives the same factors on every
    /// machine.
    pub fn varied(mesh: &Mesh, variation: f64, seed: u64) -> Self {
        let mut random = SplitMix::new(seed);
        let share = |_| 1.0 + variation * random.signed_unit();
        Self { shares: (0..mesh.cell_count()).map(share).collect(), seams: Vec::new() }
    }

    /// The factor on the material's toughness in a cell.
    pub fn share(&self, cell: usize) -> f64 {
        self.shares.get(cell).copied().unwrap_or(1.0)
    }

    /// The map of a mesh that consists of these cells.
    pub(crate) fn of_cells(&self, cells: &[u32]) -> Self {
        let shares = match self.shares.is_empty() {
            true => Vec::new(),
            false => cells.iter().map(|cell| self.share(*cell as usize)).collect(),
        };
        Self { shares, seams: self.seams.clone() }
    }

    /// Checks all factors and seams.
    pub(crate) fn check(&self, cell_count: usize) -> Result<(), ModelError> {
        /// The smallest and the largest valid factor.
        const VALID_SHARES: std::ops::RangeInclusive<f64> = 1e-6..=1e6;
        let given = self.shares.len();
        if given != 0 && given != cell_count {
            return Err(ModelError::ToughnessCount { given, cell_count });
        }
        if let Some(cell) = self.shares.iter().position(|share| !VALID_SHARES.contains(share)) {
            return Err(ModelError::ToughnessShare { cell, share: self.shares[cell] });
        }
        let sound = |seam: &Seam| {
            seam.point.is_finite()
                && seam.normal.try_normalize().is_some()
                && (1e-6..=1.0).contains(&seam.share)
        };
        match self.seams.iter().position(|seam| !sound(seam)) {
            Some(index) => {
                Err(ModelError::Seam { index, seam: format!("{:?}", self.seams[index]) })
            }
            None => Ok(()),
        }
    }
}
