//! Errors of [`Coupling::add`](crate::Coupling::add).

use pliant::body::{BodyError, ModelError};

/// A rigid body that cannot have a proxy.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum CouplingError {
    /// A handle of another world.
    #[error("there is no such rigid body in this Rapier world")]
    NoSuchBody,
    /// A body that already has a proxy.
    #[error("this rigid body already has a proxy")]
    AlreadyCoupled,
    /// A body that is fixed or kinematic.
    #[error(
        "this rigid body is fixed or kinematic, so impulses do not move it: add it to the world of Pliant as an obstacle"
    )]
    NotDynamic,
    /// A body without a solid collider.
    #[error(
        "this rigid body has no solid collider, so nothing can touch it: add a collider that is not a sensor"
    )]
    NoShape,
    /// A collider shape that cannot be converted to triangles.
    #[error(
        "a collider of this rigid body is a {shape}, which cannot be converted to triangles: use a ball, box, capsule, cylinder, cone, convex hull or triangle mesh"
    )]
    Shape {
        /// The shape type, as Rapier names it.
        shape: String,
    },
    /// Invalid mass or inertia.
    #[error("the proxy of this rigid body: {0}")]
    Model(#[from] ModelError),
    /// An invalid body.
    #[error(transparent)]
    Body(#[from] BodyError),
}
