//! Nearest points of triangles and segments, and intersection of triangles.

use crate::random::Random;
use glam::{DQuat, DVec3};
use pliant_mesh::geometry::{point_segment, point_triangle, segment_segment, triangles_intersect};

/// A random triangle; depending on `k` it is ordinary, thin, a line or a point.
fn triangle(random: &mut Random, k: usize) -> [DVec3; 3] {
    let [a, b, c] = [random.vector(), random.vector(), random.vector()];
    let along = a + random.signed() * (b - a);
    match k % 7 {
        0 => [a, b, along + 1e-3 * c],
        1 => [a, along + 1e-7 * c, b],
        2 => [along, a, b],
        3 => [a, a, b],
        4 => [a, a, a],
        _ => [a, b, c],
    }
}

/// The smallest squared distance from the points of a grid on a triangle.
fn sampled(p: DVec3, [a, b, c]: [DVec3; 3], steps: usize) -> f64 {
    let mut least = f64::INFINITY;
    for i in 0..=steps {
        for j in 0..=steps - i {
            let (u, v) = (i as f64 / steps as f64, j as f64 / steps as f64);
            least = least.min(p.distance_squared(a + u * (b - a) + v * (c - a)));
        }
    }
    least
}

/// The reported nearest point is on the triangle, at the reported distance, and no point of a fine grid is
/// nearer.
#[test]
fn no_point_of_a_triangle_is_nearer_than_the_nearest() {
    const STEPS: usize = 40;
    let mut random = Random::new(1);
    for k in 0..3000 {
        let (p, [a, b, c]) = (1.5 * random.vector(), triangle(&mut random, k));
        let (weights, squared) = point_triangle(p, [a, b, c]);
        let sum: f64 = weights.iter().sum();
        assert!((sum - 1.0).abs() < 1e-12 && weights.iter().all(|w| *w >= 0.0), "{weights:?}");
        let told = p.distance(weights[0] * a + weights[1] * b + weights[2] * c);
        assert!(
            (told - squared.sqrt()).abs() < 1e-13,
            "the distance must be that of the reported point"
        );
        let grid = sampled(p, [a, b, c], STEPS).sqrt();
        // Sides are at most 2√3 long, so that the grid is nowhere coarser than that over the number of steps.
        assert!(told <= grid + 1e-9, "{k}: {told} > {grid}");
        assert!(told >= grid - 4.0 / STEPS as f64, "{k}: {told} < {grid}");
    }
}

/// The same for the nearest points of two segments, also parallel, nearly parallel and degenerate ones.
#[test]
fn no_points_of_two_segments_are_nearer_than_the_nearest() {
    const STEPS: usize = 200;
    let mut random = Random::new(2);
    for k in 0..3000 {
        let [a, b, c, d] = [(); 4].map(|()| random.vector());
        let (ab, cd) = match k % 6 {
            0 => ([a, b], [c, c + 0.7 * (b - a)]),
            1 => ([a, b], [c, c - 1.3 * (b - a) + 1e-6 * d]),
            2 => ([a, a], [c, d]),
            3 => ([a, a], [c, c]),
            _ => ([a, b], [c, d]),
        };
        let (s, t, squared) = segment_segment(ab, cd);
        assert!((0.0..=1.0).contains(&s) && (0.0..=1.0).contains(&t));
        let told = ab[0].lerp(ab[1], s).distance(cd[0].lerp(cd[1], t));
        assert!((told - squared.sqrt()).abs() < 1e-13);
        let least = (0..=STEPS)
            .map(|i| point_segment(ab[0].lerp(ab[1], i as f64 / STEPS as f64), cd).1)
            .fold(f64::INFINITY, f64::min);
        assert!(told <= least.sqrt() + 1e-9, "{k}: {told} > {}", least.sqrt());
        assert!(told >= least.sqrt() - 4.0 / STEPS as f64);
    }
}

