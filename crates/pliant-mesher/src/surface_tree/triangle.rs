//! Queries of one triangle: nearest point, solid angle, ray.

use glam::DVec3;

/// Returns the point of a triangle nearest to `point`; the triangle may be collapsed to a line or a point.
///
/// Ericson 2005, section 5.1.5: finds which of the seven Voronoi regions (corners, edges, inside) holds `point`.
pub(super) fn nearest_point([a, b, c]: &[DVec3; 3], point: DVec3) -> DVec3 {
    let (ab, ac, ap) = (b - a, c - a, point - a);
    let (d1, d2) = (ab.dot(ap), ac.dot(ap));
    if d1 <= 0.0 && d2 <= 0.0 {
        return *a;
    }
    let bp = point - b;
    let (d3, d4) = (ab.dot(bp), ac.dot(bp));
    if d3 >= 0.0 && d4 <= d3 {
        return *b;
    }
    let vc = d1 * d4 - d3 * d2;
    if vc <= 0.0 && d1 >= 0.0 && d3 <= 0.0 {
        return a + ab * fraction(d1, d1 - d3);
    }
    let cp = point - c;
    let (d5, d6) = (ab.dot(cp), ac.dot(cp));
    if d6 >= 0.0 && d5 <= d6 {
        return *c;
    }
    let vb = d5 * d2 - d1 * d6;
    if vb <= 0.0 && d2 >= 0.0 && d6 <= 0.0 {
        return a + ac * fraction(d2, d2 - d6);
    }
    let va = d3 * d6 - d5 * d4;
    if va <= 0.0 && d4 >= d3 && d5 >= d6 {
        return b + (c - b) * fraction(d4 - d3, (d4 - d3) + (d5 - d6));
    }
    let total = va + vb + vc;
    if total > 0.0 { a + ab * (vb / total) + ac * (vc / total) } else { *a }
}

/// The quotient, or zero where `whole` is zero.
fn fraction(part: f64, whole: f64) -> f64 {
    if whole > 0.0 { part / whole } else { 0.0 }
}

/// The unit normal of an anticlockwise triangle; `None` if the triangle has no area.
pub(super) fn unit_normal([a, b, c]: &[DVec3; 3]) -> Option<DVec3> {
    let normal = (b - a).cross(c - a);
    // Divided by its largest component first: the squared length of a normal of micrometre triangles could underflow to
    // zero.
    let size = normal.abs().max_element();
    (size > 0.0).then(|| (normal / size).normalize())
}

/// The solid angle of a triangle seen from `point`, in sr; positive if `point` is behind the triangle.
///
/// ```text
/// tan(Ω/2) = det(a, b, c) / (|a||b||c| + (a·b)|c| + (b·c)|a| + (c·a)|b|)
/// ```
///
/// Van Oosterom & Strackee 1983, eq. 8; a, b, c are relative to the point.
pub(super) fn solid_angle(corners: &[DVec3; 3], point: DVec3) -> f64 {
    let [a, b, c] = [corners[0] - point, corners[1] - point, corners[2] - point];
    let (la, lb, lc) = (a.length(), b.length(), c.length());
    let det = a.dot(b.cross(c));
    let denominator = la * lb * lc + a.dot(b) * lc + b.dot(c) * la + c.dot(a) * lb;
    2.0 * det.atan2(denominator)
}

/// The distance along a ray, in units of `direction`, to its intersection with the triangle from either side.
///
/// Möller & Trumbore 1997, with the division by the determinant last.
pub(super) fn ray_distance([a, b, c]: &[DVec3; 3], origin: DVec3, direction: DVec3) -> Option<f64> {
    let (ab, ac, ao) = (b - a, c - a, origin - a);
    let p = direction.cross(ac);
    let det = ab.dot(p);
    let sign = det.signum();
    let det = det.abs();
    let u = sign * ao.dot(p);
    let q = ao.cross(ab);
    let v = sign * direction.dot(q);
    let meets = det > 0.0 && u >= 0.0 && v >= 0.0 && u + v <= det;
    meets.then(|| sign * ac.dot(q) / det)
}
