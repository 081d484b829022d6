//! Detailed surfaces on tetrahedra: whole at rest, moving as the cells do, each vertex with its own part.

use crate::common;

use common::{FIGURES, Random, ball, bear, cases, for_cases, heavy, mapped, sheet, star, turned};
use glam::{DMat3, DVec3};
use pliant::body::Skin;
use pliant::geometry::Surface;
use pliant::mesh::Mesh;
use pliant_mesher::gallery::random_shape;
use pliant_mesher::tets::{Sheets, Size, TetConfig, Tetrahedra, Within, tetrahedra};
use pliant_mesher::{Embedding, places};
use rayon::prelude::*;

fn config(count: usize, degree: usize) -> TetConfig {
    // Where parts of the surface are lost, their vertices hang farthest out.
    TetConfig { size: Size::CellCount(count), degree, within: Within::Any, ..Default::default() }
}

fn made(surface: &Surface, config: &TetConfig) -> Tetrahedra {
    tetrahedra(surface, config).expect("a sound surface")
}

/// The vertices of the surface when the nodes are at these positions.
fn vertices(surface: &Surface, made: &Tetrahedra, nodes: &[DVec3]) -> Vec<DVec3> {
    let skin = Skin::embedded(&made.mesh, &made.places, surface.triangles.clone());
    let mut vertices = Vec::new();
    skin.interpolate(nodes, &mut vertices);
    vertices
}

/// The largest distance between two lists of points.
fn farthest(a: &[DVec3], b: &[DVec3]) -> f64 {
    assert_eq!(a.len(), b.len());
    a.iter().zip(b).map(|(a, b)| a.distance(*b)).fold(0.0, f64::max)
}

/// Checks that the vertices are at rest where the surface has them, and turn and stretch with the mesh.
fn check(surface: &Surface, made: &Tetrahedra) {
    let (low, high) = surface.bounds();
    let diagonal = (high - low).length();
    let rest = farthest(&vertices(surface, made, &made.mesh.nodes), &surface.vertices);
    // Newton's method stops at 1e-12 of a cell; the rest is rounding.
    assert!(rest < 1e-9 * diagonal, "{rest:e} of {diagonal} at rest");
    // A turn by a radian with a shear and unequal stretches, of norm below 2.
    let turn = DMat3::from_axis_angle(DVec3::new(0.6, 0.0, 0.8), 1.0);
    let stretch = DMat3::from_cols_array(&[1.4, 0.0, 0.0, 0.3, 0.8, 0.0, 0.0, 0.2, 1.1]);
    let map = |x: &DVec3| turn * (stretch * *x) + diagonal * DVec3::new(0.1, 2.0, -0.4);
    let nodes: Vec<DVec3> = made.mesh.nodes.iter().map(map).collect();
    let expected: Vec<DVec3> = surface.vertices.iter().map(map).collect();
    let moved = farthest(&vertices(surface, made, &nodes), &expected);
    assert!(moved < 2e-9 * diagonal, "{moved:e} of {diagonal} after an affine map");
}

/// Figures of the gallery with many and few cells, of every degree, have skins that are whole at rest, and turn and
/// stretch as the mesh does.
#[test]
fn skins_of_figures_are_whole_at_rest() {
    // A surface of lines only encloses nothing.
    let filled = FIGURES.iter().filter(|(_, surface)| !surface.triangles.is_empty());
    let every = if heavy() { 1 } else { 9 };
    let some: Vec<_> = filled.enumerate().filter(|(k, _)| k % every == 0).collect();
    some.par_iter().for_each(|(k, (figure, surface))| {
        for (count, degree) in [(500, 2), (100, 1 + k % 3), (40, 1 + (k + 1) % 3)] {
            println!("{} {count} {degree}", figure.name());
            check(surface, &made(surface, &config(count, degree)));
        }
    });
}

/// So have the bear, an open ball, a sheet, and a ball with a wing that the cells leave out.
#[test]
fn skins_of_open_surfaces_are_whole_at_rest() {
    let mut open = ball();
    let rim = open.vertices.clone();
    open.triangles.retain(|triangle| triangle.iter().any(|v| rim[*v as usize].z < 0.9));
    for (surface, degree) in [(bear(), 3), (open, 2), (turned(&sheet(8), 0.4), 2)] {
        check(&surface, &made(&surface, &config(200, degree)));
    }
    let winged = with_wing();
    let bare = made(&winged, &TetConfig { sheets: Sheets::LeftOut, ..config(200, 2) });
    assert!(bare.report.farthest_vertex > 1.0, "the wing reaches out of the cells");
    check(&winged, &bare);
}

