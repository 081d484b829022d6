//! Snapshots: the bytes of everything that changes while a world runs.
//!
//! ```text
//! magic 8 │ version 4 │ length 8 │ checksum 8 │ fingerprints of constant data │ changing data
//! ```
//!
//! All numbers are little endian, an `f64` as its bits, so that every value is restored to the last bit. Each type with
//! state between steps saves it next to its definition and loads it in the same order. A count that was read is checked
//! against the bytes that are left before anything is allocated.

mod error;
mod format;
mod reader;
mod writer;

pub use crate::math::Digest;
pub use error::SnapshotError;
pub use reader::Reader;
pub use writer::Writer;

/// A type with state that outlives a step.
pub trait Persist {
    /// Writes the whole state.
    fn save(&self, to: &mut Writer);

    /// Reads the state that `save` wrote. After an error the value may be a mixture of old and new state, but it must
    /// be possible to load it again.
    fn load(&mut self, from: &mut Reader<'_>) -> Result<(), SnapshotError>;
}
