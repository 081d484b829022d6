//! Joint steps that are taken again if they create energy.

use crate::solver::PhaseTeller;
use crate::world::context::StepContext;
use crate::world::slot::slot::BodySlot;

use super::island::Island;
use super::step_check::StepCheck;

/// How many times shorter the substeps of the next attempts are.
const FINER: [u32; 2] = [4, 16];

/// The energy that a step may create, relative to that at its start.
const SLACK: f64 = 0.02;

impl Island {
    /// Advances the members with linear solves by `advance`, which takes as many times more substeps as its second argument says.
    ///
    /// One linearisation is accurate for small changes of shape only. Where a cell changed more in the step, its energy is compared with that at the
    /// start and with what gravity and contacts can have added. A step that created energy is taken again in shorter substeps; among fragments, the
    /// deformation in the step is reduced instead. If that does not help, all members move like one rigid body in this step.
    pub(super) fn step_carefully(
        &mut self,
        context: &StepContext<'_>,
        phase: &mut PhaseTeller<'_>,
        advance: impl Fn(&mut Self, &StepContext<'_>, u32, &mut PhaseTeller<'_>),
    ) {
        self.touches.begin();
        advance(self, context, 1, phase);
        self.find_rough_members();
        if !(self.check.rough.contains(&true) && self.work_is_known(context)) {
            return;
        }
        let spare = self.check.contact_energy + self.unexplained_energy(context);
        let start: f64 = self.members_mut().map(BodySlot::energy_at_start).sum();
        let most = (1.0 + SLACK) * start + spare;
        let is_broken = self.members().any(|slot| slot.body.part().is_some());
        let within = if is_broken {
            self.is_within(most, context) || self.restrain(most, context)
        } else {
            self.take_finer_steps(most, context, phase, advance)
        };
        if !within {
            self.move_rigidly(context);
            self.members_mut().for_each(|slot| slot.report.linear.fallbacks += 1);
        }
    }

    /// Takes the step again in shorter substeps while it creates energy; true if it no longer does.
    fn take_finer_steps(
        &mut self,
        most: f64,
        context: &StepContext<'_>,
        phase: &mut PhaseTeller<'_>,
        advance: impl Fn(&mut Self, &StepContext<'_>, u32, &mut PhaseTeller<'_>),
    ) -> bool {
        for finer in FINER {
            if self.is_within(most, context) {
                return true;
            }
            self.take_back();
            advance(self, context, finer, phase);
        }
        self.is_within(most, context)
    }

    /// True if nothing adds energy to its bodies but gravity, contacts, and bodies with prescribed motion that they touch.
    fn work_is_known(&self, context: &StepContext<'_>) -> bool {
        self.only_touches_move_it(context) && self.members().all(|slot| slot.is_closed(context))
    }

    /// Finds the members whose changes of shape in the step were too large for one linearisation.
    fn find_rough_members(&mut self) {
        let Self { members, check: StepCheck { rough, .. }, .. } = self;
        rough.clear();
        rough.extend(members.iter_mut().map(|slot| slot.took_rough_step()));
    }

    /// True if the members in the joint solve have at most this energy, in J, and what was added to it.
    fn is_within(&mut self, most: f64, context: &StepContext<'_>) -> bool {
        // Not true for an energy that is not a number.
        self.energy_without_work(context) <= most
    }

    /// The energy of the members in the joint solve without what gravity and bodies with prescribed motion added in the step, in J.
    pub(super) fn energy_without_work(&mut self, context: &StepContext<'_>) -> f64 {
        let gravity = context.config.gravity;
        let pushed = self.work_of_prescribed_bodies().max(0.0);
        let solved = self.members_mut().filter(|slot| slot.solves());
        solved.map(|slot| slot.energy_now() - slot.work_of(gravity).max(0.0)).sum::<f64>() - pushed
    }

    /// The work in this step of the bodies with prescribed motion that its bodies touch, in J.
    fn work_of_prescribed_bodies(&self) -> f64 {
        let touches = self.touches.list().iter();
        let works = touches
            .filter_map(|touch| touch.prescribed.map(|point| touch.impulse.dot(point.velocity)));
        works.sum()
    }

    /// Returns to the start of the step.
    fn take_back(&mut self) {
        self.touches.take_back();
        self.forget_ties();
        for slot in self.members_mut().filter(|slot| slot.solves()) {
            slot.start_state.state.restore(&mut slot.body.state);
        }
    }
}
