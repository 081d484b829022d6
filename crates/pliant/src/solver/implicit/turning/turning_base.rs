//! The states that a step in a turning frame starts from.

use glam::DVec3;

use crate::body::State;
use crate::solver::implicit::implicit::Implicit;
use crate::solver::implicit::node_vectors::NodeVectors;
use crate::solver::implicit::step::Step;

use super::rigid_motion::CentreMotion;
use super::turning::Turning;
use super::turning_frame::TurningFrame;

/// A state as seen in the frame at the end of a step.
struct Carried<'a> {
    frame: &'a TurningFrame,
    /// Age of the state at the end of the step, in steps.
    age: f64,
    centre: CentreMotion,
}

impl<'a> Carried<'a> {
    fn new(frame: &'a TurningFrame, age: f64, centre: CentreMotion) -> Self {
        Self { frame, age, centre }
    }

    /// Maps positions and velocities to those relative to the centre and to the rigid motion.
    fn motion(&self) -> impl Fn(DVec3, DVec3) -> (DVec3, DVec3) + use<'_> {
        let turn = self.frame.carry_positions(self.age);
        let carry = self.frame.carry_velocities(self.age);
        let (CentreMotion { centre, velocity, .. }, spin) = (self.centre, self.frame.spin);
        move |x, v| {
            let r = x - centre;
            (turn * r, carry * (v - velocity - spin.cross(r)))
        }
    }
}

impl Implicit {
    /// The base of Euler's rule. Its guess is the present velocity, and its change in the last step if the motion `follows` it.
    pub(super) fn one_step_base(
        &mut self,
        state: &State,
        step: &Step<'_>,
        Turning { frame, begin, .. }: &Turning,
        follows: bool,
    ) {
        let h = step.time.h;
        let (present, old) = (*begin, &self.history.before);
        let before = if follows { self.centre_motion([&old.x, &old.v]) } else { present };
        let (now, before) = (Carried::new(frame, 1.0, present), Carried::new(frame, 2.0, before));
        let (now, earlier) = (now.motion(), before.motion());
        let CentreMotion { centre, velocity, .. } = present;
        let NodeVectors { base, x, v, steady, offset, .. } = &mut self.nodes;
        for node in 0..x.len() {
            let (r, w) = now(state.x[node], state.v[node]);
            x[node] = centre + h * velocity + r;
            offset[node] = h * velocity;
            base.v[node] = w + h * frame.centrifugal(r);
            (v[node], steady[node]) = (w, w);
            if follows {
                let (_, w_before) = earlier(old.x[node], old.v[node]);
                v[node] += w - w_before;
            }
        }
        base.x.copy_from_slice(x);
        self.place_tied_base();
    }

    /// The base of BDF2: 4/3 of the present state minus 1/3 of the previous one.
    pub(super) fn two_step_base(
        &mut self,
        state: &State,
        step: &Step<'_>,
        Turning { frame, begin, g, .. }: &Turning,
        follows: bool,
    ) {
        let h = step.time.h;
        let (m, old) = (self.inertia_scale, &self.history.before);
        let (present, before) = (*begin, self.centre_motion([&old.x, &old.v]));
        let (now, earlier) = (Carried::new(frame, 1.0, present), Carried::new(frame, 2.0, before));
        let (now, earlier) = (now.motion(), earlier.motion());
        let ahead = |now: DVec3, before: DVec3| now + (now - before) / 3.0;
        let centre = ahead(present.centre, before.centre);
        let mean = ahead(present.velocity, before.velocity);
        let next = 2.0 * present.velocity - before.velocity;
        let arrival = centre + *g * next;
        let NodeVectors { base, x, v, steady, offset, .. } = &mut self.nodes;
        for node in 0..x.len() {
            let (r, w) = now(state.x[node], state.v[node]);
            let (r_before, w_before) = earlier(old.x[node], old.v[node]);
            x[node] = arrival + r;
            offset[node] = x[node] - (centre + ahead(r, r_before));
            let relative = g / h * (mean + ahead(w, w_before)) - offset[node] / h;
            // The end of the step to third order. With r + h w, linear modes of 1 to 1.7 times the spin grow.
            let end = ahead(r, r_before) + *g * (2.0 * w - w_before);
            base.v[node] = relative + h / m * frame.centrifugal(end);
            steady[node] = g / h * (next + w) - offset[node] / h;
            v[node] = steady[node];
            if follows {
                v[node] += g / h * (w - w_before);
            }
        }
        base.x.copy_from_slice(x);
        self.place_tied_base();
    }

    /// Puts tied nodes of the base between their ends.
    fn place_tied_base(&mut self) {
        let NodeVectors { base, x, v, offset, .. } = &mut self.nodes;
        for values in [&mut base.x, &mut base.v, x, v, offset] {
            self.unknowns.place_tied(values);
        }
    }
}
