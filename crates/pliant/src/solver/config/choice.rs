//! Choices of a method: stepper, linear solver, mass, adaptive degree, damping.

/// The rule that advances a body in time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Stepper {
    /// Explicit: velocities from forces, then positions, in substeps below the stable step.
    SymplecticEuler,
    /// One linear solve for the new velocity (Bargteil & Cohen 2014, eq. 12), in a frame that turns with the body: damps
    /// deformations that change fast.
    ImplicitEuler,
    /// The same step as [`Stepper::ImplicitEuler`], with a solve that starts from the present velocity instead of an extrapolated
    /// one (Baraff & Witkin 1998).
    BaraffWitkin,
    /// Elastic forces explicit, damping implicit, second order (Bridson et al. 2003).
    Newmark,
    /// Minimises the discrete action over a midpoint, second order (Kharevych et al. 2006).
    Variational,
    /// Two-step backward differences, second order (Mezger et al. 2007), in a frame that turns with the body. The default. In
    /// contact, and in the first step after a change from outside, it is [`Stepper::ImplicitEuler`].
    #[default]
    Bdf2,
    /// Backward Euler by Newton's method with a line search, in the frame of the world: damps rotations, too.
    BackwardEuler,
    /// Constraints solved cell after cell, without a system: the time of a step is known in advance (Macklin et al.
    /// 2016, Saillant et al. 2024).
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

    /// True if elastic forces enter explicitly, so that the step has a stable limit.
    pub const fn is_explicit(self) -> bool {
        match self {
            Self::SymplecticEuler | Self::Newmark => true,
            Self::ImplicitEuler
            | Self::BaraffWitkin
            | Self::Variational
            | Self::Bdf2
            | Self::BackwardEuler
            | Self::Xpbd => false,
        }
    }

    /// True if it solves systems of equations.
    pub const fn solves(self) -> bool {
        match self {
            Self::ImplicitEuler
            | Self::BaraffWitkin
            | Self::Newmark
            | Self::Variational
            | Self::Bdf2
            | Self::BackwardEuler => true,
            Self::SymplecticEuler | Self::Xpbd => false,
        }
    }
}

/// Properties of steppers that the engine depends on. Each names every stepper, so that a new one does not compile without a decision.
impl Stepper {
    /// True if its rule, or the guess of its solve, uses the previous step.
    pub(crate) const fn looks_back(self) -> bool {
        match self {
            Self::ImplicitEuler | Self::Bdf2 => true,
            Self::SymplecticEuler
            | Self::BaraffWitkin
            | Self::Newmark
            | Self::Variational
            | Self::BackwardEuler
            | Self::Xpbd => false,
        }
    }

    /// True if a step of twice the length is as good for it as others: its rule damps, and does not depend on a steady length. (BDF2
    /// takes a step of Euler where the length changes.)
    pub(crate) const fn allows_double_steps(self) -> bool {
        match self {
            Self::ImplicitEuler | Self::BaraffWitkin | Self::BackwardEuler | Self::Bdf2 => true,
            Self::SymplecticEuler | Self::Newmark | Self::Variational | Self::Xpbd => false,
        }
    }

    /// True if it rotates a body exactly, in a frame that turns with it, so that the velocities of the rotation are those at the end of
    /// a step. Other velocities are displacements over the length of the step.
    pub(crate) const fn turns_exactly(self) -> bool {
        match self {
            Self::ImplicitEuler | Self::BaraffWitkin | Self::Bdf2 => true,
            Self::SymplecticEuler
            | Self::Newmark
            | Self::Variational
            | Self::BackwardEuler
            | Self::Xpbd => false,
        }
    }

    /// The number of substeps of a body if the caller gives none and its stepper has no stable step.
    pub(crate) const fn default_substeps(self) -> u32 {
        match self {
            // The error of XPBD falls faster with substeps than with sweeps.
            Self::Xpbd => 20,
            Self::SymplecticEuler
            | Self::ImplicitEuler
            | Self::BaraffWitkin
            | Self::Newmark
            | Self::Variational
            | Self::Bdf2
            | Self::BackwardEuler => 1,
        }
    }
}

/// The solver of the linear systems of a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum LinearSolver {
    /// Chosen by the size and the degree of the body.
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

/// The mass matrix.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Mass {
    /// Consistent for bodies with cells of degree 2 or 3 that cannot break, if elastic forces are implicit; otherwise lumped.
    #[default]
    Auto,
    /// Lumped at the nodes: row sums of the consistent mass.
    Lumped,
    /// Consistent with the interpolation. Only for steppers that solve systems.
    Consistent,
}

impl Mass {
    /// Every choice.
    pub const ALL: [Self; 3] = [Self::Auto, Self::Lumped, Self::Consistent];

    /// The name in scene files.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Lumped => "lumped",
            Self::Consistent => "consistent",
        }
    }
}

/// Thresholds at which edges of quadratic tetrahedra change between straight lines without an unknown and curves with
/// one (Bargteil & Cohen 2014, section 3.4).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct AdaptiveConfig {
    /// An edge becomes quadratic if its midpoint would leave the middle by more than this share of its rest length in a
    /// step (default `1e-3`).
    pub refine: f64,
    /// An edge becomes linear again if its midpoint would move by less than this share (default `2e-4`); below
    /// `refine`.
    pub coarsen: f64,
    /// Steps for which an edge keeps its degree at the least (default `5`). Edges are looked at once in half as many steps and one.
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
