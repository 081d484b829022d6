//! Whether an open surface is meant to be solid.

use std::collections::BTreeMap;

use glam::DVec3;
use pliant::geometry::Surface;

use crate::open_edges;
use crate::open_edges::welded_vertices;

use super::Inside;
use super::union_find::UnionFind;

/// Holes of a solid are at most this part of its surface: those that a scanner leaves under a statue,
/// not the openings of a shirt.
const SMALL: f64 = 0.05;

impl Inside {
    /// The rule for a surface, if that is left open.
    pub(super) fn resolved(self, surface: &Surface) -> Self {
        match self {
            Self::Auto if has_small_holes(surface) => Self::Winding,
            Self::Auto => Self::Flood,
            chosen => chosen,
        }
    }
}

/// Whether there are holes, and all of them together are small.
fn has_small_holes(surface: &Surface) -> bool {
    let holes = hole_area(surface);
    holes > 0.0 && holes < SMALL * surface.area()
}

/// The area of all holes, each as if it were flat: |½ Σ a × b| over the edges of its rim.
fn hole_area(surface: &Surface) -> f64 {
    let edges = open_edges(surface);
    let welded = welded_vertices(surface);
    let ends = |edge: &[u32; 2]| edge.map(|vertex| welded[vertex as usize]);
    let mut rims = UnionFind::new(surface.vertices.len());
    for [a, b] in edges.iter().map(ends) {
        rims.join(a, b);
    }
    let mut areas: BTreeMap<u32, DVec3> = BTreeMap::new();
    for edge in &edges {
        let rim = rims.find(ends(edge)[0]);
        // From a point of the rim, so that the digits do not depend on where the surface lies.
        let origin = surface.vertices[rim as usize];
        let [a, b] = edge.map(|vertex| surface.vertices[vertex as usize] - origin);
        *areas.entry(rim).or_default() += 0.5 * a.cross(b);
    }
    areas.values().map(|area| area.length()).sum()
}
