//! Numbers of one library as those of the other: they need not use the same version of glam.

use glam::{DQuat, DVec3};
use pliant::Pose;
use rapier3d_f64::math::{Pose as RapierPose, Vector};

/// A vector of Rapier.
pub(crate) fn to_rapier(v: DVec3) -> Vector {
    Vector::from_array(v.to_array())
}

/// A vector of Pliant.
pub(crate) fn from_rapier(v: Vector) -> DVec3 {
    DVec3::from_array(v.to_array())
}

/// A pose of Pliant.
pub(crate) fn pose_from_rapier(pose: &RapierPose) -> Pose {
    let rotation = DQuat::from_array(pose.rotation.to_array()).normalize();
    Pose { rotation, translation: from_rapier(pose.translation) }
}
