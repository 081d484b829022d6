//! Bytes that hold what changes while a world runs.
//!
//! ```text
//! magic 8 │ version 4 │ length 8 │ checksum 8 │ what must be the same │ what changes
//! ```
//!
//! All numbers are little endian, an `f64` as its bits: what comes back is what was put in, to the last
//! bit. Every thing that remembers something from one step to the next saves it next to where it is
//! defined, and loads it in the same order. Nothing is allocated by a count that was read before that
//! was held against what is there.

mod error;
mod reader;
mod writer;

pub use crate::math::Digest;
pub use error::SnapshotError;
pub use reader::Reader;
pub use writer::Writer;

/// What every snapshot begins with.
const MAGIC: [u8; 8] = *b"PLIANT\x1a\n";

/// Rises when the bytes change their meaning.
const VERSION: u32 = 9;

/// Bytes before what is kept: magic, version, length, checksum.
const HEADER: usize = 28;

/// Something that remembers from one step to the next.
pub trait Persist {
    /// Writes all that it remembers.
    fn save(&self, to: &mut Writer);

    /// Takes up what one like it has written. After an error it may be half the one and half the other,
    /// but must be fit to load again.
    fn load(&mut self, from: &mut Reader<'_>) -> Result<(), SnapshotError>;
}
