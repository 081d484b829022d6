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
/// Woop et al. 2013: the corners are sheared so that the ray runs along an axis, and edge functions tell on which side of an edge it passes. Two triangles
/// compute the same numbers for their common edge, so no ray slips between them, nor through a corner. Hits behind the origin do not count, and no ray hits
/// a triangle without area.
#[inline]
pub fn ray_triangle(
    origin: DVec3,
    direction: DVec3,
    [a, b, c]: [DVec3; 3],
) -> Option<(f64, [f64; 3])> {
    let z = direction.abs().max_position();
    let (x, y) = ((z + 1) % 3, (z + 2) % 3);
    let shear = direction / direction[z];
    // Across the ray, and along it in units of the direction.
    let sheared = |corner: DVec3| {
        let way = corner - origin;
        [way[x] - shear[x] * way[z], way[y] - shear[y] * way[z], way[z] / direction[z]]
    };
    let [a, b, c] = [sheared(a), sheared(b), sheared(c)];
    let edge = |p: [f64; 3], q: [f64; 3]| p[0] * q[1] - p[1] * q[0];
    let (u, v, w) = (edge(b, c), edge(c, a), edge(a, b));
    let passes_inside = u.min(v).min(w) >= 0.0 || u.max(v).max(w) <= 0.0;
    let det = u + v + w;
    let along = (u * a[2] + v * b[2] + w * c[2]) / det;
    let meets = passes_inside && det.abs() > 0.0 && along >= 0.0;
    meets.then(|| (along, [u / det, v / det, w / det]))
}
