//! A rope: a polyline without triangles.

use std::f64::consts::TAU;

use glam::DVec3;
use pliant::geometry::Surface;

/// Height and radius of the coils, in m, and their number.
const HEIGHT: f64 = 1.0;
const RADIUS: f64 = 0.12;
const COILS: f64 = 3.0;

/// A standing coil, in segments of about this length.
pub(super) fn rope(edge: f64) -> Surface {
    let length = HEIGHT.hypot(COILS * TAU * RADIUS);
    let count = (length / edge).ceil() as u32;
    let point = |k: u32| {
        let along = f64::from(k) / f64::from(count);
        let (sin, cos) = (COILS * TAU * along).sin_cos();
        DVec3::new(RADIUS * cos, HEIGHT * along, RADIUS * sin)
    };
    let lines = (0..count).map(|k| [k, k + 1]).collect();
    Surface { lines, ..Surface::new((0..=count).map(point).collect(), Vec::new()) }
}
