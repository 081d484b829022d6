//! The farthest point of a surface from the boundary of a mesh.

use glam::DVec3;
use pliant::mesh::{Face, Mesh};
use pliant_kernels::math::parallel_map;
use pliant_mesh::geometry::nearest_on_triangle;

use crate::SurfaceTree;

use super::envelope::thickness_at;
use super::face_samples::face_weights;
use super::solid::Solid;

/// A point of one surface, and its distance from the other.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Farthest {
    /// The distance, in m.
    pub distance: f64,
    /// The position, in m.
    pub at: DVec3,
}

impl Farthest {
    /// The farther of two; the first if they are equal.
    pub(super) fn or_farther(self, other: Self) -> Self {
        if other.distance > self.distance { other } else { self }
    }
}

/// The boundary of a mesh as triangles; curved faces are divided into smaller ones.
pub(super) fn boundary_corners(mesh: &Mesh) -> Vec<[DVec3; 3]> {
    let degree = mesh.blocks[0].kind.degree();
    let pieces = small_triangles(degree);
    let weights: Vec<[Vec<f64>; 3]> =
        pieces.iter().map(|piece| piece.map(|place| face_weights(degree, place))).collect();
    let point = |face: &Face, weights: &[f64]| -> DVec3 {
        let terms = weights.iter().zip(&face.nodes);
        terms.map(|(weight, node)| *weight * mesh.nodes[*node as usize]).sum()
    };
    let faces = mesh.boundary_faces();
    let of_face = |face: &Face| -> Vec<[DVec3; 3]> {
        let corners = |piece: &[Vec<f64>; 3]| -> [DVec3; 3] {
            std::array::from_fn(|corner| point(face, &piece[corner]))
        };
        weights.iter().map(corners).collect()
    };
    parallel_map(&faces, of_face).into_iter().flatten().collect()
}

/// The small triangles that stand for a face of this degree, in barycentric coordinates: n² with n = 2 p − 1. The sag of a quadratic edge falls to a ninth, that
/// of a cubic one to a twenty-fifth.
pub(super) fn small_triangles(degree: usize) -> Vec<[[f64; 3]; 3]> {
    let n = 2 * degree - 1;
    let at = |i: usize, j: usize| {
        let (x, y) = (i as f64 / n as f64, j as f64 / n as f64);
        [1.0 - x - y, x, y]
    };
    let mut triangles = Vec::new();
    for j in 0..n {
        for i in 0..n - j {
            triangles.push([at(i, j), at(i + 1, j), at(i, j + 1)]);
            if i + j + 1 < n {
                triangles.push([at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)]);
            }
        }
    }
    triangles
}

/// The point of these triangles farthest from the others, to a small part of the `scale` of interest; triangles that
/// bound no matter do not count.
///
/// Triangles that may exceed the farthest point so far are divided, the others are left. There are two bounds. The
/// distance changes by at most the way between two points, so that it cannot exceed that of the centre by more than the
/// radius. And the distance from one triangle is convex, so that it is largest at a corner: on flat parts of both, this
/// bound is sharp at once.
pub(super) fn farthest(
    triangles: &[[DVec3; 3]],
    others: &[[DVec3; 3]],
    solid: &Solid,
    scale: f64,
) -> Farthest {
    /// The error of the result, in scales.
    const TOLERANCE: f64 = 0.02;
    /// The size, in scales, below which a triangle whose centre bounds no matter is left: inside of other parts, dividing
    /// would not end before.
    const OTHER_TOLERANCE: f64 = 0.25;
    /// Triangles in a chunk, which shares the farthest point found so far. Not the number of threads: results must not
    /// depend on it.
    const CHUNK: usize = 512;
    let tree = SurfaceTree::of_corners(others.to_vec());
    let chunks: Vec<&[[DVec3; 3]]> = triangles.chunks(CHUNK).collect();
    let of_chunk = |chunk: &&[[DVec3; 3]]| {
        let mut best = Farthest::default();
        let mut stack: Vec<([DVec3; 3], DVec3)> =
            chunk.iter().rev().map(|corners| (*corners, normal(corners))).collect();
        while let Some((corners, normal)) = stack.pop() {
            let centre = corners.iter().sum::<DVec3>() / 3.0;
            let radius = corners.iter().map(|x| x.distance(centre)).fold(0.0, f64::max);
            let least = best.distance + TOLERANCE * scale - radius;
            if least > 0.0 && tree.distance_up_to(centre, least) < least {
                continue;
            }
            let nearest = tree.nearest(centre);
            let distance = nearest.distance;
            let is_farther = distance > best.distance;
            let is_bounding = !is_farther || thickness_at(solid, centre, normal).is_some();
            if is_farther && is_bounding {
                best = Farthest { distance, at: centre };
            }
            let smallest = if is_bounding { TOLERANCE } else { OTHER_TOLERANCE } * scale;
            let from_one = farthest_corner(&corners, others[nearest.triangle as usize]);
            let most = from_one.min(distance + radius);
            if most > best.distance + TOLERANCE * scale && radius > smallest {
                stack.extend(halves(&corners).map(|corners| (corners, normal)));
            }
        }
        best
    };
    let found = parallel_map(&chunks, of_chunk);
    found.into_iter().fold(Farthest::default(), Farthest::or_farther)
}

/// The distance of the farthest point of a triangle from another one.
fn farthest_corner(corners: &[DVec3; 3], other: [DVec3; 3]) -> f64 {
    let distance = |corner: &DVec3| nearest_on_triangle(*corner, other).distance(*corner);
    corners.iter().map(distance).fold(0.0, f64::max)
}

fn normal([a, b, c]: &[DVec3; 3]) -> DVec3 {
    (b - a).cross(c - a).normalize_or_zero()
}

/// Two triangles from one, through the middle of its longest side: quarters of a needle would be needles.
fn halves(corners: &[DVec3; 3]) -> [[DVec3; 3]; 2] {
    let length = |k: usize| corners[k].distance_squared(corners[(k + 1) % 3]);
    let longest = (0..3).fold(0, |best, k| if length(k) > length(best) { k } else { best });
    let [a, b, c] = [0, 1, 2].map(|k| corners[(longest + k) % 3]);
    let middle = a.midpoint(b);
    [[a, middle, c], [middle, b, c]]
}
