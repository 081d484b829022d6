//! The final shape of a run, written to a file, as the rest shape of another scene (Bargteil & Cohen 2014, section
//! 3.7).

use std::path::Path;

use glam::DVec3;
use pliant::mesh::Mesh;
use pliant_io::gmsh;
use pliant_io::scene::{BuiltScene, Scene};

/// A bar that sags until its quadratic cells are curved.
const SAGGING: &str = r#"
version = 1
[[body]]
name = "bar"
mesh = { box = { size = [4, 0.5, 0.5], cells = [6, 1, 1] }, degree = 2 }
material = { law = "corotated", young = 1e5, poisson = 0.3, density = 1000 }
[[body.pin]]
where = "x-"
"#;

/// The final shape as a rest shape, without gravity.
const AT_REST: &str = r#"
version = 1
[world]
gravity = [0, 0, 0]
[[body]]
name = "bar"
mesh = { file = "end.msh" }
material = { law = "corotated", young = 1e5, poisson = 0.3, density = 1000 }
[[body.pin]]
where = "x-"
"#;

fn open(text: &str, folder: &Path) -> BuiltScene {
    Scene::open("scene", text, folder).unwrap_or_else(|error| panic!("{error}")).1
}

/// Steps a world and returns the mesh of its only body in its current shape.
fn mesh_after(built: &mut BuiltScene, frames: usize) -> Mesh {
    (0..frames).for_each(|_| {
        built.world.step();
    });
    let (_, body) = built.world.bodies().next().unwrap();
    Mesh { nodes: body.state.x.clone(), ..body.model().mesh().clone() }
}

/// The final shape of a run is at rest in the next scene, because files keep control points to the bit. Tolerance
/// 1e-11 m: rounding of F = 1, about 1e5 Pa × 1e-16 over 1 kg in each of 20 frames.
#[test]
fn what_a_run_ends_with_is_at_rest_in_the_next() {
    let folder = tempfile::tempdir().unwrap();
    let end = mesh_after(&mut open(SAGGING, folder.path()), 20);
    gmsh::write(&folder.path().join("end.msh"), &end, gmsh::Encoding::default()).unwrap();
    let mut built = open(AT_REST, folder.path());
    let rest = built.world.bodies().next().unwrap().1.model().mesh().clone();
    let report = rest.certify().unwrap();
    let later = mesh_after(&mut built, 20);
    assert_eq!(rest.nodes, end.nodes);
    assert!(report.straight_count < report.cell_count / 2, "too few cells are curved");
    let moved = |(a, b): (&DVec3, &DVec3)| a.distance(*b);
    let most = rest.nodes.iter().zip(&later.nodes).map(moved).fold(0.0, f64::max);
    assert!(most < 1e-11, "moved by {most:.1e} m");
}

/// A shape with inverted cells is refused as a rest shape, with all these cells in the error.
#[test]
fn a_folded_end_is_refused_by_name() {
    let folder = tempfile::tempdir().unwrap();
    let mut end = mesh_after(&mut open(SAGGING, folder.path()), 0);
    let middle = end.nodes.iter().position(|x| x.x > 1.9 && x.x < 2.1).unwrap();
    end.nodes[middle] += DVec3::X;
    gmsh::write(&folder.path().join("end.msh"), &end, gmsh::Encoding::default()).unwrap();
    let error = Scene::open("scene", AT_REST, folder.path()).unwrap_err().to_string();
    let folded: Vec<usize> = end.invalid_cells().iter().map(|(cell, _)| *cell).collect();
    assert!(folded.len() > 1);
    for cell in folded {
        assert!(error.contains(&format!("cell {cell} is partly inverted")), "{error}");
    }
}
