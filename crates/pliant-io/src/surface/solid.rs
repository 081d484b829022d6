//! Surfaces of simple shapes, for drawing.

use std::f64::consts::{PI, TAU};

use glam::DVec3;
use pliant::geometry::Shape;

use super::Surface;

/// Number of facets around a sphere, and from its equator to a pole.
const SPHERE_SEGMENTS: usize = 48;
const SPHERE_RINGS: usize = 12;

/// Number of facets along a side of the visible square of a plane.
const PLANE_TILES: usize = 16;

/// Returns the surface of a shape in its own frame. For a plane, this is the square that extends by `radius` from the
/// point of the plane nearest to `centre`.
pub fn solid_surface(shape: &Shape, centre: DVec3, radius: f64) -> Surface {
    match *shape {
        Shape::Plane { normal } => {
            let normal = normal.normalize_or(DVec3::Y);
            square(centre - normal.dot(centre) * normal, normal, radius)
        }
        Shape::Sphere { radius } => capsule(0.0, radius),
        Shape::Box { half } => block(half),
        Shape::Capsule { half_length, radius } => capsule(half_length, radius),
        Shape::Surface(ref surface) => surface.surface(),
    }
}

fn square(middle: DVec3, normal: DVec3, radius: f64) -> Surface {
    let (a, b) = normal.any_orthonormal_pair();
    let step = |k: usize| radius * (2.0 * k as f64 / PLANE_TILES as f64 - 1.0);
    let row = |j: usize| (0..=PLANE_TILES).map(move |i| middle + step(i) * a + step(j) * b);
    let vertices = (0..=PLANE_TILES).flat_map(row).collect();
    let mut triangles = Vec::new();
    for (j, i) in (0..PLANE_TILES).flat_map(|j| (0..PLANE_TILES).map(move |i| (j, i))) {
        let at = |i: usize, j: usize| (j * (PLANE_TILES + 1) + i) as u32;
        triangles.push([at(i, j), at(i + 1, j), at(i + 1, j + 1)]);
        triangles.push([at(i, j), at(i + 1, j + 1), at(i, j + 1)]);
    }
    Surface::new(vertices, triangles)
}

fn block(half: DVec3) -> Surface {
    let side = |corner: usize, bit: usize| if corner >> bit & 1 == 1 { 1.0 } else { -1.0 };
    let corner = |k| half * DVec3::new(side(k, 0), side(k, 1), side(k, 2));
    let quads =
        [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]];
    let triangles = quads.iter().flat_map(|[a, b, c, d]| [[*a, *b, *c], [*a, *c, *d]]).collect();
    Surface::new((0..8).map(corner).collect(), triangles)
}

/// Builds rings from the lower to the upper pole; with a nonzero length there are two rings at the equator.
fn capsule(half_length: f64, radius: f64) -> Surface {
    let ring = |k: usize| {
        let (latitude, lift) = if k <= SPHERE_RINGS {
            (PI / 2.0 * (k as f64 / SPHERE_RINGS as f64 - 1.0), -half_length)
        } else {
            (PI / 2.0 * (k - SPHERE_RINGS - 1) as f64 / SPHERE_RINGS as f64, half_length)
        };
        (radius * latitude.cos(), lift + radius * latitude.sin())
    };
    let mut surface = Surface::default();
    surface.vertices.push(DVec3::new(0.0, -half_length - radius, 0.0));
    // Without a length the two rings at the equator coincide, so one is left out.
    let apart = |k: &usize| half_length > 0.0 || *k != SPHERE_RINGS;
    let rings: Vec<_> = (1..=2 * SPHERE_RINGS).filter(apart).map(ring).collect();
    for (across, height) in &rings {
        surface.vertices.extend((0..SPHERE_SEGMENTS).map(|k| {
            let (sin, cos) = (TAU * k as f64 / SPHERE_SEGMENTS as f64).sin_cos();
            DVec3::new(across * cos, *height, -across * sin)
        }));
    }
    surface.vertices.push(DVec3::new(0.0, half_length + radius, 0.0));
    surface.triangles = ring_triangles(rings.len());
    surface
}

/// Returns the triangles between this many rings and the poles before and after them.
fn ring_triangles(rings: usize) -> Vec<[u32; 3]> {
    let at = |ring: usize, k: usize| (1 + ring * SPHERE_SEGMENTS + k % SPHERE_SEGMENTS) as u32;
    let (south, north) = (0, (1 + rings * SPHERE_SEGMENTS) as u32);
    let mut triangles = Vec::new();
    for k in 0..SPHERE_SEGMENTS {
        triangles.push([south, at(0, k + 1), at(0, k)]);
        for ring in 0..rings - 1 {
            let [a, b] = [at(ring, k), at(ring, k + 1)];
            let [c, d] = [at(ring + 1, k), at(ring + 1, k + 1)];
            triangles.extend([[a, b, d], [a, d, c]]);
        }
        triangles.push([north, at(rings - 1, k), at(rings - 1, k + 1)]);
    }
    triangles
}
