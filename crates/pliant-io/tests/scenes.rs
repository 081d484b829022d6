//! Every scene of the catalogue can be parsed, checked and built, and has what its name promises.
#![allow(clippy::unwrap_used, reason = "tests may panic")]

use std::path::Path;

use pliant::element::Kind;
use pliant::mesh::Mesh;
use pliant::solver::{
    AdaptiveConfig, LinearSolver, Mass, MethodConfig, Rayleigh, Rotation, Stepper,
};
use pliant_io::scene::{Built, Mode, Scene, catalogue};

fn open(name: &str) -> (Scene, Built) {
    let entry = catalogue::find(name).unwrap_or_else(|| panic!("no scene {name}"));
    Scene::open(name, entry.text, Path::new(".")).unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn every_scene_builds() {
    for entry in catalogue::all() {
        let (scene, built) = open(entry.name);
        assert!(!scene.title.is_empty() && !scene.description.is_empty(), "{}", entry.name);
        assert!(!scene.outputs.is_empty(), "{} writes nothing", entry.name);
        assert!(!built.bodies.is_empty());
        for probe in &built.probes {
            let error = built.probe_position(probe).distance(probe.at);
            assert!(error < 1e-9, "{}: probe {} is {error:.1e} m off", entry.name, probe.name);
        }
    }
}

#[test]
fn the_default_scene_moves() {
    assert_eq!(open(catalogue::DEFAULT).0.mode, Mode::Dynamic);
}

#[test]
fn who_says_nothing_is_stepped_implicitly() {
    let (scene, built) = open(catalogue::DEFAULT);
    assert_eq!(scene.method, MethodConfig::default());
    assert_eq!(scene.method.stepper, Stepper::ImplicitEuler);
    for handle in &built.bodies {
        assert_eq!(built.world.method(*handle), Some(&scene.method));
    }
}

/// What the scene says of the method holds for every body; a body changes only what it says.
#[test]
fn a_body_may_have_a_method_of_its_own() {
    let text = r#"
        version = 1
        [method]
        stepper = "bdf2"
        solver = "cholesky"
        tolerance = 1e-6
        max_iterations = 50
        newton_iterations = 7
        rotation = "point"
        lazy = 0.2
        rayleigh = { mass = 0.5, stiffness = 0.01 }
        adaptive = { refine = 0.01 }
        [[body]]
        name = "one"
        mesh = { box = {}, degree = 2 }
        material = "rubber"
        [[body]]
        name = "other"
        mesh = { box = {}, degree = 2 }
        material = "rubber"
        [body.method]
        stepper = "variational"
        mass = "consistent"
        rayleigh = { mass = 0.0 }
        adaptive = false
    "#;
    let (scene, built) = Scene::open("two", text, Path::new(".")).unwrap();
    // A fifth of the threshold to refine, as by default.
    let adaptive = AdaptiveConfig { refine: 0.01, coarsen: 0.002, dwell: 5 };
    let one = MethodConfig {
        stepper: Stepper::Bdf2,
        solver: LinearSolver::Cholesky,
        tolerance: 1e-6,
        max_iterations: 50,
        newton_iterations: 7,
        rotation: Rotation::Point,
        mass: Mass::Lumped,
        rayleigh: Rayleigh { mass: 0.5, stiffness: 0.01 },
        lazy: 0.2,
        adaptive: Some(adaptive),
    };
    let other = MethodConfig {
        stepper: Stepper::Variational,
        mass: Mass::Consistent,
        rayleigh: Rayleigh { mass: 0.0, ..one.rayleigh },
        adaptive: None,
        ..one
    };
    assert_eq!([scene.bodies[0].method, scene.bodies[1].method], [one, other]);
    let methods = built.bodies.iter().map(|handle| *built.world.method(*handle).unwrap());
    assert_eq!(methods.collect::<Vec<_>>(), [one, other]);
}

/// Cells and nodes of Saillant et al. 2024, Table 4. Of its biased torsion meshes, the table
/// gives P2 the node count of P1.
#[test]
fn meshes_of_the_paper_have_its_sizes() {
    let sizes = [
        ("bending-p1", Kind::Tet4, 1280, 425),
        ("bending-p2", Kind::Tet10, 160, 393),
        ("bending-p3", Kind::Tet20, 80, 573),
        ("torsion-p1", Kind::Tet4, 1280, 425),
        ("torsion-p2", Kind::Tet10, 160, 393),
        ("torsion-p3", Kind::Tet20, 80, 573),
        ("torsion-p1-biased", Kind::Tet4, 1536, 425),
        ("torsion-p2-biased", Kind::Tet10, 192, 425),
        ("torsion-p3-biased", Kind::Tet20, 96, 637),
        ("tension-p1-biased", Kind::Tet4, 2592, 637),
        ("tension-p2-biased", Kind::Tet10, 324, 637),
        ("tension-p3-biased", Kind::Tet20, 96, 637),
    ];
    for (name, kind, cells, nodes) in sizes {
        let (_, built) = open(&format!("saillant/static-{name}"));
        let mesh = built.world.bodies().next().unwrap().1.model().mesh();
        assert_eq!(mesh.blocks[0].kind, kind, "{name}");
        assert_eq!((mesh.cell_count(), mesh.nodes.len()), (cells, nodes), "{name}");
    }
}

/// Cells and corners of Bargteil & Cohen 2014, Tables I and II, beside those of the scenes; all
/// bodies of a scene together.
#[test]
fn scenes_of_bargteil_and_cohen_are_near_its_sizes() {
    let sizes = [
        ("hanging-bar-linear-low", 1, (60, 59), (42, 41)),
        ("hanging-bar-linear-mid", 1, (320, 313), (153, 154)),
        ("hanging-bar-linear-refined", 1, (480, 472), (183, 178)),
        ("hanging-bar-quadratic", 2, (60, 59), (42, 41)),
        ("hanging-bar-adaptive-a", 2, (60, 59), (42, 41)),
        ("hanging-bar-adaptive-b", 2, (60, 59), (42, 41)),
        ("hanging-bar-adaptive-c", 2, (60, 59), (42, 41)),
        ("hanging-bar-overhead", 2, (60, 59), (42, 41)),
        ("hanging-bar-quadratic-refined", 2, (480, 472), (183, 178)),
        ("hanging-bar-very-hires", 1, (30_720, 30_208), (6489, 6341)),
        ("twisting-bar-linear-low", 1, (60, 59), (42, 41)),
        ("twisting-bar-linear-mid", 1, (240, 242), (117, 123)),
        ("twisting-bar-linear-refined", 1, (480, 472), (183, 178)),
        ("twisting-bar-quadratic", 2, (60, 59), (42, 41)),
        ("fin", 2, (8640, 8705), (2775, 2740)),
        ("helices", 2, (7056, 7116), (4752, 4848)),
    ];
    for (name, degree, (cells, published_cells), (corners, published_corners)) in sizes {
        assert_eq!(size_of(&format!("bargteil/{name}")), (degree, cells, corners), "{name}");
        assert!(near(cells, published_cells, 3), "{name}");
        assert!(near(corners, published_corners, 5), "{name}");
    }
    let sculptures = [
        ("coarse", (260, 268), (117, 124)),
        ("moderate", (480, 504), (213, 213)),
        ("fine", (1380, 1360), (488, 505)),
        ("very-fine", (6840, 6853), (1862, 1851)),
    ];
    for (name, (cells, published_cells), (corners, published_corners)) in sculptures {
        for (kind, degree) in [("linear", 1), ("quadratic", 2), ("adaptive", 2)] {
            let name = format!("bargteil/sculpture-{name}-{kind}");
            assert_eq!(size_of(&name), (degree, cells, corners), "{name}");
        }
        assert!(near(cells, published_cells, 6) && near(corners, published_corners, 6), "{name}");
    }
}

/// Degree, cells and corners of all bodies of a scene together.
fn size_of(name: &str) -> (usize, usize, usize) {
    let (_, built) = open(name);
    let meshes = || built.world.bodies().map(|(_, body)| body.model().mesh());
    let degree = meshes().map(|mesh| mesh.blocks[0].kind.degree()).max().unwrap();
    let cells = meshes().map(Mesh::cell_count).sum();
    (degree, cells, meshes().map(|mesh| mesh.corners().len()).sum())
}

/// Whether two counts differ by at most so many hundredths.
fn near(count: usize, published: usize, hundredths: usize) -> bool {
    count.abs_diff(published) * 100 <= hundredths * published
}

#[test]
fn a_region_takes_its_own_material_and_the_rest_of_its_body() {
    let (_, built) = open("gallery/mixed-materials");
    let (_, body) = built.world.bodies().nth(1).unwrap();
    let region = body.model().mesh().region("middle").unwrap();
    let soft = body.model().material(region.cells[0] as usize);
    assert_eq!((soft.young, soft.poisson), (5e4, 0.4));
    let inside = |cell: usize| region.cells.binary_search(&(cell as u32)).is_ok();
    let outside = (0..body.model().mesh().cell_count()).find(|cell| !inside(*cell)).unwrap();
    assert_eq!(body.model().material(outside).young, 5e5);
}
