//! Damping of the motion of the frame, and the balance of momentum and angular momentum.

use glam::DVec3;

use crate::body::Body;
use crate::solver::implicit::implicit::Implicit;
use crate::solver::implicit::node_vectors::NodeVectors;
use crate::solver::implicit::step::Step;

use super::rigid_motion::CentreMotion;
use super::turning::Turning;

impl Implicit {
    /// Lets damping in proportion to mass act on the motion of the frame, too.
    pub(super) fn damp_rigid_motion(
        &mut self,
        step: &Step<'_>,
        Turning { frame, begin, g }: &Turning,
    ) {
        let (a, _) = self.rayleigh(step);
        if a == 0.0 {
            return;
        }
        let share = step.time.h * a / self.inertia_scale;
        let NodeVectors { base, offset, .. } = &mut self.nodes;
        let arrival = begin.centre + step.time.h * begin.velocity;
        for (node, v) in base.v.iter_mut().enumerate() {
            *v -= share * (offset[node] / *g + frame.spin.cross(base.x[node] - arrival));
        }
    }

    /// Corrects the rigid part of the velocities of a body that nothing holds so that momentum and angular momentum change by the
    /// impulse of gravity and damping, which the rule satisfies only to its order.
    pub(super) fn balance(
        &mut self,
        body: &mut Body,
        step: &mut Step<'_>,
        begin: &CentreMotion,
        angular: DVec3,
    ) {
        let (h, (a, _)) = (step.time.h, self.rayleigh(step));
        let end = self.centre_motion([&body.state.x, &body.state.v]);
        let rotation = self.rotation(&body.state, &end, step);
        let kept = 1.0 / (1.0 + h * a);
        let velocity = kept * (begin.velocity + h * step.external.gravity) - end.velocity;
        let spin = rotation.spin_of(kept * angular - rotation.angular);
        for (v, x) in body.state.v.iter_mut().zip(&body.state.x) {
            *v += velocity + spin.cross(*x - end.centre);
        }
    }
}
