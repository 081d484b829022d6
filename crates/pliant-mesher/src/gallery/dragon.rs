//! The dragon with thin wings.

use glam::{DMat3, DVec2, DVec3};

use super::figure_shape::{FigurePart, FigureShape, TextureProjection};
use super::primitives::polygon;
use super::solid::Solid;

/// A small dragon, 0.9 m tall: a closed body, and wings that are membranes without thickness.
///
/// The membranes start inside the body and along the arms that support them.
pub(super) fn dragon() -> FigureShape {
    let body = trunk().smooth_union(legs(), 0.04).smooth_union(head(), 0.03);
    let body = body.smooth_union(spikes(), 0.015).smooth_union(arms(), 0.02);
    let (sheet, outline) = wings();
    let parts = vec![FigurePart::Closed(body), FigurePart::Open { sheet, outline }];
    FigureShape { parts, finest: 0.012, projection: TextureProjection::Around }
}

/// From the tip of the tail to the base of the head.
fn trunk() -> Solid {
    let beads = [
        ([0.2, 0.03, -0.52], 0.015),
        ([0.12, 0.035, -0.55], 0.025),
        ([0.02, 0.07, -0.48], 0.04),
        ([0.0, 0.16, -0.33], 0.06),
        ([0.0, 0.26, -0.17], 0.11),
        ([0.0, 0.27, 0.0], 0.125),
        ([0.0, 0.32, 0.12], 0.11),
        ([0.0, 0.45, 0.2], 0.075),
        ([0.0, 0.57, 0.21], 0.06),
        ([0.0, 0.65, 0.25], 0.06),
    ];
    Solid::chain(&beads.map(|(x, radius)| (DVec3::from_array(x), radius)), 0.03)
}

fn legs() -> Solid {
    let fore =
        [([0.08, 0.27, 0.13], 0.06), ([0.13, 0.15, 0.1], 0.042), ([0.13, 0.045, 0.14], 0.035)];
    let hind =
        [([0.08, 0.24, -0.16], 0.085), ([0.15, 0.15, -0.1], 0.06), ([0.14, 0.045, -0.17], 0.035)];
    let limb = |beads: [([f64; 3], f64); 3]| {
        Solid::chain(&beads.map(|(x, radius)| (DVec3::from_array(x), radius)), 0.02)
    };
    let paw = |z: f64| {
        let heel = DVec3::new(0.135, 0.035, z);
        Solid::rounded_cone(heel, 0.036, heel + DVec3::new(0.01, 0.0, 0.075), 0.03)
    };
    let legs = limb(fore).union(limb(hind)).smooth_union(paw(0.14).union(paw(-0.17)), 0.02);
    legs.mirrored()
}

/// Skull, muzzle, brows with eyes, horns.
fn head() -> Solid {
    let skull = Solid::ellipsoid(DVec3::new(0.0, 0.67, 0.27), DVec3::new(0.075, 0.07, 0.09));
    let nose = DVec3::new(0.0, 0.635, 0.41);
    let muzzle = Solid::rounded_cone(DVec3::new(0.0, 0.65, 0.32), 0.052, nose, 0.036);
    let nostril = Solid::sphere(DVec3::new(0.02, 0.668, 0.43), 0.013).mirrored();
    let eye = Solid::sphere(DVec3::new(0.055, 0.695, 0.315), 0.022).mirrored();
    let horn =
        [([0.04, 0.72, 0.23], 0.024), ([0.065, 0.79, 0.16], 0.017), ([0.07, 0.87, 0.13], 0.012)];
    let horn = Solid::chain(&horn.map(|(x, radius)| (DVec3::from_array(x), radius)), 0.01);
    let head = skull.smooth_union(muzzle, 0.04).smooth_union(eye, 0.008);
    head.smooth_union(nostril, 0.015).smooth_union(horn.mirrored(), 0.015)
}

