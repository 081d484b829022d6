//! Intersections of triangles with triangles and rays.

use glam::DVec3;

/// Returns true if an edge of one triangle pierces the other: its ends lie strictly on different sides of the plane
/// of the other triangle, and it passes through its inside, an edge or a corner.
///
/// Triangles that touch without piercing, or that overlap in one plane, do not intersect in this sense. A triangle
/// without area intersects only triangles that it pierces as a line.
///
/// The side of an end is the sign of a volume, computed in double precision from differences of the corners. An end
/// nearer to the plane than 1e-13 of its distance from a corner counts as lying in it, because the sign is then
/// dominated by rounding, and models often have many triangles in one plane.
pub fn triangles_intersect(first: [DVec3; 3], second: [DVec3; 3]) -> bool {
    let pierces = |of: &[DVec3; 3], triangle: &[DVec3; 3]| {
        (0..3).any(|k| edge_pierces([of[k], of[(k + 1) % 3]], triangle))
    };
    pierces(&first, &second) || pierces(&second, &first)
}

/// Returns true if an edge pierces a triangle.
fn edge_pierces([p, q]: [DVec3; 2], [a, b, c]: &[DVec3; 3]) -> bool {
    let normal = (b - a).cross(c - a);
    let (above, below) = (normal.dot(p - a), normal.dot(q - a));
    let sure = 1e-13 * normal.length() * (p - a).length().max((q - a).length());
    let apart = above.abs().min(below.abs()) > sure && (above > 0.0) != (below > 0.0);
    apart && {
        // The edge passes inside if the three edges of the triangle all turn the same way around its line.
        let way = q - p;
        let (a, b, c) = (*a - p, *b - p, *c - p);
        let (ab, bc, ca) = (way.dot(a.cross(b)), way.dot(b.cross(c)), way.dot(c.cross(a)));
        (ab >= 0.0 && bc >= 0.0 && ca >= 0.0) || (ab <= 0.0 && bc <= 0.0 && ca <= 0.0)
    }
}

/// Returns the hit of a ray on either side of a triangle: the distance in units of `direction`, and the barycentric
/// coordinates.
///
/// Möller & Trumbore 1997, with the division by the determinant last. Hits behind the origin do not count, and no ray
/// hits a triangle without area.
#[inline]
pub fn ray_triangle(
    origin: DVec3,
    direction: DVec3,
    [a, b, c]: [DVec3; 3],
) -> Option<(f64, [f64; 3])> {
    let (ab, ac, ao) = (b - a, c - a, origin - a);
    let p = direction.cross(ac);
    let det = ab.dot(p);
    let (sign, size) = (det.signum(), det.abs());
    let q = ao.cross(ab);
    let (u, v) = (sign * ao.dot(p), sign * direction.dot(q));
    let along = sign * ac.dot(q);
    let meets = size > 0.0 && u >= 0.0 && v >= 0.0 && u + v <= size && along >= 0.0;
    meets.then(|| (along / size, [(size - u - v) / size, u / size, v / size]))
}
