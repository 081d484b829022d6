//! How the toughness of a body differs from that of its materials.

use pliant::body::Seam;

/// How the toughness of a body differs from that of its materials.
#[derive(Debug, Clone, PartialEq)]
pub struct ToughnessPlan {
    /// Maximum random variation between cells, as a fraction of their toughness.
    pub variation: f64,
    /// Seed of the random variation.
    pub seed: u64,
    /// Planes along which it is weaker.
    pub seams: Vec<Seam>,
}
