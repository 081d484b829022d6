//! Points that will not reach an obstacle in a step, because others stop the body before.

use glam::{DMat3, DVec3};

use crate::body::State;

use super::obstacle_contact::ObstacleContact;
use super::point_contact::PointContact;
use pliant_kernels::math::PointMasses;

/// Rounds over all contacts.
const ROUNDS: usize = 60;

/// Impulse of a point that arrives, over the largest one.
const LEAST_SHARE: f64 = 1e-3;

/// A body that moves as a whole and is pushed.
#[derive(Debug, Clone, Copy)]
struct PushedWhole {
    masses: PointMasses,
    inverse_inertia: DMat3,
    velocity: DVec3,
    spin: DVec3,
}

impl ObstacleContact {
    /// Removes points that do not reach an obstacle in this step, if the body touches corners or edges of obstacles.
    ///
    /// A force that is linear in the new velocity stops a point that is about to enter, but it would also pull in a point that others
    /// keep away; if these others are not in one plane with it, as on uneven ground, the body would be bent between them. So the step is first
    /// taken by the body as a whole, with impulses `λ` that only push:
    ///
    /// ```text
    /// gᵢ⁺ + h nᵢ·(v + ω × rᵢ) ≥ 0        λᵢ ≥ 0        one or the other zero
    /// ```
    ///
    /// - `g⁺` gap, in m, or zero if the point is inside; `n` normal; `r` position from the centre of mass, in m
    /// - `v`, `ω` velocity of the centre and rotation, in m/s and rad/s; `h` length of the step, in s
    ///
    /// solved one after the other (Gauss–Seidel). A point that is outside and has no impulse does not arrive.
    pub(super) fn drop_points_that_stay_away(&mut self, state: &State, (ahead, h): (f64, f64)) {
        let waits = |contact: &PointContact| contact.gap > 0.0;
        let on_features = self.gathered.iter().any(|contact| contact.part.is_some());
        if ahead == 0.0 || !on_features || !self.gathered.iter().any(waits) {
            return;
        }
        let Self { gathered, masses, impulses, x, .. } = self;
        let Some(mut motion) = PushedWhole::of(state, masses) else { return };
        impulses.clear();
        impulses.resize(gathered.len(), 0.0);
        for _ in 0..ROUNDS {
            for (contact, impulse) in gathered.iter().zip(&mut *impulses) {
                let place = contact.point.blend(x);
                motion.stop(place, contact.plane.normal, contact.gap.max(0.0) / h, impulse);
            }
        }
        let least = LEAST_SHARE * impulses.iter().copied().fold(0.0, f64::max);
        let mut impulses = impulses.iter();
        gathered.retain(|contact| {
            let arrives = impulses.next().is_some_and(|impulse| *impulse > least);
            arrives || !waits(contact)
        });
    }
}

impl PushedWhole {
    /// The motion with the momentum and angular momentum of all nodes; `None` if they are on a line.
    fn of(state: &State, masses: &[f64]) -> Option<Self> {
        let nodes = state.x.iter().zip(&state.v).zip(masses);
        let whole = PointMasses::of(state.x.iter().copied().zip(masses.iter().copied()));
        let (mut momentum, mut turning) = (DVec3::ZERO, DVec3::ZERO);
        for ((x, v), mass) in nodes {
            momentum += *mass * *v;
            turning += (*x - whole.centre).cross(*mass * *v);
        }
        let inverse_inertia = whole.inertia.inverse();
        let (velocity, spin) = (momentum / whole.mass, inverse_inertia * turning);
        let sound = inverse_inertia.is_finite() && spin.is_finite() && velocity.is_finite();
        sound.then_some(Self { masses: whole, inverse_inertia, velocity, spin })
    }

    /// Adds to the impulse on a point, in N·s, so that it approaches no faster than `allowed`, in m/s.
    fn stop(&mut self, place: DVec3, normal: DVec3, allowed: f64, impulse: &mut f64) {
        let PointMasses { mass, centre, .. } = self.masses;
        let turn = (place - centre).cross(normal);
        let rate = normal.dot(self.velocity) + turn.dot(self.spin);
        let softness = 1.0 / mass + turn.dot(self.inverse_inertia * turn);
        let new = (*impulse - (rate + allowed) / softness).max(0.0);
        let change = new - *impulse;
        *impulse = new;
        self.velocity += (change / mass) * normal;
        self.spin += change * (self.inverse_inertia * turn);
    }
}
