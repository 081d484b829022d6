//! Rigid motion of a body as a whole.

use glam::{DMat3, DQuat, DVec3};

use crate::body::Unknowns;
use pliant_kernels::math::PointMasses;

use super::surface::is_held;

/// A body that moves rigidly.
#[derive(Debug, Clone, Copy)]
pub(super) struct RigidWhole {
    pub(super) inverse_mass: f64,
    /// Inverse of the moment of inertia about the centre, in 1/(kg m²).
    pub(super) inverse_inertia: DMat3,
    /// Centre of mass at the end without contact, in m.
    pub(super) centre: DVec3,
}

impl RigidWhole {
    /// Of nodes at these positions; fixed if any of them is.
    pub(super) fn new(x: &[DVec3], inverse_masses: &[f64]) -> Self {
        let fixed = inverse_masses.iter().any(|w| *w <= 0.0);
        let moving = (!fixed).then(|| Self::of(x, inverse_masses)).flatten();
        moving.unwrap_or_else(|| {
            let middle = x.iter().sum::<DVec3>() / x.len().max(1) as f64;
            Self { inverse_mass: 0.0, inverse_inertia: DMat3::ZERO, centre: middle }
        })
    }

    /// Of the nodes of a soft body; `None` if one of them is held. Tied nodes have no masses of their own.
    pub(super) fn of_free(
        x: &[DVec3],
        inverse_masses: &[f64],
        ties: Option<&Unknowns>,
    ) -> Option<Self> {
        if is_held(inverse_masses, ties) { None } else { Self::of(x, inverse_masses) }
    }

    /// Of all nodes with a mass; `None` if the total mass is not finite.
    fn of(x: &[DVec3], inverse_masses: &[f64]) -> Option<Self> {
        let heavy = x.iter().zip(inverse_masses).filter(|(_, w)| **w > 0.0);
        let PointMasses { mass, centre, inertia } =
            PointMasses::of(heavy.map(|(x, w)| (*x, 1.0 / w)));
        let known = mass.is_finite() && mass > 0.0;
        let (inverse_mass, inverse_inertia) = (1.0 / mass, inertia.inverse());
        known.then_some(Self { inverse_mass, inverse_inertia, centre })
    }

    /// The position of a point after displacement and rotation of the body.
    pub(super) fn carry(&self, x: DVec3, way: DVec3, rotation: DQuat) -> DVec3 {
        self.centre + way + rotation * (x - self.centre)
    }
}
