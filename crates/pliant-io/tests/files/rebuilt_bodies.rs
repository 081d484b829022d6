//! Bodies that are built again on the mesh of an earlier version.

use std::path::Path;
use std::sync::Arc;

use glam::DVec3;
use pliant::mesh::generate::{BoxConfig, box_mesh};
use pliant_io::gmsh;
use pliant_io::scene::{BuiltBody, Scene};
use pliant_io::surface::{Surface, write_obj};

/// Meshes of all sources, with further keys of the body.
const MESHES: [&str; 9] = [
    "mesh = { box = { size = [1, 1, 1], cells = [3, 3, 3] }, degree = 2 }",
    "mesh = { file = \"box.msh\" }\ntransform = { translate = [0, 0.1, 0] }",
    "mesh = { surface = \"octahedron.obj\", tetrahedra = { cells = 80 }, degree = 2 }",
    "mesh = { surface = \"octahedron.obj\", voxels = { depth = 2, leaves = 4 } }",
    "mesh = { surface = \"octahedron.obj\", voxels = { depth = 2, leaves = 4, stiffness = \"uniform\" } }",
    "mesh = { box = { size = [1, 1, 1], cells = [3, 3, 3] } }\nsplinters = { kind = \"stone\", count = 4 }",
    "mesh = { surface = \"octahedron.obj\", tetrahedra = { cells = 80 } }\nsplinters = { kind = \"stone\", count = 4 }",
    "mesh = { surface = \"octahedron.obj\", voxels = { depth = 2 } }\nrigid = true",
    "mesh = { box = { size = [1, 1, 1], cells = [2, 2, 2] } }\nrigid = true",
];

/// An octahedron around the middle of the unit cube, red above and blue below.
fn octahedron() -> Surface {
    let axes = [DVec3::X, DVec3::NEG_X, DVec3::Y, DVec3::NEG_Y, DVec3::Z, DVec3::NEG_Z];
    let vertices = axes.iter().map(|axis| 0.5 + 0.6 * *axis).collect();
    let red = |axis: &DVec3| if axis.y >= 0.0 { [1.0, 0.0, 0.0] } else { [0.0, 0.0, 1.0] };
    let triangles =
        [[0, 2, 4], [2, 1, 4], [1, 3, 4], [3, 0, 4], [2, 0, 5], [1, 2, 5], [3, 1, 5], [0, 3, 5]];
    let colours = Some(axes.iter().map(red).collect());
    Surface { colours, ..Surface::new(vertices, triangles.to_vec()) }
}

fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    write_obj(&folder.path().join("octahedron.obj"), &octahedron()).unwrap();
    let mesh = box_mesh(&BoxConfig { cells: [3, 3, 3], ..Default::default() }).unwrap();
    gmsh::write(&folder.path().join("box.msh"), &mesh, gmsh::Encoding::default()).unwrap();
    folder
}

fn scene(mesh: &str, more: &str) -> Scene {
    let text = format!(
        "version = 1\n[[body]]\nname = \"it\"\n{mesh}\nmaterial = {{ young = 1e5, poisson = 0.3, density = 1000 }}\n{more}\n"
    );
    Scene::parse("test.toml", &text).unwrap_or_else(|error| panic!("{error}"))
}

fn pin(height: f64) -> String {
    let below = format!("{{ half_space = {{ point = [0, {height}, 0], normal = [0, -1, 0] }} }}");
    format!("[[body.pin]]\nwhere = {below}\n")
}

fn region(name: &str, selection: &str, density: f64) -> String {
    format!(
        "[[body.region]]\nname = \"{name}\"\nwhere = {selection}\nmaterial = {{ density = {density} }}\n"
    )
}

/// A ball in the middle, larger than a cell.
const BALL: &str = "{ sphere = { centre = [0.5, 0.5, 0.5], radius = 0.45 } }";

const RED: &str = "{ colour = \"#ff0000\" }";

/// Checks that a body has the bits of one that is built from nothing. Its text contains every number that it has.
fn assert_same(rebuilt: &BuiltBody, scene: &Scene, folder: &Path) {
    let new = scene.build_body(0, folder).unwrap_or_else(|error| panic!("{error}"));
    let (rebuilt, new) = (format!("{:?}", rebuilt.body), format!("{:?}", new.body));
    assert!(rebuilt == new, "a rebuilt body differs from a new one");
}

/// With other pins and regions a body is the same, bit for bit, as one that is built from nothing, and its mesh is not
/// made again.
#[test]
fn a_rebuilt_body_is_that_of_the_edited_scene() {
    let folder = folder();
    for mesh in MESHES {
        let first = scene(mesh, &pin(0.3)).build_body(0, folder.path()).unwrap();
        let edits = [
            pin(0.1) + &pin(0.3),
            String::new(),
            region("ball", BALL, 1500.0),
            pin(0.3)
                + &region("ball", BALL, 1500.0)
                + &region("core", &BALL.replace("0.45", "0.3"), 2000.0),
        ];
        for more in edits.iter().filter(|more| !more.contains("region") || !mesh.contains("rigid"))
        {
            let edited = scene(mesh, more);
            let rebuilt = edited.rebuild_body(0, folder.path(), &first.mesh, None).unwrap();
            assert!(Arc::ptr_eq(&rebuilt.mesh, &first.mesh), "{mesh}");
            assert_same(&rebuilt, &edited, folder.path());
        }
    }
}

/// With other pins a body has the same model.
#[test]
fn pins_do_not_change_the_model() {
    let folder = folder();
    for mesh in MESHES {
        let first = scene(mesh, &pin(0.3)).build_body(0, folder.path()).unwrap();
        let (edited, model) = (scene(mesh, &pin(0.1)), first.body.model());
        let rebuilt = edited.rebuild_body(0, folder.path(), &first.mesh, Some(model)).unwrap();
        assert!(Arc::ptr_eq(rebuilt.body.model(), model), "{mesh}");
        assert_same(&rebuilt, &edited, folder.path());
    }
}

/// Leaves that are chosen by colour keep their material when others are painted. Voxels that were made without colours
/// are made again for a region with one.
#[test]
fn voxels_are_chosen_by_colour_again() {
    let folder = folder();
    let (red, ball) = (region("red", RED, 3000.0), region("ball", BALL, 1500.0));
    let mesh = MESHES[3];
    let first = scene(mesh, &red).build_body(0, folder.path()).unwrap();
    for more in [red.clone() + &ball, ball.clone() + &red, ball.clone(), String::new()] {
        let edited = scene(mesh, &more);
        let rebuilt = edited.rebuild_body(0, folder.path(), &first.mesh, None).unwrap();
        assert!(Arc::ptr_eq(&rebuilt.mesh, &first.mesh), "{more}");
        assert_same(&rebuilt, &edited, folder.path());
    }
    let plain = scene(mesh, &ball).build_body(0, folder.path()).unwrap();
    let edited = scene(mesh, &red);
    let rebuilt = edited.rebuild_body(0, folder.path(), &plain.mesh, None).unwrap();
    assert!(!Arc::ptr_eq(&rebuilt.mesh, &plain.mesh));
    assert_same(&rebuilt, &edited, folder.path());
}
