//! Vertex normals that are smooth except at creases.

use glam::Vec3;
use pliant_kernels::math::Rows;

/// Cosine of 40°: facets that meet at a larger angle have a crease between them.
const CREASE_COSINE: f32 = 0.766;

/// Returns a normal for each corner of each triangle.
///
/// It is the area-weighted mean over the triangles around the vertex whose normals are within 40° of this triangle's.
/// Triangles without area, or with corners that are missing or not finite, get zero.
pub(crate) fn corner_normals(points: &[Vec3], triangles: &[[u32; 3]]) -> Vec<[Vec3; 3]> {
    let areas: Vec<Vec3> =
        triangles.iter().map(|triangle| area_vector(points, *triangle)).collect();
    let directions: Vec<Vec3> = areas.iter().map(|area| area.normalize_or_zero()).collect();
    let around = incidence(points.len(), triangles);
    let normal = |facet: usize, vertex: u32| {
        let near =
            |other: &&u32| directions[facet].dot(directions[**other as usize]) > CREASE_COSINE;
        let known = (vertex as usize) < around.len();
        let all = if known { around.row(vertex as usize) } else { &[] };
        let neighbours = all.iter().filter(near);
        neighbours.map(|other| areas[*other as usize]).sum::<Vec3>().normalize_or_zero()
    };
    triangles
        .iter()
        .enumerate()
        .map(|(facet, triangle)| triangle.map(|vertex| normal(facet, vertex)))
        .collect()
}

/// Returns the normal of a triangle times twice its area.
fn area_vector(points: &[Vec3], triangle: [u32; 3]) -> Vec3 {
    let [a, b, c] =
        triangle.map(|vertex| points.get(vertex as usize).copied().unwrap_or(Vec3::NAN));
    let area = (b - a).cross(c - a);
    if area.is_finite() { area } else { Vec3::ZERO }
}

/// Returns the triangles around each vertex; corners that are missing are left out.
fn incidence(vertex_count: usize, triangles: &[[u32; 3]]) -> Rows {
    Rows::from_pairs(vertex_count, || {
        let all = (0u32..).zip(triangles);
        let corners =
            all.flat_map(|(index, corners)| corners.map(|vertex| (vertex as usize, index)));
        corners.filter(|(vertex, _)| *vertex < vertex_count)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns two squares that share an edge at `angle`.
    fn hinge(angle: f32) -> (Vec<Vec3>, Vec<[u32; 3]>) {
        let (sin, cos) = angle.sin_cos();
        let flap = Vec3::new(cos, sin, 0.0);
        let points =
            vec![Vec3::NEG_X, Vec3::NEG_X + Vec3::Z, Vec3::ZERO, Vec3::Z, flap, flap + Vec3::Z];
        (points, vec![[0, 1, 2], [2, 1, 3], [2, 3, 4], [4, 3, 5]])
    }

    /// A bend of 0.3 rad has nearly one normal at the edge; a bend of 1.2 rad keeps the two normals of its
    /// faces.
    #[test]
    fn a_gentle_bend_is_smooth_and_a_sharp_one_is_not() {
        let (points, triangles) = hinge(0.3);
        let normals = corner_normals(&points, &triangles);
        assert!(
            normals[1][0].distance(normals[2][0]) < 0.15,
            "normals at the common vertex must be nearly equal"
        );

        let (points, triangles) = hinge(1.2);
        let normals = corner_normals(&points, &triangles);
        let angle = normals[1][0].dot(normals[2][0]).acos();
        assert!((angle - 1.2).abs() < 1e-3, "normals at the crease must keep their angle, {angle}");
    }

    /// Triangles with missing, invalid or equal vertices have zero normals.
    #[test]
    fn missing_and_undefined_vertices_give_zero() {
        let points = vec![Vec3::ZERO, Vec3::X, Vec3::NAN];
        let normals = corner_normals(&points, &[[0, 1, 2], [0, 1, 7], [0, 1, 1]]);
        assert_eq!(normals, vec![[Vec3::ZERO; 3]; 3]);
    }
}
