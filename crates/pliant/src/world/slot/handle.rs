//! Names of bodies.

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

/// A handle that names no body of the world it was given to.
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
    /// The body was removed.
    #[error("body {index} was removed from this world, so its handle names nothing any more")]
    Removed {
        /// The place that the body had.
        index: u32,
    },
}
