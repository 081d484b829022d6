//! Snapshots: the bytes of everything that changes while a world runs.
//!
//! ```text
//! magic 8 │ version 4 │ length 8 │ checksum 8 │ fingerprints of constant data │ changing data
//! ```
//!
//! All numbers are little endian, an `f64` as its bits, so that every value is restored to the last bit. Each type with
//! state between steps saves it next to its definition and loads it in the same order. A count that was read is checked
//! against the bytes that are left before anything is allocated.

pub(crate) mod error;
mod format;
pub(crate) mod reader;
pub(crate) mod writer;

pub use error::SnapshotError;
pub(crate) use pliant_kernels::math::Digest;
pub(crate) use reader::Reader;
pub(crate) use writer::Writer;

/// A type with state that outlives a step.
pub(crate) trait Persist {
    /// Writes the whole state.
    fn save(&self, to: &mut Writer);

    /// Reads the state that `save` wrote. After an error the value may be a mixture of old and new state, but it must
    /// be possible to load it again.
    fn load(&mut self, from: &mut Reader<'_>) -> Result<(), SnapshotError>;
}