/// Distances and weights are finite for all combinations of special coordinates.
#[test]
fn distances_are_finite_for_any_finite_points() {
    let special = [0.0, -0.0, 1.0, 1e-200, 1e-160, -1e-8, 1e9];
    let mut random = Random::new(3);
    let mut pick = || special[((random.signed() + 1.0) * 3.5) as usize];
    for _ in 0..20_000 {
        let [p, a, b, c] = [(); 4].map(|()| DVec3::new(pick(), pick(), pick()));
        let (weights, squared) = point_triangle(p, [a, b, c]);
        assert!(squared.is_finite() && weights.iter().all(|w| w.is_finite()));
        let (s, t, squared) = segment_segment([p, a], [b, c]);
        assert!(squared.is_finite() && s.is_finite() && t.is_finite());
    }
}

/// True if the segments in which two triangles cut the common line of their planes overlap.
fn planes_say(first: [DVec3; 3], second: [DVec3; 3]) -> bool {
    let normal = |[a, b, c]: [DVec3; 3]| (b - a).cross(c - a);
    let line = normal(first).cross(normal(second));
    let cut = |t: [DVec3; 3], n: DVec3, o: DVec3| {
        let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
        for k in 0..3 {
            let (p, q) = (t[k], t[(k + 1) % 3]);
            let (a, b) = (n.dot(p - o), n.dot(q - o));
            if a * b < 0.0 {
                let along = line.dot(p + a / (a - b) * (q - p));
                (low, high) = (low.min(along), high.max(along));
            }
        }
        (low, high)
    };
    let a = cut(first, normal(second), second[0]);
    let b = cut(second, normal(first), first[0]);
    a.0.max(b.0) < a.1.min(b.1)
}

/// The intersection test agrees with that formula for random triangles, in both orders; at least 2000 of 20 000
/// pairs intersect.
#[test]
fn triangles_intersect_where_they_cut_a_common_piece_of_a_line() {
    let mut random = Random::new(4);
    let mut met = 0;
    for _ in 0..20_000 {
        let first = [(); 3].map(|()| random.vector());
        let second = [(); 3].map(|()| random.vector());
        let found = triangles_intersect(first, second);
        assert_eq!(found, planes_say(first, second), "{first:?} {second:?}");
        assert_eq!(found, triangles_intersect(second, first));
        met += usize::from(found);
    }
    assert!(met > 2000, "only {met} pairs intersect");
}

/// Triangles that touch, or are in one plane, do not intersect; triangles that pass through each other, also at
/// a corner, do.
#[test]
fn touching_is_not_intersecting_and_passing_through_a_corner_is() {
    let flat = [DVec3::ZERO, DVec3::X, DVec3::Y];
    let above = flat.map(|x| 0.5 * x + DVec3::new(0.1, 0.1, 0.0));
    assert!(!triangles_intersect(flat, above), "triangles in one plane do not intersect");
    let standing =
        [DVec3::new(0.2, 0.2, 0.0), DVec3::new(0.2, 0.2, 1.0), DVec3::new(0.3, 0.2, 1.0)];
    assert!(
        !triangles_intersect(flat, standing),
        "triangles that touch at a corner do not intersect"
    );
    let sunk = standing.map(|x| x - 0.1 * DVec3::Z);
    assert!(triangles_intersect(flat, sunk));
    let through_corner = [-DVec3::Z, DVec3::Z, DVec3::new(-1.0, -1.0, 0.5)];
    assert!(triangles_intersect(flat, through_corner));
    let needle = [sunk[0], sunk[1], sunk[1]];
    assert!(triangles_intersect(flat, needle) && !triangles_intersect(needle, needle));
}

/// Distances do not depend on the frame.
#[test]
fn far_from_the_origin_and_turned_the_answers_are_the_same() {
    let mut random = Random::new(5);
    for _ in 0..2000 {
        let first = [(); 3].map(|()| random.vector());
        let second = [(); 3].map(|()| random.vector());
        let turn = DQuat::from_scaled_axis(3.0 * random.vector());
        let carry = |x: DVec3| turn * x + DVec3::new(1e6, -1e6, 1e6);
        let (here, there) = (
            point_triangle(first[0], second).1.sqrt(),
            point_triangle(carry(first[0]), second.map(carry)).1.sqrt(),
        );
        // At a million metres positions are exact to about 1e-10 m.
        assert!((here - there).abs() < 1e-8, "{here} {there}");
    }
}