/// So have random shapes, with triangles missing, reversed, and vertices of no triangle.
#[test]
fn skins_of_broken_surfaces_are_whole_at_rest() {
    for_cases(cases(12), &mut |random: &mut Random| {
        let mut surface = random_shape(random.bits());
        surface.triangles.retain(|_| random.below(20) > 0);
        for triangle in surface.triangles.iter_mut() {
            if random.below(20) == 0 {
                triangle.swap(0, 1);
            }
        }
        let degree = 1 + random.below(3);
        if let Ok(made) = tetrahedra(&surface, &config(60, degree)) {
            check(&surface, &made);
        }
    });
}

/// A ball of radius 1 with a flat wing that reaches out to x = 2.3.
fn with_wing() -> Surface {
    united(star(48, 24, |_| 1.0), mapped(sheet(8), |x| DVec3::new(0.8 + 1.5 * x.x, x.y - 0.5, 0.1)))
}

fn united(mut a: Surface, b: Surface) -> Surface {
    let count = a.vertices.len() as u32;
    a.vertices.extend(b.vertices);
    a.triangles.extend(b.triangles.iter().map(|triangle| triangle.map(|vertex| vertex + count)));
    a
}

/// The nodes of a mesh bent into a bow along z.
fn bent(mesh: &Mesh) -> Vec<DVec3> {
    mesh.nodes.iter().map(|x| *x + DVec3::Z * (0.2 * x.x * x.x + 0.1 * x.x * x.y)).collect()
}

/// However the cells bend, points farther and farther outside along one line move by a distance that grows no faster
/// than theirs: nothing diverges as polynomials do.
#[test]
fn points_far_outside_move_in_proportion() {
    for degree in 1..=3 {
        let mesh = made(&ball(), &config(200, degree)).mesh;
        let nodes = bent(&mesh);
        let line = |distance: f64| DVec3::new(1.0 + distance, 0.3 * distance, -0.2 * distance);
        let points: Vec<DVec3> = [1.0, 2.0, 4.0, 8.0, 16.0].map(line).to_vec();
        let places = places(&mesh, &points).into_iter().map(|(place, _)| place).collect();
        let surface = Surface::new(points.clone(), Vec::new());
        let skin = Embedding { surface, places }.skin(&mesh);
        let mut moved = Vec::new();
        skin.interpolate(&nodes, &mut moved);
        let moves: Vec<f64> = moved.iter().zip(&points).map(|(a, b)| a.distance(*b)).collect();
        for (k, pair) in moves.windows(2).enumerate() {
            // Twice the distance from the ball, up to the change of the foot on it.
            assert!(pair[1] < 2.3 * pair[0] + 0.2, "degree {degree}, {k}: {moves:?}");
        }
        // The bow is steepest at the ball's side, where its slope is at most 0.4 along x and 0.1 along y; the gradient of
        // curved cells varies about that.
        assert!(moves[4] < 16.0, "degree {degree}: {moves:?}");
    }
}

/// A spike from one ball that ends close to another ball stays with its own ball when the other one moves away.
#[test]
fn a_spike_stays_with_its_own_part() {
    let mut lower = star(96, 48, |_| 1.0);
    let (base, tip) = (1.0, 1.85);
    lower.vertices[0] = tip * DVec3::Z;
    let vertex_count = lower.vertices.len();
    let both = united(lower, mapped(star(96, 48, |_| 1.0), |x| x + 3.0 * DVec3::Z));
    for degree in 1..=2 {
        let made = made(&both, &config(600, degree));
        check(&both, &made);
        let nodes: Vec<DVec3> = made
            .mesh
            .nodes
            .iter()
            .map(|x| *x + if x.z > 0.5 * (2.0 + tip) { DVec3::X } else { DVec3::ZERO })
            .collect();
        let after = vertices(&both, &made, &nodes);
        let moves = after.iter().zip(&both.vertices).map(|(a, b)| (*a - *b).length());
        let moves: Vec<f64> = moves.collect();
        let lower = moves[..vertex_count].iter().copied().fold(0.0, f64::max);
        assert!(
            lower < 1e-9,
            "degree {degree}: the lower ball moves by {lower}, its spike from {base} to {tip}"
        );
        let upper = moves[vertex_count..].iter().map(|way| (way - 1.0).abs()).fold(0.0, f64::max);
        assert!(upper < 1e-9, "degree {degree}: the upper ball is {upper} behind");
    }
}
