//! The motion of a body as a rigid one.

use glam::{DMat3, DVec3};

/// The motion of the centre of mass.
#[derive(Debug, Clone, Copy)]
pub(in crate::solver::implicit) struct CentreMotion {
    /// In m.
    pub(super) centre: DVec3,
    /// In m/s.
    pub(super) velocity: DVec3,
}

impl CentreMotion {
    /// The velocity of the centre, in m/s.
    pub(in crate::solver::implicit) fn velocity(&self) -> DVec3 {
        self.velocity
    }
}

/// The motion of a body at the start of a step, with the masses of its nodes.
#[derive(Debug, Clone, Copy)]
pub(in crate::solver::implicit) struct StartMotion {
    pub(super) centre: CentreMotion,
    pub(super) rotation: AngularMotion,
}

impl StartMotion {
    /// The angular velocity that fits the motion best, in rad/s. It is exact for a rigid rotation.
    pub(in crate::solver::implicit) fn spin(&self) -> DVec3 {
        self.rotation.spin_of(self.rotation.angular)
    }
}

/// The rotation about the centre of mass.
#[derive(Debug, Clone, Copy)]
pub(super) struct AngularMotion {
    /// Angular momentum, in N m s.
    pub(super) angular: DVec3,
    /// Inertia tensor, in kg m².
    pub(super) inertia: DMat3,
}

impl AngularMotion {
    /// The same after a rotation of the body.
    pub(super) fn turned(&self, by: DMat3) -> Self {
        Self { angular: by * self.angular, inertia: by * self.inertia * by.transpose() }
    }

    /// The angular velocity with this angular momentum, in rad/s; zero if the inertia tensor is singular.
    pub(super) fn spin_of(&self, angular: DVec3) -> DVec3 {
        let spin = self.inertia.inverse() * angular;
        if spin.is_finite() { spin } else { DVec3::ZERO }
    }
}
