//! Coulomb's friction that holds: what a touch feels along the surface.

use glam::DVec3;

use crate::force::PointForce;
use crate::math::Mat3;

/// Steps in which a stretched touch comes back: as across the surface, with less it would come back
/// in one, keep the speed of that, and swing.
const RELAXATION: f64 = 2.0;

/// How much of kinetic friction follows the velocity, for every part by which that has changed in the
/// last step: what would be stopped or turned in four steps feels all of it as damping.
const CAUTION: f64 = 4.0;

/// Coulomb's friction of one touch: a spring to an anchor that slides when it is pulled too hard.
///
/// ```text
/// fₜ = −κ (e + h ṗₜ + r h ṗₜ)        κ = min(kₜ, μ N/|e*|)        e* = e + (1 + r) h ṗₜ*
/// e  = x − a along the surface        |e| ≤ μ N/kₜ                 r = 2
/// ```
///
/// - `x` the point that touches, `a` its anchor, a point of what it touches; `e` how far it is from
///   there at the begin of the step, in m
/// - `ṗₜ` velocity of the slip at the end of the step of length `h`, `ṗₜ*` what it is expected to be:
///   that of the begin, scaled as the last step has scaled it, in m/s
/// - `kₜ` stiffness, in N/m; `μ` friction; `N` the normal force of the last step, in N
///
/// Where e* is short the touch sticks: a spring with a damper, both implicit. The anchor is dragged
/// along when the spring would pull by more than μ N (Cundall & Strack 1979), and if it is expected to do
/// so within the step, κ is the secant that ends at μ N: the force is that of kinetic friction, as
/// a stiffness that is symmetric and positive, so that it can stop the slip but never turn it round.
/// Nothing creeps, since what sticks is held by a spring; nothing chatters, since both
/// regimes are one law, continuous between them.
///
/// ```
/// use glam::DVec3;
/// use pliant::contact::{Friction, Slip};
///
/// let friction = Friction { coefficient: 0.5, stiffness: 1e3 };
/// let slip = Slip { normal: DVec3::Y, velocity: DVec3::X, offset: DVec3::ZERO, before: None, load: 10.0 };
/// let hold = friction.hold(&slip, 0.01);
/// // At the velocity it has, it feels μ N against its motion.
/// let felt = hold.force.force - DVec3::from(hold.force.matrix([0.01, 1.0]).mul_vec(DVec3::X.into()));
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
pub struct Hold {
    /// The force, linearised in moves and velocities relative to what is touched.
    pub force: PointForce,
    /// Where the point is now, seen from its anchor, which may have slid; along the surface, in m.
    pub offset: DVec3,
    /// Velocity along the surface now, in m/s.
    pub velocity: DVec3,
}

impl Friction {
    /// Friction of a touch in a step of `h`.
    pub fn hold(&self, slip: &Slip, h: f64) -> Hold {
        let along = |vector: DVec3| vector - slip.normal.dot(vector) * slip.normal;
        let velocity = along(slip.velocity);
        let most = self.coefficient * slip.load;
        let offset = along(slip.offset).clamp_length_max(most / self.stiffness);
        let expected = offset + (1.0 + RELAXATION) * h * velocity;
        let length = expected.length();
        let plane = Mat3::IDENTITY - Mat3::outer(slip.normal.into(), slip.normal.into());
        let force = if self.stiffness * length <= most {
            let stiffness = plane * self.stiffness;
            let damping = stiffness * (RELAXATION * h);
            PointForce { force: -self.stiffness * offset, stiffness, damping }
        } else {
            let (secant, steady) = (most / length, steadiness(slip, velocity, offset.length() / h));
            let damping = plane * ((1.0 - steady) * (1.0 + RELAXATION) * h * secant);
            let force = -secant * (offset + steady * (expected - offset));
            PointForce { force, stiffness: Mat3::ZERO, damping }
        };
        Hold { force, offset, velocity }
    }
}

/// The part of kinetic friction that may be constant over the step, for a slip at this velocity;
/// `crawl` is the speed of what is rather a stretch than a slip.
fn steadiness(slip: &Slip, velocity: DVec3, crawl: f64) -> f64 {
    let Some(before) = slip.before else { return 0.0 };
    let (speed, unsteady) = (velocity.length(), CAUTION * (velocity - before).length() + crawl);
    if unsteady < speed { 1.0 - unsteady / speed } else { 0.0 }
}
