//! Connected parts of a surface.

use glam::DVec3;
use pliant::geometry::Surface;
use pliant_kernels::math::{DisjointSets, parallel_map};

use crate::SurfaceTree;
use crate::open_edges::welded_vertices;

/// The connected parts of a surface. Parts that pass through each other are one: their union is one solid.
#[derive(Debug)]
pub(super) struct Shells {
    /// For every vertex, the first vertex of its part.
    part_of: Vec<u32>,
    /// True if some parts pass through each other.
    pub(super) are_united: bool,
}

impl Shells {
    pub(super) fn new(surface: &Surface, tree: &SurfaceTree) -> Self {
        let welded = welded_vertices(surface);
        let mut sets = DisjointSets::new(surface.vertices.len());
        for corners in &surface.triangles {
            let [a, b, c] = corners.map(|vertex| welded[vertex as usize]);
            sets.join(a, b);
            sets.join(b, c);
        }
        let parts = |sets: &mut DisjointSets| -> Vec<u32> {
            welded.iter().map(|vertex| sets.find(*vertex)).collect()
        };
        let separate = parts(&mut sets);
        let pairs = intersections(surface, tree, &separate);
        pairs.iter().for_each(|[a, b]| {
            sets.join(*a, *b);
        });
        Self { part_of: parts(&mut sets), are_united: !pairs.is_empty() }
    }

    /// The part that a triangle belongs to.
    pub(super) fn of_triangle(&self, surface: &Surface, triangle: u32) -> u32 {
        self.part_of[surface.triangles[triangle as usize][0] as usize]
    }
}

/// Pairs of parts of which an edge of one passes through a triangle of the other.
fn intersections(surface: &Surface, tree: &SurfaceTree, part_of: &[u32]) -> Vec<[u32; 2]> {
    let part = |triangle: &[u32; 3]| part_of[triangle[0] as usize];
    let Some(first) = surface.triangles.first().map(part) else { return Vec::new() };
    if surface.triangles.iter().all(|triangle| part(triangle) == first) {
        return Vec::new();
    }
    let boxes = part_boxes(surface, part_of);
    let crossed = |triangle: &[u32; 3]| -> Vec<[u32; 2]> {
        let own = part(triangle);
        let corners = triangle.map(|vertex| surface.vertices[vertex as usize]);
        let (low, high) = (
            corners.iter().fold(DVec3::INFINITY, |low, x| low.min(*x)),
            corners.iter().fold(DVec3::NEG_INFINITY, |high, x| high.max(*x)),
        );
        let meets = |(other, (l, h)): &(u32, (DVec3, DVec3))| {
            *other != own && l.cmple(high).all() && h.cmpge(low).all()
        };
        if !boxes.iter().any(meets) {
            return Vec::new();
        }
        let mut pairs = Vec::new();
        for side in 0..3 {
            let (from, to) = (corners[side], corners[(side + 1) % 3]);
            let other = |hit: u32| part(&surface.triangles[hit as usize]);
            let hits = tree.crossed_triangles(from, to).into_iter().map(other);
            pairs.extend(hits.filter(|other| *other != own).map(|other| [own, other]));
        }
        pairs.sort_unstable();
        pairs.dedup();
        pairs
    };
    let pairs = parallel_map(&surface.triangles, crossed);
    let mut pairs: Vec<[u32; 2]> = pairs.into_iter().flatten().collect();
    pairs.sort_unstable();
    pairs.dedup();
    pairs
}

/// The bounding box of every part.
fn part_boxes(surface: &Surface, part_of: &[u32]) -> Vec<(u32, (DVec3, DVec3))> {
    let mut boxes = std::collections::BTreeMap::new();
    for vertex in surface.triangles.iter().flatten() {
        let x = surface.vertices[*vertex as usize];
        let own = boxes.entry(part_of[*vertex as usize]).or_insert((x, x));
        *own = (own.0.min(x), own.1.max(x));
    }
    boxes.into_iter().collect()
}
