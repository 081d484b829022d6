//! The convex corners and edges of a triangle surface.

use std::collections::BTreeMap;

use glam::DVec3;

use crate::math::Rows;

use super::{Aabb, Tree};

/// Sine of the angle between two triangles above which a convex edge is a feature, about one degree. A triangle that lies across a blunter edge
/// sinks in by less than half a hundredth of its length before a corner of it touches.
const BLUNT_SINE: f64 = 0.02;

/// The convex edges of a surface and their ends, with search trees.
#[derive(Debug, Clone, Default)]
pub(super) struct SurfaceFeatures {
    corners: Vec<DVec3>,
    /// Unit vectors along the edges of the surface that leave each corner.
    ways: Rows<DVec3>,
    corner_tree: Tree,
    edges: Vec<ConvexEdge>,
    edge_tree: Tree,
}

/// An edge, and the unit vectors into the two triangles beside it, across it.
#[derive(Debug, Clone, Copy)]
struct ConvexEdge {
    ends: [DVec3; 2],
    beside: [DVec3; 2],
}

impl SurfaceFeatures {
    /// Finds the features of these triangles.
    pub(super) fn new(vertices: &[DVec3], triangles: &[[u32; 3]]) -> Self {
        let edges = shared_edges(triangles);
        let convex = |(ends, opposite): (&[u32; 2], &Vec<(bool, u32)>)| {
            ConvexEdge::of(vertices, *ends, opposite).map(|edge| (*ends, edge))
        };
        let edges_found: Vec<([u32; 2], ConvexEdge)> = edges.iter().filter_map(convex).collect();
        let mut used: Vec<u32> = edges_found.iter().flat_map(|(ends, _)| *ends).collect();
        used.sort_unstable();
        used.dedup();
        let corners: Vec<DVec3> = used.iter().map(|k| vertices[*k as usize]).collect();
        let ways = ways_from(vertices, &used, edges.keys().copied());
        let edges: Vec<ConvexEdge> = edges_found.into_iter().map(|(_, edge)| edge).collect();
        let points: Vec<Aabb> = corners.iter().map(|x| Aabb::of([*x])).collect();
        let boxes: Vec<Aabb> = edges.iter().map(|edge| Aabb::of(edge.ends)).collect();
        let (corner_tree, edge_tree) = (Tree::new(&points), Tree::new(&boxes));
        Self { corners, ways, corner_tree, edges, edge_tree }
    }

    pub(super) fn corners_in(&self, bounds: &Aabb, mut visit: impl FnMut(u32, DVec3)) {
        self.corner_tree.overlapping(bounds, |k| visit(k, self.corners[k as usize]));
    }

    pub(super) fn edges_in(&self, bounds: &Aabb, mut visit: impl FnMut(u32, [DVec3; 2])) {
        self.edge_tree.overlapping(bounds, |k| visit(k, self.edges[k as usize].ends));
    }

    pub(super) fn is_below_corner(&self, corner: u32, normal: DVec3, rise: f64) -> bool {
        self.ways.row(corner as usize).iter().all(|way| way.dot(normal) <= rise)
    }

    pub(super) fn is_below_edge(&self, edge: u32, normal: DVec3, rise: f64) -> bool {
        self.edges[edge as usize].beside.iter().all(|way| way.dot(normal) <= rise)
    }
}

/// Every edge by its ends, the smaller first, with the opposite corners of its triangles; true if the triangle runs along it
/// from the smaller to the larger.
fn shared_edges(triangles: &[[u32; 3]]) -> BTreeMap<[u32; 2], Vec<(bool, u32)>> {
    let mut edges: BTreeMap<[u32; 2], Vec<(bool, u32)>> = BTreeMap::new();
    for t in triangles {
        for k in 0..3 {
            let [a, b, c] = [t[k], t[(k + 1) % 3], t[(k + 2) % 3]];
            edges.entry([a.min(b), a.max(b)]).or_default().push((a < b, c));
        }
    }
    edges
}

/// Unit vectors along the edges from each of these vertices, which are sorted.
fn ways_from(
    vertices: &[DVec3],
    corners: &[u32],
    edges: impl Iterator<Item = [u32; 2]> + Clone,
) -> Rows<DVec3> {
    let from = |[a, b]: [u32; 2]| {
        let row = corners.binary_search(&a).ok()?;
        Some((row, (vertices[b as usize] - vertices[a as usize]).normalize_or_zero()))
    };
    let both = || edges.clone().flat_map(|[a, b]| [[a, b], [b, a]]).filter_map(from);
    Rows::from_pairs(corners.len(), both)
}

impl ConvexEdge {
    /// The edge, if exactly two triangles meet there in a convex angle.
    fn of(vertices: &[DVec3], ends: [u32; 2], opposite: &[(bool, u32)]) -> Option<Self> {
        let ([(true, c), (false, d)] | [(false, d), (true, c)]) = *opposite else { return None };
        let [a, b] = ends.map(|k| vertices[k as usize]);
        let along = (b - a).normalize_or_zero();
        let way = |k: u32| {
            let way = vertices[k as usize] - a;
            (way - way.dot(along) * along).normalize_or_zero()
        };
        let beside = [way(c), way(d)];
        // Out of the triangle that runs from a to b.
        let normal = along.cross(beside[0]);
        let convex = normal.dot(beside[1]) < -BLUNT_SINE
            || normal.dot(beside[1]) < 0.0 && beside[0].dot(beside[1]) > 0.0;
        convex.then_some(Self { ends: [a, b], beside })
    }
}
