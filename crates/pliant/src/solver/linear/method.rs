//! The method of a linear solve: operator, preconditioner, and when each is used.

use pliant_sparse::FactorError;

use crate::body::{Model, Unknowns};
use crate::persist::{Persist, Reader, SnapshotError, Writer};
use crate::solver::config::{LinearSolver, MethodConfig, Stepper};
use pliant_kernels::math::Mat3;

use super::block_rows::BlockRows;
use super::conjugate_gradient::Outcome;
use super::factor::{ExactFactor, LazyCholesky, TurnedFactor};
use super::multigrid::Multigrid;

/// Operator and preconditioner.
#[derive(Debug, Clone)]
pub(super) enum Method {
    /// No matrix, scalar diagonal.
    MatrixFree,
    /// Assembled rows, the inverse of their diagonal blocks, and a factor for small systems that converge slowly.
    Rows { rows: Box<BlockRows>, inverse: Vec<Mat3>, exact: ExactFactor },
    /// Matrix-free products, the factor of an earlier matrix.
    Cholesky(Box<LazyCholesky>),
    /// Matrix-free products, the scalar diagonal, and a factor that turns with the body where that is cheaper.
    Turned(Box<TurnedFactor>),
    /// Matrix-free products, a matrix for linear cells only.
    Multigrid(Box<Multigrid>, Use),
}

/// When the multigrid levels are used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Use {
    /// In every solve.
    Always,
    /// After a slow solve with the diagonal alone, which is enough for short steps.
    WhenSlow,
    /// While they need fewer iterations than the diagonal did; the number is that of the diagonal.
    WhileFaster(u32),
    /// No longer: forces that the lower levels do not contain made them slow.
    Never,
}

impl Use {
    fn of(solver: LinearSolver) -> Self {
        if solver == LinearSolver::Auto { Self::WhenSlow } else { Self::Always }
    }

    pub(super) fn now(self) -> bool {
        matches!(self, Self::Always | Self::WhileFaster(_))
    }

    /// Updates the choice after a solve.
    pub(super) fn note(&mut self, outcome: &Outcome) {
        *self = match *self {
            Self::WhenSlow if outcome.iterations > SLOW => Self::WhileFaster(outcome.iterations),
            // An iteration over the levels costs about two without.
            Self::WhileFaster(before) if 2 * outcome.iterations > before => Self::Never,
            same => same,
        };
    }
}

impl Persist for Use {
    fn save(&self, to: &mut Writer) {
        let (tag, before) = match *self {
            Self::Always => (0, 0),
            Self::WhenSlow => (1, 0),
            Self::WhileFaster(before) => (2, before),
            Self::Never => (3, 0),
        };
        to.u8(tag);
        to.u32(before);
    }

    fn load(&mut self, from: &mut Reader<'_>) -> Result<(), SnapshotError> {
        *self = match (from.u8()?, from.u32()?) {
            (0, 0) => Self::Always,
            (1, 0) => Self::WhenSlow,
            (2, before) => Self::WhileFaster(before),
            (3, 0) => Self::Never,
            _ => return Err(from.bad("when levels are used")),
        };
        Ok(())
    }
}

impl Method {
    pub(super) fn new(
        model: &Model,
        unknowns: &Unknowns,
        method: &MethodConfig,
    ) -> Result<Self, FactorError> {
        Ok(match resolve(model, method) {
            LinearSolver::ConjugateGradient => Self::Rows {
                rows: Box::new(BlockRows::new(model, unknowns)),
                inverse: vec![Mat3::IDENTITY; unknowns.count()],
                exact: ExactFactor::default(),
            },
            LinearSolver::Cholesky => Self::Cholesky(Box::new(LazyCholesky::new(model, unknowns)?)),
            LinearSolver::Multigrid => Self::levels(model, unknowns, method)?,
            LinearSolver::MatrixFree => Self::MatrixFree,
            LinearSolver::Auto => Self::cheapest(model, unknowns, method)?,
        })
    }

    /// Levels, or none if the cells are linear.
    fn levels(
        model: &Model,
        unknowns: &Unknowns,
        method: &MethodConfig,
    ) -> Result<Self, FactorError> {
        let levels = Multigrid::new(model, unknowns)?;
        let of_levels = |levels| Self::Multigrid(Box::new(levels), Use::of(method.solver));
        Ok(levels.map_or(Self::MatrixFree, of_levels))
    }

    /// A factor if it is small enough, and levels for larger bodies. While the degree of cells changes, the matrix does, too: no factor
    /// would be used often enough.
    fn cheapest(
        model: &Model,
        unknowns: &Unknowns,
        method: &MethodConfig,
    ) -> Result<Self, FactorError> {
        if method.adaptive.is_none()
            && let Some(factor) = TurnedFactor::new(model, unknowns)?
        {
            return Ok(Self::Turned(Box::new(factor)));
        }
        if unknowns.count() >= LARGE {
            return Self::levels(model, unknowns, method);
        }
        Ok(Self::MatrixFree)
    }
}

/// A factor for the smooth steps of a body whose other systems are solved with rows; `None` for other bodies.
pub(super) fn factor_for_smooth_steps(
    model: &Model,
    unknowns: &Unknowns,
    method: &MethodConfig,
) -> Result<Option<Box<TurnedFactor>>, FactorError> {
    let has_rows = method.solver == LinearSolver::Auto
        && resolve(model, method) == LinearSolver::ConjugateGradient;
    let is_smooth = method.stepper == Stepper::Bdf2 && !model.is_breakable();
    if has_rows && is_smooth && method.adaptive.is_none() {
        return Ok(TurnedFactor::new(model, unknowns)?.map(Box::new));
    }
    Ok(None)
}

/// Iterations with the diagonal alone from which levels are tried.
const SLOW: u32 = 40;

/// Number of unknowns from which the levels of a body of higher degree are worth their cost.
const LARGE: usize = 1000;

/// The meaning of [`LinearSolver::Auto`] for a body, by measurement: at degree 1 so many cells share a block that
/// products with rows are 2 to 3 times faster than those with cells; from degree 2 on products with cells are faster,
/// and need no assembly.
fn resolve(model: &Model, method: &MethodConfig) -> LinearSolver {
    let linear = model.batches().iter().all(|batch| batch.kind.degree() == 1);
    match method.solver {
        LinearSolver::Auto if linear => LinearSolver::ConjugateGradient,
        chosen => chosen,
    }
}
