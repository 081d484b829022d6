//! Nearest points of triangles and segments.

use glam::DVec3;

/// Returns the point of a triangle nearest to `p`, as barycentric coordinates ≥ 0, and the squared distance, in m².
///
/// Determines which of the seven Voronoi regions (corners, edges, inside) contains `p` (Ericson 2005, section 5.1.5).
/// For a nearly degenerate triangle the three edges are tested too, because rounding makes its regions unreliable; a
/// triangle that is a line or a point is handled as such. The distance always belongs to the point returned.
pub fn point_triangle(p: DVec3, [a, b, c]: [DVec3; 3]) -> ([f64; 3], f64) {
    /// Square of the ratio of height to side below which a triangle counts as nearly degenerate.
    const FLAT_RATIO_SQUARED: f64 = 1e-6;
    let (ab, ac) = (b - a, c - a);
    let weights = region(p, [a, b, c]);
    let point = a + weights[1] * ab + weights[2] * ac;
    let found = (weights, p.distance_squared(point));
    let side_squared = ab.length_squared().max(ac.length_squared()).max(b.distance_squared(c));
    if ab.cross(ac).length_squared() > FLAT_RATIO_SQUARED * side_squared * side_squared {
        return found;
    }
    edges_of_triangle(p, [a, b, c]).into_iter().fold(found, nearer)
}

/// Returns the point of a triangle nearest to `p`. The triangle may be collapsed to a line or a point.
///
/// Unlike the point that follows from the weights of [`point_triangle`], it is exactly a corner where a corner is nearest.
/// So all triangles around a corner have the same distance, and a search finds the first of them. It does not test the
/// edges of nearly degenerate triangles again.
#[inline]
pub fn nearest_on_triangle(p: DVec3, corners: [DVec3; 3]) -> DVec3 {
    let [a, b, c] = corners;
    in_region(
        p,
        corners,
        |corner| corners[corner],
        |[from, to], t| corners[from] + (corners[to] - corners[from]) * t,
        |[va, vb, vc]| {
            let total = va + vb + vc;
            if total > 0.0 { a + (b - a) * (vb / total) + (c - a) * (vc / total) } else { a }
        },
    )
}

/// Barycentric coordinates of the nearest point, by Voronoi regions.
#[inline]
fn region(p: DVec3, corners: [DVec3; 3]) -> [f64; 3] {
    in_region(
        p,
        corners,
        |corner| std::array::from_fn(|k| f64::from(u8::from(k == corner))),
        |[from, to], t| {
            let mut weights = [0.0; 3];
            (weights[from], weights[to]) = (1.0 - t, t);
            weights
        },
        |[va, vb, vc]| {
            let total = va + vb + vc;
            let inside = total > 0.0 && va >= 0.0 && vb >= 0.0 && vc >= 0.0;
            if inside { [va / total, vb / total, vc / total] } else { [1.0, 0.0, 0.0] }
        },
    )
}

/// Calls the function of the Voronoi region of `p`: with the index of a corner; with the indices of both ends of an edge
/// and the fraction of it; or with the barycentric coordinates of the inside, unnormalised.
#[inline]
fn in_region<T>(
    p: DVec3,
    [a, b, c]: [DVec3; 3],
    corner: impl Fn(usize) -> T,
    edge: impl Fn([usize; 2], f64) -> T,
    inside: impl Fn([f64; 3]) -> T,
) -> T {
    // d1 … d6 project p, seen from each corner, on ab and ac: they decide the regions of corners. Edge regions also
    // need va, vb, vc, the unnormalised barycentric coordinates; one that is not positive puts p beyond its edge.
    let (ab, ac, ap) = (b - a, c - a, p - a);
    let (d1, d2) = (ab.dot(ap), ac.dot(ap));
    if d1 <= 0.0 && d2 <= 0.0 {
        return corner(0);
    }
    let bp = p - b;
    let (d3, d4) = (ab.dot(bp), ac.dot(bp));
    if d3 >= 0.0 && d4 <= d3 {
        return corner(1);
    }
    let vc = d1 * d4 - d3 * d2;
    if vc <= 0.0 && d1 >= 0.0 && d3 <= 0.0 {
        return edge([0, 1], fraction(d1, d1 - d3));
    }
    let cp = p - c;
    let (d5, d6) = (ab.dot(cp), ac.dot(cp));
    if d6 >= 0.0 && d5 <= d6 {
        return corner(2);
    }
    let vb = d5 * d2 - d1 * d6;
    if vb <= 0.0 && d2 >= 0.0 && d6 <= 0.0 {
        return edge([0, 2], fraction(d2, d2 - d6));
    }
    let va = d3 * d6 - d5 * d4;
    if va <= 0.0 && d4 >= d3 && d5 >= d6 {
        return edge([1, 2], fraction(d4 - d3, (d4 - d3) + (d5 - d6)));
    }
    inside([va, vb, vc])
}

