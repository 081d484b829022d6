//! The floor: pale, endless, seen only by the shadows on it.

use glam::Vec3;

use super::shadow::{HeightMap, ShadowMap};

/// Samples across the map of what stands on the floor.
const MAP: usize = 256;
/// Darkness of the lamp's shadow, and of the dimness below things.
const CAST: f32 = 0.36;
const DIMNESS: f32 = 0.5;
/// Height at which the dimness has faded to a third, in radii.
const FADE: f32 = 0.16;
/// Height up to which the floor's own light is dimmed by what stands on it, in radii.
const NEAR: f32 = 0.2;

/// Shadows on the floor.
#[derive(Debug)]
pub(crate) struct Floor {
    height: f32,
    below: HeightMap,
    dimness: ShadowMap,
    /// The lamp's shadow with a sharp and with a soft edge, and the heights that cast it.
    sharp: ShadowMap,
    soft: ShadowMap,
    caster: ShadowMap,
}

impl Floor {
    pub(crate) fn new<I: Iterator<Item = [Vec3; 3]>>(
        height: f32,
        lamp: &HeightMap,
        triangles: impl Fn() -> I,
    ) -> Self {
        let below = HeightMap::new(MAP, Vec3::NEG_Y, triangles());
        let fade = |depth: f32| (-(-depth - height).max(0.0) / FADE).exp();
        // Heights along the lamp's direction are enough to tell near from far.
        let above = |along: f32| (along - height * lamp.toward().y + 1.0).clamp(0.0, 4.0);
        Self {
            height,
            dimness: below.blurred(5, fade),
            sharp: lamp.blurred(2, |_| 1.0),
            soft: lamp.blurred(7, |_| 1.0),
            caster: lamp.blurred(7, above),
            below,
        }
    }

    /// The part of the floor's own light that is left near it, for what faces down.
    pub(crate) fn bounce(&self, point: Vec3) -> f32 {
        1.0 - 0.75 * (-(point.y - self.height).max(0.0) / NEAR).exp()
    }

    /// The part of its light that is left where a ray from the eye meets the floor.
    pub(crate) fn brightness(&self, eye: Vec3, ray: Vec3, lamp: &HeightMap) -> f32 {
        let distance = (self.height - eye.y) / ray.y;
        if !(distance > 0.0 && distance.is_finite()) {
            return 1.0;
        }
        let point = eye + ray * distance;
        let dimness = self.dimness.at(&self.below, point);
        (1.0 - CAST * self.cast(lamp, point)) * (1.0 - DIMNESS * dimness)
    }

    /// The lamp's shadow: its edge is the softer, the higher above the point it is cast.
    fn cast(&self, lamp: &HeightMap, point: Vec3) -> f32 {
        let soft = self.soft.at(lamp, point);
        if soft <= 0.0 {
            return 0.0;
        }
        let along = self.caster.at(lamp, point) / soft - 1.0;
        let lift = along + self.height * lamp.toward().y - point.dot(lamp.toward());
        let t = (lift * 0.9).clamp(0.0, 1.0);
        self.sharp.at(lamp, point) * (1.0 - t) + soft * t
    }
}
