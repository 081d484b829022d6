//! Choices of a method: stepper, linear solver, mass, adaptive degree, damping.

/// The rule that advances a body in time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Stepper {
    /// Explicit: velocities from forces, then positions, in substeps short enough.
    SymplecticEuler,
    /// One linear solve for the new velocity (Bargteil & Cohen 2014, eq. 12).
    #[default]
    ImplicitEuler,
    /// The same solved for the change of velocity (Baraff & Witkin 1998).
    BaraffWitkin,
    /// Elastic forces explicit, damping implicit, second order (Bridson et al. 2003).
    Newmark,
    /// Minimises the discrete action over a midpoint, second order (Kharevych et al. 2006).
    Variational,
    /// Two-step backward differences, second order (Mezger et al. 2007).
    Bdf2,
    /// Backward Euler by Newton's method with a line search.
    BackwardEuler,
    /// Constraints met cell after cell, without a system: a time known in advance (Macklin et al. 2016,
    /// Saillant et al. 2024).
    Xpbd,
}

impl Stepper {
    /// Every stepper.
    pub const ALL: [Self; 8] = [
        Self::SymplecticEuler,
        Self::ImplicitEuler,
        Self::BaraffWitkin,
        Self::Newmark,
        Self::Variational,
        Self::Bdf2,
        Self::BackwardEuler,
        Self::Xpbd,
    ];

    /// The name in scene files.
    pub const fn name(self) -> &'static str {
        match self {
            Self::SymplecticEuler => "symplectic-euler",
            Self::ImplicitEuler => "implicit-euler",
            Self::BaraffWitkin => "baraff-witkin",
            Self::Newmark => "newmark",
            Self::Variational => "variational",
            Self::Bdf2 => "bdf2",
            Self::BackwardEuler => "backward-euler",
            Self::Xpbd => "xpbd",
        }
    }

    /// Whether elastic forces enter explicitly, so that the step has a stable limit.
    pub const fn is_explicit(self) -> bool {
        matches!(self, Self::SymplecticEuler | Self::Newmark)
    }

    /// Whether it solves systems of equations.
    pub const fn solves(self) -> bool {
        !matches!(self, Self::SymplecticEuler | Self::Xpbd)
    }
}

/// How the linear systems of a step are solved.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum LinearSolver {
    /// Chosen by the size and kind of the body.
    #[default]
    Auto,
    /// Conjugate gradient on assembled rows of 3×3 blocks (Parker & O'Brien 2009, section 4).
    ConjugateGradient,
    /// Conjugate gradient without a matrix, cells in lanes.
    MatrixFree,
    /// Sparse Cholesky, refactored only when the body has changed (Mezger et al. 2007, 4.4).
    Cholesky,
    /// Conjugate gradient preconditioned over the degrees of the cells, for large bodies.
    Multigrid,
}

impl LinearSolver {
    /// Every choice.
    pub const ALL: [Self; 5] =
        [Self::Auto, Self::ConjugateGradient, Self::MatrixFree, Self::Cholesky, Self::Multigrid];

    /// The name in scene files.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::ConjugateGradient => "conjugate-gradient",
            Self::MatrixFree => "matrix-free",
            Self::Cholesky => "cholesky",
            Self::Multigrid => "p-multigrid",
        }
    }
}

/// Where mass sits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Mass {
    /// At the nodes.
    #[default]
    Lumped,
    /// As the interpolation has it. Implicit steppers only.
    Consistent,
}

impl Mass {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Lumped, Self::Consistent];

    /// The name in scene files.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Lumped => "lumped",
            Self::Consistent => "consistent",
        }
    }
}

/// When edges of quadratic tetrahedra are straight lines without an unknown of their own
/// (Bargteil & Cohen 2014, section 3.4).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct AdaptiveConfig {
    /// An edge whose midpoint would leave the middle by more than this share of its rest length in
    /// a step becomes quadratic (default `1e-3`).
    pub refine: f64,
    /// One that would by less becomes linear again (default `2e-4`); below `refine`.
    pub coarsen: f64,
    /// Steps for which an edge keeps its degree at least (default `5`).
    pub dwell: u32,
}

impl Default for AdaptiveConfig {
    fn default() -> Self {
        Self { refine: 1e-3, coarsen: 2e-4, dwell: 5 }
    }
}

/// Damping forces −(mass · M + stiffness · K) v.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Rayleigh {
    /// Share of the mass, in 1/s (default `0`): slows all motion.
    pub mass: f64,
    /// Share of the stiffness, in s (default `0`): slows deformation, fast modes most.
    pub stiffness: f64,
}
