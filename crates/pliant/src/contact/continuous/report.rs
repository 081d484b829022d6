//! Statistics of continuous contact.

/// The work of continuous contact in a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ContinuousReport {
    /// Bodies whose motion ended early in the step, where a fast body hit something.
    pub held_back: usize,
    /// Rounds of impulses; zero if there were no hits.
    pub rounds: u32,
    /// Vertices and edges with a hit.
    pub contacts: usize,
    /// Pairs of surfaces searched, counted in every round.
    pub tests: usize,
    /// Rounds in which zones grew; zero if impulses were enough.
    pub zone_rounds: u32,
    /// Nodes in rigid zones.
    pub zoned: usize,
    /// Bodies rolled back along their paths.
    pub rolled_back: usize,
    /// Pairs of surfaces that intersected at the start and were left out.
    pub left_out: usize,
    /// True if hits remain: a prescribed surface moved into a body that was rolled back to its start.
    pub crushed: bool,
}
