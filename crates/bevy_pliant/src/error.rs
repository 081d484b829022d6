//! What can be wrong with a component.

use pliant::body::BodyError;
use pliant::contact::ObstacleError;
use pliant::solver::MethodError;
use pliant::world::{AttachmentError, ChangeError};

/// A component that could not be added to the world, or not be moved in it.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum PliantError {
    /// Invalid pins, place or velocity of a body.
    #[error(transparent)]
    Body(#[from] BodyError),
    /// A method that does not fit the body.
    #[error(transparent)]
    Method(#[from] MethodError),
    /// An invalid obstacle, or invalid friction.
    #[error(transparent)]
    Obstacle(#[from] ObstacleError),
    /// An invalid attachment.
    #[error(transparent)]
    Attachment(#[from] AttachmentError),
    /// An obstacle cannot be moved to its transform.
    #[error(transparent)]
    Change(#[from] ChangeError),
}
