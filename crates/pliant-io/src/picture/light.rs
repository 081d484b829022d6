//! The light of the studio: one soft lamp, a bright sky, a pale floor.

use glam::Vec3;

use super::Colour;
use super::camera::Camera;
use super::facet::{Facet, Spot};
use super::shadow::{HeightMap, ShadowMap};

/// Strength and tint of the lamp.
const LAMP: Colour = Colour::new(0.82, 0.79, 0.74);
/// Light from above.
const SKY: Colour = Colour::new(0.40, 0.43, 0.48);
/// Light from below, reflected by the floor.
const FLOOR: Colour = Colour::new(0.22, 0.21, 0.20);
/// A weak second lamp that shapes the dark side.
const FILL: Colour = Colour::new(0.07, 0.08, 0.10);
/// Share of the light that is mirrored at right angles.
const GLOSS: f32 = 0.05;
/// Sharpness of highlights (Blinn 1977).
const SHININESS: f32 = 36.0;
/// How far from the surface its own shadow is ignored, in radii.
const BIAS: f32 = 0.014;
/// Height up to which the floor darkens what stands on it, in radii.
const NEAR_FLOOR: f32 = 0.22;

/// Darkness of the lamp's shadow on the floor, and of the dimness under things.
const CAST: f32 = 0.30;
const CONTACT: f32 = 0.42;

/// Lamps, shadows and floor of one frame.
#[derive(Debug)]
pub(crate) struct Light {
    eye: Vec3,
    lamp: Vec3,
    fill: Vec3,
    floor: f32,
    from_lamp: HeightMap,
    from_below: HeightMap,
    cast: ShadowMap,
    contact: ShadowMap,
}

impl Light {
    /// The light on these facets, with the floor at a height in the camera's coordinates.
    pub(crate) fn new(camera: &Camera, floor: f32, facets: &[Facet]) -> Self {
        let lamp = from_camera(camera, -0.62, 1.0, 0.55);
        let points = || facets.iter().map(|facet| facet.points);
        let from_lamp = HeightMap::new(lamp, points());
        let from_below = HeightMap::new(Vec3::NEG_Y, points());
        Self {
            eye: camera.eye(),
            lamp,
            fill: from_camera(camera, 0.9, 0.25, 0.3),
            floor,
            cast: from_lamp.blurred(5, |_| 1.0),
            contact: from_below.blurred(9, |depth| (-(-depth - floor).max(0.0) / 0.16).exp()),
            from_lamp,
            from_below,
        }
    }

    /// The colour in which a point is seen.
    pub(crate) fn shade(&self, spot: &Spot) -> Colour {
        let Spot { point, normal, colour } = *spot;
        let facing = normal.dot(self.lamp);
        let lit = if facing > 0.0 { self.from_lamp.lit(point + normal * BIAS, BIAS) } else { 0.0 };
        let lamp = LAMP * (facing.max(0.0) * lit);
        let fill = FILL * normal.dot(self.fill).max(0.0);
        let diffuse = colour * (lamp + fill + self.ambient(point, normal));
        shoulder(diffuse + self.mirrored(point, normal, facing.max(0.0) * lit))
    }

    /// Sky above and floor below, dimmer close to the floor.
    fn ambient(&self, point: Vec3, normal: Vec3) -> Colour {
        let upward = 0.5 + 0.5 * normal.y;
        let near = (-(point.y - self.floor).max(0.0) / NEAR_FLOOR).exp();
        FLOOR.mix(SKY, upward) * (1.0 - 0.55 * near * (1.0 - upward))
    }

    /// A soft highlight of the lamp and a sheen where the surface turns away (Schlick 1994).
    fn mirrored(&self, point: Vec3, normal: Vec3, lit: f32) -> Colour {
        let view = (self.eye - point).normalize_or_zero();
        let half = (view + self.lamp).normalize_or_zero();
        let grazing = (1.0 - normal.dot(view).clamp(0.0, 1.0)).powi(5);
        let highlight = normal.dot(half).max(0.0).powf(SHININESS) * lit.sqrt() * GLOSS * 3.0;
        LAMP * highlight + SKY * ((0.5 + 0.5 * normal.y) * grazing * 0.22)
    }

    /// The part of the background's light that is left where a ray from the eye meets the floor.
    pub(crate) fn floor_brightness(&self, ray: Vec3) -> f32 {
        let distance = (self.floor - self.eye.y) / ray.y;
        if !(distance > 0.0 && distance.is_finite()) {
            return 1.0;
        }
        let point = self.eye + ray * distance;
        let cast = self.cast.at(&self.from_lamp, point);
        let contact = self.contact.at(&self.from_below, point);
        (1.0 - CAST * smooth(cast)) * (1.0 - CONTACT * contact)
    }
}

/// A unit vector by its parts to the right of the camera, up, and toward the camera level.
fn from_camera(camera: &Camera, right: f32, up: f32, toward: f32) -> Vec3 {
    let backward = camera.backward();
    let level = Vec3::new(backward.x, 0.0, backward.z).normalize_or(Vec3::Z);
    (camera.right() * right + Vec3::Y * up + level * toward).normalize()
}

/// A cubic step, flat at both ends.
fn smooth(t: f32) -> f32 {
    let t = t.clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}

/// Leaves dark and middle tones and bends bright ones below 1.
fn shoulder(colour: Colour) -> Colour {
    let bend = |c: f32| if c < 0.7 { c } else { 1.0 - 0.3 / (1.0 + (c - 0.7) / 0.3) };
    Colour::new(bend(colour.r), bend(colour.g), bend(colour.b))
}
