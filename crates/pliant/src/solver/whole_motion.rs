//! The motion of point masses as one rigid body.

use glam::{DQuat, DVec3};

use pliant_kernels::math::PointMasses;

/// x ↦ u + ω × (x − c).
#[derive(Debug, Clone, Copy)]
pub(crate) struct WholeMotion {
    centre: DVec3,
    velocity: DVec3,
    spin: DVec3,
}

impl WholeMotion {
    /// No motion.
    pub(crate) const REST: Self =
        Self { centre: DVec3::ZERO, velocity: DVec3::ZERO, spin: DVec3::ZERO };

    /// The motion of masses with a momentum, in N s, and an angular momentum about their centre, in N m s. Without spin if the inertia
    /// tensor is singular.
    pub(crate) fn new(masses: &PointMasses, [momentum, turning]: [DVec3; 2]) -> Self {
        let PointMasses { mass, centre, inertia } = *masses;
        let (velocity, spin) = (momentum / mass, inertia.inverse() * turning);
        Self { centre, velocity, spin: if spin.is_finite() { spin } else { DVec3::ZERO } }
    }

    /// The position and the velocity of a point after `h` seconds of this motion.
    pub(crate) fn advance(&self, x: DVec3, h: f64) -> [DVec3; 2] {
        let arm = DQuat::from_scaled_axis(h * self.spin) * (x - self.centre);
        [self.centre + h * self.velocity + arm, self.velocity + self.spin.cross(arm)]
    }

    /// The velocity at a point, in m/s.
    pub(crate) fn at(&self, x: DVec3) -> DVec3 {
        self.velocity + self.spin.cross(x - self.centre)
    }
}
