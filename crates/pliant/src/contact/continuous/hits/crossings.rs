//! Triangles that intersect at the end of a step.

use glam::DVec3;

use crate::contact::continuous::swept_surface::SweptSurface;
use crate::contact::detect::feature::Feature;
use pliant_mesh::geometry::triangles_intersect;

use super::swept_hit::{CROSSING, SweptHit};

/// Adds a hit for every two triangles of two surfaces, or of one, that intersect at the end of the step.
///
/// Paths tell nothing where features touch at the start, at a distance of rounding: there is no direction that says on which side of each other they are. This
/// looks at the ends alone. Impulses pass over these hits, since they have no direction either; zones and rollback remove them.
pub(in crate::contact::continuous) fn find_crossings(
    [first, second]: [&SweptSurface; 2],
    surfaces: [u32; 2],
    hits: &mut Vec<SweptHit>,
) {
    let same = surfaces[0] == surfaces[1];
    let mut look = |a: u32, b: u32| {
        let [t, u] =
            [(first, a), (second, b)].map(|(swept, k)| swept.facets.triangles()[k as usize]);
        let share = same && t.iter().any(|vertex| u.contains(vertex));
        if !share && triangles_intersect(first.end_corners(a), second.end_corners(b)) {
            hits.push(crossing(surfaces, [a, b], [t, u]));
        }
    };
    if same {
        first.tree().self_pairs(&mut look);
    } else {
        first.tree().pairs(second.tree(), &mut look);
    }
}

/// The hit of two triangles with these indices and corners.
fn crossing(surfaces: [u32; 2], [a, b]: [u32; 2], corners: [[u32; 3]; 2]) -> SweptHit {
    let features = corners.map(|of| Feature::triangle(of, [1.0 / 3.0; 3]));
    SweptHit {
        key: [surfaces[0], surfaces[1], CROSSING, a, b, 0, 0],
        surfaces,
        features,
        normal: DVec3::ZERO,
        from_outside: false,
        distance: 0.0,
        time: 0.0,
    }
}
