//! A factor that turns with the body, and is renewed when that is cheaper.

use glam::DVec3;
use pliant_sparse::FactorError;

use crate::body::{Model, Unknowns};
use crate::persist::{Persist, Reader, SnapshotError, Writer};
use crate::solver::linear::conjugate_gradient::Preconditioner;
use crate::solver::linear::nodes::{Scales, SystemParts};
use crate::solver::report::LinearReport;

use super::factored_rows::{FactoredRows, Precision};
use super::factored_system::FactoredSystem;
use super::ledger::Ledger;
use super::node_rotations::NodeRotations;

/// The most unknowns whose factor is analysed.
const MOST_UNKNOWNS: usize = 4000;

/// The most multiplications of a factorisation. It is spread over solves, and longer ones would end too late.
const MOST_WORK: f64 = 2e9;

/// The most multiplications of a factorisation in one solve: about a frame of 1/60 s. A slower one would be seen.
const MOST_WORK_AT_ONCE: f64 = 2.5e8;

/// Indices of the ledgers of free steps, and of steps in contact with obstacles.
const FREE: usize = 0;
const IN_CONTACT: usize = 1;

/// The factor of an earlier system, turned node by node to the present shape, as preconditioner of the present one.
///
/// A body starts without a factor. One is computed when solves without it cost more ([`Ledger`]), and renewed when it has cost as
/// much in extra iterations as a new one; in single precision over several solves, so that no frame pays for all of it. A solve that takes
/// longer than a new factor would gets one and goes on with it: no solve ends before it has converged if a factor fits in a frame. Larger
/// factors are always computed over several solves.
///
/// Joint solves do not use it: its matrix lacks the terms of pairs, which are far stiffer than bodies.
#[derive(Debug, Clone)]
pub(in crate::solver::linear) struct TurnedFactor {
    factored: FactoredRows,
    rotations: NodeRotations,
    /// Costs of free steps, and of steps in contact with obstacles: there the matrix changes with every touch, and a factor serves less.
    ledgers: [Ledger; 2],
    /// Index of the present ledger.
    present: usize,
    state: FactorAge,
    /// Positions of the nodes in the system of the next factor, in m.
    next_x: Vec<DVec3>,
    /// True if the present solve began it.
    has_begun: bool,
}

/// The state of the factor in the present system.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum FactorAge {
    /// No factor is ready.
    Unused,
    /// The factor is that of the present system.
    Present,
    /// The factor is that of an earlier system.
    Earlier,
}

impl TurnedFactor {
    /// Buffers for the systems of a body; `None` if a factor would be too large for real time.
    pub(in crate::solver::linear) fn new(
        model: &Model,
        unknowns: &Unknowns,
    ) -> Result<Option<Self>, FactorError> {
        if unknowns.count() > MOST_UNKNOWNS {
            return Ok(None);
        }
        let factored = FactoredRows::new(model, unknowns)?;
        let work = factored.factor_work();
        Ok((work <= MOST_WORK).then(|| Self {
            ledgers: [Ledger::new(model, factored.factor_size(), work); 2],
            present: FREE,
            next_x: model.mesh().nodes.clone(),
            has_begun: false,
            rotations: NodeRotations::new(model, unknowns),
            factored,
            state: FactorAge::Unused,
        }))
    }

    /// Prepares a system: no factor is ready for it yet.
    pub(in crate::solver::linear) fn open(&mut self, report: &mut LinearReport) {
        self.state = FactorAge::Unused;
        let has_factor = self.factored.system().is_some();
        report.blocks = if has_factor { self.factored.block_count() } else { 0 };
    }

    /// Turns the factor to the present shape; false if there is none, or if a new one is due.
    pub(in crate::solver::linear) fn reuse(&mut self, parts: &SystemParts<'_>) -> bool {
        let is_on = self.choose(parts);
        if !std::mem::take(&mut self.has_begun) && self.factored.advance_next() {
            self.rotations.mark(&self.next_x);
            self.ledgers.iter_mut().for_each(|ledger| ledger.open(Precision::Single));
        }
        let is_due = self.ledgers[self.present].is_stale() && !self.factored.has_next();
        let reuses = is_on && self.fits(parts) && !is_due;
        if reuses {
            self.rotations.follow(parts.x);
            self.state = FactorAge::Earlier;
        }
        reuses
    }

    /// True if there is a factor for these unknowns.
    fn fits(&self, parts: &SystemParts<'_>) -> bool {
        let version = parts.unknowns.version();
        self.factored.system().is_some_and(|system| system.version == version)
    }

    /// True if a new factor of the present system is due, and can be computed while the old one is in use.
    pub(in crate::solver::linear) fn wants_next(
        &mut self,
        parts: &SystemParts<'_>,
        precision: Precision,
    ) -> bool {
        let in_single = [precision, self.factored.precision()] == [Precision::Single; 2];
        self.choose(parts)
            && in_single
            && self.fits(parts)
            && self.ledgers[self.present].is_stale()
            && !self.factored.has_next()
    }

