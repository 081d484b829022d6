//! Joint steps that are taken again if they create energy.

use crate::solver::PhaseTeller;
use crate::world::context::StepContext;
use crate::world::slot::slot::BodySlot;

use super::island::Island;

/// How many times shorter the substeps of the next attempts are.
const FINER: [u32; 2] = [4, 16];

/// The energy that a step may create, relative to that at its start.
const SLACK: f64 = 0.02;

impl Island {
    /// Advances the members with linear solves by `advance`, which takes as many times more substeps as its second argument says.
    ///
    /// One linearisation is accurate for small changes of shape only. Where a cell changed more in the step, its energy is compared with that at the
    /// start and with what gravity and contacts can have added. A step that created energy is taken again in shorter substeps. If that does
    /// not help, all members move like one rigid body in this step.
    pub(super) fn step_carefully(
        &mut self,
        context: &StepContext<'_>,
        phase: &mut PhaseTeller<'_>,
        advance: impl Fn(&mut Self, &StepContext<'_>, u32, &mut PhaseTeller<'_>),
    ) {
        self.touches.begin();
        advance(self, context, 1, phase);
        let mut is_rough = false;
        self.members_mut().for_each(|slot| is_rough |= slot.took_rough_step());
        let closed = self.is_closed(context) && self.members().all(|slot| slot.is_closed(context));
        if !(is_rough && closed) {
            return;
        }
        let spare = self.contact_energy + self.unexplained_energy(context);
        let start: f64 = self.members_mut().map(BodySlot::energy_at_start).sum();
        let most = (1.0 + SLACK) * start + spare;
        for finer in FINER {
            if self.is_within(most, context) {
                return;
            }
            self.take_back();
            advance(self, context, finer, phase);
        }
        if !self.is_within(most, context) {
            self.move_rigidly(context);
            self.members_mut().for_each(|slot| slot.report.linear.fallbacks += 1);
        }
    }

    /// True if the members in the joint solve have at most this energy, in J, and what gravity added.
    fn is_within(&mut self, most: f64, context: &StepContext<'_>) -> bool {
        let gravity = context.config.gravity;
        let mut energy = 0.0;
        for slot in self.members_mut().filter(|slot| slot.solves()) {
            energy += slot.energy_now() - slot.work_of(gravity).max(0.0);
        }
        // Not true for an energy that is not a number.
        energy <= most
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
