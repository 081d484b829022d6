//! The identity of a body: its origin, and its part in the world.

use crate::persist::{Reader, SnapshotError};

/// The origin of a body, and its part in the world.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Identity {
    pub(crate) presence: Presence,
    /// Unique among all bodies and fragments that the world ever had. Bodies added later have larger numbers.
    pub(crate) version: u64,
    /// The index of the original that this body is, or is a fragment of, among the originals of the world.
    pub(crate) original: u32,
}

/// The part that a body takes in the world.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Presence {
    /// It moves, or may.
    #[default]
    Active,
    /// It stays in place for ever; other bodies rest on it.
    Frozen,
    /// It is neither stepped nor touched nor drawn any more.
    Gone,
}

impl Presence {
    pub(crate) fn read(from: &mut Reader<'_>) -> Result<Self, SnapshotError> {
        match from.u8()? {
            0 => Ok(Self::Active),
            1 => Ok(Self::Frozen),
            2 => Ok(Self::Gone),
            _ => Err(from.bad("the presence of a body")),
        }
    }
}
