//! Triangle surfaces as solids, with signed distances.

use std::collections::BTreeMap;
use std::fmt;

use glam::DVec3;

use crate::math::Digest;

use super::surface_features::SurfaceFeatures;
use super::{Aabb, SignedDistance, SolidError, Surface, Tree, point_triangle, ray_triangle};

/// A solid bounded by triangles, for obstacles such as a rock, a stair, a terrain.
///
/// The outside is where triangles appear anticlockwise. A closed surface is a solid. An open one is solid behind its
/// triangles, but only where the nearest point is not on its border: beyond the border inside and outside are
/// undefined, and every point counts as outside.
///
/// ```
/// use glam::DVec3;
/// use pliant_mesh::geometry::{Shape, SolidSurface};
///
/// let cube = SolidSurface::new(&Shape::Box { half: DVec3::ONE }.surface(1)?)?;
/// let touch = cube.distance(DVec3::new(0.2, 0.7, 0.1));
/// assert!((touch.distance + 0.3).abs() < 1e-12 && touch.normal.distance(DVec3::Y) < 1e-12);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct SolidSurface {
    vertices: Vec<DVec3>,
    triangles: Vec<[u32; 3]>,
    pseudonormals: Vec<Pseudonormals>,
    tree: Tree,
    features: SurfaceFeatures,
    bounds: Aabb,
    digest: u64,
}

/// Unit outward normals of a triangle, its edges and its corners; `None` on an open border.
#[derive(Debug, Clone, Copy)]
struct Pseudonormals {
    inside: DVec3,
    /// The normal at edge `k`, which goes from corner `k` to the next one.
    edges: [Option<DVec3>; 3],
    corners: [Option<DVec3>; 3],
}

/// Largest coordinate of a vertex in its frame, in m.
const MAX_COORDINATE: f64 = 1e9;

/// Ratio of height to side below which a triangle has no area.
const MIN_RELATIVE_HEIGHT: f64 = 1e-9;

impl SolidSurface {
    /// Creates the solid behind a surface.
    ///
    /// # Errors
    ///
    /// Fails if there are no triangles, if vertices are not finite or too far away, or if a triangle has no area or
    /// occurs twice.
    pub fn new(surface: &Surface) -> Result<Self, SolidError> {
        let Surface { vertices, triangles, .. } = surface;
        check(vertices, triangles)?;
        let corners = |t: &[u32; 3]| t.map(|k| vertices[k as usize]);
        let boxes: Vec<Aabb> = triangles.iter().map(|t| Aabb::of(corners(t))).collect();
        let bounds = boxes.iter().fold(Aabb::EMPTY, |all, one| all.union(one));
        let (vertices, triangles) = (vertices.clone(), triangles.clone());
        let pseudonormals = pseudonormals(&vertices, &triangles);
        let features = SurfaceFeatures::new(&vertices, &triangles);
        let digest = Digest::default().debug(&vertices).debug(&triangles).value();
        let tree = Tree::new(&boxes);
        Ok(Self { vertices, triangles, pseudonormals, tree, features, bounds, digest })
    }

    /// Returns its vertices and triangles.
    pub fn surface(&self) -> Surface {
        Surface::new(self.vertices.clone(), self.triangles.clone())
    }

    /// Returns its bounding box.
    pub fn bounds(&self) -> Aabb {
        self.bounds
    }

    /// Returns the distance of a point, negative inside, and the outward normal.
    pub fn distance(&self, point: DVec3) -> SignedDistance {
        /// Ratio of the distance to the size of the surface, below which the direction to the nearest point is
        /// undefined.
        const MIN_RELATIVE_DISTANCE: f64 = 1e-12;
        let squared = |triangle: u32| point_triangle(point, self.corners(triangle)).1;
        let Some((triangle, _)) = self.tree.nearest(point, f64::INFINITY, squared) else {
            // A point with a NaN coordinate is infinitely far away.
            return SignedDistance { distance: f64::INFINITY, normal: DVec3::Y };
        };
        let corners = self.corners(triangle);
        let (weights, squared) = point_triangle(point, corners);
        let place = weights[0] * corners[0] + weights[1] * corners[1] + weights[2] * corners[2];
        let (line, distance) = (point - place, squared.sqrt());
        let normals = &self.pseudonormals[triangle as usize];
        let known = normals.at(weights);
        // The pseudonormal at the nearest point decides the side; beyond an open border there is none, and all is
        // outside.
        let side = if known.is_some_and(|normal| normal.dot(line) < 0.0) { -1.0 } else { 1.0 };
        let size = (self.bounds.high - self.bounds.low).max_element();
        let clear = distance > MIN_RELATIVE_DISTANCE * size;
        let normal = if clear { side * line / distance } else { known.unwrap_or(normals.inside) };
        SignedDistance { distance: side * distance, normal }
    }

    /// Returns true if a point is certainly farther away than `reach`, in m. Cheaper than the distance.
    pub fn is_beyond(&self, point: DVec3, reach: f64) -> bool {
        self.bounds.distance_squared(point) > reach * reach
    }

    /// Returns the first hit of a ray from either side, no farther than `reach`: the distance in units of
    /// `direction`, and the normal there.
    pub fn ray(&self, origin: DVec3, direction: DVec3, reach: f64) -> Option<(f64, DVec3)> {
        let mut found = None;
        self.tree.along_ray(origin, direction, reach, |triangle, reach| {
            let hit = ray_triangle(origin, direction, self.corners(triangle));
            let Some((distance, _)) = hit.filter(|(distance, _)| *distance <= reach) else {
                return reach;
            };
            found = Some((distance, self.pseudonormals[triangle as usize].inside));
            distance
        });
        found
    }

