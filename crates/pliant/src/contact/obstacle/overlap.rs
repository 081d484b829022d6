//! Overlaps of a body with obstacles at the start.

/// An obstacle that overlaps a body at the start.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Overlap {
    /// The obstacle, by its index in the world.
    pub obstacle: u32,
    /// The depth, in m.
    pub depth: f64,
}
