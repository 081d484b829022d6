//! A step in time.

/// A step in time, or a part of one.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TimeStep {
    /// The time at its start, in s.
    pub t: f64,
    /// Its length, in s.
    pub h: f64,
}

impl TimeStep {
    /// The time at its end, in s.
    pub fn end(&self) -> f64 {
        self.t + self.h
    }
}
