//! Phases of a step, reported as they begin.

/// What a step is doing: told as each part begins, so that a caller with a clock can time it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Phase {
    /// Finding what touches obstacles.
    Contact,
    /// Elastic and damping forces, rotations included.
    Forces,
    /// Choosing the degree of edges.
    Degree,
    /// Building the matrix of the system, or what is needed to go without.
    Assembly,
    /// Factoring it, where a solver does.
    Factor,
    /// Solving it.
    Solve,
    /// Letting matter flow.
    Flow,
    /// Finding where bodies come apart, and making their pieces.
    Fracture,
    /// The rest: new positions, checks.
    Update,
}

impl Phase {
    /// How many there are.
    pub const COUNT: usize = Self::Update as usize + 1;
}

/// Who is told what a step is doing.
pub type PhaseTeller<'a> = dyn FnMut(Phase) + Send + 'a;
