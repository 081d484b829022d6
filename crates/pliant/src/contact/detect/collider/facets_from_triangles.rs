//! Facets from a list of triangles: edges, triangles around vertices, spacings, sharp edges.

use glam::DVec3;

use crate::body::{Model, Skin};
use pliant_kernels::math::Rows;

use super::collider_error::ColliderError;
use super::facet_edge::FacetEdge;
use super::facets::Facets;

/// Angle between the normals of two triangles above which a convex edge is sharp, in rad: 20 degrees. A blunter edge
/// overlaps another by less than a tenth of its length before a vertex contact is found.
const SHARP_ANGLE: f64 = 0.35;

/// Height over the longest side below which a triangle has no area.
const LEAST_HEIGHT: f64 = 1e-6;

impl Facets {
    /// Facets of these triangles, on vertices at these positions at rest, in m.
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

    /// Facets of a skin on the nodes of a model at rest.
    pub fn of_skin(model: &Model, skin: &Skin) -> Result<Self, ColliderError> {
        let mut rest = Vec::new();
        skin.interpolate(&model.mesh().nodes, &mut rest);
        Self::new(rest, skin.triangles())
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

    /// Finds every edge and the triangles on both sides: triangles that run along it in opposite directions are paired.
    fn find_edges(&mut self) {
        let mut uses: Vec<([u32; 2], bool, u32, usize)> = Vec::new();
        for (triangle, corners) in (0..).zip(&self.triangles) {
            for side in 0..3 {
                let (a, b) = (corners[side], corners[(side + 1) % 3]);
                uses.push(([a.min(b), a.max(b)], a > b, triangle, side));
            }
        }
        // Sorted by edge, then by direction: uses of an edge in the two directions are paired in order, and a surplus stays a border.
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
                self.edges.push(FacetEdge { vertices: group[0].0, triangles });
            }
        }
    }

    fn find_around(&mut self) {
        self.around = Rows::from_pairs(self.rest.len(), || {
            let triangles = (0u32..).zip(&self.triangles);
            triangles.flat_map(|(triangle, corners)| corners.map(|k| (k as usize, triangle)))
        });
    }

    /// Every corner and edge is owned by the first triangle that has it, so that a search over triangles finds each of them once.
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

    /// The spacing at a vertex is the side of a square of two mean triangles around it.
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
        let sharp = |edge: &FacetEdge| {
            let [Some(a), Some(b)] = edge.triangles else { return false };
            let (n, m) =
                (self.rest_area(a).normalize_or_zero(), self.rest_area(b).normalize_or_zero());
            let beyond = self.rest[self.opposite(b, edge.vertices) as usize];
            // Convex if the triangle beyond the edge bends away from the normal.
            let convex = n.dot(beyond - self.rest[edge.vertices[0] as usize]) < 0.0;
            convex && n.dot(m) < SHARP_ANGLE.cos()
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
}

fn has_area([a, b, c]: [DVec3; 3]) -> bool {
    let side = a.distance_squared(b).max(b.distance_squared(c)).max(c.distance_squared(a));
    (b - a).cross(c - a).length() > LEAST_HEIGHT * side
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
