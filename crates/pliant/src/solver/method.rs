//! What the user chooses of a method.

use crate::body::{Dilation, Model};
use crate::element::Kind;
use crate::force::Rotation;
use crate::material::LawKind;
use crate::solver::{FactorError, Projection};

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

/// How one body is advanced.
///
/// ```
/// use pliant::solver::{MethodConfig, Stepper};
///
/// let method = MethodConfig { stepper: Stepper::Bdf2, ..Default::default() };
/// assert!(method.check().is_ok());
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MethodConfig {
    /// Rule of the step (default implicit Euler).
    pub stepper: Stepper,
    /// Solver of its linear systems (default by size).
    pub solver: LinearSolver,
    /// Residual, relative to the right-hand side, at which a linear solve stops (default `1e-4`).
    pub tolerance: f64,
    /// Iterations after which it stops at the latest (default `200`): bounds the time of a step.
    pub max_iterations: u32,
    /// Newton iterations of the steppers that solve a nonlinear equation (default `20`).
    pub newton_iterations: u32,
    /// Where corotated cells measure their rotation (default once a cell).
    pub rotation: Rotation,
    /// Where mass sits (default lumped).
    pub mass: Mass,
    /// Damping (default none).
    pub rayleigh: Rayleigh,
    /// Change of a rotation, or of a deformation gradient of laws without one, up to which Cholesky is never refactored (default
    /// `0.1`). Up to three times as much it is once the old factor has cost as many iterations more as a new one is worth.
    pub lazy: f64,
    /// Adaptive degree of quadratic tetrahedra (default none: the degree of the mesh).
    pub adaptive: Option<AdaptiveConfig>,
    /// Substeps of this body in a step (default `None`: as the world says). Cost grows in proportion; an
    /// XPBD body gets stiffer until it is as stiff as its material.
    pub substeps: Option<u32>,
    /// Sweeps of XPBD over all constraints in a substep (default `1`). More substeps serve better.
    pub sweeps: u32,
    /// How XPBD solves the two constraints of a cell (default together).
    pub projection: Projection,
}

impl Default for MethodConfig {
    fn default() -> Self {
        Self {
            stepper: Stepper::default(),
            solver: LinearSolver::default(),
            tolerance: 1e-4,
            max_iterations: 200,
            newton_iterations: 20,
            rotation: Rotation::default(),
            mass: Mass::default(),
            rayleigh: Rayleigh::default(),
            lazy: 0.1,
            adaptive: None,
            substeps: None,
            sweeps: 1,
            projection: Projection::default(),
        }
    }
}

/// A choice of method that cannot be.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum MethodError {
    /// A number out of its range.
    #[error("{field} is {value}, expected {expected}")]
    OutOfRange {
        /// The setting.
        field: &'static str,
        /// Its value.
        value: f64,
        /// What would do.
        expected: &'static str,
    },
    /// The factor of a direct solver does not fit.
    #[error("{0}; choose `solver = \"matrix-free\"` or `\"p-multigrid\"`")]
    Factor(FactorError),
    /// Thresholds in the wrong order.
    #[error(
        "the threshold to coarsen, {coarsen}, is not below the one to refine, {refine}: an edge would change its degree for ever; make coarsen a fifth of refine"
    )]
    Thresholds {
        /// Below it an edge becomes linear.
        coarsen: f64,
        /// Above it an edge becomes quadratic.
        refine: f64,
    },
    /// Settings that exclude each other.
    #[error("{one} does not go with {other}: {remedy}")]
    Conflict {
        /// A setting.
        one: &'static str,
        /// Another.
        other: &'static str,
        /// What to change.
        remedy: &'static str,
    },
    /// Adaptive degree where no cell could change it.
    #[error(
        "adaptive degree needs quadratic tetrahedra, and this body has none: give its mesh degree 2, or switch adaptive off for it"
    )]
    NothingToAdapt,
    /// A term of a law that pushes away from rest, of which no constraint can be made.
    #[error(
        "xpbd makes a constraint of the volume of every cell, and in cell {cell} a Poisson's ratio of {poisson} leaves it a stiffness of {lambda:.1e} Pa; give it a Poisson's ratio above zero, or choose an implicit stepper"
    )]
    NoCompliance {
        /// The cell.
        cell: u32,
        /// Its Poisson's ratio.
        poisson: f64,
        /// λ of the formula of its law, in Pa.
        lambda: f64,
    },
    /// A body too stiff for explicit steps of any sensible number.
    #[error(
        "the stable step of this body is {stable:.1e} s: a step of {dt:.1e} s would need {substeps:.1e} substeps, expected at most {most}; use an implicit stepper, which no stiffness limits, or shorten dt, soften the material or enlarge the smallest cells"
    )]
    TooStiff {
        /// Longest stable step at rest, in s.
        stable: f64,
        /// Step of the world, in s.
        dt: f64,
        /// Substeps it would take, with a margin for stiffening.
        substeps: f64,
        /// Most that are taken.
        most: u32,
    },
}

impl MethodConfig {
    /// Checks what only the body can tell, besides every field.
    pub fn check_for(&self, model: &Model) -> Result<(), MethodError> {
        self.check()?;
        let quadratic = model.mesh().blocks.iter().any(|block| block.kind == Kind::Tet10);
        if self.adaptive.is_some() && !quadratic {
            return Err(MethodError::NothingToAdapt);
        }
        if self.stepper == Stepper::Xpbd { self.check_constraints(model) } else { Ok(()) }
    }

