//! The gear.

use std::f64::consts::TAU;

use glam::{DVec2, DVec3};

use super::figure_shape::{FigureShape, TextureProjection};
use super::primitives::polygon;
use super::solid::{Solid, smooth_min};

const TEETH: usize = 12;

/// A gear standing on its teeth, 0.8 m across, with a bore: edges rounded by 1 to 2 cm.
pub(super) fn gear() -> FigureShape {
    let wheel = Solid::extrusion(profile, 0.42, 0.09, 0.015);
    let hub = Solid::extrusion(|x| x.length() - 0.16, 0.2, 0.125, 0.015);
    let bore = Solid::extrusion(|x| x.length() - 0.085, 0.1, 1.0, 0.0);
    let gear = wheel.smooth_union(hub, 0.02).smooth_difference(bore, 0.03);
    FigureShape::closed(gear.moved(DVec3::new(0.0, 0.4, 0.0)), 0.014, TextureProjection::Front)
}

/// A disc with teeth: the plane is folded so that one tooth represents all.
fn profile(x: DVec2) -> f64 {
    let pitch = TAU / TEETH as f64;
    let angle = x.y.atan2(x.x);
    let folded = angle - pitch * (angle / pitch).round();
    let local = DVec2::from_angle(folded) * x.length();
    let tooth = [(0.25, -0.045), (0.38, -0.02), (0.38, 0.02), (0.25, 0.045)];
    let tooth = polygon(&tooth.map(|(x, y)| DVec2::new(x, y)), local) - 0.02;
    smooth_min(x.length() - 0.32, tooth, 0.02)
}
