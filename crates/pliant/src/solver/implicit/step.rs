//! One step of one body.

use crate::body::RestShape;
use crate::solver::external::External;
use crate::solver::phase::PhaseTeller;
use crate::solver::report::LinearReport;
use pliant_kernels::math::TimeStep;

/// One step of one body.
pub(super) struct Step<'a> {
    pub(super) rest: RestShape<'a>,
    pub(super) time: TimeStep,
    pub(super) external: External<'a>,
    pub(super) phase: &'a mut PhaseTeller<'a>,
    pub(super) report: LinearReport,
}
