//! Islands that fall asleep.

use crate::sleep::{SleepConfig, StillLimits};
use crate::world::slot::component::skin_loads::WindAt;

use super::island::Island;

/// The factor on the sleep speed after a solve that was cut short: about the speed that such a solve leaves.
const CUT_SHORT_SPEED_FACTOR: f64 = 40.0;

/// The factor on the sleep speed up to which nodes may tremble about one place.
const TREMBLING_FACTOR: f64 = 10.0;

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

    /// Stores the loads under which its bodies fell asleep.
    pub(crate) fn store_sleep_loads(&mut self, wind: WindAt<'_>) {
        self.members_mut().for_each(|slot| slot.store_sleep_loads(wind));
    }
}
