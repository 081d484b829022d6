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
    /// Factors on the toughness of the material, from 1e-6 to 1e6, one for each cell; an empty list means 1 everywhere.
    pub factors: Vec<f64>,
    /// Planes of weakness.
    pub seams: Vec<Seam>,
}

/// A plane of weakness: the body breaks more easily under tension across it.
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
        let factor = |_| 1.0 + variation * random.signed_unit();
        Self { factors: (0..mesh.cell_count()).map(factor).collect(), seams: Vec::new() }
    }

    /// The factor on the toughness of the material in a cell.
    pub fn factor(&self, cell: usize) -> f64 {
        self.factors.get(cell).copied().unwrap_or(1.0)
    }

    /// The map of some of the cells, in their order, for a fragment.
    pub(crate) fn of_cells(&self, cells: &[u32]) -> Self {
        let factors = match self.factors.is_empty() {
            true => Vec::new(),
            false => cells.iter().map(|cell| self.factor(*cell as usize)).collect(),
        };
        Self { factors, seams: self.seams.clone() }
    }

    /// Checks all factors and seams.
    pub(crate) fn check(&self, cell_count: usize) -> Result<(), ModelError> {
        /// The least and the greatest factor.
        const VALID_FACTORS: std::ops::RangeInclusive<f64> = 1e-6..=1e6;
        let given = self.factors.len();
        if given != 0 && given != cell_count {
            return Err(ModelError::ToughnessCount { given, cell_count });
        }
        if let Some(cell) = self.factors.iter().position(|factor| !VALID_FACTORS.contains(factor)) {
            return Err(ModelError::ToughnessShare { cell, share: self.factors[cell] });
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
