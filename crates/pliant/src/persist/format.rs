//! The header of a snapshot.

/// The first bytes of every snapshot.
pub(super) const MAGIC: [u8; 8] = *b"PLIANT\x1a\n";

/// The version of the format, raised whenever the meaning of the bytes changes.
pub(super) const VERSION: u32 = 20;

/// Bytes of the header: magic, version, length, checksum.
pub(super) const HEADER: usize = 28;
