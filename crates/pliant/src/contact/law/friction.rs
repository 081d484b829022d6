//! Coulomb's friction that holds: what a touch feels along the surface.

use glam::DVec3;

use crate::force::PointForce;
use crate::math::Mat3;

/// Steps in which a stretched touch comes back: as across the surface, with less it would come back
/// in one, keep the speed of that, and swing.
const RELAXATION_STEPS: f64 = 2.0;

/// Steps in which a slip that changes its velocity by all of it is not steady at all.
const STEADY_STEPS: f64 = 4.0;

/// Coulomb's friction of one touch: a spring to an anchor that slides when it is pulled too hard.
///
/// ```text
/// fₜ = −kₜ (e + h ṗ⁺) − r h kₜ ṗ⁺                              sticks:  kₜ |e*| < μ N
/// fₜ = −μ N/|e*| (e + (1 + r) h [s ṗ + (1 − s) ṗ⁺])            slips
/// e* = e + (1 + r) h ṗ        |e| ≤ μ N/kₜ        r = 2
/// s  = max(0, 1 − (4 |ṗ − ṗ₋| + |e|/h)/|ṗ|)
/// ```
///
/// - `e` where the point is, seen from its anchor, which is a point of what it touches, along the
///   surface at the begin of the step of length `h`, in m and s
/// - `ṗ₋`, `ṗ`, `ṗ⁺` velocity along that surface before the last step, now, and at the end of this one,
///   in m/s
/// - `kₜ` stiffness, in N/m; `μ` friction; `N` normal force of the last step, in N
/// - `s` how steadily it slips, from 0 to 1
///
/// What sticks hangs on an implicit spring with a damper, and does not creep. An anchor that is more
/// than μ N/kₜ away is dragged along until it is not (Cundall & Strack 1979). Where the spring would
/// pull by more than μ N at the present velocity the point slips: the force is μ N against e*, at that
/// velocity. If it were constant over the step it could turn a slow slip round, and chatter for
/// ever; if all of it followed the new velocity, it would be too large while a slip gets faster, by the part
/// by which it does. So it is constant as far as the slip is steady, and follows the
/// velocity, as a damper, as far as the velocity has changed in the last step. The two laws meet where
/// kₜ |e*| = μ N, and all matrices are symmetric and without negative directions.
///
/// ```
/// use glam::DVec3;
/// use pliant::contact::{Friction, Slip};
///
/// let (h, v) = (0.01, DVec3::X);
/// let friction = Friction { coefficient: 0.5, stiffness: 1e3 };
/// let (normal, offset, before) = (DVec3::Y, DVec3::ZERO, None);
/// let result = friction.evaluate(&Slip { normal, velocity: v, offset, before, load: 10.0 }, h);
///
/// // At the velocity it has, it feels μ N against its motion.
/// let felt = result.force.force - DVec3::from(result.force.matrix([h, 1.0]).mul_vec(v.into()));
/// assert!((felt - DVec3::new(-5.0, 0.0, 0.0)).length() < 1e-12);
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Friction {
    /// μ.
    pub coefficient: f64,
    /// kₜ, in N/m.
    pub stiffness: f64,
}

/// How a touch slips at the begin of a step.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Slip {
    /// Unit normal of the surface.
    pub normal: DVec3,
    /// Velocity relative to what is touched, in m/s.
    pub velocity: DVec3,
    /// Where the point is, seen from its anchor, in m; zero for a new touch.
    pub offset: DVec3,
    /// Velocity along the surface at the begin of the last step, in m/s; none for a new touch.
    pub before: Option<DVec3>,
    /// Normal force of the last step, in N.
    pub load: f64,
}

/// What friction does in a step, and what it remembers.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FrictionResult {
    /// The force, linearised in moves and velocities relative to what is touched.
    pub force: PointForce,
    /// Where the point is now, seen from its anchor, which may have slid; along the surface, in m.
    pub offset: DVec3,
    /// Velocity along the surface now, in m/s.
    pub velocity: DVec3,
}

impl Friction {
    /// Friction of a touch in a step of `h`.
    pub fn evaluate(&self, slip: &Slip, h: f64) -> FrictionResult {
        let along = |vector: DVec3| vector - slip.normal.dot(vector) * slip.normal;
        let (velocity, most) = (along(slip.velocity), self.coefficient * slip.load);
        let offset = along(slip.offset).clamp_length_max(most / self.stiffness);
        let moved = (1.0 + RELAXATION_STEPS) * h * velocity;
        let length = (offset + moved).length();
        let plane = Mat3::IDENTITY - Mat3::outer(slip.normal.into(), slip.normal.into());
        let force = if self.stiffness * length < most {
            let stiffness = plane * self.stiffness;
            let damping = stiffness * (RELAXATION_STEPS * h);
            PointForce { force: -self.stiffness * offset, stiffness, damping }
        } else {
            // Where nothing is borne and nothing moves there is no length either.
            let secant = most / length.max(f64::MIN_POSITIVE);
            let steady = steadiness(slip, velocity, offset.length() / h);
            let damping = plane * ((1.0 - steady) * (1.0 + RELAXATION_STEPS) * h * secant);
            let force = -secant * (offset + steady * moved);
            PointForce { force, stiffness: Mat3::ZERO, damping }
        };
        FrictionResult { force, offset, velocity }
    }
}

/// How steady a slip at this velocity is; not at all below `crawl`, the speed that rather stretches the
/// spring than slips.
fn steadiness(slip: &Slip, velocity: DVec3, crawl: f64) -> f64 {
    let Some(before) = slip.before else { return 0.0 };
    let (speed, unsteady) =
        (velocity.length(), STEADY_STEPS * (velocity - before).length() + crawl);
    if unsteady < speed { 1.0 - unsteady / speed } else { 0.0 }
}
