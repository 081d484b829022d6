//! Surfaces with fewer triangles stay near the original, and keep its topology.

use std::collections::BTreeMap;

use glam::DVec3;
use pliant_mesh::geometry::{CoarseLimits, CoarseSurface, Shape, Surface, point_triangle};

/// The coarse surface by itself.
fn on_its_own(surface: &Surface, coarse: &CoarseSurface) -> Surface {
    let vertices = coarse.kept.iter().map(|vertex| surface.vertices[*vertex as usize]).collect();
    Surface::new(vertices, coarse.triangles.clone())
}

/// The number of triangles at every edge.
fn edge_uses(surface: &Surface) -> BTreeMap<[u32; 2], usize> {
    let mut uses = BTreeMap::new();
    for t in &surface.triangles {
        for side in 0..3 {
            let (a, b) = (t[side], t[(side + 1) % 3]);
            *uses.entry([a.min(b), a.max(b)]).or_insert(0) += 1;
        }
    }
    uses
}

/// Vertices − edges + triangles: 2 for a ball, 0 for a ring, 1 for a sheet.
fn euler(surface: &Surface) -> i64 {
    let edges = edge_uses(surface).len();
    surface.vertices.len() as i64 - edges as i64 + surface.triangles.len() as i64
}

/// The largest distance of a vertex of one surface from another, by brute force.
fn distance(from: &Surface, to: &Surface) -> f64 {
    let nearest = |x: &DVec3| {
        to.corners().map(|corners| point_triangle(*x, corners).1).fold(f64::INFINITY, f64::min)
    };
    from.vertices.iter().map(nearest).fold(0.0, f64::max).sqrt()
}

fn longest_edge(surface: &Surface) -> f64 {
    let length =
        |[a, b]: &[u32; 2]| surface.vertices[*a as usize].distance(surface.vertices[*b as usize]);
    edge_uses(surface).keys().map(length).fold(0.0, f64::max)
}

/// A ring about the y axis, of radius 1 and 0.3, with many triangles.
fn ring() -> Surface {
    let (around, across) = (96u32, 32u32);
    let place = |i: u32, j: u32| {
        let [u, v] = [(i, around), (j, across)]
            .map(|(k, n)| f64::from(k) / f64::from(n) * std::f64::consts::TAU);
        let r = 1.0 + 0.3 * v.cos();
        DVec3::new(r * u.cos(), 0.3 * v.sin(), -r * u.sin())
    };
    let vertices = (0..around * across).map(|k| place(k / across, k % across)).collect();
    let at = |i: u32, j: u32| (i % around) * across + j % across;
    let quads = (0..around).flat_map(|i| (0..across).map(move |j| (i, j)));
    let triangles = quads.flat_map(|(i, j)| {
        let [a, b, c, d] = [at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)];
        [[a, b, c], [a, c, d]]
    });
    Surface::new(vertices, triangles.collect())
}

/// Closed surfaces stay closed with the same number of holes, within the distance that was allowed, and with volume and edges in
/// bounds. The distance told is an upper bound of the true one, because a vertex may have a nearer triangle than the one that it was given to.
#[test]
fn coarse_surfaces_stay_near_and_closed() {
    let ball = Shape::Sphere { radius: 1.0 }.surface(32).unwrap();
    let block = Shape::Box { half: DVec3::new(1.0, 0.5, 0.25) }.surface(16).unwrap();
    for (name, surface, euler_number) in
        [("ball", ball, 2), ("block", block, 2), ("ring", ring(), 0)]
    {
        for (within, longest) in [(0.01, 0.6), (0.04, 0.6), (0.04, 10.0)] {
            let coarse = surface.coarse(&CoarseLimits { within, longest_edge: longest });
            let own = on_its_own(&surface, &coarse);
            let told =
                format!("{name}, {within}: {} of {}", own.vertices.len(), surface.vertices.len());
            assert!(3 * own.vertices.len() < surface.vertices.len(), "{told}");
            assert!(edge_uses(&own).values().all(|uses| *uses == 2), "{told}: a hole");
            assert_eq!(euler(&own), euler_number, "{told}");
            let true_distance = distance(&surface, &own);
            assert!(
                true_distance <= coarse.distance + 1e-12 && coarse.distance <= within,
                "{told}"
            );
            // The volume between two surfaces that are `within` apart is at most the area times that.
            let lost = (surface.volume() - own.volume()).abs();
            assert!(lost <= surface.area() * within, "{told}: {lost}");
            assert!(longest_edge(&own) <= longest, "{told}: {}", longest_edge(&own));
        }
    }
}

/// A flat box needs its eight corners alone, if edges may be long.
#[test]
fn a_box_becomes_twelve_triangles() {
    let block = Shape::Box { half: DVec3::ONE }.surface(12).unwrap();
    let coarse = block.coarse(&CoarseLimits { within: 1e-9, longest_edge: 100.0 });
    assert_eq!((coarse.kept.len(), coarse.triangles.len()), (8, 12));
    assert!(coarse.distance <= 1e-9);
}

/// An open sheet keeps its border: its corners, its area, and one border.
#[test]
fn a_sheet_keeps_its_border() {
    let place = |k: u32| DVec3::new(f64::from(k % 20), 0.0, f64::from(k / 20));
    let corner = |k: u32| k / 19 * 20 + k % 19;
    let quads = (0..19 * 19).map(corner);
    let triangles = quads.flat_map(|a| [[a, a + 20, a + 1], [a + 1, a + 20, a + 21]]).collect();
    let surface = Surface::new((0..400).map(place).collect(), triangles);
    let coarse = surface.coarse(&CoarseLimits { within: 1e-9, longest_edge: 100.0 });
    let own = on_its_own(&surface, &coarse);
    assert!((own.area() - surface.area()).abs() < 1e-9, "{} of {}", own.area(), surface.area());
    assert_eq!(euler(&own), euler(&surface));
    assert!(own.vertices.len() < surface.vertices.len() / 20, "{}", own.vertices.len());
}

/// Surfaces that are none: vertices of no triangle stay, and so do those where three triangles share an edge. Nothing panics, and
/// nothing is far away.
#[test]
fn broken_surfaces_stay_finite() {
    let x = |k: u32| DVec3::new(f64::from(k % 7), f64::from(k / 7 % 5), f64::from(k * k % 3));
    let vertices: Vec<DVec3> = (0..60).map(x).collect();
    let triangle = |k: u32| [k * 7 % 50, k * 11 % 50, k * 13 % 50];
    let surface = Surface::new(vertices, (0..200).map(triangle).collect());
    let coarse = surface.coarse(&CoarseLimits { within: 0.5, longest_edge: 5.0 });
    assert!((50..60).all(|vertex| coarse.kept.contains(&vertex)), "vertices of no triangle stay");
    assert!(coarse.distance <= 0.5);
    assert_eq!(
        Surface::default().coarse(&CoarseLimits { within: 1.0, longest_edge: 1.0 }),
        CoarseSurface::default()
    );
}
