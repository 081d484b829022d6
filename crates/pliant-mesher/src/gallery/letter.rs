//! The letter C.

use glam::{DVec2, DVec3};

use super::figure_shape::{FigureShape, TextureProjection};
use super::solid::Solid;

/// The letter C, 0.8 m tall, its opening at the right: edges rounded by 3 cm.
pub(super) fn letter_c() -> FigureShape {
    let letter = Solid::extrusion(profile, 0.42, 0.1, 0.03);
    FigureShape::closed(letter.moved(DVec3::new(0.0, 0.4, 0.0)), 0.02, TextureProjection::Front)
}

/// The signed distance of an arc of 280° with straight ends, symmetric about the x axis.
///
/// At the upper end `along` is the radial coordinate and `beyond` is the distance past the end: there the nearest point
/// is on the end face, before it on the ring.
fn profile(x: DVec2) -> f64 {
    let (radius, half, rounding) = (0.31, 0.06, 0.03);
    let x = DVec2::new(x.x, x.y.abs());
    let end = DVec2::from_angle(0.7);
    let (along, beyond) = (x.dot(end), x.perp_dot(end));
    if beyond <= 0.0 {
        return ((x.length() - radius).abs() - half).max(beyond) - rounding;
    }
    beyond.hypot(((along - radius).abs() - half).max(0.0)) - rounding
}
