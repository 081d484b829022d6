//! Statistics of the solves of a step.

/// Statistics of the sweeps of XPBD bodies.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct SweepReport {
    /// Sweeps over all constraints.
    pub sweeps: u32,
    /// Residual of the constraint equations after the last sweep: zero if the step equals backward Euler, one if the
    /// constraints were not changed at all. A body with a large residual is softer than its material.
    pub residual: f64,
}

impl SweepReport {
    /// Adds a later substep of the same body, and takes its residual.
    pub fn add_step(&mut self, later: &Self) {
        self.sweeps += later.sweeps;
        self.residual = later.residual;
    }

    /// Adds the same step of another body.
    pub fn add_body(&mut self, other: &Self) {
        self.sweeps += other.sweeps;
        self.residual = self.residual.max(other.residual);
    }
}

/// Statistics of the linear solves of a step.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct LinearReport {
    /// Iterations of all solves.
    pub iterations: u32,
    /// Largest residual at which a solve stopped, relative to the impulses that change the motion in its step.
    pub residual: f64,
    /// Solves and Newton iterations that stopped before the tolerance was reached.
    pub unconverged: u32,
    /// Solves that stopped before that because of a limit on the work of the step.
    pub cut: u32,
    /// Steps that were taken again by implicit Euler, which damps, because they created energy or their equation was not solved.
    pub fallbacks: u32,
    /// Sum of iterations times unknowns: the cost of the solves.
    pub work: u64,
    /// Newton iterations.
    pub newton_iterations: u32,
    /// Factorisations of a matrix.
    pub factorisations: u32,
    /// Non-zero blocks of the matrix, if one was assembled.
    pub blocks: usize,
    /// Unknowns, each a point in space.
    pub unknowns: usize,
}

impl LinearReport {
    /// Adds a later step of the same body.
    pub fn add_step(&mut self, later: &Self) {
        let (blocks, unknowns) = (self.blocks.max(later.blocks), self.unknowns.max(later.unknowns));
        self.add_body(later);
        (self.blocks, self.unknowns) = (blocks, unknowns);
    }

    /// Counts a solve that did not converge: `cut` is true if a limit on the work stopped it.
    pub(crate) fn count(&mut self, converged: bool, cut: bool) {
        self.cut += u32::from(!converged && cut);
        self.unconverged += u32::from(!converged && !cut);
    }

    /// Adds the same step of another body.
    pub fn add_body(&mut self, other: &Self) {
        self.iterations += other.iterations;
        self.residual = self.residual.max(other.residual);
        self.unconverged += other.unconverged;
        self.cut += other.cut;
        self.fallbacks += other.fallbacks;
        self.work += other.work;
        self.newton_iterations += other.newton_iterations;
        self.factorisations += other.factorisations;
        self.blocks += other.blocks;
        self.unknowns += other.unknowns;
    }
}
