//! What a vertex of a skin feels of an obstacle.

use glam::DVec3;

use crate::body::{Model, Skin};
use crate::force::PointForce;
use crate::math::Mat3;

use super::friction::{Friction, FrictionResult, Slip};
use super::half_space::HalfSpace;

/// Thickness of the elastic layer that stands for the contact, in spacings of the skin.
const LAYER_THICKNESS: f64 = 0.1;

/// Steps in which a vertex that is pressed into an obstacle comes out of it: with less, it would
/// come out in one, keep the speed of that, fly up and fall back, for ever.
const RELAXATION_STEPS: f64 = 2.0;

/// Depth at the begin of a step over that at its end that counts as none.
const ENTRY_TOLERANCE: f64 = 1e-6;

/// Stiffness and damping of one vertex against obstacles.
///
/// The obstacle is covered with a layer of the body's own material, a tenth as thick as the
/// vertices of the skin are apart:
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
/// So the layer gives way by a tenth of what the outermost cells do, for any load, size or
/// material. `2 A √(E ρ)` damps the mass of the layer critically. Being implicit, none of it limits
/// the step. Along the surface the layer is as stiff as across it and holds by [`Friction`], with the
/// true normal force of the last step.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct VertexLaw {
    /// k, in N/m.
    pub stiffness: f64,
    /// 2 A √(E ρ), in N·s/m.
    pub damping: f64,
    /// How far the vertices around it are apart at rest, in m.
    pub spacing: f64,
}

/// A point of a body and how it moves over the obstacle, at the begin of a step.
#[derive(Debug, Clone, Copy)]
pub(in crate::contact) struct PointMotion {
    /// Where it is, in m.
    pub(in crate::contact) position: DVec3,
    /// Its velocity, turned as the obstacle turns in the step: what is carried along has then none over
    /// the surface, in m/s.
    pub(in crate::contact) velocity: DVec3,
    /// Velocity of the obstacle there, in m/s.
    pub(in crate::contact) surface: DVec3,
    /// Where it is seen from its anchor, if it has one, in m.
    pub(in crate::contact) offset: Option<DVec3>,
    /// Its velocity over the obstacle before the last step, if it touched then, in m/s.
    pub(in crate::contact) before: Option<DVec3>,
}

impl VertexLaw {
    /// The law of every vertex of a skin.
    pub fn of_skin(model: &Model, skin: &Skin) -> Vec<Self> {
        let solids = stiffest_at_nodes(model);
        let law = |(vertex, patch): (usize, &Patch)| {
            let weights = skin.weights(vertex);
            let blend = |value: fn(&Solid) -> f64| -> f64 {
                weights.clone().map(|(node, w)| w * value(&solids[node as usize])).sum()
            };
            patch.law(blend(|solid| solid.young), blend(|solid| solid.density))
        };
        patches(model, skin).iter().enumerate().map(law).collect()
    }

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

    /// The law between a point of one body and one of another, for the share of the surface that goes with
    /// `spacing`: two layers in series. Both bodies bring their vertices, so each is half of what resists.
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

    /// How deep it may be pressed in, in m, before what bears so much tension, in Pa, crumbles there.
    pub fn crumbling_depth(&self, tension: f64) -> f64 {
        /// Pressure that brittle things bear, over the tension.
        const PRESSURE_OVER_TENSION: f64 = 3.0;
        PRESSURE_OVER_TENSION * tension * self.spacing.powi(2) / self.stiffness
    }

    /// The force on a vertex that meets a plane in a step of `h`, linearised, and how friction holds
    /// it there.
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
            // As deep as it was in the obstacle where that is now, before it moves on.
            load: self.last_load(gap + h * n.dot(motion.surface), rise, h),
        };
        let result =
            Friction { coefficient: friction, stiffness: self.stiffness }.evaluate(&slip, h);
        let across = Mat3::outer(n.into(), n.into());
        let along = result.force;
        let damping = across * self.normal_damping(gap, rise, h) + along.damping;
        // The gap is that to where the obstacle will be; along the surface it carries its anchors.
        let carried = (damping + along.stiffness * h).mul_vec(motion.surface.into());
        let force = along.force - self.stiffness * gap * n + DVec3::from(carried);
        let stiffness = across * self.stiffness + along.stiffness;
        (PointForce { force, stiffness, damping }, result)
    }

    /// Normal force at the end of the last step, which took it to this gap. Of a vertex that came
    /// in during that step nothing is known: it may have fallen in freely.
    fn last_load(&self, gap: f64, rise: f64, h: f64) -> f64 {
        // From the surface itself it came in, whichever way that is rounded.
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

/// What a cell is made of, as far as contact cares.
#[derive(Debug, Clone, Copy, Default)]
struct Solid {
    young: f64,
    density: f64,
}

/// The stiffest and the densest of the cells around every node.
fn stiffest_at_nodes(model: &Model) -> Vec<Solid> {
    let mut solids = vec![Solid::default(); model.mesh().nodes.len()];
    for (cell, (_, nodes)) in model.mesh().cells().enumerate() {
        let material = model.material(cell);
        for node in nodes {
            let solid = &mut solids[*node as usize];
            solid.young = solid.young.max(material.young);
            solid.density = solid.density.max(material.density);
        }
    }
    solids
}

/// The triangles of a skin around a vertex.
#[derive(Debug, Clone, Copy, Default)]
struct Patch {
    /// Sum of their areas at rest, in m².
    area: f64,
    count: f64,
}

impl Patch {
    /// `spacing` is the side of a square of two mean triangles, the same for every vertex of a
    /// regular skin, however many triangles meet there; then k is in proportion to A and an even
    /// pressure meets an even resistance.
    fn law(&self, young: f64, density: f64) -> VertexLaw {
        // A vertex of no triangle, or only of such as have no area, stands for nothing of the surface.
        if self.area <= 0.0 {
            return VertexLaw { stiffness: 0.0, damping: 0.0, spacing: 0.0 };
        }
        let (share, spacing) = (self.area / 3.0, (2.0 * self.area / self.count).sqrt());
        VertexLaw {
            stiffness: young * share / (LAYER_THICKNESS * spacing),
            damping: 2.0 * share * (young * density).sqrt(),
            spacing,
        }
    }
}

fn patches(model: &Model, skin: &Skin) -> Vec<Patch> {
    let mut vertices = Vec::new();
    skin.interpolate(&model.mesh().nodes, &mut vertices);
    let mut patches = vec![Patch::default(); skin.vertex_count()];
    for triangle in skin.triangles() {
        let [a, b, c] = triangle.map(|vertex| vertices[vertex as usize]);
        let area = 0.5 * (b - a).cross(c - a).length();
        for vertex in triangle {
            patches[*vertex as usize].area += area;
            patches[*vertex as usize].count += 1.0;
        }
    }
    patches
}
