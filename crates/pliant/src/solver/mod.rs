//! Solvers: sparse systems, equilibrium, and the steps in time.

mod adaptive;
mod block_matrix;
mod equilibrium;
mod implicit;
mod joint;
mod linear;
mod matrix6;
mod method;
mod push_points;
mod rigid;
mod statics;
mod support;
mod symplectic_euler;
mod xpbd;

pub use crate::force::Rotation;
pub use adaptive::{Adaptive, Prediction, Ties};
pub use block_matrix::Assembly;
pub use equilibrium::Equilibrium;
pub use implicit::{External, Implicit};
pub use joint::{Joint, Member, RigidPart};
pub use linear::{
    BlockRows, ConjugateGradient, LinearSystem, Masses, Operator, Outcome, Parts, Preconditioner,
    Scales, Stop,
};
pub use matrix6::{Matrix6, Vector6};
pub use method::{
    AdaptiveConfig, LinearReport, LinearSolver, Mass, MethodConfig, MethodError, Phase,
    PhaseTeller, Rayleigh, Stepper, SweepReport,
};
pub use pliant_sparse::{BlockMatrix, Cholesky, FactorError};
pub use push_points::{ENOUGH, MOST_ROUNDS, implicit_change};
pub use rigid::RigidStepper;
pub use statics::{Loads, SolveError, StaticConfig, StaticProgress, StaticReport};
pub use support::Reaction;
pub use symplectic_euler::{SymplecticEuler, stable_step};
pub use xpbd::{CellConstraints, ConstraintSweep, Projection, SharedPoints, Xpbd};
