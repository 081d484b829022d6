//! Islands that fall asleep.

use crate::sleep::{SleepConfig, StillLimits};
use crate::world::context::StepContext;
use crate::world::slot::component::skin_loads::WindAt;
use crate::world::slot::slot::BodySlot;

use super::island::Island;

/// The factor on the sleep speed after a solve that was cut short: about the speed that such a solve leaves.
const CUT_SHORT_SPEED_FACTOR: f64 = 40.0;

/// The factor on the sleep speed up to which nodes may tremble about one place.
const TREMBLING_FACTOR: f64 = 10.0;

/// The factor on the sleep speed up to which bodies that lie on something are slowed.
const LYING_FACTOR: f64 = 100.0;

/// The speed of a body and that of its points on obstacles, over that of the fastest node, above which it slides.
const SLIDING_SHARE: f64 = 0.5;

/// The factor on the sleep time of fragments without support: they may be about to swing back.
const UNSUPPORTED_STEPS_FACTOR: u32 = 8;

impl Island {
    /// Puts its bodies to sleep if all have been at rest for long enough, in steps of `dt`; returns true if it did.
    pub(crate) fn settles(&mut self, sleep: &SleepConfig, dt: f64, group: u32) -> bool {
        let distance = sleep.speed * dt * f64::from(sleep.steps);
        for _ in 0..if self.double_step { 2 } else { 1 } {
            for slot in self.members_mut() {
                let factor = if slot.joint.cut_short { CUT_SHORT_SPEED_FACTOR } else { 1.0 };
                let speed = factor * sleep.speed;
                let limits = StillLimits { speed, distance, trembling: TREMBLING_FACTOR * speed };
                slot.sleep.count(&slot.body.state.x, &slot.body.state.v, limits);
            }
        }
        // A body without support, or with pins alone, may be about to swing back. Only fragments sleep then, and later.
        let supported = self.has_contacts() || self.members().any(|slot| slot.contact.on_obstacle);
        let fragments = self.members().all(|slot| slot.body.part().is_some());
        let steps = if supported {
            sleep.steps
        } else {
            UNSUPPORTED_STEPS_FACTOR.saturating_mul(sleep.steps)
        };
        let still = self.members().all(|slot| slot.sleep.still() >= steps);
        let settled = (supported || fragments) && still;
        if settled {
            self.members_mut().for_each(|slot| slot.fall_asleep_at_start(group));
        }
        settled
    }

    /// Slows bodies that roll or rock on something, if all of them move slowly, so that they come to rest in about the time after which they sleep.
    ///
    /// ```text
    /// v ← v/(1 + 1/n)        if |v| ≤ 100 v_s at all nodes
    /// ```
    ///
    /// - `n`, `v_s` the steps and the speed of [`SleepConfig`]
    ///
    /// It stands for the resistance of real surfaces to rolling. Contact has none, so that a bar which balances on another would rock for a minute, and keep its
    /// whole heap awake. Bodies that slide, and those that are pinned, pulled, attached or carried by something in motion, are left as they are.
    pub(super) fn resist_rolling(&mut self, context: &StepContext<'_>) {
        let Some(SleepConfig { speed, steps, .. }) = context.config.sleep else { return };
        let fastest = self.fastest();
        let slides = |slot: &BodySlot| slot.slides_at(SLIDING_SHARE * fastest);
        let is_slow = fastest <= LYING_FACTOR * speed;
        if !(self.lies_on_something() && is_slow) || self.members().any(slides) {
            return;
        }
        let is_free = |slot: &BodySlot| slot.body.pins().is_empty() && slot.is_closed(context);
        if self.is_closed(context) && self.members().all(is_free) {
            let once = 1.0 / (1.0 + 1.0 / f64::from(steps.max(1)));
            let share = if self.double_step { once * once } else { once };
            let velocities = self.members_mut().flat_map(|slot| &mut slot.body.state.v);
            velocities.for_each(|v| *v *= share);
        }
    }

    fn lies_on_something(&self) -> bool {
        let mut touches = self.touches.list().iter();
        touches.any(|touch| touch.prescribed.is_some())
            || self.members().any(|slot| slot.contact.on_obstacle)
    }

    /// The speed of the fastest node, in m/s.
    fn fastest(&self) -> f64 {
        let velocities = self.members().flat_map(|slot| &slot.body.state.v);
        velocities.map(|v| v.length_squared()).fold(0.0, f64::max).sqrt()
    }

    /// Stores the loads under which its bodies fell asleep.
    pub(crate) fn store_sleep_loads(&mut self, wind: WindAt<'_>) {
        self.members_mut().for_each(|slot| slot.store_sleep_loads(wind));
    }
}

impl BodySlot {
    /// True if it moves faster than this as a whole, in m/s, and slips on an obstacle as fast. A body that rolls does not slip, and one that trembles stays in its place.
    fn slides_at(&self, speed: f64) -> bool {
        let mean = self.momentum() / self.body.model().mass();
        let contact = self.contact.obstacles.as_ref();
        mean.length() > speed && contact.is_some_and(|contact| contact.fastest_slip() > speed)
    }
}