    /// Checks that the cells can have constraints: each term of a law needs a stiffness.
    fn check_constraints(&self, model: &Model) -> Result<(), MethodError> {
        let other = "stepper = \"xpbd\"";
        let conflict = |one, remedy| Err(MethodError::Conflict { one, other, remedy });
        for batch in model.batches() {
            if batch.dilation == Dilation::Mean {
                let remedy = "its constraints count volume at every point; leave dilation out";
                return conflict("dilation = \"mean\"", remedy);
            }
            for &cell in &batch.cells {
                let (material, law) = (model.material(cell as usize), batch.law);
                let lambda = material.constants().lambda;
                let unbounded = law == LawKind::MacklinMuller && lambda == 0.0;
                if lambda < 0.0 || unbounded {
                    let poisson = material.poisson;
                    return Err(MethodError::NoCompliance { cell, poisson, lambda });
                }
            }
        }
        Ok(())
    }

    /// Checks every field once, so that a step need not.
    pub fn check(&self) -> Result<(), MethodError> {
        self.check_numbers()?;
        if self.mass == Mass::Consistent && self.stepper == Stepper::SymplecticEuler {
            let (one, other) = ("mass = \"consistent\"", "stepper = \"symplectic-euler\"");
            let remedy = "an explicit step divides by lumped masses; choose an implicit stepper";
            return Err(MethodError::Conflict { one, other, remedy });
        }
        if self.rayleigh.stiffness > 0.0 && self.stepper == Stepper::SymplecticEuler {
            let (one, other) = ("rayleigh stiffness damping", "stepper = \"symplectic-euler\"");
            let remedy = "it would shorten the stable step; choose an implicit stepper or newmark";
            return Err(MethodError::Conflict { one, other, remedy });
        }
        self.check_xpbd()?;
        let Some(AdaptiveConfig { refine, coarsen, dwell: _ }) = self.adaptive else {
            return Ok(());
        };
        if self.mass == Mass::Consistent {
            let remedy = "masses move between nodes with the degree; choose lumped mass";
            let (one, other) = ("adaptive degree", "mass = \"consistent\"");
            return Err(MethodError::Conflict { one, other, remedy });
        }
        if self.stepper.is_explicit() {
            let remedy = "choose an implicit stepper";
            let (one, other) = ("adaptive degree", "an explicit stepper");
            return Err(MethodError::Conflict { one, other, remedy });
        }
        if coarsen >= refine {
            return Err(MethodError::Thresholds { coarsen, refine });
        }
        Ok(())
    }

    /// The same for a body that may be rigid: such a one has no use for the choices about elasticity.
    #[must_use]
    pub fn suited_to(self, model: &Model) -> Self {
        if !model.is_rigid() {
            return self;
        }
        Self { stepper: Stepper::ImplicitEuler, adaptive: None, mass: Mass::Lumped, ..self }
    }

    /// What a stepper that solves no system has no use for.
    fn check_xpbd(&self) -> Result<(), MethodError> {
        let other = "stepper = \"xpbd\"";
        let conflict = |one, remedy| Err(MethodError::Conflict { one, other, remedy });
        if self.stepper != Stepper::Xpbd {
            return Ok(());
        }
        if self.mass == Mass::Consistent {
            let remedy = "constraints divide by lumped masses; choose an implicit stepper";
            return conflict("mass = \"consistent\"", remedy);
        }
        if self.adaptive.is_some() {
            let remedy = "no edge is tied while constraints are met; choose an implicit stepper";
            return conflict("adaptive degree", remedy);
        }
        Ok(())
    }

    fn check_numbers(&self) -> Result<(), MethodError> {
        let adaptive = self.adaptive.unwrap_or_default();
        let positive = |value: f64| value.is_finite() && value > 0.0;
        let fraction = |value: f64| (1e-14..=0.5).contains(&value);
        let not_negative = |value: f64| value.is_finite() && value >= 0.0;
        let checks = [
            ("tolerance", self.tolerance, fraction(self.tolerance), "a number from 1e-14 to 0.5"),
            (
                "max_iterations",
                f64::from(self.max_iterations),
                self.max_iterations > 0,
                "1 or more",
            ),
            (
                "newton_iterations",
                f64::from(self.newton_iterations),
                self.newton_iterations > 0,
                "1 or more",
            ),
            ("sweeps", f64::from(self.sweeps), self.sweeps > 0, "1 or more"),
            (
                "substeps",
                f64::from(self.substeps.unwrap_or(1)),
                self.substeps != Some(0),
                "1 or more, or none given to do as the world says",
            ),
            (
                "rayleigh.mass",
                self.rayleigh.mass,
                not_negative(self.rayleigh.mass),
                "a rate in 1/s, zero or more",
            ),
            (
                "rayleigh.stiffness",
                self.rayleigh.stiffness,
                not_negative(self.rayleigh.stiffness),
                "a time in s, zero or more",
            ),
            ("lazy", self.lazy, not_negative(self.lazy), "zero or more, such as 0.1"),
            ("refine", adaptive.refine, positive(adaptive.refine), "a positive share of an edge"),
            (
                "coarsen",
                adaptive.coarsen,
                not_negative(adaptive.coarsen),
                "a share of an edge, zero or more",
            ),
        ];
        match checks.into_iter().find(|(_, _, sound, _)| !sound) {
            Some((field, value, _, expected)) => {
                Err(MethodError::OutOfRange { field, value, expected })
            }
            None => Ok(()),
        }
    }
}

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
