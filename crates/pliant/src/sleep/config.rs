//! Settings of sleep.

/// When bodies at rest are no longer stepped (Parker & O'Brien 2009, section 4).
///
/// Bodies that rest on an obstacle, or on each other, fall asleep together once all of their nodes have been still for `steps` steps. A node is still
/// if it is not faster than `speed`; also if it is up to ten times as fast, but trembles about one place: if it is never farther from where it was than
/// that speed would have taken it in all these steps. Bodies that roll or rock on something slower than a hundred times that speed are slowed, so that they come to rest. They wake when an awake body touches them, when the caller changes them, when a pin, a
/// pull or an obstacle near them moves, or when a force acts on one of their nodes that did not act when they fell asleep.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SleepConfig {
    /// Speed below which a node counts as still, in m/s (default `5e-4`).
    pub speed: f64,
    /// Steps for which all nodes must be still (default `30`).
    pub steps: u32,
    /// Force at a node, in N, below which loads, wind, fields and blasts do not wake a sleeping body (default `0`: a
    /// force that would make a node faster than `speed` in a step wakes the body, and a blast always does). A blast
    /// counts as a force that lasts for one step. A force below this limit is lost for the sleeping body: the setting
    /// is meant for small debris.
    pub force: f64,
}

impl Default for SleepConfig {
    fn default() -> Self {
        Self { speed: 5e-4, steps: 30, force: 0.0 }
    }
}
