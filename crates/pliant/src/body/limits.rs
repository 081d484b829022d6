//! Limits on lengths.

/// Most that a body may measure, in m, and most of its sizes that it may lie from the origin.
pub(crate) const MOST_LENGTH: f64 = 1e9;
