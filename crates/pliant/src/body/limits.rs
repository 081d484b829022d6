//! Limits on lengths.

/// Largest size of a body, in m. Also the largest distance from the origin, in m and in sizes of the body.
pub(crate) const MAX_LENGTH: f64 = 1e9;
