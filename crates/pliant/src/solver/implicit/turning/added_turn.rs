//! The rotation of a body in contact beyond that of its frame.
//!
//! A contact can change the angular velocity of a light body by more than a radian per step. A stage is linear in its unknowns, so
//! that such a rotation moves all nodes along tangents and stretches the body by √(1 + θ²): a fragment that touched the ground
//! with one corner had ten times its kinetic energy as stress after the step. So a large rotation is taken out of the solution, and the body is
//! turned by it instead.

use glam::{DMat3, DQuat, DVec3};

use crate::body::{Body, RestShape, State};
use crate::solver::implicit::implicit::Implicit;
use crate::solver::implicit::node_vectors::NodeVectors;
use pliant_kernels::material::LawKind;

use super::rigid_motion::AngularMotion;
use super::turning_step::SMOOTH;

/// The rotation in the solution of a stage, relative to its frame.
#[derive(Debug, Clone, Copy)]
pub(in crate::solver::implicit) struct AddedTurn {
    /// Angular velocity, in rad/s.
    spin: DVec3,
    /// Angular momentum about the centre, in N m s.
    angular: DVec3,
}

impl Implicit {
    /// Takes the rotation out of the solution of a stage of Euler, if that moves nodes of a cell noticeably; [`Self::add_turn`] turns the body by it.
    /// `None` if the rotation is small, if something is pinned, or if the law takes rotations for strain.
    pub(in crate::solver::implicit) fn take_turn(
        &mut self,
        rest: RestShape<'_>,
        h: f64,
    ) -> Option<AddedTurn> {
        let held = self.unknowns.count() < self.unknowns.node_count();
        let is_linear = rest.model().batches().iter().any(|batch| batch.law == LawKind::Linear);
        if held || is_linear || !self.trust_region.exceeded(&rest, &self.nodes.v, h / SMOOTH) {
            return None;
        }
        let NodeVectors { base, v, .. } = &self.nodes;
        let (x, v) = (&base.x, v);
        let centre = self.centre_motion([x, v]).centre;
        let rotation = self.lumped_rotation([x, v], centre);
        self.is_rough |= self.trust_region.exceeded(&rest, &self.nodes.v, h);
        let AngularMotion { angular, .. } = rotation;
        let spin = rotation.spin_of(angular);
        let NodeVectors { base, v, .. } = &mut self.nodes;
        v.iter_mut().zip(&base.x).for_each(|(v, x)| *v -= spin.cross(*x - centre));
        Some(AddedTurn { spin, angular })
    }

    /// Turns a body about its centre at the end of a step. Its angular momentum is then that at the end of the stage and that of the rotation.
    pub(in crate::solver::implicit) fn add_turn(
        &mut self,
        body: &mut Body,
        h: f64,
        AddedTurn { spin, angular }: AddedTurn,
    ) {
        let end = self.centre_motion([&body.state.x, &body.state.v]);
        let rotation = self.lumped_rotation([&body.state.x, &body.state.v], end.centre);
        let turn = DMat3::from_quat(DQuat::from_scaled_axis(h * spin));
        let turned = rotation.turned(turn);
        let spin = turned.spin_of(rotation.angular + angular - turned.angular);
        let State { x, v, .. } = &mut body.state;
        for (x, v) in x.iter_mut().zip(v.iter_mut()) {
            let arm = turn * (*x - end.centre);
            *x = end.centre + arm;
            *v = end.velocity + turn * (*v - end.velocity) + spin.cross(arm);
        }
        // The rotations of cells in the next step are found from those of this one.
        self.elasticity.turn(body.model(), turn);
    }
}
