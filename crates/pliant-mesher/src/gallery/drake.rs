//! The dragon without thin parts.

use std::f64::consts::TAU;

use glam::{DMat3, DVec3, EulerRot};

use super::figure_shape::{FigureShape, TextureProjection};
use super::solid::Solid;

/// A stout sitting dragon, 1 m tall.
///
/// All parts are so thick that a mesh of about 170 tetrahedra reaches into each of them: the wings are folded on its
/// back, and crest and scales are a relief on the skin.
pub(super) fn drake() -> FigureShape {
    let body = trunk().smooth_union(head(), 0.05).smooth_union(limbs(), 0.04);
    let body = body.smooth_union(wings(), 0.02).smooth_union(crest(), 0.025);
    FigureShape::closed(scaled(body).smooth_union(eyes(), 0.008), 0.012, TextureProjection::Around)
}

/// Centre and radius of the trunk from the tip of the tail to the base of the head, in m.
const SPINE: [([f64; 3], f64); 7] = [
    ([0.2, 0.12, -0.45], 0.115),
    ([0.09, 0.15, -0.38], 0.14),
    ([0.0, 0.2, -0.22], 0.19),
    ([0.0, 0.27, -0.08], 0.235),
    ([0.0, 0.42, 0.0], 0.2),
    ([0.0, 0.58, 0.05], 0.15),
    ([0.0, 0.74, 0.06], 0.14),
];

fn trunk() -> Solid {
    Solid::chain(&SPINE.map(|(place, radius)| (DVec3::from_array(place), radius)), 0.06)
}

/// Skull, muzzle, nostrils, brows, and horns no longer than they are thick.
fn head() -> Solid {
    let skull = Solid::ellipsoid(DVec3::new(0.0, 0.8, 0.1), DVec3::new(0.165, 0.15, 0.18));
    let nose = DVec3::new(0.0, 0.75, 0.3);
    let muzzle = Solid::rounded_cone(DVec3::new(0.0, 0.78, 0.18), 0.13, nose, 0.11);
    let nostril = Solid::sphere(DVec3::new(0.05, 0.815, 0.365), 0.03).mirrored();
    let brow = Solid::capsule(DVec3::new(0.075, 0.91, 0.23), DVec3::new(0.125, 0.885, 0.13), 0.03);
    let tip = DVec3::new(0.1, 0.95, -0.02);
    let horn = Solid::rounded_cone(DVec3::new(0.085, 0.9, 0.04), 0.06, tip, 0.042).mirrored();
    let head = skull.smooth_union(muzzle, 0.06).smooth_union(nostril, 0.04);
    head.smooth_union(brow.mirrored(), 0.03).smooth_union(horn, 0.03)
}

fn eyes() -> Solid {
    Solid::sphere(DVec3::new(0.115, 0.855, 0.2), 0.035).mirrored()
}

/// Hind legs stretched forward, arms before the chest.
fn limbs() -> Solid {
    let hip = DVec3::new(0.16, 0.17, 0.0);
    let leg = Solid::rounded_cone(hip, 0.16, DVec3::new(0.19, 0.12, 0.16), 0.115);
    let shoulder = DVec3::new(0.13, 0.43, 0.1);
    let arm = Solid::rounded_cone(shoulder, 0.09, DVec3::new(0.11, 0.36, 0.17), 0.075);
    leg.union(arm).mirrored()
}

/// Wings folded on the back, each of three fingers on top of each other.
fn wings() -> Solid {
    let finger = |k: u8| {
        let k = f64::from(k);
        let centre = DVec3::new(0.14 - 0.005 * k, 0.5 - 0.07 * k, -0.1 - 0.012 * k);
        Solid::ellipsoid(centre, DVec3::new(0.08, 0.05, 0.12 - 0.01 * k))
    };
    finger(0).smooth_union(finger(1), 0.015).smooth_union(finger(2), 0.015).mirrored()
}

/// Knobs down neck, back and tail, larger where the trunk is thick.
fn crest() -> Solid {
    let knobs = SPINE.windows(2).flat_map(|pair| {
        let (from, to) = (DVec3::from_array(pair[0].0), DVec3::from_array(pair[1].0));
        let along = to - from;
        let away = DVec3::new(0.0, along.z, -along.y).normalize_or(DVec3::Y);
        [0.25, 0.75].map(|t| {
            let radius = pair[0].1 + t * (pair[1].1 - pair[0].1);
            let knob = 0.015 + 0.1 * radius;
            Solid::sphere(from + t * along + away * (radius - 0.3 * knob), knob)
        })
    });
    knobs.reduce(Solid::union).unwrap_or_else(Solid::nothing)
}

/// Adds a relief of scales: bumps some millimetres high.
fn scaled(solid: Solid) -> Solid {
    const HEIGHT: f64 = 0.0035;
    const LENGTH: f64 = 0.045;
    let (low, high) = solid.bounds();
    let margin = DVec3::splat(HEIGHT);
    // Rotated, so that no row of scales runs along an axis.
    let turn = DMat3::from_euler(EulerRot::XYZ, 0.6, 0.4, 0.3) * (TAU / LENGTH);
    Solid::new(low - margin, high + margin, move |x| {
        let phase = turn * x.with_x(x.x.abs());
        let bump = (phase.x.cos() + phase.y.cos() + phase.z.cos()) / 3.0;
        solid.distance(x) - HEIGHT * bump
    })
}
