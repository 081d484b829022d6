//! Conversions between the vectors of Bevy and those of Pliant.
//!
//! The two use different versions of glam, so vectors cross as arrays.

use bevy_math::{Quat, Vec3};
use bevy_transform::components::Transform;
use pliant::Pose;
use pliant::glam::{DQuat, DVec3, Quat as PliantQuat, Vec3 as PliantVec3};

/// Converts a vector of Pliant to one of Bevy, in single precision.
pub fn to_bevy(vector: DVec3) -> Vec3 {
    Vec3::from_array(vector.as_vec3().to_array())
}

/// Converts a vector of Bevy to one of Pliant.
pub fn to_pliant(vector: Vec3) -> DVec3 {
    PliantVec3::from_array(vector.to_array()).as_dvec3()
}

/// Converts a rotation of Bevy to one of Pliant, of unit length in double precision.
pub(crate) fn rotation_to_pliant(rotation: Quat) -> DQuat {
    PliantQuat::from_array(rotation.to_array()).as_dquat().normalize()
}

/// Converts a rotation of Pliant to one of Bevy.
pub(crate) fn rotation_to_bevy(rotation: DQuat) -> Quat {
    Quat::from_array(rotation.as_quat().to_array()).normalize()
}

/// The pose of a transform, without its scale.
pub(crate) fn pose_of(transform: &Transform) -> Pose {
    Pose {
        rotation: rotation_to_pliant(transform.rotation),
        translation: to_pliant(transform.translation),
    }
}