    /// Its convex corners and edges.
    pub(super) fn features(&self) -> &SurfaceFeatures {
        &self.features
    }

    fn corners(&self, triangle: u32) -> [DVec3; 3] {
        self.triangles[triangle as usize].map(|k| self.vertices[k as usize])
    }
}

impl Pseudonormals {
    /// Returns the normal at the point with these barycentric coordinates.
    fn at(&self, weights: [f64; 3]) -> Option<DVec3> {
        match weights.map(|w| w > 0.0) {
            [true, true, true] => Some(self.inside),
            [true, true, false] => self.edges[0],
            [false, true, true] => self.edges[1],
            [true, false, true] => self.edges[2],
            [true, false, false] => self.corners[0],
            [false, true, false] => self.corners[1],
            [false, false, _] => self.corners[2],
        }
    }
}

/// Two surfaces are equal if their vertices and triangles are.
impl PartialEq for SolidSurface {
    fn eq(&self, other: &Self) -> bool {
        self.vertices == other.vertices && self.triangles == other.triangles
    }
}

/// Prints a digest instead of the vertices and triangles, of which there may be many.
impl fmt::Debug for SolidSurface {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (triangles, digest) = (self.triangles.len(), self.digest);
        f.debug_struct("SolidSurface")
            .field("triangles", &triangles)
            .field("bounds", &self.bounds)
            .field("digest", &digest)
            .finish_non_exhaustive()
    }
}

/// Data of an edge or a vertex: the sum of the normals around it, and whether it lies on a border.
#[derive(Debug, Clone, Copy, Default)]
struct NormalSum {
    normals: DVec3,
    /// For an edge, the number of triangles that use it in one direction minus those in the other; for a vertex,
    /// nonzero on a border.
    open: i32,
}

/// Computes pseudonormals: of a triangle its normal, of an edge the sum over its triangles, of a vertex the sum over
/// the triangles around it weighted by their angles. They give the right sign of the distance everywhere (Bærentzen &
/// Aanæs 2005).
fn pseudonormals(vertices: &[DVec3], triangles: &[[u32; 3]]) -> Vec<Pseudonormals> {
    let mut edges: BTreeMap<[u32; 2], NormalSum> = BTreeMap::new();
    let mut around = vec![NormalSum::default(); vertices.len()];
    let normal = |t: &[u32; 3]| {
        let [a, b, c] = t.map(|k| vertices[k as usize]);
        (b - a).cross(c - a).normalize_or_zero()
    };
    let normals: Vec<DVec3> = triangles.iter().map(normal).collect();
    for (t, normal) in triangles.iter().zip(&normals) {
        for k in 0..3 {
            let [a, b, c] = [t[k], t[(k + 1) % 3], t[(k + 2) % 3]];
            let edge = edges.entry([a.min(b), a.max(b)]).or_default();
            edge.normals += *normal;
            edge.open += if a < b { 1 } else { -1 };
            let [u, v] = [b, c].map(|end| vertices[end as usize] - vertices[a as usize]);
            around[a as usize].normals += u.angle_between(v) * *normal;
        }
    }
    for ([a, b], _) in edges.iter().filter(|(_, edge)| edge.open != 0) {
        around[*a as usize].open = 1;
        around[*b as usize].open = 1;
    }
    let closed = |sum: &NormalSum| (sum.open == 0).then(|| sum.normals.normalize_or_zero());
    let known = |edge: [u32; 2]| edges.get(&edge).and_then(closed);
    let of = |(t, inside): (&[u32; 3], &DVec3)| Pseudonormals {
        inside: *inside,
        edges: [0, 1, 2].map(|k| [t[k], t[(k + 1) % 3]]).map(|[a, b]| known([a.min(b), a.max(b)])),
        corners: t.map(|vertex| closed(&around[vertex as usize])),
    };
    triangles.iter().zip(&normals).map(of).collect()
}

fn check(vertices: &[DVec3], triangles: &[[u32; 3]]) -> Result<(), SolidError> {
    if triangles.is_empty() {
        return Err(SolidError::Empty);
    }
    let near = |x: &DVec3| x.abs().cmple(DVec3::splat(MAX_COORDINATE)).all();
    if let Some(vertex) = vertices.iter().position(|x| !near(x)) {
        return Err(SolidError::NotFinite { vertex });
    }
    let mut known = BTreeMap::new();
    for (triangle, corners) in triangles.iter().enumerate() {
        let vertex_count = vertices.len();
        if let Some(vertex) = corners.iter().copied().find(|k| *k as usize >= vertex_count) {
            return Err(SolidError::NoSuchVertex { triangle, vertex, vertex_count });
        }
        if !has_area(corners.map(|k| vertices[k as usize])) {
            return Err(SolidError::NoArea { triangle });
        }
        let mut key = *corners;
        key.sort_unstable();
        if let Some(first) = known.insert(key, triangle) {
            return Err(SolidError::Repeated { triangle, first });
        }
    }
    Ok(())
}

fn has_area([a, b, c]: [DVec3; 3]) -> bool {
    let side = a.distance_squared(b).max(b.distance_squared(c)).max(c.distance_squared(a));
    (b - a).cross(c - a).length() > MIN_RELATIVE_HEIGHT * side
}
