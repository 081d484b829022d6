//! The mug.

use glam::{DVec2, DVec3};

use super::figure_shape::{FigureShape, TextureProjection};
use super::primitives::rectangle;
use super::solid::Solid;

/// A mug, 0.6 m tall, with its handle on the right: a solid with one hole.
pub(super) fn mug() -> FigureShape {
    let outer = tube(0.26, [0.0, 0.6], 0.04);
    let inner = tube(0.21, [0.055, 0.9], 0.05);
    let ring = Solid::torus(DVec3::new(0.27, 0.31, 0.0), DVec3::Z, 0.16, 0.04);
    let mug = outer.smooth_union(ring, 0.04).smooth_difference(inner, 0.03);
    FigureShape::closed(mug, 0.018, TextureProjection::Around)
}

/// A cylinder around the y axis with rounded edges.
fn tube(radius: f64, [low, high]: [f64; 2], rounding: f64) -> Solid {
    let half = DVec2::new(radius, (high - low) / 2.0) - rounding;
    let middle = DVec2::new(0.0, (low + high) / 2.0);
    Solid::turned_profile(move |x| rectangle(half, x - middle) - rounding, radius, [low, high])
}