/// A row of spikes down neck, back and tail.
fn spikes() -> Solid {
    let places = [
        [0.0, 0.72, 0.17, 0.9],
        [0.0, 0.64, 0.125, 0.6],
        [0.0, 0.535, 0.115, 0.4],
        [0.0, 0.445, 0.07, 0.2],
        [0.0, 0.395, -0.02, 0.0],
        [0.0, 0.375, -0.12, -0.1],
        [0.0, 0.325, -0.22, -0.4],
        [0.0, 0.24, -0.315, -0.5],
        [0.0, 0.16, -0.4, -0.5],
    ];
    let spike = |[x, y, z, lean]: [f64; 4]| {
        let base = DVec3::new(x, y - 0.02, z);
        let away = DVec3::new(0.0, 1.0, -0.5 - lean.abs()).normalize() * 0.07;
        Solid::rounded_cone(base, 0.028, base + away, 0.01)
    };
    places.map(spike).into_iter().reduce(Solid::union).unwrap_or_else(Solid::nothing)
}

/// The root of a wing.
const SHOULDER: DVec3 = DVec3::new(0.05, 0.37, 0.07);

/// The axes of a wing: along the span, along the chord to the rear, normal to the membrane.
fn wing_axes() -> DMat3 {
    let span = DVec3::new(0.84, 0.53, -0.05).normalize();
    let rear = DVec3::new(0.1, -0.55, -0.83);
    let rear = (rear - span * rear.dot(span)).normalize();
    DMat3::from_cols(span, rear, span.cross(rear))
}

/// The height of the membrane over the plane of the wing, in m.
fn bulge(flat: DVec2) -> f64 {
    0.35 * flat.x * flat.x - 0.25 * flat.y * flat.y
}

/// The bones of the leading edge: upper arm, forearm, and a claw at the wrist.
fn arms() -> Solid {
    let place = |x: f64, y: f64| SHOULDER + wing_axes() * DVec3::new(x, y, bulge(DVec2::new(x, y)));
    let beads = [
        (place(0.0, 0.01), 0.032),
        (place(0.14, -0.05), 0.024),
        (place(0.3, -0.07), 0.02),
        (place(0.45, -0.03), 0.014),
        (place(0.58, 0.08), 0.012),
    ];
    let claw = Solid::rounded_cone(beads[2].0, 0.016, place(0.33, -0.12), 0.01);
    Solid::chain(&beads, 0.01).smooth_union(claw, 0.01).mirrored()
}

/// The corners of a wing in its plane: the leading edge, then the tips of the fingers.
const WING: [DVec2; 9] = [
    DVec2::new(-0.02, 0.0),
    DVec2::new(0.14, -0.05),
    DVec2::new(0.3, -0.07),
    DVec2::new(0.45, -0.03),
    DVec2::new(0.6, 0.1),
    DVec2::new(0.52, 0.27),
    DVec2::new(0.36, 0.36),
    DVec2::new(0.17, 0.36),
    DVec2::new(-0.02, 0.24),
];

/// The bays between the fingers: centre and radius.
const BAYS: [(DVec2, f64); 4] = [
    (DVec2::new(0.66, 0.23), 0.125),
    (DVec2::new(0.49, 0.4), 0.12),
    (DVec2::new(0.265, 0.44), 0.12),
    (DVec2::new(0.03, 0.4), 0.13),
];

/// The surface that contains both membranes, and their outline.
fn wings() -> (Solid, Solid) {
    let axes = wing_axes();
    let profile = |x: DVec2| {
        let bays = BAYS.iter().map(|(centre, radius)| radius - x.distance(*centre));
        bays.fold(polygon(&WING, x), f64::max)
    };
    let outline = Solid::extrusion(profile, 0.7, 0.25, 0.0).turned(axes).moved(SHOULDER).mirrored();
    let (low, high) = outline.bounds();
    let sheet = Solid::new(low, high, move |x| {
        let local = axes.transpose() * (x.with_x(x.x.abs()) - SHOULDER);
        local.z - bulge(local.truncate())
    });
    (sheet, outline)
}
