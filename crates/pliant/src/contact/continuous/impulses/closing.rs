//! Impulses that end the approach of two points.

use glam::DVec3;

use crate::contact::continuous::hits::swept_hit::SweptHit;
use crate::contact::continuous::surface::{ContinuousRules, ContinuousSurface, SurfaceMotion};
use crate::contact::continuous::swept_surface::SweptSurface;
use crate::contact::detect::feature::Feature;

use super::impulse_row::ImpulseRow;
use super::impulse_system::ImpulseSystem;

/// Tolerance of a closing speed, over the speed at which the points met.
const TOLERANCE: f64 = 0.01;

impl ImpulseSystem {
    /// Adds a row for every hit, in the order of their keys: at the end of the step the two points do not approach each other,
    /// `h n · (v − v') + n · J z ≥ 0`.
    pub(in crate::contact::continuous) fn add_closing(
        &mut self,
        hits: &[SweptHit],
        surfaces: &[ContinuousSurface<'_>],
        swept_surfaces: &[SweptSurface],
        rules: &ContinuousRules<'_>,
    ) {
        for hit in hits {
            let way = rules.h * relative_velocity(hit, surfaces, swept_surfaces, rules.h);
            let row = self.start_row(hit, 1.0, surfaces, swept_surfaces);
            let (base, slip) = (row.normal.dot(way), row.across(way));
            let (slack, friction) = (TOLERANCE * base.abs(), rules.friction_of(hit.surfaces));
            self.rows.push(ImpulseRow { base, slack, slip, friction, ..row });
        }
    }
}

/// The velocity of the first point of a hit relative to the second at the end of a step of `h` seconds, in m/s.
fn relative_velocity(
    hit: &SweptHit,
    surfaces: &[ContinuousSurface<'_>],
    swept_surfaces: &[SweptSurface],
    h: f64,
) -> DVec3 {
    let [a, b] = [0, 1].map(|side| {
        let surface = hit.surfaces[side] as usize;
        velocity(&hit.features[side], &surfaces[surface], &swept_surfaces[surface], h)
    });
    a - b
}

/// The velocity of a point of a surface at the end of the step, in m/s.
fn velocity(
    feature: &Feature,
    surface: &ContinuousSurface<'_>,
    swept: &SweptSurface,
    h: f64,
) -> DVec3 {
    let SurfaceMotion::Nodes { skin, v, .. } = &surface.motion else {
        return (feature.blend(&swept.end) - feature.blend(&swept.begin)) / h;
    };
    let of_vertex = |vertex: u32| -> DVec3 {
        skin.weights(vertex as usize).map(|(node, w)| w * v[node as usize]).sum()
    };
    let points = feature.vertices().iter().zip(feature.weights());
    points.map(|(vertex, weight)| *weight * of_vertex(*vertex)).sum()
}
