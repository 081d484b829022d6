//! The starfish.

use std::f64::consts::{FRAC_PI_2, TAU};

use glam::{DMat3, DVec3};

use super::figure_shape::{FigureShape, TextureProjection};
use super::solid::Solid;

/// A starfish lying on the ground, 1 m across: five arms, rounded above, flat below.
pub(super) fn starfish() -> FigureShape {
    let disc = Solid::ellipsoid(DVec3::ZERO, DVec3::new(0.17, 0.13, 0.17));
    let star = (0..5).map(arm).fold(disc, |star, arm| star.smooth_union(arm, 0.07));
    let above = Solid::cuboid(DVec3::new(0.0, 0.5, 0.0), DVec3::new(1.0, 0.53, 1.0), 0.0);
    let star = star.smooth_intersection(above, 0.05);
    FigureShape::closed(star, 0.018, TextureProjection::Top)
}

/// An arm with a row of knobs on its ridge.
fn arm(index: usize) -> Solid {
    let at = |x: f64, y: f64| DVec3::new(x, y, 0.0);
    let beads = [(at(0.08, 0.0), 0.105), (at(0.3, 0.0), 0.072), (at(0.49, 0.0), 0.034)];
    let knobs = [(0.0, 0.125), (0.12, 0.105), (0.21, 0.09), (0.3, 0.075), (0.38, 0.065)];
    let knobs = knobs.map(|(x, y)| Solid::sphere(at(x, y), 0.024));
    let limb = Solid::chain(&beads, 0.03);
    let limb = knobs.into_iter().fold(limb, |limb, knob| limb.smooth_union(knob, 0.015));
    limb.turned(DMat3::from_rotation_y(-FRAC_PI_2 + TAU * index as f64 / 5.0))
}
