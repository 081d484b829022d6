//! Solvers: sparse systems, equilibrium, and the steps in time.

mod config;
mod explicit;
mod external;
mod implicit;
mod joint;
mod line_search;
mod linear;
mod matrix6;
mod phase;
mod push_points;
mod report;
mod rigid;
mod statics;
mod xpbd;

pub use crate::force::Rotation;
pub use config::{
    AdaptiveConfig, LinearSolver, Mass, MethodConfig, MethodError, Rayleigh, Stepper,
};
pub use explicit::{SymplecticEuler, stable_step};
pub use external::External;
pub use implicit::{Adaptive, Implicit, Prediction, Ties};
pub use joint::{Joint, Member, RigidPart};
pub use linear::{
    Assembly, BlockRows, ConjugateGradient, LinearSystem, Masses, Operator, Outcome,
    Preconditioner, Scales, Stop, SystemParts,
};
pub use matrix6::{Matrix6, Vector6};
pub use phase::{Phase, PhaseTeller};
pub use pliant_sparse::{BlockMatrix, Cholesky, FactorError};
pub use push_points::{MAX_POINT_FORCE_ROUNDS, POINT_FORCE_TOLERANCE, implicit_change};
pub use report::{LinearReport, SweepReport};
pub use rigid::RigidStepper;
pub use statics::{
    Equilibrium, Loads, Reaction, SolveError, StaticConfig, StaticProgress, StaticReport,
};
pub use xpbd::{CellConstraints, ConstraintSweep, Projection, SharedPoints, Xpbd};
