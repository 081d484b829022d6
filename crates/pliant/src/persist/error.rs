//! Why a snapshot is rejected.

/// Bytes that a world cannot be restored from.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum SnapshotError {
    /// The bytes are not a snapshot.
    #[error(
        "these bytes are no snapshot: they do not begin with its mark; pass what `World::snapshot` returned"
    )]
    NotASnapshot,
    /// The snapshot has an unknown version of the format.
    #[error(
        "this snapshot has version {found}, and version {known} is understood; take it anew with this version of the engine"
    )]
    Version {
        /// The version of the bytes.
        found: u32,
        /// The supported version.
        known: u32,
    },
    /// The snapshot is too short or too long.
    #[error(
        "this snapshot has {found} bytes, expected {expected}: it was cut off or added to; store and load it whole"
    )]
    Length {
        /// Bytes given.
        found: u64,
        /// Bytes that were written.
        expected: u64,
    },
    /// The bytes differ from those that were written.
    #[error(
        "this snapshot is damaged: its checksum is {found:016x}, expected {expected:016x}; take another copy of it"
    )]
    Damaged {
        /// The checksum of the bytes.
        found: u64,
        /// The checksum that was written.
        expected: u64,
    },
    /// An invalid value in bytes whose checksum is right.
    #[error("this snapshot is forged: byte {at} cannot be part of {what}; take another copy of it")]
    Value {
        /// The expected item.
        what: &'static str,
        /// The position of the reader, in bytes after the header.
        at: usize,
    },
    /// The snapshot and the world differ in the number of some item.
    #[error(
        "this snapshot is of a world with {snapshot} {what}, and this one has {world}; restore into a world built from the same scene"
    )]
    Count {
        /// The counted item.
        what: &'static str,
        /// The number in the snapshot.
        snapshot: u64,
        /// The number in the world.
        world: u64,
    },
    /// A setting of the world has changed since.
    #[error(
        "{field} was {snapshot} when this snapshot was taken, and is {world} now; change it back with `World::set_config`"
    )]
    Setting {
        /// The setting.
        field: &'static str,
        /// Its value in the snapshot.
        snapshot: f64,
        /// Its value in the world.
        world: f64,
    },
    /// An obstacle differs.
    #[error(
        "obstacle {obstacle} has another shape, place, motion or friction than in this snapshot; restore into a world built from the same scene"
    )]
    Obstacle {
        /// The index of the obstacle.
        obstacle: usize,
    },
    /// A body differs in the number of some item.
    #[error(
        "body {body} ({name}) had {snapshot} {what} in this snapshot, and has {world}; restore into a world built from the same scene"
    )]
    BodyCount {
        /// The index of the body.
        body: usize,
        /// Its name in the world.
        name: String,
        /// The counted item.
        what: &'static str,
        /// The number in the snapshot.
        snapshot: u64,
        /// The number in the world.
        world: u64,
    },
    /// Constant data of a body differs.
    #[error(
        "the {what} of body {body} ({name}) is not that of this snapshot; restore into a world built from the same scene"
    )]
    BodyPart {
        /// The index of the body.
        body: usize,
        /// Its name in the world.
        name: String,
        /// The data that differs.
        what: &'static str,
    },
}
