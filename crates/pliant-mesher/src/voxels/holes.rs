//! Small holes of open surfaces that are meant to be solid.

use std::collections::BTreeMap;

use glam::DVec3;
use pliant::geometry::Surface;
use pliant_kernels::math::DisjointSets;

use crate::open_edges;
use crate::open_edges::welded_vertices;

/// The largest ratio of hole area to surface area of a solid: such holes are left by a scanner under a statue, larger
/// ones are the openings of a shirt.
const MAX_HOLE_SHARE: f64 = 0.05;

/// The rim of a hole.
#[derive(Debug, Clone, Copy)]
pub(super) struct Rim {
    /// ½ Σ a × b over its edges: the vector area of the hole.
    area: DVec3,
    /// The bounding box.
    pub(super) low: DVec3,
    pub(super) high: DVec3,
}

/// The holes of a surface that is meant to be solid: all of them if they are small together, else `None`.
pub(super) fn small_holes(surface: &Surface) -> Option<Vec<Rim>> {
    let rims = rims(surface);
    let area: f64 = rims.iter().map(|rim| rim.area.length()).sum();
    (area > 0.0 && area < MAX_HOLE_SHARE * surface.area()).then_some(rims)
}

fn rims(surface: &Surface) -> Vec<Rim> {
    let edges = open_edges(surface);
    let welded = welded_vertices(surface);
    let ends = |edge: &[u32; 2]| edge.map(|vertex| welded[vertex as usize]);
    let mut sets = DisjointSets::new(surface.vertices.len());
    for [a, b] in edges.iter().map(ends) {
        sets.join(a, b);
    }
    let mut rims: BTreeMap<u32, Rim> = BTreeMap::new();
    for edge in &edges {
        let root = sets.find(ends(edge)[0]);
        // Relative to a point of the rim, so that rounding does not depend on the position of the surface.
        let origin = surface.vertices[root as usize];
        let rim = rims.entry(root).or_insert(Rim { area: DVec3::ZERO, low: origin, high: origin });
        let [a, b] = edge.map(|vertex| surface.vertices[vertex as usize]);
        rim.area += 0.5 * (a - origin).cross(b - origin);
        (rim.low, rim.high) = (rim.low.min(a.min(b)), rim.high.max(a.max(b)));
    }
    rims.into_values().collect()
}
