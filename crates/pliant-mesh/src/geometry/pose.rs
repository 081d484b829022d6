//! Poses: position and orientation of rigid shapes.

use std::ops::Mul;

use glam::{DQuat, DVec3};

/// A rotation followed by a translation: maps the frame of a shape to the world frame.
///
/// ```
/// use glam::{DQuat, DVec3};
/// use pliant_mesh::geometry::Pose;
///
/// let quarter = DQuat::from_rotation_z(std::f64::consts::FRAC_PI_2);
/// let pose = Pose { rotation: quarter, translation: DVec3::Z };
/// assert!((pose.point(DVec3::X) - DVec3::new(0.0, 1.0, 1.0)).length() < 1e-15);
/// assert!((pose.local_point(pose.point(DVec3::X)) - DVec3::X).length() < 1e-15);
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pose {
    /// Rotation, a unit quaternion.
    pub rotation: DQuat,
    /// Position of the origin of the shape, in m.
    pub translation: DVec3,
}

impl Default for Pose {
    fn default() -> Self {
        Self::IDENTITY
    }
}

impl From<DVec3> for Pose {
    fn from(translation: DVec3) -> Self {
        Self { translation, ..Self::IDENTITY }
    }
}

impl Pose {
    /// The identity map.
    pub const IDENTITY: Self = Self { rotation: DQuat::IDENTITY, translation: DVec3::ZERO };

    /// Returns a rotation by `angle`, in rad, right-handed about an axis through `centre`; about the y axis if `axis`
    /// is zero.
    pub fn turn(centre: DVec3, axis: DVec3, angle: f64) -> Self {
        let rotation = DQuat::from_axis_angle(axis.normalize_or(DVec3::Y), angle);
        Self { rotation, translation: centre - rotation * centre }
    }

    /// Maps a point from the frame of the shape to the world.
    pub fn point(&self, local: DVec3) -> DVec3 {
        self.rotation * local + self.translation
    }

    /// Maps a direction from the frame of the shape to the world.
    pub fn direction(&self, local: DVec3) -> DVec3 {
        self.rotation * local
    }

    /// Maps a point from the world to the frame of the shape.
    pub fn local_point(&self, world: DVec3) -> DVec3 {
        self.rotation.inverse() * (world - self.translation)
    }

    /// Returns true if all components are finite and the rotation has unit length.
    pub fn is_sound(&self) -> bool {
        self.translation.is_finite() && self.rotation.is_finite() && self.rotation.is_normalized()
    }
}

impl Mul for Pose {
    type Output = Self;

    /// Composes two poses: first `inner`, then `self`.
    fn mul(self, inner: Self) -> Self {
        let rotation = (self.rotation * inner.rotation).normalize();
        Self { rotation, translation: self.point(inner.translation) }
    }
}
