//! What can keep a rigid body from having a proxy.

use pliant::body::{BodyError, ModelError};

/// A rigid body that soft bodies cannot meet.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum CouplingError {
    /// A handle of another world.
    #[error("there is no such rigid body in this Rapier world")]
    NoSuchBody,
    /// A body that has a proxy already.
    #[error("this rigid body has a proxy already")]
    AlreadyCoupled,
    /// A body that nothing pushes.
    #[error(
        "this rigid body is fixed or kinematic, and no push moves it: add it to the world of Pliant as an obstacle"
    )]
    NotDynamic,
    /// A body without shape.
    #[error("this rigid body has no collider that is solid, so that nothing could touch it")]
    NoShape,
    /// A shape without triangles.
    #[error(
        "a collider of this rigid body is a {shape}, which has no triangles here: take a ball, box, capsule, cylinder, cone, convex hull or triangle mesh"
    )]
    Shape {
        /// What it is.
        shape: String,
    },
    /// Its mass or inertia is at fault.
    #[error("the proxy of this rigid body: {0}")]
    Model(#[from] ModelError),
    /// Its body is at fault.
    #[error(transparent)]
    Body(#[from] BodyError),
}
