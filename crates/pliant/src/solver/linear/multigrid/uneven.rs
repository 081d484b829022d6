//! Start vectors of power iterations.

use glam::DVec3;

/// A vector with a component in every mode, the same on every machine.
pub(super) fn uneven(k: usize) -> DVec3 {
    let mix = |j: usize| {
        let hash = ((3 * k + j) as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        ((hash ^ (hash >> 29)) >> 40) as f64 / f64::from(1 << 24) - 0.5
    };
    DVec3::new(mix(0), mix(1), mix(2))
}
