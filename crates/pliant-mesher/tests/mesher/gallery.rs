//! The figures of the gallery have their documented properties: closed or open, known topology, oriented outward.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use glam::DVec3;
use pliant::geometry::Surface;
use pliant_mesher::gallery::{Figure, Solid, random_shape};
use rayon::prelude::*;

use crate::common::{FIGURES, cases, figure, heavy};

/// The number of occurrences of each directed edge.
fn directed_edges(surface: &Surface) -> BTreeMap<(u32, u32), usize> {
    let mut edges = BTreeMap::new();
    for [a, b, c] in &surface.triangles {
        for edge in [(*a, *b), (*b, *c), (*c, *a)] {
            *edges.entry(edge).or_default() += 1;
        }
    }
    edges
}

/// Directed edges without a partner in the opposite direction.
fn border_edges(surface: &Surface) -> Vec<(u32, u32)> {
    let edges = directed_edges(surface);
    edges.keys().copied().filter(|(a, b)| !edges.contains_key(&(*b, *a))).collect()
}

/// The Euler characteristic: vertices − edges + triangles.
fn euler_characteristic(surface: &Surface) -> i64 {
    let edges = directed_edges(surface);
    let once = edges.keys().filter(|(a, b)| a < b || !edges.contains_key(&(*b, *a))).count();
    surface.vertices.len() as i64 - once as i64 + surface.triangles.len() as i64
}

fn unit_normal([a, b, c]: [DVec3; 3]) -> DVec3 {
    (b - a).cross(c - a).normalize_or_zero()
}

/// All figures but the rope, which is a line.
fn with_triangles() -> impl Iterator<Item = &'static (Figure, Surface)> {
    FIGURES.iter().filter(|(figure, _)| *figure != Figure::Rope)
}

/// An edge length so short that rounded parts are smooth, in m.
const SHORT: f64 = 0.015;

/// Figures with triangles and short edges, made once; all of them in a heavy run, otherwise a round, an open, a hollow and
/// a pierced one.
static SMOOTH: LazyLock<Vec<(Figure, Surface)>> = LazyLock::new(|| {
    let some = [Figure::Bear, Figure::Shirt, Figure::Mug, Figure::Gear];
    let wanted =
        with_triangles().map(|(figure, _)| *figure).filter(|f| heavy() || some.contains(f));
    let wanted: Vec<Figure> = wanted.collect();
    wanted.par_iter().map(|figure| (*figure, figure.surface(SHORT))).collect()
});

/// Checks that a figure is a closed manifold of positive volume, with the Euler characteristic 2 − 2g for g holes
/// through it.
fn check_closed(figure: Figure, surface: &Surface) {
    let what = format!("{} of {} triangles", figure.name(), surface.triangles.len());
    assert!(directed_edges(surface).values().all(|count| *count == 1), "{what}");
    assert!(border_edges(surface).is_empty(), "{what}");
    assert!(surface.volume() > 0.0, "{what}");
    let holes = i64::from(is_pierced(figure));
    assert_eq!(euler_characteristic(surface), 2 - 2 * holes, "{what}");
}

fn is_pierced(figure: Figure) -> bool {
    matches!(figure, Figure::Mug | Figure::Gear | Figure::Torus)
}

/// Closed figures are closed manifolds, oriented outward, with the right number of holes. Figures with a hole are
/// also tested with long edges, where it is easily lost; a heavy run tests all with long and short edges.
#[test]
fn closed_figures_are_closed_manifold_and_face_outward() {
    for (figure, surface) in FIGURES.iter().filter(|(figure, _)| figure.is_closed()) {
        check_closed(*figure, surface);
        if heavy() || is_pierced(*figure) {
            check_closed(*figure, &figure.surface(0.2));
        }
        if heavy() {
            check_closed(*figure, &figure.surface(0.025));
        }
    }
}

