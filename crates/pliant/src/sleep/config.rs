//! When bodies fall asleep.

/// When bodies that lie still are no longer stepped (Parker & O'Brien 2009, section 4).
///
/// Bodies that lie on something, or on each other, fall asleep together once none of their nodes has moved faster
/// than `speed` for `steps` steps, and wake when something awake touches them, someone changes them, or a force acts
/// on one of their nodes that did not when they fell asleep.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SleepConfig {
    /// Speed below which a node counts as still, in m/s (default `5e-4`).
    pub speed: f64,
    /// Steps for which all nodes must be still (default `30`).
    pub steps: u32,
    /// Force at a node, in N, below which loads, wind, fields and blasts leave a sleeper as it is (default `0`: what would make a node
    /// faster than `speed` in a step wakes it, and a blast always does). A blast counts as a force that lasts for a step. What is
    /// kept from a sleeper so is lost to it, so that this is for crumbs that need not stir in every breeze.
    pub force: f64,
}

impl Default for SleepConfig {
    fn default() -> Self {
        Self { speed: 5e-4, steps: 30, force: 0.0 }
    }
}
