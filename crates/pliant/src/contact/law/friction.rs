//! Coulomb friction with sticking: the tangential force of a contact.

use glam::DVec3;

use crate::force::PointForce;
use pliant_kernels::math::Mat3;

/// Steps in which the stretched spring of a contact relaxes. As in the normal direction: with fewer it would relax in one step,
/// keep that speed, and oscillate.
const RELAXATION_STEPS: f64 = 2.0;

/// Weight of the change of velocity in the steadiness of a slip: a change of the whole velocity over this many steps is unsteady.
const STEADY_STEPS: f64 = 4.0;

/// Coulomb friction of one contact: a spring to an anchor, which slides if the spring force exceeds the limit.
///
/// ```text
/// fₜ = −kₜ (e + h ṗ⁺) − r h kₜ ṗ⁺                              sticks:  kₜ |e*| < μ N
/// fₜ = −μ N/|e*| (e + (1 + r) h [s ṗ + (1 − s) ṗ⁺])            slips
/// e* = e + (1 + r) h ṗ        |e| ≤ μ N/kₜ        r = 2
/// s  = max(0, 1 − max(4 |ṗ − ṗ₋| + |e|/h, μ N h/m)/|ṗ|)
/// ```
///
/// - `e` position of the point relative to its anchor, which is a point of the touched surface, along
///   the surface at the start of the step of length `h`, in m and s
/// - `ṗ₋`, `ṗ`, `ṗ⁺` velocity along that surface before the last step, now, and at the end of this one,
///   in m/s
/// - `kₜ` stiffness, in N/m; `μ` friction; `N` normal force of the last step, in N
/// - `m` mass of a body on an obstacle, in kg, infinite between two bodies; `s` steadiness of the slip, from 0 to 1
///
/// A sticking point is held by an implicit spring and a damper, and does not creep. An anchor that is more than μ N/kₜ away
/// is dragged along (Cundall & Strack 1979). If the spring force at the present velocity exceeds μ N the point slips: the force is μ N
/// against e*, at that velocity. A constant force over the step could reverse a slow slip, and chatter forever. A force that follows the
/// new velocity entirely would be too large while a slip accelerates, in proportion to the acceleration. So the force is constant as far as
/// the slip is steady, and follows the velocity, as a damper, as far as the velocity has changed in the last step, and entirely where μ N alone would turn
/// it round in this one: after a hard impact it can be much more than what stops the body. The two laws agree
/// where kₜ |e*| = μ N, and all matrices are symmetric and positive semidefinite.
///
/// ```
/// use glam::DVec3;
/// use pliant::internals::{Friction, Slip};
///
/// let (h, v) = (0.01, DVec3::X);
/// let friction = Friction { coefficient: 0.5, stiffness: 1e3 };
/// let (normal, offset, before) = (DVec3::Y, DVec3::ZERO, None);
/// let result = friction.evaluate(&Slip { normal, velocity: v, offset, before, load: 10.0, mass: 1.0 }, h);
///
/// // At its present velocity the force is μ N against the motion.
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

/// The slip of a contact at the start of a step.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Slip {
    /// Unit normal of the surface.
    pub normal: DVec3,
    /// Velocity relative to the touched surface, in m/s.
    pub velocity: DVec3,
    /// Position relative to the anchor, in m; zero for a new contact.
    pub offset: DVec3,
    /// Velocity along the surface at the start of the last step, in m/s; `None` for a new contact.
    pub before: Option<DVec3>,
    /// Normal force of the last step, in N.
    pub load: f64,
    /// Mass of the lighter body, in kg.
    pub mass: f64,
}

/// The result of friction in a step: the force, and the new memory.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FrictionResult {
    /// The force, linearised in displacements and velocities relative to the touched surface.
    pub force: PointForce,
    /// Position relative to the anchor, which may have slid; along the surface, in m.
    pub offset: DVec3,
    /// Velocity along the surface, in m/s.
    pub velocity: DVec3,
}

impl Friction {
    /// Friction of a contact in a step of `h`.
    pub fn evaluate(&self, slip: &Slip, h: f64) -> FrictionResult {
        let along = |vector: DVec3| vector - slip.normal.dot(vector) * slip.normal;
        let (velocity, most) = (along(slip.velocity), self.coefficient * slip.load);
        // The anchor slides as soon as the spring force would exceed μ N.
        let offset = along(slip.offset).clamp_length_max(most / self.stiffness);
        // e* − e: the stretch that spring and damper see at the present velocity.
        let moved = (1.0 + RELAXATION_STEPS) * h * velocity;
        let length = (offset + moved).length();
        let plane = Mat3::IDENTITY - Mat3::outer(slip.normal.into(), slip.normal.into());
        let force = if self.stiffness * length < most {
            // Sticks: an implicit spring with a damper of r steps.
            let stiffness = plane * self.stiffness;
            let damping = stiffness * (RELAXATION_STEPS * h);
            PointForce { force: -self.stiffness * offset, stiffness, damping }
        } else {
            // Without load and motion the length is zero; the guard avoids 0/0.
            let secant = most / length.max(f64::MIN_POSITIVE);
            let steady = steadiness(slip, velocity, most * h / slip.mass, offset.length() / h);
            let damping = plane * ((1.0 - steady) * (1.0 + RELAXATION_STEPS) * h * secant);
            let force = -secant * (offset + steady * moved);
            PointForce { force, stiffness: Mat3::ZERO, damping }
        };
        FrictionResult { force, offset, velocity }
    }
}

/// The steadiness of a slip at this velocity that friction reduces by `braked` in this step; zero below `crawl`, the speed at which the motion mainly
/// stretches the spring.
fn steadiness(slip: &Slip, velocity: DVec3, braked: f64, crawl: f64) -> f64 {
    let Some(before) = slip.before else { return 0.0 };
    let unsteady = STEADY_STEPS * (velocity - before).length() + crawl;
    let (speed, unsteady) = (velocity.length(), unsteady.max(braked));
    if unsteady < speed { 1.0 - unsteady / speed } else { 0.0 }
}
