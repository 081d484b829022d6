//! The gummy bear.

use glam::DVec3;

use super::figure_shape::{FigureShape, TextureProjection};
use super::solid::Solid;

/// A gummy bear, 1 m tall: round everywhere, hands before the belly, feet stretched forward.
pub(super) fn bear() -> FigureShape {
    let body = Solid::ellipsoid(DVec3::new(0.0, 0.35, 0.0), DVec3::new(0.25, 0.31, 0.2));
    let head = Solid::ellipsoid(DVec3::new(0.0, 0.74, 0.03), DVec3::new(0.2, 0.185, 0.18));
    let bear = body.smooth_union(head, 0.06).smooth_union(limbs(), 0.045);
    let bear = bear.smooth_union(muzzle(), 0.03).smooth_union(ears(), 0.03);
    FigureShape::closed(bear.smooth_union(face(), 0.012), 0.018, TextureProjection::Around)
}

fn limbs() -> Solid {
    let shoulder = DVec3::new(0.19, 0.53, 0.06);
    let arm = Solid::rounded_cone(shoulder, 0.075, DVec3::new(0.15, 0.43, 0.24), 0.07);
    let hip = DVec3::new(0.15, 0.14, 0.02);
    let foot = DVec3::new(0.17, 0.12, 0.27);
    let leg = Solid::rounded_cone(hip, 0.13, foot, 0.1);
    arm.smooth_union(leg, 0.03).mirrored()
}

fn muzzle() -> Solid {
    Solid::ellipsoid(DVec3::new(0.0, 0.69, 0.19), DVec3::new(0.1, 0.08, 0.08))
}

/// Ears with a hollow in front.
fn ears() -> Solid {
    let centre = DVec3::new(0.145, 0.9, 0.02);
    let ear = Solid::ellipsoid(centre, DVec3::new(0.085, 0.085, 0.06));
    let hollow = Solid::sphere(centre + DVec3::new(0.005, 0.005, 0.075), 0.055);
    ear.smooth_difference(hollow, 0.03).mirrored()
}

/// Eyes and nose.
fn face() -> Solid {
    let eye = Solid::sphere(DVec3::new(0.08, 0.79, 0.185), 0.03).mirrored();
    let nose = Solid::ellipsoid(DVec3::new(0.0, 0.73, 0.26), DVec3::new(0.04, 0.028, 0.028));
    eye.union(nose)
}
