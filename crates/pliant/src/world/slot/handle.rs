//! Names of bodies and obstacles.

use std::sync::atomic::{AtomicU32, Ordering};

/// Names a body of a world.
///
/// A handle is valid until its body is removed. After that it names nothing, even if another body takes the place; and a
/// handle of one world names nothing in another. A clone of a world shares the handles of the original.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BodyHandle {
    /// The place of the body among the slots of its world.
    pub(crate) index: u32,
    /// The number of bodies that had this place before.
    pub(crate) generation: u32,
    /// The world of the body.
    pub(crate) world: WorldId,
}

/// Names an obstacle of a world. It is valid until the obstacle is removed; after that it names nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ObstacleHandle {
    /// How many obstacles were added to the world before.
    pub(crate) number: u32,
    /// The world of the obstacle.
    pub(crate) world: WorldId,
}

/// Tells worlds apart. It has no influence on how a world moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct WorldId(u32);

impl WorldId {
    /// An id that no other world of this process has (but for clones, and after 2³² worlds).
    pub(crate) fn new() -> Self {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        Self(NEXT.fetch_add(1, Ordering::Relaxed))
    }
}

/// A handle that names nothing of the world it was given to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum HandleError {
    /// The handle was made by another world.
    #[error(
        "the handle of body {index} belongs to another world: use the handle that this world's `add` returned"
    )]
    OtherWorld {
        /// The place that the handle names.
        index: u32,
    },
    /// The handle of an obstacle was made by another world.
    #[error(
        "the handle of obstacle {number} belongs to another world: use the handle that this world's `add_obstacle` returned"
    )]
    ObstacleOfOtherWorld {
        /// The obstacle, counted in the order in which they were added.
        number: u32,
    },
    /// The obstacle was removed.
    #[error("obstacle {number} was removed from this world, so its handle names nothing any more")]
    ObstacleRemoved {
        /// The obstacle, counted in the order in which they were added.
        number: u32,
    },
    /// The body was removed.
    #[error("body {index} was removed from this world, so its handle names nothing any more")]
    Removed {
        /// The place that the body had.
        index: u32,
    },
}
