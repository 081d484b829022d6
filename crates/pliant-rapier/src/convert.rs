//! Conversions between the vectors and poses of Pliant and Rapier, which need not use the same version of glam.

use glam::{DQuat, DVec3};
use pliant::Pose;
use rapier3d_f64::math::{Pose as RapierPose, Vector};

/// Converts a vector to Rapier.
pub(crate) fn to_rapier(v: DVec3) -> Vector {
    Vector::from_array(v.to_array())
}

/// Converts a vector from Rapier.
pub(crate) fn from_rapier(v: Vector) -> DVec3 {
    DVec3::from_array(v.to_array())
}

/// Converts a pose from Rapier.
pub(crate) fn pose_from_rapier(pose: &RapierPose) -> Pose {
    let rotation = DQuat::from_array(pose.rotation.to_array()).normalize();
    Pose { rotation, translation: from_rapier(pose.translation) }
}
