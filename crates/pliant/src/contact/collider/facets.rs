//! The triangles of a skin and how they hang together.

use std::sync::OnceLock;

use glam::DVec3;

use crate::contact::ColliderError;
use crate::geometry::Aabb;

use super::RestNeighbours;

/// What of a surface that touches never changes: triangles, edges, and who lies next to whom.
///
/// Triangles that name a vertex twice, and those that another one repeats, are left out: they add nothing to the surface.
/// Triangles without area stay, so that the surface is not torn, and are never touched.
#[derive(Debug, Clone, Default)]
pub struct Facets {
    pub(super) rest: Vec<DVec3>,
    pub(super) triangles: Vec<[u32; 3]>,
    /// Number of each triangle among those given.
    pub(super) numbers: Vec<u32>,
    /// Whether each has an area.
    pub(super) solid: Vec<bool>,
    pub(super) edges: Vec<Edge>,
    /// Edge `k` of a triangle leads from its corner `k` to the next.
    pub(super) triangle_edges: Vec<[u32; 3]>,
    /// Which corners (the first three bits) and edges (the next three) each triangle looks after.
    owned: Vec<u8>,
    /// Edges that stick out.
    pub(super) sharp: Vec<u32>,
    /// Whether each vertex lies on none of them and on no border: inside of a side, flat or gently curved.
    smooth: Vec<bool>,
    /// Triangles around vertex `v` are `around[starts[v]..starts[v + 1]]`.
    starts: Vec<u32>,
    around: Vec<u32>,
    /// How far vertices around each one are apart, in m.
    pub(super) spacings: Vec<f64>,
    pub(super) spacing: f64,
    /// Found when they are first asked for: only what touches itself needs them.
    neighbours: OnceLock<RestNeighbours>,
}

/// An edge between two triangles.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Edge {
    pub(crate) vertices: [u32; 2],
    /// The second is missing at an open border.
    pub(crate) triangles: [Option<u32>; 2],
}

/// Angle between the normals of two triangles above which the edge between them sticks out, in rad: 20 degrees. A blunter
/// edge overlaps another by less than a tenth of its length before a vertex notices.
const SHARP: f64 = 0.35;

/// Height over side below which a triangle has no area.
const FLAT: f64 = 1e-6;

impl Facets {
    /// Those of triangles on vertices at these places at rest, in m.
    pub fn new(rest: Vec<DVec3>, triangles: &[[u32; 3]]) -> Result<Self, ColliderError> {
        check(&rest, triangles)?;
        let mut facets = Self { rest, ..Self::default() };
        facets.take_triangles(triangles);
        facets.find_edges();
        facets.find_around();
        facets.find_owned();
        facets.find_spacings();
        facets.find_sharp();
        facets.find_smooth();
        Ok(facets)
    }

    /// Number of vertices.
    pub fn vertex_count(&self) -> usize {
        self.rest.len()
    }

    /// The triangles that were not left out.
    pub fn triangles(&self) -> &[[u32; 3]] {
        &self.triangles
    }

    /// Number of a triangle among those given.
    pub fn number(&self, triangle: u32) -> u32 {
        self.numbers[triangle as usize]
    }

    /// How far the vertices around a vertex are apart at rest, in m; zero where no triangle is.
    pub fn spacing_at(&self, vertex: usize) -> f64 {
        self.spacings[vertex]
    }

    /// The mean of that, in m.
    pub fn spacing(&self) -> f64 {
        self.spacing
    }

    /// A box around every triangle at rest.
    pub(crate) fn rest_boxes(&self) -> Vec<Aabb> {
        let corners = |t: &[u32; 3]| t.map(|k| self.rest[k as usize]);
        self.triangles.iter().map(|t| Aabb::of(corners(t))).collect()
    }

    /// Whether a triangle has an area at rest.
    pub(crate) fn is_solid(&self, triangle: u32) -> bool {
        self.solid[triangle as usize]
    }

    /// One of the edges that stick out.
    pub(crate) fn sharp_edge(&self, number: u32) -> &Edge {
        &self.edges[self.sharp[number as usize] as usize]
    }

    /// Whether a vertex lies inside of a side, on no edge that sticks out and on no border.
    pub(crate) fn is_smooth(&self, vertex: u32) -> bool {
        self.smooth[vertex as usize]
    }

    /// What vertices never touch.
    pub(crate) fn neighbours(&self) -> &RestNeighbours {
        self.neighbours.get_or_init(|| RestNeighbours::new(self))
    }

