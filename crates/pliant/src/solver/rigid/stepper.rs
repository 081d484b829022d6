//! The stepper of rigid bodies.

use glam::{DMat3, DVec3};

use crate::body::{Body, Inertia, RigidMotion};
use crate::force::{PointForce, PointForces};
use crate::solver::external::External;
use crate::solver::matrix6::{Matrix6, Vector6};
use pliant_kernels::math::TimeStep;

use super::motion::{advance, fallen};
use super::stage::RigidStage;

/// Steps a rigid body with six unknowns.
///
/// ```text
/// (M + h Σ Jᵀ (B + h S) J) δ = h Σ Jᵀ (f − (B + h S) J u)        u ← u + δ
/// x ← x + h v        R ← exp(h ω̄) R        ω̄ = I(R̄)⁻¹ L,  R̄ = exp(h ω̄/2) R
/// ```
///
/// - `u = (v, ω)` the velocities after gravity and damping, in m/s and rad/s; `M = diag(m, I)`
/// - `f`, `S`, `B` force, stiffness and damping of every point force ([`PointForces`]); `J u = v + ω × r` the velocity
///   of the point, `r` from the centre of mass, in m
/// - `L = I ω` the angular momentum, in kg·m²/s, which is conserved to the last digits without forces; the rotation
///   follows it by the midpoint rule, so that the energy of a free body has no drift
///
/// All points are solved together, so that a box rests on its corners without jitter. Contacts that would pull are left
/// out, so that a ball rolls. A pinned body follows its pin.
#[derive(Debug, Clone)]
pub(crate) struct RigidStepper {
    pub(super) stage: RigidStage,
}

impl RigidStepper {
    /// The stepper of a body with a rigid model; `None` for others.
    pub(crate) fn new(body: &Body) -> Option<Self> {
        Some(Self { stage: RigidStage::new(body)? })
    }

    /// Advances `body` by a substep. A body without a rigid model is not changed.
    pub(crate) fn substep(&self, body: &mut Body, step: TimeStep, external: External<'_>) {
        let (h, inertia) = (step.h, *self.stage.inertia());
        if !body.pins().is_empty() {
            body.place_pins(step);
            return;
        }
        let mut motion = fallen(&inertia, body, h, &external);
        push(&inertia, external.points, h, &body.state.x, &mut motion);
        advance(&inertia, h, &mut motion);
        inertia.place(&motion, &mut body.state);
    }
}

/// Applies all point forces to the velocities at once, by Newton's method on the set of contacts that push; at first
/// all of them do.
fn push(inertia: &Inertia, points: &PointForces, h: f64, x: &[DVec3], motion: &mut RigidMotion) {
    /// Largest number of iterations on the set of pushing contacts.
    const MAX_CONTACT_ROUNDS: usize = 12;
    if points.is_empty() {
        return;
    }
    let tensor = inertia.tensor(motion.rotation);
    let omega = inertia.angular_velocity(motion.rotation, motion.angular_momentum);
    let begin = Velocity { linear: motion.velocity, angular: omega, centre: motion.centre };
    let mut end = begin;
    for round in 0..MAX_CONTACT_ROUNDS {
        let mut matrix = Matrix6::inertia(inertia.mass, tensor);
        let mut right = Vector6::default();
        for ((point, weights), side) in points.iter().zip(points.sides()) {
            let place: DVec3 = weights.iter().map(|(node, w)| *w * x[*node as usize]).sum();
            if round == 0 || end.is_pushed(point, place, side, h) {
                let (arm, resistance) = (place - begin.centre, DMat3::from(point.matrix([h, 1.0])));
                matrix.add(arm, h * resistance);
                right.add(arm, h * (point.force - resistance * begin.at(place)));
            }
        }
        let last = end;
        let Vector6 { linear, angular } = matrix.factor().solve(right);
        end.linear = begin.linear + linear;
        end.angular = begin.angular + angular;
        // The same set of contacts leads to the same bits, so that equality means convergence.
        if end == last {
            break;
        }
    }
    motion.velocity = end.linear;
    motion.angular_momentum += tensor * (end.angular - begin.angular);
}

/// The velocity of a rigid body.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Velocity {
    linear: DVec3,
    angular: DVec3,
    centre: DVec3,
}

impl Velocity {
    /// Velocity of a point of the body.
    fn at(&self, place: DVec3) -> DVec3 {
        self.linear + self.angular.cross(place - self.centre)
    }

    /// True if the contact still pushes at the end of a step with this velocity.
    fn is_pushed(&self, point: &PointForce, place: DVec3, side: Option<DVec3>, h: f64) -> bool {
        let Some(side) = side else { return true };
        let resistance: DMat3 = point.matrix([h, 1.0]).into();
        side.dot(point.force - resistance * self.at(place)) > 0.0
    }
}
