//! Statistics of the solves of a step.

/// How the sweeps of position-based bodies went.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct SweepReport {
    /// Sweeps over all constraints.
    pub sweeps: u32,
    /// Residual of the constraint equations after the last: zero if the step is that of implicit Euler,
    /// one if nothing was done about the constraints. A body with a large residual is softer than its
    /// material.
    pub residual: f64,
}

impl SweepReport {
    /// Takes in a later substep of the same body: its residual is the one that counts.
    pub fn add_step(&mut self, later: &Self) {
        self.sweeps += later.sweeps;
        self.residual = later.residual;
    }

    /// Takes in the same step of another body.
    pub fn add_body(&mut self, other: &Self) {
        self.sweeps += other.sweeps;
        self.residual = self.residual.max(other.residual);
    }
}

/// How the linear solves of a step went.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct LinearReport {
    /// Iterations, all solves together.
    pub iterations: u32,
    /// Largest residual at which a solve stopped, relative to its right-hand side.
    pub residual: f64,
    /// Solves that stopped before the tolerance was reached, and Newton iterations that did.
    pub unconverged: u32,
    /// Solves that stopped before that because no more iterations were granted.
    pub cut: u32,
    /// Sum of iterations times unknowns: what the solves cost.
    pub work: u64,
    /// Newton iterations.
    pub newton_iterations: u32,
    /// Factorisations of a matrix.
    pub factorisations: u32,
    /// Non-zero blocks of the matrix, if there was one.
    pub blocks: usize,
    /// Unknowns, each a point in space.
    pub unknowns: usize,
}

impl LinearReport {
    /// Takes in a later step of the same body.
    pub fn add_step(&mut self, later: &Self) {
        let (blocks, unknowns) = (self.blocks.max(later.blocks), self.unknowns.max(later.unknowns));
        self.add_body(later);
        (self.blocks, self.unknowns) = (blocks, unknowns);
    }

    /// Counts a solve that did not converge, as one that was `cut` short or not.
    pub(crate) fn count(&mut self, converged: bool, cut: bool) {
        self.cut += u32::from(!converged && cut);
        self.unconverged += u32::from(!converged && !cut);
    }

    /// Takes in the same step of another body.
    pub fn add_body(&mut self, other: &Self) {
        self.iterations += other.iterations;
        self.residual = self.residual.max(other.residual);
        self.unconverged += other.unconverged;
        self.cut += other.cut;
        self.work += other.work;
        self.newton_iterations += other.newton_iterations;
        self.factorisations += other.factorisations;
        self.blocks += other.blocks;
        self.unknowns += other.unknowns;
    }
}
