//! Sites on rings, for glass that cracks around an impact point.

use std::f64::consts::TAU;

use glam::DVec3;
use pliant_mesh::geometry::Aabb;

use super::random_sequence::RandomSequence;
use super::voronoi::frame;

/// The radius of the first ring over that of the last.
const INNER_RADIUS_RATIO: f64 = 0.02;

/// The ratio of length to width of cells: they are longer in the radial direction.
const CELL_ASPECT_RATIO: f64 = 2.2;

/// About `count` sites in the plane through `point` across `through`.
///
/// Rings of equal numbers of sites have radii that grow by a constant factor, so that all cells have about the same
/// shape. Derived here.
pub(super) fn ring_sites(
    bounds: &Aabb,
    point: DVec3,
    through: DVec3,
    count: usize,
    seed: u64,
) -> Vec<DVec3> {
    let corner = |k: u32| {
        let along = |axis: u32| f64::from(k >> axis & 1);
        bounds.low + DVec3::new(along(0), along(1), along(2)) * (bounds.high - bounds.low)
    };
    let across = |x: DVec3| x - x.dot(through) * through;
    let reach = (0..8).map(|k| across(corner(k) - point).length()).fold(0.0, f64::max);
    let axes = frame(through);
    let mut random = RandomSequence::new(seed);
    // Sites outside the pane make no splinters: these are about a third.
    let rays = rays_of(1.5 * count as f64);
    let growth = 1.0 + CELL_ASPECT_RATIO * TAU / rays as f64;
    // Radial cracks continue through all rings, with slightly uneven angles; circular cracks are slightly displaced
    // from ray to ray.
    let step = TAU / rays as f64;
    let angles: Vec<f64> = (0..rays).map(|k| (k as f64 + random.signed(0.35)) * step).collect();
    let phases: Vec<f64> = (0..rays).map(|_| random.signed(0.1)).collect();
    let mut sites = vec![point];
    let mut radius = INNER_RADIUS_RATIO * reach;
    while radius < growth * reach {
        for (angle, phase) in angles.iter().zip(&phases) {
            let turn = angle + random.signed(0.02) * step;
            let out = radius * (1.0 + (phase + random.signed(0.1)) * (growth - 1.0));
            let (sin, cos) = turn.sin_cos();
            sites.push(point + out * (cos * axes.x_axis + sin * axes.y_axis));
        }
        radius *= growth;
    }
    sites
}

/// The number of rays that gives about this number of sites.
fn rays_of(count: f64) -> usize {
    let sites = |rays: usize| {
        let growth = 1.0 + CELL_ASPECT_RATIO * TAU / rays as f64;
        rays as f64 * (1.0 - INNER_RADIUS_RATIO.ln() / growth.ln())
    };
    (5..10_000).find(|rays| sites(*rays) >= count).unwrap_or(10_000)
}