    /// Begins the next factor, with the present system.
    pub(in crate::solver::linear) fn start_next(
        &mut self,
        parts: &mut SystemParts<'_>,
        scales: &Scales,
        report: &mut LinearReport,
    ) {
        self.factored.start_next(parts, scales);
        self.next_x.copy_from_slice(parts.x);
        self.has_begun = true;
        self.ledgers[self.present].renew();
        report.factorisations += 1;
    }

    /// True if solves without contact use a factor.
    pub(in crate::solver::linear) fn is_used(&self) -> bool {
        self.ledgers[FREE].is_on()
    }

    /// Chooses the ledger for a system; true if its solves use a factor.
    pub(in crate::solver::linear) fn choose(&mut self, parts: &SystemParts<'_>) -> bool {
        self.present = if parts.points.has_contacts() { IN_CONTACT } else { FREE };
        self.ledgers[self.present].is_on()
    }

    /// True if a factor may be computed within one solve.
    fn fits_in_a_frame(&self) -> bool {
        self.factored.factor_work() <= MOST_WORK_AT_ONCE
    }

    /// True if the next factor should be computed over several solves: it is too large for one, or it is the first, and solves without a
    /// factor are not that bad.
    fn should_spread(&self, precision: Precision) -> bool {
        let is_first = precision == Precision::Single && self.factored.system().is_none();
        !self.fits_in_a_frame() || is_first && !self.ledgers[self.present].is_far_more_without()
    }

    /// Factors the present system, to be applied in this precision; false if it has no factor yet. One that takes several solves is begun.
    pub(in crate::solver::linear) fn renew(
        &mut self,
        parts: &mut SystemParts<'_>,
        scales: &Scales,
        precision: Precision,
        report: &mut LinearReport,
    ) -> bool {
        if self.should_spread(precision) {
            if precision == Precision::Single && !self.factored.has_next() {
                self.start_next(parts, scales, report);
            }
            return false;
        }
        self.renew_now(parts, scales, precision, report)
    }

    /// Factors the present system within this solve; false if it has no factor.
    pub(in crate::solver::linear) fn renew_now(
        &mut self,
        parts: &mut SystemParts<'_>,
        scales: &Scales,
        precision: Precision,
        report: &mut LinearReport,
    ) -> bool {
        self.factored.assemble(parts, scales);
        self.factored.factor(FactoredSystem::of(parts, scales), precision);
        self.rotations.mark(parts.x);
        self.ledgers.iter_mut().for_each(|ledger| ledger.open(precision));
        self.ledgers[self.present].renew();
        report.factorisations += 1;
        let done = self.factored.system().is_some();
        self.state = if done { FactorAge::Present } else { FactorAge::Unused };
        done
    }

    /// True if a factor is ready.
    pub(in crate::solver::linear) fn is_ready(&self) -> bool {
        self.state != FactorAge::Unused
    }

    /// Iterations after which a solve should go on with a new factor; `None` if the factor is new, or too large for a frame.
    pub(in crate::solver::linear) fn patience(&self) -> Option<u32> {
        let can_renew = self.state != FactorAge::Present && self.fits_in_a_frame();
        can_renew.then(|| self.ledgers[self.present].patience())
    }

    /// Records the iterations of a solve, unless it waits for its first factor.
    pub(in crate::solver::linear) fn note(&mut self, iterations: u32) {
        let ledger = &mut self.ledgers[self.present];
        if self.state == FactorAge::Unused && ledger.is_on() {
            return;
        }
        if self.present == IN_CONTACT {
            ledger.forget();
        }
        ledger.note(iterations);
    }

    /// Records the iterations of a solve that did not use it.
    pub(in crate::solver::linear) fn note_without(&mut self, iterations: u32) {
        let ledger = &mut self.ledgers[FREE];
        if !ledger.is_on() {
            ledger.note(iterations);
        }
    }

    /// Writes the state between steps.
    pub(in crate::solver::linear) fn save(&self, to: &mut Writer) {
        self.ledgers.iter().for_each(|ledger| ledger.save(to));
        self.factored.save(to);
        self.rotations.save(to);
        to.vectors(&self.next_x);
    }

    /// Reads it.
    pub(in crate::solver::linear) fn load(
        &mut self,
        unknowns: &Unknowns,
        from: &mut Reader<'_>,
    ) -> Result<(), SnapshotError> {
        self.state = FactorAge::Unused;
        self.ledgers.iter_mut().try_for_each(|ledger| ledger.load(from))?;
        self.factored.load(unknowns, from)?;
        let precision = self.factored.precision();
        self.ledgers.iter_mut().for_each(|ledger| ledger.apply_in(precision));
        self.rotations.load(from)?;
        from.vectors(&mut self.next_x)
    }
}

impl Preconditioner for TurnedFactor {
    fn apply(&mut self, r: &[DVec3], z: &mut [DVec3]) {
        if self.state == FactorAge::Present {
            return self.factored.apply(r, z);
        }
        self.rotations.turn_back(r, z);
        self.factored.solve(z);
        self.rotations.turn(z);
    }
}