    /// Triangles around a vertex.
    pub(crate) fn around(&self, vertex: u32) -> &[u32] {
        let vertex = vertex as usize;
        &self.around[self.starts[vertex] as usize..self.starts[vertex + 1] as usize]
    }

    /// The triangles that have a point of this triangle in common with it: itself, and those beyond the edge or around the
    /// corner that holds the point.
    pub(crate) fn sharing(&self, triangle: u32, weights: [f64; 3]) -> impl Iterator<Item = u32> {
        let corners = self.triangles[triangle as usize];
        let edges = self.triangle_edges[triangle as usize];
        let beyond = |edge: u32| self.edges[edge as usize].triangles;
        let (pair, around) = match weights.map(|w| w > 0.0) {
            [true, true, true] => ([Some(triangle), None], &[][..]),
            [true, true, false] => (beyond(edges[0]), &[][..]),
            [false, true, true] => (beyond(edges[1]), &[][..]),
            [true, false, true] => (beyond(edges[2]), &[][..]),
            [true, false, false] => ([None; 2], self.around(corners[0])),
            [false, true, false] => ([None; 2], self.around(corners[1])),
            [false, false, _] => ([None; 2], self.around(corners[2])),
        };
        pair.into_iter().flatten().chain(around.iter().copied())
    }

    /// Whether no edge is a border.
    pub fn is_closed(&self) -> bool {
        self.edges.iter().all(|edge| edge.triangles[1].is_some())
    }

    fn take_triangles(&mut self, triangles: &[[u32; 3]]) {
        let plain = |[a, b, c]: [u32; 3]| a != b && b != c && c != a;
        let mut keyed: Vec<([u32; 3], u32)> =
            (0..).zip(triangles).map(|(number, t)| (smallest_first(*t), number)).collect();
        keyed.retain(|(key, _)| plain(*key));
        keyed.sort_unstable();
        keyed.dedup_by_key(|(key, _)| *key);
        self.numbers = keyed.into_iter().map(|(_, number)| number).collect();
        self.numbers.sort_unstable();
        self.triangles = self.numbers.iter().map(|k| triangles[*k as usize]).collect();
        let solid = |t: &[u32; 3]| has_area(t.map(|k| self.rest[k as usize]));
        self.solid = self.triangles.iter().map(solid).collect();
    }

    /// Every edge with the triangles on both sides: of those that run along it, one each way.
    fn find_edges(&mut self) {
        let mut uses: Vec<([u32; 2], bool, u32, usize)> = Vec::new();
        for (triangle, corners) in (0..).zip(&self.triangles) {
            for side in 0..3 {
                let (a, b) = (corners[side], corners[(side + 1) % 3]);
                uses.push(([a.min(b), a.max(b)], a > b, triangle, side));
            }
        }
        uses.sort_unstable();
        self.triangle_edges = vec![[0; 3]; self.triangles.len()];
        for group in uses.chunk_by(|a, b| a.0 == b.0) {
            let (ahead, back) = group.split_at(group.partition_point(|edge| !edge.1));
            for k in 0..ahead.len().max(back.len()) {
                let sides = [ahead.get(k), back.get(k)];
                for (_, _, triangle, side) in sides.into_iter().flatten() {
                    self.triangle_edges[*triangle as usize][*side] = self.edges.len() as u32;
                }
                let mut triangles = sides.map(|side| side.map(|edge| edge.2));
                triangles.sort_unstable_by_key(Option::is_none);
                self.edges.push(Edge { vertices: group[0].0, triangles });
            }
        }
    }

    fn find_around(&mut self) {
        let mut pairs: Vec<(u32, u32)> = Vec::with_capacity(3 * self.triangles.len());
        for (triangle, corners) in (0..).zip(&self.triangles) {
            pairs.extend(corners.map(|vertex| (vertex, triangle)));
        }
        pairs.sort_unstable();
        let before = |vertex: u32| pairs.partition_point(|(other, _)| *other < vertex) as u32;
        self.starts = (0..=self.rest.len() as u32).map(before).collect();
        self.around = pairs.into_iter().map(|(_, triangle)| triangle).collect();
    }

    /// Every corner and edge is looked after by the first triangle that has it, so that none is met twice.
    fn find_owned(&mut self) {
        let owned = |(triangle, corners): (u32, &[u32; 3])| {
            let edges = self.triangle_edges[triangle as usize];
            let corner = |k: usize| self.around(corners[k])[0] == triangle;
            let edge = |k: usize| {
                let beside = self.edges[edges[k] as usize].triangles;
                beside.into_iter().flatten().min() == Some(triangle)
            };
            (0..3).map(|k| u8::from(corner(k)) << k | u8::from(edge(k)) << (k + 3)).sum()
        };
        self.owned = (0..).zip(&self.triangles).map(owned).collect();
    }

