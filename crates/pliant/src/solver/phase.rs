//! Phases of a step, reported as they begin.

/// A phase of a step, reported when it begins, so that a caller with a clock can time it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Phase {
    /// Finding contacts with obstacles.
    Contact,
    /// Elastic and damping forces, rotations included.
    Forces,
    /// Choosing the degree of edges.
    Degree,
    /// Building the matrix of the system, or the data of a matrix-free solver.
    Assembly,
    /// Factoring the matrix, for solvers with a factor.
    Factor,
    /// Solving the system.
    Solve,
    /// Plastic flow.
    Flow,
    /// Finding breaks and building fragments.
    Fracture,
    /// The rest: new positions, checks.
    Update,
}

impl Phase {
    /// The number of phases.
    pub const COUNT: usize = Self::Update as usize + 1;
}

/// The function that is called when a phase begins.
pub(crate) type PhaseTeller<'a> = dyn FnMut(Phase) + Send + 'a;