/// The nearest points of the three edges.
fn edges_of_triangle(p: DVec3, [a, b, c]: [DVec3; 3]) -> [([f64; 3], f64); 3] {
    let ((s, ab), (t, bc), (u, ca)) =
        (point_segment(p, [a, b]), point_segment(p, [b, c]), point_segment(p, [c, a]));
    [([1.0 - s, s, 0.0], ab), ([0.0, 1.0 - t, t], bc), ([u, 0.0, 1.0 - u], ca)]
}

/// The candidate with the smaller squared distance; the first if they are equal.
fn nearer<T>(a: (T, f64), b: (T, f64)) -> (T, f64) {
    if b.1 < a.1 { b } else { a }
}

/// Returns the parameter t of the nearest point `a + t (b − a)` of a segment, and the squared distance, in m².
pub fn point_segment(p: DVec3, [a, b]: [DVec3; 2]) -> (f64, f64) {
    let ab = b - a;
    let t = fraction(ab.dot(p - a), ab.length_squared()).clamp(0.0, 1.0);
    (t, p.distance_squared(a + t * ab))
}

/// Returns the parameters s, t of the nearest points `a + s (b − a)`, `c + t (d − c)` of two segments, and the
/// squared distance, in m².
///
/// The nearest points of the lines, clamped to the segments (Ericson 2005, section 5.1.9). For nearly parallel
/// segments the ends are tested too, because the nearest points of their lines are ill-conditioned. Segments of zero
/// length are treated as points.
pub fn segment_segment([a, b]: [DVec3; 2], [c, d]: [DVec3; 2]) -> (f64, f64, f64) {
    /// Square of the sine of the angle below which segments count as nearly parallel.
    const PARALLEL_SINE_SQUARED: f64 = 1e-6;
    let (u, v, r) = (b - a, d - c, a - c);
    let (uu, vv, uv, ur, vr) =
        (u.length_squared(), v.length_squared(), u.dot(v), u.dot(r), v.dot(r));
    let across = uu * vv - uv * uv;
    // The nearest s of the two lines, then the nearest t to it, then s again, because t may have been clamped.
    let s = fraction(uv * vr - ur * vv, across).clamp(0.0, 1.0);
    let t = fraction(uv * s + vr, vv).clamp(0.0, 1.0);
    let s = if uu > 0.0 { ((uv * t - ur) / uu).clamp(0.0, 1.0) } else { 0.0 };
    let found = ([s, t], (a + s * u).distance_squared(c + t * v));
    let ([s, t], squared) = if across > PARALLEL_SINE_SQUARED * uu * vv {
        found
    } else {
        ends_of_segments([a, b], [c, d]).into_iter().fold(found, nearer)
    };
    (s, t, squared)
}

/// The nearest points of every end on the other segment.
fn ends_of_segments(ab: [DVec3; 2], cd: [DVec3; 2]) -> [([f64; 2], f64); 4] {
    let on_second = |s: f64, p: DVec3| {
        let (t, squared) = point_segment(p, cd);
        ([s, t], squared)
    };
    let on_first = |t: f64, p: DVec3| {
        let (s, squared) = point_segment(p, ab);
        ([s, t], squared)
    };
    [on_second(0.0, ab[0]), on_second(1.0, ab[1]), on_first(0.0, cd[0]), on_first(1.0, cd[1])]
}

/// `part / whole`; zero if `whole` is not positive.
#[inline]
fn fraction(part: f64, whole: f64) -> f64 {
    if whole > 0.0 { part / whole } else { 0.0 }
}
