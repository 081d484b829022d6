//! What it took to let nothing through.

/// What a step of safe contact did.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ContinuousReport {
    /// Rounds of impulses; none if nothing would have met.
    pub rounds: u32,
    /// Vertices and edges that met something.
    pub contacts: usize,
    /// Pairs of surfaces that were looked at, counted in every round.
    pub tests: usize,
    /// Rounds in which zones grew; none if impulses were enough.
    pub zone_rounds: u32,
    /// Nodes that moved as one with others for the rest of the step.
    pub zoned: usize,
    /// Bodies that went back along their way.
    pub rolled_back: usize,
    /// Pairs of surfaces that intersected at the begin and were left alone with each other.
    pub left_out: usize,
    /// Whether something was left that meets: carried things moved into something that was set back to its begin.
    pub crushed: bool,
}