    /// Corners of a triangle that it looks after.
    pub(crate) fn owned_corners(&self, triangle: u32) -> impl Iterator<Item = u32> {
        let (owned, corners) = (self.owned[triangle as usize], self.triangles[triangle as usize]);
        (0..3).filter(move |k| owned >> k & 1 == 1).map(move |k| corners[k])
    }

    /// Edges of a triangle that it looks after, by their ends.
    pub(crate) fn owned_edges(&self, triangle: u32) -> impl Iterator<Item = [u32; 2]> {
        let (owned, corners) = (self.owned[triangle as usize], self.triangles[triangle as usize]);
        let owned = (0..3).filter(move |k| owned >> (k + 3) & 1 == 1);
        owned.map(move |k: usize| [corners[k], corners[(k + 1) % 3]])
    }

    /// The side of a square of two mean triangles around each vertex.
    fn find_spacings(&mut self) {
        let spacing = |vertex: u32| {
            let around = self.around(vertex);
            let area: f64 = around.iter().map(|t| 0.5 * self.rest_area(*t).length()).sum();
            if around.is_empty() { 0.0 } else { (2.0 * area / around.len() as f64).sqrt() }
        };
        self.spacings = (0..self.rest.len() as u32).map(spacing).collect();
        let used = self.spacings.iter().filter(|spacing| **spacing > 0.0);
        self.spacing = used.clone().sum::<f64>() / used.count().max(1) as f64;
    }

    fn find_sharp(&mut self) {
        let sharp = |edge: &Edge| {
            let [Some(a), Some(b)] = edge.triangles else { return false };
            let (n, m) =
                (self.rest_area(a).normalize_or_zero(), self.rest_area(b).normalize_or_zero());
            let beyond = self.rest[self.opposite(b, edge.vertices) as usize];
            let convex = n.dot(beyond - self.rest[edge.vertices[0] as usize]) < 0.0;
            convex && n.dot(m) < SHARP.cos()
        };
        let numbered = (0..).zip(&self.edges).filter(|(_, edge)| sharp(edge));
        self.sharp = numbered.map(|(number, _)| number).collect();
    }

    fn find_smooth(&mut self) {
        self.smooth = vec![true; self.rest.len()];
        let borders = self.edges.iter().filter(|edge| edge.triangles.contains(&None));
        let sharp = self.sharp.iter().map(|edge| &self.edges[*edge as usize]);
        for vertex in borders.chain(sharp).flat_map(|edge| edge.vertices) {
            self.smooth[vertex as usize] = false;
        }
    }

    /// The corner of a triangle that is not on its edge.
    pub(crate) fn opposite(&self, triangle: u32, edge: [u32; 2]) -> u32 {
        let [a, b, c] = self.triangles[triangle as usize];
        if !edge.contains(&a) {
            a
        } else if !edge.contains(&b) {
            b
        } else {
            c
        }
    }

    /// Twice the area of a triangle at rest along its normal.
    pub(super) fn rest_area(&self, triangle: u32) -> DVec3 {
        let [a, b, c] = self.triangles[triangle as usize].map(|k| self.rest[k as usize]);
        (b - a).cross(c - a)
    }
}

fn has_area([a, b, c]: [DVec3; 3]) -> bool {
    let side = a.distance_squared(b).max(b.distance_squared(c)).max(c.distance_squared(a));
    (b - a).cross(c - a).length() > FLAT * side
}

/// The same triangle with its smallest vertex first.
fn smallest_first([a, b, c]: [u32; 3]) -> [u32; 3] {
    if a <= b && a <= c {
        [a, b, c]
    } else if b <= c {
        [b, c, a]
    } else {
        [c, a, b]
    }
}

fn check(rest: &[DVec3], triangles: &[[u32; 3]]) -> Result<(), ColliderError> {
    let count = rest.len();
    if let Some(vertex) = rest.iter().position(|x| !x.is_finite()) {
        let [x, y, z] = rest[vertex].to_array();
        return Err(ColliderError::Position { vertex, x, y, z });
    }
    for (triangle, corners) in triangles.iter().enumerate() {
        if let Some(vertex) = corners.iter().copied().find(|vertex| *vertex as usize >= count) {
            return Err(ColliderError::Vertex { triangle, vertex, count });
        }
    }
    Ok(())
}
