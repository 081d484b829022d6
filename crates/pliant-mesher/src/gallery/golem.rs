//! The clay man.

use glam::DVec3;

use super::figure_shape::{FigureShape, TextureProjection};
use super::solid::Solid;

/// A stout man, 1 m tall, with his arms stretched out.
///
/// A mesh of about 150 tetrahedra reaches into all his parts, and no cell contains arm and leg at once.
pub(super) fn golem() -> FigureShape {
    let hip = DVec3::new(0.0, 0.3, 0.0);
    let trunk = Solid::rounded_cone(hip, 0.19, DVec3::new(0.0, 0.5, 0.0), 0.2);
    let body = trunk.smooth_union(head(), 0.06).smooth_union(arms(), 0.06);
    FigureShape::closed(
        body.smooth_union(legs(), 0.05).smooth_union(face(), 0.025),
        0.015,
        TextureProjection::Around,
    )
}

/// Skull and neck.
fn head() -> Solid {
    let skull = Solid::sphere(DVec3::new(0.0, 0.82, 0.02), 0.16);
    let nape = DVec3::new(0.0, 0.55, 0.0);
    skull.smooth_union(Solid::rounded_cone(nape, 0.15, DVec3::new(0.0, 0.75, 0.01), 0.13), 0.06)
}

/// Arms with thumbs.
fn arms() -> Solid {
    let beads = [([0.17, 0.54, 0.0], 0.14), ([0.34, 0.52, 0.0], 0.115), ([0.47, 0.53, 0.02], 0.12)];
    let arm = Solid::chain(&beads.map(|(x, radius)| (DVec3::from_array(x), radius)), 0.04);
    arm.smooth_union(Solid::sphere(DVec3::new(0.45, 0.58, 0.1), 0.045), 0.03).mirrored()
}

fn legs() -> Solid {
    let beads =
        [([0.12, 0.25, 0.0], 0.15), ([0.14, 0.13, 0.0], 0.125), ([0.145, 0.11, 0.08], 0.11)];
    Solid::chain(&beads.map(|(x, radius)| (DVec3::from_array(x), radius)), 0.04).mirrored()
}

/// Brow, nose and ears.
fn face() -> Solid {
    let brow = Solid::capsule(DVec3::new(-0.07, 0.88, 0.15), DVec3::new(0.07, 0.88, 0.15), 0.035);
    let nose = Solid::ellipsoid(DVec3::new(0.0, 0.825, 0.185), DVec3::new(0.035, 0.04, 0.04));
    let ear = Solid::sphere(DVec3::new(0.165, 0.82, 0.0), 0.035).mirrored();
    brow.smooth_union(nose, 0.02).union(ear)
}
