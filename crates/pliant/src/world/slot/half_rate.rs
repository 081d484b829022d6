//! A body at half rate.

use crate::contact::Obstacle;

use super::component::stepper::BodyStepper;
use super::slot::BodySlot;

impl BodySlot {
    /// True if nothing was solved for it in this step: it slept, ended a double step, or moved as prescribed.
    pub(crate) fn was_idle(&self) -> bool {
        self.sleep.is_asleep() || self.double_step.finished || self.is_kinematic()
    }

    /// True if it can take a double step: its rule damps, and nothing prescribed moves it meanwhile.
    pub(crate) fn may_double_step(&mut self, obstacles: &[Obstacle], from: f64, to: f64) -> bool {
        // The bounding ball is that of a sleeping body, and this one is awake.
        self.contact.forget_ball();
        self.stepping.method.stepper.allows_double_steps()
            && self.double_step.full_rate_steps == 0
            && matches!(self.stepping.stepper, BodyStepper::Implicit(_))
            && self.body.springs().next().is_none()
            && !self.is_driven(obstacles, from, to)
    }

    /// Moves it back to the middle of the double step that its group has taken.
    pub(crate) fn start_double_step(&mut self, group: u32) {
        if !(self.sleep.is_asleep() || self.report.reset) {
            self.double_step.start(group, &mut self.body, &self.start_state.state);
        }
    }

    /// True if it is in the middle of a double step and was changed or pulled there.
    pub(crate) fn is_double_step_disturbed(&self) -> bool {
        let Self { double_step, body, start_state, .. } = self;
        double_step.is_under_way() && !double_step.is_undisturbed(body, &start_state.state)
    }

    /// Moves it to the end of its double step.
    pub(crate) fn finish_double_step(&mut self) {
        self.double_step.finish(&mut self.body);
        self.contact.make_stale();
        self.contact.just_placed = false;
    }
}
