//! Whether triangles go through each other, and where rays go through them.

use glam::DVec3;

/// Whether an edge of one triangle pierces the other: its ends lie on different sides of the plane of the other,
/// neither of them in it, and it passes inside, through an edge or through a corner.
///
/// Triangles that touch without piercing, or that overlap within one plane, do not intersect in this sense; nor does
/// a triangle without area with anything but triangles that it pierces as a line.
///
/// The sides are told by signed volumes computed in double precision from differences of the corners. An end that is
/// nearer to the plane than 1e-13 of its distance from a corner counts as in it, since there the signs are chance: many
/// triangles lie in one plane by design.
pub fn triangles_intersect(first: [DVec3; 3], second: [DVec3; 3]) -> bool {
    let pierces = |of: &[DVec3; 3], triangle: &[DVec3; 3]| {
        (0..3).any(|k| edge_pierces([of[k], of[(k + 1) % 3]], triangle))
    };
    pierces(&first, &second) || pierces(&second, &first)
}

/// Whether an edge pierces a triangle.
fn edge_pierces([p, q]: [DVec3; 2], [a, b, c]: &[DVec3; 3]) -> bool {
    let normal = (b - a).cross(c - a);
    let (above, below) = (normal.dot(p - a), normal.dot(q - a));
    let sure = 1e-13 * normal.length() * (p - a).length().max((q - a).length());
    let apart = above.abs().min(below.abs()) > sure && (above > 0.0) != (below > 0.0);
    apart && {
        let way = q - p;
        let (a, b, c) = (*a - p, *b - p, *c - p);
        let (ab, bc, ca) = (way.dot(a.cross(b)), way.dot(b.cross(c)), way.dot(c.cross(a)));
        (ab >= 0.0 && bc >= 0.0 && ca >= 0.0) || (ab <= 0.0 && bc <= 0.0 && ca <= 0.0)
    }
}

/// Where a ray meets a triangle from either side: how far along, in units of `direction`, and the barycentric coordinates.
///
/// Möller & Trumbore 1997, the determinants divided last. What lies behind the origin is not met, and a triangle without
/// area by no ray.
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
