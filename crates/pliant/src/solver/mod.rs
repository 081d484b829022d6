//! Solvers: sparse systems, equilibrium, and the steps in time.

mod config;
pub(crate) mod explicit;
pub(crate) mod external;
pub(crate) mod implicit;
pub(crate) mod joint;
mod line_search;
pub(crate) mod linear;
pub(crate) mod matrix6;
pub(crate) mod phase;
pub(crate) mod push_points;
mod report;
pub(crate) mod rigid;
mod statics;
mod whole_motion;
pub(crate) mod xpbd;

pub use config::{
    AdaptiveConfig, LinearSolver, Mass, MethodConfig, MethodError, Rayleigh, Stepper,
};
pub(crate) use explicit::{SymplecticEuler, stable_step};
pub(crate) use external::External;
pub(crate) use implicit::Implicit;
pub(crate) use joint::{FactorForm, Joint, Member, RigidPart};
pub(crate) use linear::Outcome;
pub use phase::Phase;
pub(crate) use phase::PhaseTeller;
pub use pliant_kernels::warped::Rotation;
pub(crate) use pliant_sparse::FactorError;
pub(crate) use push_points::{MAX_POINT_FORCE_ROUNDS, POINT_FORCE_TOLERANCE, implicit_change};
pub use report::{LinearReport, SweepReport};
pub(crate) use rigid::RigidStepper;
pub use statics::{
    Equilibrium, Loads, Reaction, SolveError, StaticConfig, StaticProgress, StaticReport,
};
pub(crate) use whole_motion::WholeMotion;
pub use xpbd::Projection;
pub(crate) use xpbd::Xpbd;
