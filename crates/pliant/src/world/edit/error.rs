//! Changes of a running world that are refused.

use crate::body::BodyError;
use crate::contact::ObstacleError;
use crate::world::slot::handle::HandleError;

/// A change of a body or an obstacle that was refused. Nothing has changed then.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ChangeError {
    /// A handle that names nothing of this world.
    #[error(transparent)]
    Handle(#[from] HandleError),
    /// The body refuses it.
    #[error(transparent)]
    Body(#[from] BodyError),
    /// An obstacle cannot be like that.
    #[error(transparent)]
    Obstacle(#[from] ObstacleError),
}
