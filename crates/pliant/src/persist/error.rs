//! What can be wrong with a snapshot.

/// Bytes that a world cannot be restored from.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum SnapshotError {
    /// The bytes are something else.
    #[error(
        "these bytes are no snapshot: they do not begin with its mark; pass what `World::snapshot` returned"
    )]
    NotASnapshot,
    /// Another version of the format.
    #[error(
        "this snapshot has version {found}, and version {known} is understood; take it anew with this version of the engine"
    )]
    Version {
        /// The version of the bytes.
        found: u32,
        /// The one that is understood.
        known: u32,
    },
    /// Bytes are missing, or there are more than there should be.
    #[error(
        "this snapshot has {found} bytes, expected {expected}: it was cut off or added to; store and load it whole"
    )]
    Length {
        /// Bytes given.
        found: u64,
        /// Bytes that were written.
        expected: u64,
    },
    /// The bytes are not those that were written.
    #[error(
        "this snapshot is damaged: its checksum is {found:016x}, expected {expected:016x}; take another copy of it"
    )]
    Damaged {
        /// The checksum of the bytes.
        found: u64,
        /// The one that was written.
        expected: u64,
    },
    /// A value that no snapshot has, in bytes whose checksum fits.
    #[error("this snapshot is forged: byte {at} cannot be part of {what}; take another copy of it")]
    Value {
        /// What stands there.
        what: &'static str,
        /// Where the reading had come to, in bytes after the header.
        at: usize,
    },
    /// It has another number of something than the world.
    #[error(
        "this snapshot is of a world with {snapshot} {what}, and this one has {world}; restore into a world built from the same scene"
    )]
    Count {
        /// What is counted.
        what: &'static str,
        /// How many there were.
        snapshot: u64,
        /// How many there are.
        world: u64,
    },
    /// The settings of the world were others.
    #[error(
        "{field} was {snapshot} when this snapshot was taken, and is {world} now; change it back with `World::set_config`"
    )]
    Setting {
        /// The setting.
        field: &'static str,
        /// What it was.
        snapshot: f64,
        /// What it is.
        world: f64,
    },
    /// An obstacle was another one.
    #[error(
        "obstacle {obstacle} has another shape, place, motion or friction than in this snapshot; restore into a world built from the same scene"
    )]
    Obstacle {
        /// Its number.
        obstacle: usize,
    },
    /// A body has another number of something.
    #[error(
        "body {body} ({name}) had {snapshot} {what} in this snapshot, and has {world}; restore into a world built from the same scene"
    )]
    BodyCount {
        /// Its number.
        body: usize,
        /// Its name in the world.
        name: String,
        /// What is counted.
        what: &'static str,
        /// How many there were.
        snapshot: u64,
        /// How many there are.
        world: u64,
    },
    /// Something constant of a body was otherwise.
    #[error(
        "the {what} of body {body} ({name}) is not that of this snapshot; restore into a world built from the same scene"
    )]
    BodyPart {
        /// Its number.
        body: usize,
        /// Its name in the world.
        name: String,
        /// What differs.
        what: &'static str,
    },
}
