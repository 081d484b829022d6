//! Damping of the motion of the frame, and the balance of momentum and angular momentum.

use glam::{DMat3, DQuat, DVec3};

use crate::body::{Body, State};
use crate::solver::implicit::implicit::Implicit;
use crate::solver::implicit::node_vectors::NodeVectors;
use crate::solver::implicit::step::Step;

use super::rigid_motion::CentreMotion;
use super::turning::Turning;

/// The largest correction of the rotation in a step, in rad. It is below 0.02 rad for rigid bodies; where a body is folded up, so that
/// a small rotation changes its angular velocity a lot, a large one would be wrong.
const LARGEST_CORRECTION: f64 = 0.1;

impl Implicit {
    /// Lets damping in proportion to mass act on the motion of the frame, too.
    pub(super) fn damp_rigid_motion(
        &mut self,
        step: &Step<'_>,
        Turning { frame, begin, g, .. }: &Turning,
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

    /// The centre of the positions from which the stage starts, and the angular velocity of its solution there.
    fn stage_rotation(&self) -> (DVec3, DVec3) {
        let NodeVectors { base, v, .. } = &self.nodes;
        let centre = self.centre_motion([&base.x, v]).centre;
        let motion = self.lumped_rotation([&base.x, v], centre);
        (centre, motion.spin_of(motion.angular))
    }

    /// Removes the rotation from the solution of a stage of Euler for a free body: along the tangents, it would stretch the body.
    /// `correct_rotation` turns the body instead.
    pub(super) fn remove_rotation(&mut self) {
        let (centre, spin) = self.stage_rotation();
        let NodeVectors { base, v, .. } = &mut self.nodes;
        v.iter_mut().zip(&base.x).for_each(|(v, x)| *v -= spin.cross(*x - centre));
    }

    /// Turns a body that turns freely so that it has turned by the mean of its angular velocities at both ends of the step. This
    /// trapezoidal rule is nearly the same forward and backward in time and, with the exact angular momentum, hardly damps or
    /// excites the tumbling of a rigid body. Euler damps it, and BDF2 excites it.
    fn correct_rotation(
        &self,
        body: &mut Body,
        h: f64,
        end: &CentreMotion,
        [start, after]: [DVec3; 2],
    ) -> DMat3 {
        let (_, stage) = self.stage_rotation();
        let turned = turn_by(h * stage) * self.turned_by;
        let turn = turn_by(0.5 * h * (start + after)) * turned.transpose();
        let angle = DQuat::from_mat3(&turn).to_scaled_axis();
        let turn = turn_by(angle.clamp_length_max(LARGEST_CORRECTION));
        let State { x, v, .. } = &mut body.state;
        for (x, v) in x.iter_mut().zip(v.iter_mut()) {
            *x = end.centre + turn * (*x - end.centre);
            *v = end.velocity + turn * (*v - end.velocity);
        }
        turn
    }

    /// Corrects the rotation of a body that nothing holds, and the rigid part of its velocities so that momentum and angular momentum
    /// change by the impulse of gravity and damping, which the rule satisfies only to its order.
    pub(super) fn balance(
        &mut self,
        body: &mut Body,
        step: &mut Step<'_>,
        Turning { begin, start, .. }: &Turning,
        angular: DVec3,
    ) {
        let (h, (a, _)) = (step.time.h, self.rayleigh(step));
        let end = self.centre_motion([&body.state.x, &body.state.v]);
        let mut rotation = self.rotation(&body.state, &end);
        let kept = 1.0 / (1.0 + h * a);
        if let Some(start) = start {
            // To iterate for the angular velocity after the correction diverges for thin bodies: a small rotation changes it a lot.
            let after = rotation.spin_of(kept * angular);
            rotation = rotation.turned(self.correct_rotation(body, h, &end, [*start, after]));
        }
        let velocity = kept * (begin.velocity + h * step.external.gravity) - end.velocity;
        let spin = rotation.spin_of(kept * angular - rotation.angular);
        for (v, x) in body.state.v.iter_mut().zip(&body.state.x) {
            *v += velocity + spin.cross(*x - end.centre);
        }
    }
}

/// The rotation about an axis by its length, in rad.
fn turn_by(axis: DVec3) -> DMat3 {
    DMat3::from_quat(DQuat::from_scaled_axis(axis))
}
