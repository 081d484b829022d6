//! Obstacles that a body was placed into.

/// An obstacle that overlapped a body when the body was placed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Overlap {
    /// The obstacle, by its index in the world.
    pub obstacle: u32,
    /// The depth of the overlap, in m.
    pub depth: f64,
}
