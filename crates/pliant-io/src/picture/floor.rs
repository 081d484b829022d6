//! The floor: pale and infinite, visible only by the shadows on it.

use glam::Vec3;

use super::shadow::{HeightMap, ShadowMap};

/// Samples across the map of the objects above the floor.
const FLOOR_MAP_SIZE: usize = 256;
/// Darkness of the lamp's shadow, and of the ambient occlusion below objects.
const SHADOW_DARKNESS: f32 = 0.36;
const OCCLUSION_DARKNESS: f32 = 0.5;
/// Height at which the ambient occlusion has faded to 1/e, in radii.
const OCCLUSION_FADE_HEIGHT: f32 = 0.16;
/// Height up to which objects dim the light reflected by the floor, in radii.
const BOUNCE_FADE_HEIGHT: f32 = 0.2;

/// Shadows on the floor.
#[derive(Debug)]
pub(crate) struct Floor {
    height: f32,
    below: HeightMap,
    occlusion: ShadowMap,
    /// The lamp's shadow with a sharp and with a soft edge, and the heights of the objects that cast it.
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
        let below = HeightMap::new(FLOOR_MAP_SIZE, Vec3::NEG_Y, triangles());
        let fade = |depth: f32| (-(-depth - height).max(0.0) / OCCLUSION_FADE_HEIGHT).exp();
        // Heights along the lamp's direction suffice to separate near from far.
        let above = |along: f32| (along - height * lamp.toward().y + 1.0).clamp(0.0, 4.0);
        Self {
            height,
            occlusion: below.blurred(5, fade),
            sharp: lamp.blurred(2, |_| 1.0),
            soft: lamp.blurred(7, |_| 1.0),
            caster: lamp.blurred(7, above),
            below,
        }
    }

    /// Returns the fraction of the floor's reflected light near the floor, for surfaces that face down.
    pub(crate) fn bounce(&self, point: Vec3) -> f32 {
        1.0 - 0.75 * (-(point.y - self.height).max(0.0) / BOUNCE_FADE_HEIGHT).exp()
    }

    /// Returns the fraction of the light left where a ray from the eye hits the floor.
    pub(crate) fn brightness(&self, eye: Vec3, ray: Vec3, lamp: &HeightMap) -> f32 {
        let distance = (self.height - eye.y) / ray.y;
        if !(distance > 0.0 && distance.is_finite()) {
            return 1.0;
        }
        let point = eye + ray * distance;
        let occlusion = self.occlusion.at(&self.below, point);
        (1.0 - SHADOW_DARKNESS * self.lamp_shadow(lamp, point))
            * (1.0 - OCCLUSION_DARKNESS * occlusion)
    }

    /// Returns the lamp's shadow; its edge is softer the higher the object above the point.
    fn lamp_shadow(&self, lamp: &HeightMap, point: Vec3) -> f32 {
        let soft = self.soft.at(lamp, point);
        if soft <= 0.0 {
            return 0.0;
        }
        // The mean height of the objects under the blur; the map stores heights plus 1, which are not negative.
        let along = self.caster.at(lamp, point) / soft - 1.0;
        let lift = along + self.height * lamp.toward().y - point.dot(lamp.toward());
        let t = (lift * 0.9).clamp(0.0, 1.0);
        self.sharp.at(lamp, point) * (1.0 - t) + soft * t
    }
}
