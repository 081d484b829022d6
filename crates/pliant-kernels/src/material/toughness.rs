//! How a material breaks.

use glam::DVec3;

use crate::material::MaterialError;

/// When matter comes apart (Parker & O'Brien 2009, section 5).
///
/// Theirs is a force at a node, which changes with the mesh. Here it is the tensile stress that matter bears, so that a finer mesh
/// breaks under the same load.
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
    /// The tensile stress at which it comes apart, in Pa; of matter with a grain, between its fibres.
    pub strength: f64,
    /// Its fibres (default `None`: it is equally tough in all directions).
    pub grain: Option<Grain>,
}

/// Fibres, as those of wood.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Grain {
    /// Their direction at rest; its length does not matter.
    pub along: DVec3,
    /// How many times as much it takes to break fibres as to part them: 1 or more.
    pub ratio: f64,
}

impl Toughness {
    /// Equally tough in all directions.
    pub const fn new(strength: f64) -> Self {
        Self { strength, grain: None }
    }

    /// The stress it bears along a unit direction, in Pa.
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

    /// Checks every number.
    pub(super) fn check(&self) -> Result<(), MaterialError> {
        /// Most that anything bears, in Pa.
        const MOST: f64 = 1e15;
        let Self { strength, grain } = *self;
        if !(strength > 0.0 && strength <= MOST) {
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
