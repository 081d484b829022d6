//! The contact law of a vertex of a skin.

use glam::DVec3;

use crate::force::PointForce;
use pliant_kernels::math::Mat3;

use super::friction::{Friction, FrictionResult, Slip};
use super::half_space::HalfSpace;

/// Steps in which a vertex leaves an obstacle it was pressed into: with fewer, it would leave in one step, keep that speed, fly up
/// and fall back, forever.
const RELAXATION_STEPS: f64 = 2.0;

/// Depth at the start of the last step over the present depth, up to which the vertex counts as outside then.
const ENTRY_TOLERANCE: f64 = 1e-6;

/// The stiffness of contact with a fragment, over that of unbroken bodies: rubble is not packed tightly, and heaps of it are solved in
/// a third of the iterations.
const FRAGMENT_STIFFNESS_FACTOR: f64 = 0.1;

/// The largest stiffness of a contact with a rigid body, in masses of the body over h². Nothing of a rigid body gives way, so that a stiffer contact gains
/// nothing, and a solve with many of them no longer converges. A box at rest on four of them sinks by g h²/120, 0.02 mm at 60 Hz.
const RIGID_STIFFNESS: f64 = 30.0;

/// Stiffness and damping of one vertex against obstacles.
///
/// The obstacle is covered with a layer of the body's own material, a tenth as thick as the spacing of the
/// vertices of the skin:
///
/// ```text
/// fₙ = −k g⁺ − c ġ⁺            k = E A/ℓ
/// c  = 2 h k                    inside; and, while it goes deeper,
///    + 2 A √(E ρ)
///    = 0                        outside, about to enter
/// ```
///
/// - `g⁺`, `ġ⁺` gap and its rate at the end of the step of length `h`, in m, m/s and s
/// - `A` the vertex's share of the skin at rest, in m²; `ℓ` the thickness of the layer, in m
/// - `E`, `ρ` Young's modulus and density of the body at the vertex, in Pa and kg/m³
///
/// So the layer is compressed by a tenth of what the outermost cells are, for any load, size or material. `2 A √(E ρ)` damps
/// the mass of the layer critically. All of it is implicit, so it does not limit the step. Along the surface the layer is as stiff as
/// across it, and [`Friction`] acts with the true normal force of the last step.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct VertexLaw {
    /// k, in N/m.
    pub stiffness: f64,
    /// 2 A √(E ρ), in N·s/m.
    pub damping: f64,
    /// Mean distance of the vertices around it at rest, in m.
    pub spacing: f64,
}

/// The motion of a point of a body relative to an obstacle, at the start of a step.
#[derive(Debug, Clone, Copy)]
pub(in crate::contact) struct PointMotion {
    /// Its position, in m.
    pub(in crate::contact) position: DVec3,
    /// Its velocity, rotated with the obstacle to the middle of the step, so that a point at rest on a rotating obstacle does
    /// not slip, in m/s.
    pub(in crate::contact) velocity: DVec3,
    /// Velocity of the surface of the obstacle at the point, in m/s.
    pub(in crate::contact) surface: DVec3,
    /// Its position relative to its anchor, if it has one, in m.
    pub(in crate::contact) offset: Option<DVec3>,
    /// How far the surface of the obstacle has moved out without a load, in m.
    pub(in crate::contact) raised: f64,
    /// The mass of the lighter body, in kg.
    pub(in crate::contact) mass: f64,
    /// Its velocity relative to the obstacle before the last step, if it was in contact then, in m/s.
    pub(in crate::contact) before: Option<DVec3>,
}

impl VertexLaw {
    /// The law of a point between vertices with these laws and weights.
    pub fn blend(laws: &[Self], vertices: &[u32], weights: &[f64]) -> Self {
        let sum = |value: fn(&Self) -> f64| -> f64 {
            let terms = vertices.iter().zip(weights);
            terms.map(|(vertex, weight)| *weight * value(&laws[*vertex as usize])).sum()
        };
        Self {
            stiffness: sum(|law| law.stiffness),
            damping: sum(|law| law.damping),
            spacing: sum(|law| law.spacing),
        }
    }

