//! Fracture strength of a material.

use glam::DVec3;

use crate::material::MaterialError;

/// The strength of a material against fracture (Parker & O'Brien 2009, section 5).
///
/// The published criterion is a force at a node, which changes with the mesh. Here it is a tensile stress, so that a
/// finer mesh breaks under the same load.
///
/// ```
/// use pliant_kernels::material::{Grain, Material, Toughness};
///
/// let wood = Toughness { strength: 4e6, grain: Some(Grain { along: glam::DVec3::X, ratio: 10.0 }) };
/// assert!(Material { toughness: Some(wood), ..Default::default() }.check().is_ok());
/// assert_eq!(wood.strength_along(glam::DVec3::X), 4e7);
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Toughness {
    /// The tensile stress at which it breaks, in Pa; for a material with a grain, across the fibres.
    pub strength: f64,
    /// Its fibres (default `None`: the same strength in all directions).
    pub grain: Option<Grain>,
}

/// A fibre direction, as in wood.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Grain {
    /// Direction of the fibres at rest; its length does not matter.
    pub along: DVec3,
    /// Ratio of the strength along the fibres to that across them, 1 or more.
    pub ratio: f64,
}

impl Toughness {
    /// Creates a toughness that is the same in all directions.
    pub const fn new(strength: f64) -> Self {
        Self { strength, grain: None }
    }

    /// Returns the strength along a unit direction n, in Pa.
    ///
    /// ```text
    /// τ(n) = τ (1 + (r − 1) (g·n)²)
    /// ```
    #[must_use]
    pub fn strength_along(&self, n: DVec3) -> f64 {
        let more =
            |Grain { along, ratio }| (ratio - 1.0) * along.normalize_or_zero().dot(n).powi(2);
        self.strength * (1.0 + self.grain.map_or(0.0, more))
    }

    /// Checks every value.
    pub(super) fn check(&self) -> Result<(), MaterialError> {
        /// Largest strength allowed, in Pa.
        const MAX_STRENGTH: f64 = 1e15;
        let Self { strength, grain } = *self;
        if !(strength > 0.0 && strength <= MAX_STRENGTH) {
            return Err(MaterialError::Toughness { value: strength });
        }
        let Some(Grain { along, ratio }) = grain else { return Ok(()) };
        if along.try_normalize().is_none() {
            let [x, y, z] = along.to_array();
            return Err(MaterialError::GrainDirection { x, y, z });
        }
        if !(1.0..=1e6).contains(&ratio) {
            return Err(MaterialError::GrainRatio { value: ratio });
        }
        Ok(())
    }
}
