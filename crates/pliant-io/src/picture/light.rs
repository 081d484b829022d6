//! The lighting: one soft lamp, a bright sky, a pale floor.

use glam::Vec3;

use super::Colour;
use super::camera::Camera;
use super::facet::{Facet, ShadingPoint};
use super::floor::Floor;
use super::shadow::HeightMap;
use super::sky::Sky;

/// Strength and tint of the lamp.
const LAMP_LIGHT: Colour = Colour::new(0.98, 0.94, 0.87);
/// Light from above.
const SKY_LIGHT: Colour = Colour::new(0.46, 0.49, 0.54);
/// Light from below, reflected by the floor.
const BOUNCE_LIGHT: Colour = Colour::new(0.21, 0.20, 0.185);
/// Strength of the lamp's highlight.
const HIGHLIGHT_STRENGTH: f32 = 0.14;
/// Offset from the surface that avoids self-shadowing, in radii.
const SHADOW_BIAS: f32 = 0.014;
/// Samples across the lamp's shadow map, and width of the soft edge of its shadows on surfaces.
const SHADOW_MAP_SIZE: usize = 336;
const SHADOW_SOFTNESS: usize = 3;

/// Lamp, sky and floor of one frame.
#[derive(Debug)]
pub(crate) struct Light {
    eye: Vec3,
    lamp: HeightMap,
    sky: Sky,
    floor: Floor,
}

impl Light {
    /// Creates the light on these facets, with the floor at a height in the camera's coordinates.
    pub(crate) fn new(camera: &Camera, floor: f32, facets: &[Facet]) -> Self {
        let points = || facets.iter().map(|facet| facet.points);
        let lamp = HeightMap::new(SHADOW_MAP_SIZE, lamp_direction(camera), points());
        Self {
            eye: camera.eye(),
            sky: Sky::new(points),
            floor: Floor::new(floor, &lamp, points),
            lamp,
        }
    }

    /// Returns the visible colour of a point.
    pub(crate) fn shade(&self, shading_point: &ShadingPoint) -> Colour {
        let ShadingPoint { point, normal, colour } = *shading_point;
        let outside = point + normal * SHADOW_BIAS;
        let facing = normal.dot(self.lamp.toward()).max(0.0);
        let lit = if facing > 0.0 {
            facing * self.lamp.lit::<SHADOW_SOFTNESS>(outside + self.lamp.toward() * SHADOW_BIAS)
        } else {
            0.0
        };
        // Even a cavity gets some light, from its own walls.
        let open = 0.2 + 0.8 * self.sky.visible_fraction(outside, normal);
        let diffuse = LAMP_LIGHT * lit + self.ambient(point, normal, open);
        compress_highlights(colour * diffuse + self.specular(point, normal, lit, open))
    }

    /// Returns the light of the sky and the floor, each by its visible fraction.
    fn ambient(&self, point: Vec3, normal: Vec3, open: f32) -> Colour {
        let upward = 0.5 + 0.5 * normal.y;
        let bounce = self.floor.bounce(point) * (0.5 + 0.5 * open);
        SKY_LIGHT * (upward * open) + BOUNCE_LIGHT * ((1.0 - upward) * bounce)
    }

    /// Returns a soft highlight of the lamp (Blinn 1977) and a sheen at grazing angles (after Schlick 1994).
    fn specular(&self, point: Vec3, normal: Vec3, lit: f32, open: f32) -> Colour {
        let view = (self.eye - point).normalize_or_zero();
        let half = (view + self.lamp.toward()).normalize_or_zero();
        let grazing = (1.0 - normal.dot(view).clamp(0.0, 1.0)).powi(4);
        let highlight = normal.dot(half).max(0.0).powi(32) * lit * HIGHLIGHT_STRENGTH;
        LAMP_LIGHT * highlight + SKY_LIGHT * ((0.5 + 0.5 * normal.y) * grazing * open * 0.25)
    }

    /// Returns the fraction of the background's light left where a ray from the eye hits the floor.
    pub(crate) fn floor_brightness(&self, ray: Vec3) -> f32 {
        self.floor.brightness(self.eye, ray, &self.lamp)
    }
}

/// Returns the direction of the lamp: left of the camera, high, and slightly on its side of the scene.
fn lamp_direction(camera: &Camera) -> Vec3 {
    let backward = camera.backward();
    let level = Vec3::new(backward.x, 0.0, backward.z).normalize_or(Vec3::Z);
    (camera.right() * -0.62 + Vec3::Y * 1.0 + level * 0.42).normalize()
}

/// Compresses bright channels to below 1; dark and middle tones stay unchanged.
fn compress_highlights(colour: Colour) -> Colour {
    let bend = |c: f32| if c < 0.7 { c } else { 1.0 - 0.3 / (1.0 + (c - 0.7) / 0.3) };
    Colour::new(bend(colour.r), bend(colour.g), bend(colour.b))
}