    /// The law between points of two bodies, for the surface area of this `spacing`: two layers in series. Vertices of both bodies
    /// make contacts, so each contact has half of the stiffness.
    pub fn between(&self, other: &Self, spacing: f64) -> Self {
        let ratio = |law: &Self| if law.spacing > 0.0 { spacing / law.spacing } else { 0.0 };
        let scaled = |law: &Self| ratio(law).powi(2);
        let (own, others) = (scaled(self), scaled(other));
        let series = |a: f64, b: f64| if a + b > 0.0 { 0.5 * a * b / (a + b) } else { 0.0 };
        Self {
            stiffness: series(own * self.stiffness, others * other.stiffness),
            damping: series(own * self.damping, others * other.damping),
            spacing,
        }
    }

    /// The law of a contact with a rigid body of this mass, in kg, in steps of `h` seconds: not too stiff for them.
    pub(crate) fn with_rigid(self, mass: f64, h: f64) -> Self {
        let most = if h > 0.0 { RIGID_STIFFNESS * mass / (h * h) } else { f64::INFINITY };
        Self { stiffness: self.stiffness.min(most), ..self }
    }

    /// The law if one of the bodies is a fragment: softer.
    pub(crate) fn with_fragment(self) -> Self {
        Self { stiffness: FRAGMENT_STIFFNESS_FACTOR * self.stiffness, ..self }
    }

    /// The law of a share of the surface.
    pub(in crate::contact) fn scaled(self, share: f64) -> Self {
        let Self { stiffness, damping, spacing } = self;
        Self { stiffness: share * stiffness, damping: share * damping, spacing }
    }

    /// The depth, in m, at which a material with this tensile strength, in Pa, crumbles at the vertex.
    pub fn crumbling_depth(&self, tension: f64) -> f64 {
        /// Compressive strength of brittle materials over their tensile strength.
        const PRESSURE_OVER_TENSION: f64 = 3.0;
        PRESSURE_OVER_TENSION * tension * self.spacing.powi(2) / self.stiffness
    }

    /// The linearised force on a vertex at a plane in a step of `h`, and the result of friction.
    pub(in crate::contact) fn force(
        &self,
        plane: &HalfSpace,
        motion: &PointMotion,
        friction: f64,
        h: f64,
    ) -> (PointForce, FrictionResult) {
        let (n, gap) = (plane.normal, plane.gap(motion.position));
        let velocity = motion.velocity - motion.surface;
        let rise = n.dot(velocity);
        let slip = Slip {
            normal: n,
            velocity,
            offset: motion.offset.unwrap_or_default(),
            before: motion.before,
            mass: motion.mass,
            // The depth relative to the present position of the obstacle, before it moves on.
            load: self.last_load(gap + motion.raised + h * n.dot(motion.surface), rise, h),
        };
        let result =
            Friction { coefficient: friction, stiffness: self.stiffness }.evaluate(&slip, h);
        // Normal and tangential parts are independent: n nᵀ and the plane across n.
        let across = Mat3::outer(n.into(), n.into());
        let along = result.force;
        let damping = across * self.normal_damping(gap, rise, h) + along.damping;
        // The gap is measured to the obstacle at the end of the step; along the surface its anchors move with it.
        let carried = (damping + along.stiffness * h).mul_vec(motion.surface.into());
        let force = along.force - self.stiffness * gap * n + DVec3::from(carried);
        let stiffness = across * self.stiffness + along.stiffness;
        (PointForce { force, stiffness, damping }, result)
    }

    /// Normal force at the end of the last step, which ended at this gap. Zero for a vertex that entered during that step: it may
    /// have been in free fall, and its force is not known.
    fn last_load(&self, gap: f64, rise: f64, h: f64) -> f64 {
        // With tolerance: a vertex exactly on the surface counts as outside, however it is rounded.
        let was_inside = gap - h * rise < ENTRY_TOLERANCE * gap;
        let load = -self.stiffness * (gap + RELAXATION_STEPS * h * rise);
        if was_inside && gap < 0.0 { load.max(0.0) } else { 0.0 }
    }

    /// c at a gap that opens at the speed `rise`.
    fn normal_damping(&self, gap: f64, rise: f64, h: f64) -> f64 {
        let relaxation = RELAXATION_STEPS * h * self.stiffness;
        match (gap < 0.0, rise < 0.0) {
            (false, _) => 0.0,
            (true, false) => relaxation,
            (true, true) => relaxation + self.damping,
        }
    }
}
