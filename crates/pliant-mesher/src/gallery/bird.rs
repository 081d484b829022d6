//! The rubber bird.

use glam::DVec3;

use super::figure_shape::{FigureShape, TextureProjection};
use super::solid::Solid;

/// A bird for the bathtub, 0.8 m tall: a boat-shaped body, a beak, wings at the sides, the tail up.
pub(super) fn bird() -> FigureShape {
    let bird = body().smooth_union(head(), 0.08).smooth_union(wings(), 0.025);
    FigureShape::closed(
        bird.smooth_union(beak(), 0.025).smooth_union(eyes(), 0.008),
        0.016,
        TextureProjection::Around,
    )
}

/// A hull with a flat bottom and a pointed tail.
fn body() -> Solid {
    let hull = Solid::ellipsoid(DVec3::new(0.0, 0.24, 0.0), DVec3::new(0.29, 0.24, 0.38));
    let rump = DVec3::new(0.0, 0.27, -0.25);
    let tail = Solid::rounded_cone(rump, 0.15, DVec3::new(0.0, 0.43, -0.45), 0.035);
    let bottom = Solid::cuboid(DVec3::new(0.0, 0.54, 0.0), DVec3::new(1.0, 0.5, 1.0), 0.0);
    hull.smooth_union(tail, 0.12).smooth_intersection(bottom, 0.05)
}

fn head() -> Solid {
    let neck = Solid::capsule(DVec3::new(0.0, 0.35, 0.14), DVec3::new(0.0, 0.5, 0.16), 0.13);
    neck.smooth_union(Solid::sphere(DVec3::new(0.0, 0.6, 0.17), 0.19), 0.06)
}

/// An upper and a lower bill, a little open.
fn beak() -> Solid {
    let upper = Solid::ellipsoid(DVec3::new(0.0, 0.595, 0.37), DVec3::new(0.1, 0.04, 0.12));
    let lower = Solid::ellipsoid(DVec3::new(0.0, 0.53, 0.34), DVec3::new(0.075, 0.032, 0.09));
    upper.smooth_union(lower, 0.03)
}

fn eyes() -> Solid {
    Solid::sphere(DVec3::new(0.1, 0.67, 0.3), 0.04).mirrored()
}

/// Wings on the flanks, their points lifted at the back.
fn wings() -> Solid {
    let fore = Solid::ellipsoid(DVec3::new(0.25, 0.29, 0.03), DVec3::new(0.07, 0.13, 0.18));
    let point = DVec3::new(0.29, 0.35, -0.22);
    let aft = Solid::rounded_cone(DVec3::new(0.255, 0.3, -0.06), 0.08, point, 0.035);
    fore.smooth_union(aft, 0.06).mirrored()
}
