//! The tree over triangles: nearest points, rays and winding numbers.

use crate::common;

use common::{ball, cube, for_cases, star, toss_point, tosses};
use glam::DVec3;
use pliant::geometry::Surface;
use pliant_mesher::{SurfaceError, SurfaceTree, open_edges};

/// Random triangles, some of them degenerate to lines and points.
fn soup(count: u32, seed: u64) -> Surface {
    let mut tosses = tosses(seed);
    let vertices = (0..3 * count).map(|_| toss_point(&mut tosses)).collect();
    let corner = |k: u32, j: u32| match (k % 7, k % 11) {
        (0, _) => 3 * k + j.min(1),
        (_, 0) => 3 * k,
        _ => 3 * k + j,
    };
    let triangles = (0..count).map(|k| [corner(k, 0), corner(k, 1), corner(k, 2)]).collect();
    Surface::new(vertices, triangles)
}

/// The distance from dense samples of a triangle: an upper bound whose error is at most the spacing.
fn sampled_distance([a, b, c]: [DVec3; 3], point: DVec3) -> f64 {
    const N: usize = 40;
    let mut least = f64::INFINITY;
    for i in 0..=N {
        for j in 0..=N - i {
            let (u, v) = (i as f64 / N as f64, j as f64 / N as f64);
            least = least.min((a + u * (b - a) + v * (c - a)).distance(point));
        }
    }
    least
}

/// The nearest point of the tree is as near as the nearest of dense samples of all triangles, and the search
/// with a limit agrees.
#[test]
fn the_nearest_point_is_as_near_as_any() {
    let surface = soup(60, 1);
    let tree = SurfaceTree::new(&surface).expect("sound");
    let mut tosses = tosses(2);
    for _ in 0..200 {
        let point = 1.5 * toss_point(&mut tosses);
        let nearest = tree.nearest(point);
        assert!((nearest.point.distance(point) - nearest.distance).abs() < 1e-15);
        let sampled = surface.corners().map(|corners| sampled_distance(corners, point));
        let sampled = sampled.fold(f64::INFINITY, f64::min);
        // The spacing of the samples is at most 1/40 of an edge, of length 3.5.
        assert!(nearest.distance <= sampled + 1e-12 && sampled < nearest.distance + 0.05);
        let own =
            surface.triangles[nearest.triangle as usize].map(|v| surface.vertices[v as usize]);
        assert!(sampled_distance(own, nearest.point) < 0.05);
        assert!((tree.distance_up_to(point, 9.0) - nearest.distance).abs() < 1e-15);
        assert_eq!(tree.distance_up_to(point, nearest.distance / 2.0), nearest.distance / 2.0);
    }
}

/// A ray hits the first of all crossings of a segment, and every crossing is on a triangle, to rounding.
#[test]
fn a_ray_meets_the_first_of_all_crossings() {
    let surface = soup(80, 3);
    let tree = SurfaceTree::new(&surface).expect("sound");
    let (mut tosses, mut met) = (tosses(4), 0);
    for _ in 0..300 {
        let (from, to) = (1.5 * toss_point(&mut tosses), 1.5 * toss_point(&mut tosses));
        let crossings = tree.crossings(from, to);
        assert!(crossings.is_sorted());
        let hit = tree.along(from, to - from, 1.0);
        assert_eq!(hit.map(|hit| hit.distance), crossings.first().copied());
        for part in &crossings {
            // The crossing is on some triangle, up to rounding.
            assert!(tree.nearest(from.lerp(to, *part)).distance < 1e-12);
        }
        met += crossings.len();
    }
    assert!(met > 100, "{met}");
}

/// Rays along an axis hit sides that are perpendicular to it, and miss beside them.
#[test]
fn axis_parallel_rays_meet_axis_parallel_sides() {
    let tree = SurfaceTree::new(&cube()).expect("sound");
    let hit = tree.along(DVec3::new(0.2, 0.1, -2.0), DVec3::Z, 10.0).expect("sound");
    assert!((hit.distance - 1.5).abs() < 1e-15);
    assert_eq!(tree.along(DVec3::new(0.2, 0.1, -2.0), DVec3::Z, 1.0), None);
    assert_eq!(tree.along(DVec3::new(0.7, 0.1, -2.0), DVec3::Z, 10.0), None);
}