/// The shirt is open at the hem, the neck and the sleeves, and its hem is in a plane.
#[test]
fn the_shirt_has_four_openings() {
    let surface = Figure::Shirt.surface(0.025);
    assert!(directed_edges(&surface).values().all(|count| *count == 1));
    // A sphere without four discs.
    assert_eq!(euler_characteristic(&surface), 2 - 4);
    let (low, high) = surface.bounds();
    let height = |vertex: u32| surface.vertices[vertex as usize].y;
    let hem: Vec<f64> = border_edges(&surface).iter().map(|(a, _)| height(*a)).collect();
    let hem: Vec<f64> = hem.into_iter().filter(|y| *y < 0.1).collect();
    assert!(hem.len() > 10 && low.y == 0.0 && high.y > 0.6);
    // Newton's method puts the vertices of the hem on its plane to 1e-5.
    assert!(hem.iter().all(|y| *y < 1e-5), "{hem:?}");
}

/// The dragon consists of a closed body and two open wings.
#[test]
fn the_dragon_is_a_closed_body_with_two_open_wings() {
    let surface = figure(Figure::Dragon);
    assert!(directed_edges(surface).values().all(|count| *count == 1));
    assert!(!border_edges(surface).is_empty());
    // A sphere and two discs.
    assert_eq!(euler_characteristic(surface), 2 + 1 + 1);
}

/// All figures stand on y = 0 and are 0.5 to 1.2 m large.
#[test]
fn figures_stand_on_the_ground_and_are_of_human_size() {
    for (figure, surface) in &*FIGURES {
        let (low, high) = surface.bounds();
        assert_eq!(low.y, 0.0, "{}", figure.name());
        let size = (high - low).max_element();
        assert!((0.5..1.2).contains(&size), "{}: {size} m", figure.name());
    }
}

/// Vertex normals have unit length and point to the same side as the triangles.
#[test]
fn normals_agree_with_triangles() {
    for (figure, surface) in &*SMOOTH {
        let normals = surface.normals.as_ref().unwrap();
        let cosines: Vec<f64> = surface
            .corners()
            .zip(normals)
            .flat_map(|(corners, normals)| normals.map(|normal| normal.dot(unit_normal(corners))))
            .collect();
        assert!(normals.iter().flatten().all(|normal| (normal.length() - 1.0).abs() < 1e-9));
        // On a rounding of 10 mm the normal turns by more than a radian over a triangle of 15 mm; on average the
        // figures are much smoother.
        let least = cosines.iter().copied().fold(1.0, f64::min);
        let mean = cosines.iter().sum::<f64>() / cosines.len() as f64;
        println!("{:9} least {least:.3} mean {mean:.4}", figure.name());
        assert!(least > 0.0 && mean > 0.97, "{}: {least}, {mean}", figure.name());
    }
}

/// Triangles are well shaped: less than 2 % have an angle below 25°, and no edge is longer than twice the edge
/// length.
#[test]
fn triangles_are_even() {
    for (figure, surface) in &*SMOOTH {
        let corner = |p: DVec3, q: DVec3, r: DVec3| (q - p).angle_between(r - p).to_degrees();
        let angles: Vec<f64> = surface
            .corners()
            .map(|[a, b, c]| corner(a, b, c).min(corner(b, c, a)).min(corner(c, a, b)))
            .collect();
        let small = angles.iter().filter(|angle| **angle < 25.0).count();
        assert!(small * 50 < angles.len(), "{}: {small} of {}", figure.name(), angles.len());
        let longest = surface.corners().map(|[a, b, _]| a.distance(b)).fold(0.0, f64::max);
        assert!(longest < SHORT * 2.0, "{}: {longest} m", figure.name());
    }
}

/// Texture coordinates are finite, and no triangle spans the seam of the map.
#[test]
fn texture_coordinates_are_finite_and_never_wrap_a_triangle() {
    for (_, surface) in with_triangles() {
        for corners in surface.texcoords.as_ref().unwrap() {
            let u = corners.map(|corner| corner.x);
            let spread = u.iter().fold(0.0, |most: f64, x| most.max(x - u[0]).max(u[0] - x));
            // Three points on a circle always fit into two thirds of it, and a triangle around the axis needs that
            // much.
            assert!(corners.iter().all(|corner| corner.is_finite()) && spread < 0.667);
        }
    }
}

/// Every figure is found by its name.
#[test]
fn names_find_their_figures() {
    for figure in Figure::ALL {
        assert_eq!(Figure::from_name(figure.name()), Some(figure));
    }
    assert_eq!(Figure::from_name("teapot"), None);
}

