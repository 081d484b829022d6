//! Continuous collision detection: times of contact are never too late, never without cause, and motions without
//! contact stay apart.

use crate::random::Random;
use glam::DVec3;
use pliant_mesh::geometry::{
    edge_edge_time, point_triangle, segment_segment, triangles_intersect, vertex_triangle_time,
};

type Points = [DVec3; 4];
type Time = fn(Points, Points, f64) -> Option<f64>;
type Distance = fn(Points) -> f64;

const SEPARATION: f64 = 1e-3;

fn vertex_distance(x: Points) -> f64 {
    point_triangle(x[0], [x[1], x[2], x[3]]).1.sqrt()
}

fn edge_distance(x: Points) -> f64 {
    segment_segment([x[0], x[1]], [x[2], x[3]]).2.sqrt()
}

const KINDS: [(Time, Distance); 2] =
    [(vertex_triangle_time, vertex_distance), (edge_edge_time, edge_distance)];

fn at(start: &Points, end: &Points, time: f64) -> Points {
    std::array::from_fn(|k| start[k].lerp(end[k], time))
}

/// A random motion of four points; some are degenerate, some are slow.
fn motion(random: &mut Random, k: usize) -> (Points, Points) {
    let mut start = [(); 4].map(|()| random.vector());
    if k.is_multiple_of(9) {
        start[3] = start[2];
    }
    let speed = if k.is_multiple_of(4) { 0.1 } else { 2.0 };
    let mut end = start.map(|x| x + speed * random.vector());
    if k.is_multiple_of(18) {
        end[3] = end[2];
    }
    (start, end)
}

/// Up to the reported time, or to the end if none is reported, the distance never falls below half of the
/// separation, or a quarter of the initial distance if that is less; at the reported time it is at most the
/// separation.
#[test]
fn the_time_told_is_not_later_than_the_first_contact() {
    const SAMPLES: usize = 400;
    let mut random = Random::new(1);
    let (mut told, mut let_pass) = (0, 0);
    for k in 0..4000 {
        let (start, end) = motion(&mut random, k);
        for (time, distance) in KINDS {
            let found = time(start, end, SEPARATION);
            let first = distance(start);
            let floor = 0.5 * SEPARATION.min(0.5 * first);
            for sample in 0..=SAMPLES {
                let t = sample as f64 / SAMPLES as f64;
                if found.is_none_or(|found| t <= found) {
                    // The tolerances are rounding of positions of size 1.
                    let now = distance(at(&start, &end, t));
                    assert!(now >= floor * (1.0 - 1e-9) - 1e-14, "{k}: {now} at {t}, {found:?}");
                }
            }
            if let Some(found) = found {
                let now = distance(at(&start, &end, found));
                assert!(
                    now <= SEPARATION * (1.0 + 1e-9),
                    "{k}: the distance is {now} at the reported time {found}"
                );
                told += 1;
            } else {
                let_pass += 1;
            }
        }
    }
    assert!(told > 500 && let_pass > 2000, "{told} contacts reported, {let_pass} without contact");
}

/// A vertex that slides over a triangle at any distance has no contact; one that reaches it has.
#[test]
fn motions_that_stay_apart_are_let_pass_even_when_they_graze() {
    let flat =
        [DVec3::new(-50.0, 0.0, -50.0), DVec3::new(50.0, 0.0, -50.0), DVec3::new(0.0, 0.0, 90.0)];
    for height in [1.0, 1e-2, 1.001e-3] {
        let start = [DVec3::new(-5.0, height, 0.0), flat[0], flat[1], flat[2]];
        let mut end = start;
        end[0].x = 5.0;
        assert_eq!(vertex_triangle_time(start, end, SEPARATION), None, "{height}");
    }
    // Sliding has no contact even closer than the separation: the distance may fall to half of its initial value.
    let start = [DVec3::new(-5.0, 1e-9, 0.0), flat[0], flat[1], flat[2]];
    let mut end = start;
    end[0].x = 5.0;
    assert_eq!(vertex_triangle_time(start, end, SEPARATION), None);
    end[0].y = 0.0;
    assert!(vertex_triangle_time(start, end, SEPARATION).is_some());
}

/// Features that rest or move together have no contact, also 1e5 m from the origin.
#[test]
fn what_rests_or_moves_together_far_away_touches_nothing() {
    let mut random = Random::new(2);
    for _ in 0..500 {
        let start = [(); 4].map(|()| DVec3::splat(1e5) + random.vector());
        let way = 100.0 * random.vector();
        for (time, distance) in KINDS {
            if distance(start) > 2.0 * SEPARATION {
                assert_eq!(time(start, start, SEPARATION), None);
                assert_eq!(time(start, start.map(|x| x + way), SEPARATION), None);
            }
        }
    }
}

/// Features that touch at the start have contact at time zero; invalid coordinates count as contact and cause
/// no endless loop.
#[test]
fn touching_at_the_begin_is_told_at_time_zero_and_bad_numbers_end() {
    let start = [DVec3::new(0.2, 0.2, 0.0), DVec3::ZERO, DVec3::X, DVec3::Y];
    let end = start.map(|x| x + DVec3::Z * x.x);
    assert_eq!(vertex_triangle_time(start, end, SEPARATION), Some(0.0));
    let bad = [DVec3::NAN, DVec3::INFINITY, DVec3::X, DVec3::Y];
    for (time, _) in KINDS {
        assert!(time(bad, bad, SEPARATION).is_some());
        assert!(time(start, end, f64::NAN).is_none_or(f64::is_finite));
    }
}

/// Two triangles that start apart and pass all fifteen tests of vertices and edges (Bridson et al. 2002) do not
/// intersect at the end. At least 300 pairs pass and 300 are stopped.
#[test]
fn triangles_that_pass_all_fifteen_tests_end_apart() {
    let mut random = Random::new(3);
    let (mut passed, mut stopped) = (0, 0);
    for _ in 0..4000 {
        let a = [(); 3].map(|()| random.vector());
        let b = [(); 3].map(|()| random.vector() + 0.7 * DVec3::X);
        if triangles_intersect(a, b) {
            continue;
        }
        let (c, d) = (a.map(|x| x + random.vector()), b.map(|x| x + random.vector()));
        let vertices = (0..3).any(|k| {
            let of = |p: DVec3, t: [DVec3; 3]| [p, t[0], t[1], t[2]];
            vertex_triangle_time(of(a[k], b), of(c[k], d), SEPARATION).is_some()
                || vertex_triangle_time(of(b[k], a), of(d[k], c), SEPARATION).is_some()
        });
        let edges = (0..9).any(|k| {
            let (i, j) = (k / 3, k % 3);
            let of = |p: [DVec3; 3], q: [DVec3; 3]| [p[i], p[(i + 1) % 3], q[j], q[(j + 1) % 3]];
            edge_edge_time(of(a, b), of(c, d), SEPARATION).is_some()
        });
        if vertices || edges {
            stopped += 1;
        } else {
            assert!(!triangles_intersect(c, d));
            passed += 1;
        }
    }
    assert!(passed > 300 && stopped > 300, "{passed} passed, {stopped} stopped");
}