/// The winding number of a ball is 1 inside and 0 outside.
#[test]
fn a_closed_surface_winds_once_around_what_is_inside() {
    let tree = SurfaceTree::new(&ball()).expect("sound");
    let mut tosses = tosses(5);
    for _ in 0..500 {
        let point = 1.4 * toss_point(&mut tosses);
        if (point.length() - 1.0).abs() > 0.01 {
            let expected = if point.length() < 1.0 { 1.0 } else { 0.0 };
            // Distant triangles are approximated by dipoles: an error of a few hundredths.
            assert!((tree.winding(point) - expected).abs() < 0.05, "{point}");
        }
    }
}

/// The winding number of a half ball is its solid angle over 4π. Tolerance 0.03: the approximation by dipoles
/// and triangles.
#[test]
fn a_half_ball_winds_by_its_solid_angle() {
    let mut half = star(96, 48, |_| 1.0);
    let vertices = half.vertices.clone();
    half.triangles.retain(|triangle| triangle.iter().all(|v| vertices[*v as usize].z >= -1e-9));
    let tree = SurfaceTree::new(&half).expect("sound");
    // From the centre of its rim a half ball covers half of all directions.
    assert!((tree.winding(DVec3::ZERO) - 0.5).abs() < 0.03);
    // From its axis at height z the opening is a cone: (1 + cos)/2 of all directions are covered, with cos = z/√(1 +
    // z²).
    for z in [-0.5f64, 0.3, 0.7] {
        let covered = (1.0 + z / (1.0 + z * z).sqrt()) / 2.0;
        assert!((tree.winding(DVec3::new(0.0, 0.0, z)) - covered).abs() < 0.03, "{z}");
    }
    assert_eq!(open_edges(&half).len(), 96);
}

/// The winding number inside a reversed cube is −1.
#[test]
fn an_inside_out_surface_winds_the_other_way() {
    let mut surface = cube();
    surface.triangles.iter_mut().for_each(|triangle| triangle.swap(1, 2));
    let tree = SurfaceTree::new(&surface).expect("sound");
    assert!((tree.winding(DVec3::splat(0.1)) + 1.0).abs() < 1e-12);
}

/// Closed surfaces have no open edges, also if each triangle has its own vertices.
#[test]
fn closed_surfaces_have_no_open_edges_even_with_seams() {
    assert_eq!(open_edges(&ball()), Vec::<[u32; 2]>::new());
    // Every triangle has its own vertices, as in files with texture seams.
    let cube = cube();
    let vertices = cube.corners().flatten().collect();
    let triangles =
        (0..cube.triangles.len() as u32).map(|k| [3 * k, 3 * k + 1, 3 * k + 2]).collect();
    assert_eq!(open_edges(&Surface::new(vertices, triangles)), Vec::<[u32; 2]>::new());
}

/// Every kind of invalid surface returns its own error.
#[test]
fn bad_surfaces_are_named() {
    let corners = vec![DVec3::ZERO, DVec3::X, DVec3::Y];
    let error = |vertices: Vec<DVec3>, triangles| {
        SurfaceTree::new(&Surface::new(vertices, triangles)).err()
    };
    assert_eq!(error(corners.clone(), vec![]), Some(SurfaceError::Empty));
    let missing =
        SurfaceError::OutOfRange { what: "triangle", index: 1, vertex: 7, vertex_count: 3 };
    assert_eq!(error(corners.clone(), vec![[0, 1, 2], [0, 7, 2]]), Some(missing));
    let flat = SurfaceError::Degenerate { triangle_count: 1 };
    assert_eq!(error(corners, vec![[0, 1, 1]]), Some(flat));
    let lost = vec![DVec3::ZERO, DVec3::NAN, DVec3::Y];
    assert!(matches!(
        error(lost, vec![[0, 1, 2]]),
        Some(SurfaceError::NotFinite { vertex: 1, .. })
    ));
}

/// All results are finite, for random triangles of any scale with many coincidences.
#[test]
fn answers_are_finite() {
    for_cases(64, &mut |random| {
        let scale = 10f64.powi(random.below(18) as i32 - 9);
        let mut surface = soup(2 + random.below(39) as u32, random.bits());
        surface.vertices.iter_mut().for_each(|x| *x = (*x * 4.0).round() / 4.0 * scale);
        if let Ok(tree) = SurfaceTree::new(&surface) {
            for _ in 0..20 {
                // On a lattice, so that points coincide exactly with corners and planes.
                let point = (random.vector() * 8.0).round() / 8.0 * scale;
                let nearest = tree.nearest(point);
                assert!(nearest.point.is_finite() && nearest.normal.is_finite());
                assert!(nearest.distance.is_finite());
                assert!(tree.winding(point).is_finite());
                assert!(tree.crossings(point, -point).iter().all(|part| part.is_finite()));
            }
        }
    });
}