/// Edge lengths out of range are clamped.
#[test]
fn strange_edge_lengths_are_taken_as_the_nearest_sensible_ones() {
    let coarsest = Figure::Box.surface(0.25);
    for edge in [f64::NAN, f64::INFINITY, 1e300] {
        assert_eq!(Figure::Box.surface(edge), coarsest);
    }
    let finest = Figure::Box.surface(0.004);
    for edge in [0.0, -1.0, f64::NEG_INFINITY] {
        assert_eq!(Figure::Box.surface(edge), finest);
    }
}

/// Figures and random shapes are reproducible to the bit.
#[test]
fn the_same_call_gives_the_same_bits() {
    for made in if heavy() { &[Figure::Gear, Figure::Bird][..] } else { &[Figure::Gear] } {
        assert_eq!(made.surface(0.04), *figure(*made));
    }
    assert!((0..10).all(|seed| random_shape(seed) == random_shape(seed)));
}

/// Distances of simple solids are exact, to rounding.
#[test]
fn distances_of_plain_solids_are_exact() {
    let x = DVec3::new(0.3, 0.7, -0.2);
    // The nearest point of the capsule's axis is (0.3, 0, 0).
    let capsule = Solid::capsule(DVec3::ZERO, DVec3::X, 0.1);
    assert!((capsule.distance(x) - (0.7_f64.hypot(0.2) - 0.1)).abs() < 1e-12);
    // The side of the cone is the common tangent of the balls: the sine of its inclination is (0.4 − 0.1)/1.
    let cone = Solid::rounded_cone(DVec3::ZERO, 0.4, DVec3::X, 0.1);
    let (sin, cos) = (0.3, 0.91_f64.sqrt());
    let touch = DVec3::new(0.5, 0.0, 0.0) + DVec3::new(sin, cos, 0.0) * (0.4 - 0.5 * sin);
    assert!(cone.distance(touch).abs() < 1e-12);
    assert!((cone.distance(touch + DVec3::new(sin, cos, 0.0) * 0.25) - 0.25).abs() < 1e-12);
    let cuboid = Solid::cuboid(DVec3::ZERO, DVec3::splat(0.5), 0.1);
    assert!((cuboid.distance(DVec3::X) - 0.5).abs() < 1e-12);
    let torus = Solid::torus(DVec3::ZERO, DVec3::Y, 0.5, 0.1);
    assert!((torus.distance(DVec3::ZERO) - 0.4).abs() < 1e-12);
    // A union blended over k is k/4 above the crease.
    let pair = Solid::sphere(DVec3::X, 1.0).smooth_union(Solid::sphere(DVec3::NEG_X, 1.0), 0.2);
    assert!((pair.distance(DVec3::ZERO) + 0.2 / 4.0).abs() < 1e-12);
}

/// Random shapes have finite positions and valid indices, and many of them are open or have degenerate triangles. 200
/// shapes in a heavy run, otherwise an eighth of them.
#[test]
fn random_shapes_are_sound_in_memory_and_broken_in_many_ways() {
    let mut open = 0;
    let mut degenerate = 0;
    let count = cases(200);
    for seed in 0..count as u64 {
        let surface = random_shape(seed);
        let vertices = surface.vertices.len();
        assert!(!surface.triangles.is_empty(), "seed {seed}");
        assert!(surface.vertices.iter().all(|x| x.is_finite() && x.length() < 3.0));
        assert!(surface.triangles.iter().flatten().all(|vertex| (*vertex as usize) < vertices));
        assert_eq!(surface.normals.as_ref().unwrap().len(), surface.triangles.len());
        assert_eq!(surface.texcoords.as_ref().unwrap().len(), surface.triangles.len());
        open += usize::from(!border_edges(&surface).is_empty());
        let flat = |corners: [DVec3; 3]| unit_normal(corners) == DVec3::ZERO;
        degenerate += usize::from(surface.corners().any(flat));
    }
    // Some are intact: with probabilities of 0.4 and 0.3 about an eighth stays untouched.
    let part = |some: usize| some as f64 / count as f64;
    // At most one standard deviation of a share in this number of trials.
    let chance = 0.5 / (count as f64).sqrt();
    assert!((0.3 - chance..0.98).contains(&part(open)), "{open} of {count} open");
    let some = 0.15 - chance..0.6 + chance;
    assert!(some.contains(&part(degenerate)), "{degenerate} of {count} with flat triangles");
}
