//! Why a choice of method is rejected.

use pliant_sparse::FactorError;

/// An invalid choice of method.
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
        /// The valid range.
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
        /// The remedy.
        remedy: &'static str,
    },
    /// Adaptive degree where no cell could change it.
    #[error(
        "adaptive degree needs quadratic tetrahedra, and this body has none: give its mesh degree 2, or switch adaptive off for it"
    )]
    NothingToAdapt,
    /// A cell whose law has a negative stiffness, for which no constraint exists.
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
    /// A body too stiff for a reasonable number of explicit steps.
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
        /// The largest number of substeps.
        most: u32,
    },
}
