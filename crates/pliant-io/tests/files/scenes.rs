//! Every scene of the catalogue can be parsed, checked and built, and has the properties of its paper.

use std::path::Path;

use glam::DVec3;
use pliant::element::Kind;
use pliant::force::{Gusts, Wind};
use pliant::material::{Grain, Toughness};
use pliant::mesh::Mesh;
use pliant::solver::{
    AdaptiveConfig, LinearSolver, Mass, MethodConfig, Projection, Rayleigh, Rotation, Stepper,
};
use pliant::world::{BodyHandle, Health, World};
use pliant_io::scene::{BuiltScene, Mode, Scene, catalogue};

use crate::random::heavy;

fn open(name: &str) -> (Scene, BuiltScene) {
    let entry = catalogue::find(name).unwrap_or_else(|| panic!("no scene {name}"));
    Scene::open(name, entry.text, Path::new(".")).unwrap_or_else(|error| panic!("{error}"))
}

/// Scenes that are parsed but not built here: finer versions of others. Meshing them takes minutes; `pliant bench
/// mezger` does it.
const ONLY_READ: [&str; 5] = ["-50k", "-60k", "-100k", "-1500-", "-229-"];

/// Scenes that are built in a heavy run only: they take more than a second each, and other scenes use the same
/// features.
const SLOW_TO_BUILD: [&str; 7] = [
    "mezger/arm-146-20k",
    "mezger/dragon-20k",
    "mezger/locking",
    "mezger/toy",
    "saillant/reference-bending",
    "saillant/reference-tension",
    "saillant/reference-torsion",
];

/// Every scene has a title, a description and an output, can be built, and its probes are at their points, to
/// 1e-9 m.
#[test]
fn every_scene_builds() {
    for entry in catalogue::all() {
        let scene = Scene::parse(entry.name, entry.text).unwrap();
        assert!(!scene.title.is_empty() && !scene.description.is_empty(), "{}", entry.name);
        assert!(!scene.outputs.is_empty(), "{} writes nothing", entry.name);
        let slow = !heavy() && SLOW_TO_BUILD.contains(&entry.name);
        if slow || ONLY_READ.iter().any(|part| entry.name.contains(part)) {
            continue;
        }
        let (_, built) = open(entry.name);
        assert!(!built.bodies.is_empty());
        for probe in &built.probes {
            // In the rest shape: a scene may start in another shape.
            let (_, body) = built.world.bodies().nth(probe.body).unwrap();
            let error = probe.point.position(&body.model().mesh().nodes).distance(probe.at);
            assert!(error < 1e-9, "{}: probe {} is {error:.1e} m off", entry.name, probe.name);
        }
    }
}

/// The default scene is dynamic.
#[test]
fn the_default_scene_moves() {
    assert_eq!(open(catalogue::DEFAULT).0.mode, Mode::Dynamic);
}

/// The default scene uses the default method, BDF2.
#[test]
fn who_says_nothing_is_stepped_implicitly() {
    let (scene, built) = open(catalogue::DEFAULT);
    assert_eq!(scene.method, MethodConfig::default());
    assert_eq!(scene.method.stepper, Stepper::Bdf2);
    for handle in &built.bodies {
        assert_eq!(built.world.method(*handle), Some(&scene.method));
    }
}

/// The wind of a scene acts in its world; missing keys have their defaults.
#[test]
fn a_scene_may_have_a_wind() {
    let text = r#"
        version = 1
        [wind]
        velocity = [3, 0, -4]
        gusts = 0.5
        seed = 9
        start = 1
        [[body]]
        name = "one"
        mesh = { box = {} }
        material = "rubber"
    "#;
    let (scene, built) = Scene::open("wind", text, Path::new(".")).unwrap();
    let gusts = Gusts { strength: 0.5, seed: 9, ..Gusts::default() };
    let velocity = DVec3::new(3.0, 0.0, -4.0);
    let wind = Wind { velocity, gusts, start: 1.0, ..Wind::default() };
    assert_eq!(scene.wind, Some(wind));
    assert_eq!(built.world.wind(), Some(&wind));
    assert_eq!(open(catalogue::DEFAULT).1.world.wind(), None);
}

/// The method of a scene applies to every body; a body overrides only the keys it gives.
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
        substeps = 3
        sweeps = 2
        projection = "separate"
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
        substeps = 4
    "#;
    let (scene, built) = Scene::open("two", text, Path::new(".")).unwrap();
    // By default `coarsen` is a fifth of `refine`.
    let adaptive = AdaptiveConfig { refine: 0.01, coarsen: 0.002, dwell: 5 };
    let one = MethodConfig {
        stepper: Stepper::Bdf2,
        solver: LinearSolver::Cholesky,
        tolerance: 1e-6,
        max_iterations: 50,
        newton_iterations: 7,
        rotation: Rotation::Point,
        mass: Mass::Auto,
        rayleigh: Rayleigh { mass: 0.5, stiffness: 0.01 },
        refactor_threshold: 0.2,
        adaptive: Some(adaptive),
        substeps: Some(3),
        sweeps: 2,
        projection: Projection::Separate,
    };
    let other = MethodConfig {
        stepper: Stepper::Variational,
        mass: Mass::Consistent,
        rayleigh: Rayleigh { mass: 0.0, ..one.rayleigh },
        adaptive: None,
        substeps: Some(4),
        ..one
    };
    assert_eq!([scene.bodies[0].method, scene.bodies[1].method], [one, other]);
    let methods = built.bodies.iter().map(|handle| *built.world.method(*handle).unwrap());
    assert_eq!(methods.collect::<Vec<_>>(), [one, other]);
}

/// Meshes have the numbers of cells and nodes of Saillant et al. 2024, tables 1 and 4. Exceptions: for biased torsion
/// the table gives P2 the node count of P1, and for the finest linear mesh 400 nodes more than two refinements of the
/// first mesh have.
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
    let sizes =
        sizes.map(|(name, kind, cells, nodes)| (format!("static-{name}"), kind, cells, nodes));
    let moving = [
        ("torsion-p1", Kind::Tet4, 3240, 931),
        ("torsion-p2", Kind::Tet10, 405, 850),
        ("torsion-p3", Kind::Tet20, 120, 835),
        ("tension-p1", Kind::Tet4, 2592, 637),
        ("tension-p2", Kind::Tet10, 324, 637),
        ("tension-p3", Kind::Tet20, 96, 637),
        ("torsion-bar-p1-biased", Kind::Tet4, 1536, 425),
        ("torsion-bar-p2-biased", Kind::Tet10, 192, 425),
        ("torsion-bar-p3-biased", Kind::Tet20, 96, 637),
        ("torsion-bar-p1-unbiased", Kind::Tet4, 1280, 425),
        ("torsion-bar-p2-unbiased", Kind::Tet10, 160, 393),
        ("torsion-bar-p3-unbiased", Kind::Tet20, 80, 573),
        ("bending-p1", Kind::Tet4, 1280, 425),
        ("bending-p1-fine", Kind::Tet4, 10_240, 2417),
        ("bending-p1-finest", Kind::Tet4, 81_920, 16_225),
        ("bending-p2", Kind::Tet10, 160, 393),
        ("bending-p3", Kind::Tet20, 80, 573),
    ];
    let moving = moving.map(|(name, kind, cells, nodes)| (name.to_owned(), kind, cells, nodes));
    for (name, kind, cells, nodes) in sizes.into_iter().chain(moving) {
        let (_, built) = open(&format!("saillant/{name}"));
        let mesh = built.world.bodies().next().unwrap().1.model().mesh();
        assert_eq!(mesh.blocks[0].kind, kind, "{name}");
        assert_eq!((mesh.cell_count(), mesh.nodes.len()), (cells, nodes), "{name}");
    }
}

/// Scenes have the numbers of cells and corners of Bargteil & Cohen 2014, tables I and II, within 3 to 6 %; summed
/// over all bodies of a scene.
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

/// True if two counts differ by at most this many hundredths.
fn near(count: usize, published: usize, hundredths: usize) -> bool {
    count.abs_diff(published) * 100 <= hundredths * published
}

/// A region overrides the material keys it gives and takes the others from its body.
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

/// A unit cube pinned at its lower side, with these lines for its start and its pulls.
fn cube(start: &str, pulls: &str) -> BuiltScene {
    let text = format!(
        r#"
        version = 1
        [[body]]
        name = "cube"
        mesh = {{ box = {{ cells = [2, 2, 2] }}, degree = 2 }}
        material = "rubber"
        {start}
        [[body.pin]]
        where = "y-"
        {pulls}
        "#
    );
    Scene::open("cube", &text, Path::new(".")).unwrap_or_else(|error| panic!("{error}")).1
}

/// `start` scales all free nodes about a point and does not move pinned ones.
#[test]
fn a_body_may_start_flat_or_inverted() {
    let cases = [
        ("start = { scale = [1, 0, 1] }", DVec3::new(1.0, 0.0, 1.0), DVec3::splat(0.5)),
        (
            "start = { scale = [1, -1, 1], about = [0, 0, 0] }",
            DVec3::new(1.0, -1.0, 1.0),
            DVec3::ZERO,
        ),
    ];
    for (start, factors, about) in cases {
        let built = cube(start, "");
        let (_, body) = built.world.bodies().next().unwrap();
        for (rest, x) in body.model().mesh().nodes.iter().zip(&body.state.x) {
            let free = about + factors * (*rest - about);
            let expected = if rest.y == 0.0 { *rest } else { free };
            assert!(x.distance(expected) < 1e-15, "{start}: {rest} starts at {x}");
        }
    }
}

/// `velocity` and `spin` set soft, voxel, surface-made and rigid bodies in motion about their centres of mass, where they
/// start: also copies, bodies with a start and bodies with a committed rest shape. Tolerance: rounding.
#[test]
fn a_body_may_be_thrown() {
    let cases = [
        ("soft", "mesh = { box = { cells = [2, 1, 1] }, degree = 2 }"),
        ("voxel", "mesh = { figure = \"bear\", voxels = { depth = 2 } }"),
        ("meshed", "mesh = { figure = \"ball\", tetrahedra = { cells = 60 } }"),
        ("rigid", "mesh = { figure = \"ball\", tetrahedra = { cells = 60 } }\nrigid = true"),
        (
            "copied",
            "mesh = { box = {} }\ncopies = { count = [2, 1, 1], step = [3, 0, 0], turn = true }",
        ),
        ("scaled", "mesh = { box = {} }\nstart = { scale = [2, 1, 1], about = [5, 0, 0] }"),
        (
            "rested",
            "mesh = { box = {} }\nrest = [[4,0,0], [5,0,0], [4,1,0], [5,1,0], [4,0,1], [5,0,1], [4,1,1], [5,1,1]]",
        ),
    ];
    let (velocity, spin) = (DVec3::new(1.0, 2.0, 3.0), DVec3::new(0.5, 0.0, -2.0));
    for (name, lines) in cases {
        let text = format!(
            "version = 1\n[[body]]\nname = \"{name}\"\nmaterial = \"rubber\"\n{lines}\n\
             velocity = [1, 2, 3]\nspin = [0.5, 0, -2]\n"
        );
        let built = Scene::open(name, &text, Path::new("."));
        let (_, built) = built.unwrap_or_else(|error| panic!("{error}"));
        for (_, body) in built.world.bodies() {
            let centre = body.centre_of_mass();
            for (x, v) in body.state.x.iter().zip(&body.state.v) {
                let error = (*v - velocity - spin.cross(*x - centre)).length();
                assert!(error < 1e-12, "{name}: a node at {x} is {error:.1e} m/s off");
            }
        }
    }
    let built = cube("velocity = [1, 2, 3]\nspin = [0, 1, 0]", "");
    let (_, body) = built.world.bodies().next().unwrap();
    assert!(body.pins()[0].nodes.iter().all(|node| body.state.v[*node as usize] == DVec3::ZERO));
}

/// Scattered nodes are inside the bounds of the body, fill them, and depend on the seed only.
#[test]
fn a_body_may_start_scattered() {
    let x = |start: &str| cube(start, "").world.bodies().next().unwrap().1.state.x.clone();
    let one = x("start = { scatter = 1 }");
    assert_eq!(one, x("start = { scatter = 1 }"));
    assert_ne!(one, x("start = { scatter = 2 }"));
    let inside = |x: &DVec3| x.min_element() >= 0.0 && x.max_element() <= 1.0;
    assert!(one.iter().all(inside));
    let held = one.iter().filter(|x| x.y == 0.0).count();
    assert_eq!(held, 25, "exactly the nodes of the lower side must be pinned");
    let mean = one.iter().filter(|x| x.y > 0.0).map(|x| x.y).sum::<f64>() / 100.0;
    // The mean of 100 free nodes is within 0.1 of a half for all but one in 2000 seeds.
    assert!((mean - 0.5).abs() < 0.1, "mean height {mean}");
    // The generator is the same on every machine, and so is this position.
    let first = one.iter().find(|x| x.y > 0.0).unwrap();
    assert!(first.distance(FIRST) < 1e-12, "{first:?}");
}

/// The start of the first free node of that cube with seed 1.
const FIRST: DVec3 =
    DVec3::new(0.793_996_605_662_305_6, 0.404_142_169_050_225_7, 0.605_420_368_975_329_1);

/// A pull of a scene has its point, stiffness, damping and motion.
#[test]
fn a_body_may_be_pulled() {
    let built = cube(
        "",
        "[[body.pull]]
        at = [1, 1, 1]
        stiffness = 200
        damping = 3
        motion = [{ translate = [0, 1, 0], end = 2 }]",
    );
    let (_, body) = built.world.bodies().next().unwrap();
    let [pull] = body.pulls() else { panic!("{} pulls", body.pulls().len()) };
    let rest = &body.model().mesh().nodes;
    assert_eq!((pull.stiffness, pull.damping), (200.0, 3.0));
    assert!(pull.target(rest, 0.0).distance(DVec3::ONE) < 1e-12);
    assert!(pull.target(rest, 1.0).distance(DVec3::new(1.0, 1.5, 1.0)) < 1e-12);
}

/// XPBD scenes have the substeps of Saillant et al. 2024, table 3, with one sweep; their references have explicit
/// steps of 5.6e-5 s.
#[test]
fn scenes_of_the_paper_take_its_substeps() {
    let families = [
        ("torsion-bar", 50),
        ("torsion-irregular", 30),
        ("torsion-p", 30),
        ("torsion-hexahedra", 30),
        ("tension", 40),
        ("compression", 50),
        ("bending", 50),
        ("hard-twist", 50),
        ("flattened", 50),
        ("random-start", 50),
        ("stable-rest-stable-20", 20),
        ("stable-rest-stable-50", 50),
        ("stable-rest-stable-100", 100),
        ("stable-macklin-muller-20", 20),
        ("stable-macklin-muller-50", 50),
        ("stable-macklin-muller-100", 100),
    ];
    let paper = catalogue::all().iter().filter_map(|entry| entry.name.strip_prefix("saillant/"));
    for name in paper.filter(|name| !name.starts_with("static-")) {
        let entry = catalogue::find(&format!("saillant/{name}")).unwrap();
        let scene = Scene::parse(name, entry.text).unwrap();
        if name.starts_with("reference-") {
            let h = scene.world.dt / f64::from(scene.method.substeps.unwrap());
            assert_eq!(scene.method.stepper, Stepper::SymplecticEuler, "{name}");
            assert!((h - 5.6e-5).abs() < 0.05e-5, "{name}: {h}");
            continue;
        }
        let family = families.iter().find(|(family, _)| name.starts_with(family));
        let (_, substeps) = family.unwrap_or_else(|| panic!("{name} is of no family"));
        assert_eq!((scene.method.stepper, scene.method.sweeps), (Stepper::Xpbd, 1), "{name}");
        assert_eq!(scene.method.substeps, Some(*substeps), "{name}");
    }
}

/// The reaction of the weld that holds the pendulum is the weight of all bodies, within 1 %, once it has come to rest.
#[test]
fn the_pendulum_hangs_with_its_weight() {
    let (scene, mut built) = open("contact/pendulum");
    assert_eq!(scene.attachments.len(), 3);
    for _ in 0..480 {
        built.world.step();
    }
    let mass: f64 = built.world.bodies().map(|(_, body)| body.model().mass()).sum();
    let force = built.attachments[0].reaction(&built.world).force;
    let error = (force - mass * 9.81 * DVec3::Y).length() / (mass * 9.81);
    assert_eq!(built.attachments[0].name, "wall");
    assert!(error < 0.01, "{force} N, expected {} N", mass * 9.81);
}

/// Friction between two names applies to the materials of their bodies and obstacles, also to all copies of a body.
#[test]
fn friction_is_given_by_name() {
    let (scene, built) = open("contact/terrain");
    let obstacle = built.world.obstacles()[0].material;
    let touch = |name: &str| {
        let body = scene.bodies.iter().position(|body| body.name == name).unwrap();
        built.world.contact(built.bodies[body]).unwrap().material
    };
    let between = |name: &str| built.world.friction([touch(name), obstacle]);
    assert_eq!(between("gelatin-1"), Some(0.03));
    assert_eq!(between("gelatin-6"), Some(0.03));
    assert_eq!(between("rubber-1"), None);
}

/// Every copy of a body has its pins and pulls, moved and rotated with the copy, to rounding.
#[test]
fn copies_are_pinned_where_they_stand() {
    let text = r#"
        version = 1
        [[body]]
        name = "bar"
        mesh = { box = { size = [1, 0.2, 0.2], cells = [4, 1, 1] } }
        material = "rubber"
        copies = { count = [3, 1, 1], step = [2, 0, 0], jitter = 0.2, turn = true, seed = 4 }
        [[body.pin]]
        where = "x-"
        motion = [{ end = 0.5, translate = [0.1, 0, 0] }]
        [[body.pull]]
        at = [1, 0.1, 0.1]
        stiffness = 10
    "#;
    let (scene, mut built) = Scene::open("copies", text, Path::new(".")).unwrap();
    for _ in 0..30 {
        built.world.step();
    }
    for (plan, handle) in scene.bodies.iter().zip(&built.bodies) {
        let body = built.world.get(*handle).unwrap();
        let pose = plan.copy.as_ref().unwrap().pose;
        assert_eq!((body.pins().len(), body.pulls().len()), (1, 1));
        for node in &body.pins()[0].nodes {
            let rest = body.model().mesh().nodes[*node as usize];
            let expected = pose.point(rest + DVec3::X * 0.1);
            let error = body.state.x[*node as usize].distance(expected);
            assert!(error < 1e-12, "{}: {error:e} m off", plan.name);
        }
    }
}

/// Obstacles from a surface file and from a height field are at the positions of the scene; invalid files are errors.
#[test]
fn surfaces_and_fields_stand_where_they_are_put() {
    let folder = std::env::temp_dir().join(format!("pliant-obstacle-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let square = "v 0 0 0\nv 0 0 1\nv 1 0 1\nv 1 0 0\nf 1 2 3\nf 1 3 4\n";
    std::fs::write(folder.join("square.obj"), square).unwrap();
    std::fs::write(folder.join("flat.obj"), format!("{square}v 2 0 0\nf 1 4 5\n")).unwrap();
    let text = |file: &str| {
        format!(
            r#"
            version = 1
            [[body]]
            name = "cube"
            mesh = {{ box = {{ origin = [4, 2, 4] }} }}
            material = "rubber"
            [[obstacle]]
            surface = {{ file = "{file}", scale = 2, translate = [0, 0.5, 0] }}
            [[obstacle]]
            height-field = {{ heights = [[0, 0], [0, 0]], size = [1, 1], centre = [10, 1, 0] }}
            "#
        )
    };
    let (_, mut built) = Scene::open("solid", &text("square.obj"), &folder).unwrap();
    let down = |built: &mut BuiltScene, x: f64| {
        let hit = built.world.ray(DVec3::new(x, 5.0, 0.3), DVec3::NEG_Y, 10.0);
        hit.map(|hit| hit.point.y)
    };
    assert_eq!(down(&mut built, 1.5), Some(0.5));
    assert_eq!(down(&mut built, 2.5), None);
    assert_eq!(down(&mut built, 10.2), Some(1.0));
    let error = Scene::open("solid", &text("flat.obj"), &folder).unwrap_err().to_string();
    assert!(error.contains("triangle 2") && error.contains("no area"), "{error}");
    assert!(Scene::open("solid", &text("missing.obj"), &folder).is_err());
    std::fs::remove_dir_all(folder).unwrap();
}

/// A region can be rigid, or elastic in a plastic body. A body can have a committed rest shape, in which it starts
/// without stress, while its pins and regions refer to the shape of its mesh.
#[test]
fn regions_may_be_rigid_and_bodies_rest_in_committed_shapes() {
    let text = r#"
        version = 1
        [[body]]
        name = "bar"
        mesh = { box = { size = [3, 1, 1], cells = [3, 1, 1] } }
        material = { young = 1e5, poisson = 0.3, density = 1000, plastic = { yield_stress = 1e3 } }
        rest = REST
        [[body.region]]
        name = "bone"
        where = { box = { min = [0, 0, 0], max = [1, 1, 1] } }
        material = { rigid = true }
        [[body.region]]
        name = "spring"
        where = { box = { min = [2, 0, 0], max = [3, 1, 1] } }
        material = { plastic = false }
        [[body.pin]]
        where = "x-"
    "#;
    let plain = text.replace("rest = REST", "");
    let (_, built) = Scene::open("bar", &plain, Path::new(".")).unwrap();
    let body = built.world.get(built.bodies[0]).unwrap();
    let [own, bone, spring] = *body.model().materials() else { panic!("three materials") };
    assert!(!own.rigid && own.plastic.is_some());
    assert!(bone.rigid && bone.plastic == own.plastic && bone.flow().is_none());
    assert!(!spring.rigid && spring.plastic.is_none());
    assert_eq!(body.rigid_regions().nodes().count(), 1);
    // Bent, but not at the pinned end.
    let bent: Vec<DVec3> = body.anchors().iter().map(|x| *x + 0.1 * x.x * x.x * DVec3::Y).collect();
    let rest = format!("{:?}", bent.iter().map(DVec3::to_array).collect::<Vec<_>>());
    let (_, built) = Scene::open("bar", &text.replace("REST", &rest), Path::new(".")).unwrap();
    let rested = built.world.get(built.bodies[0]).unwrap();
    assert_eq!(rested.model().mesh().nodes, bent, "the rest shape must be exact");
    assert_eq!((rested.state.x.clone(), rested.anchors()), (bent, body.anchors()));
    assert_eq!(rested.model().materials(), body.model().materials());
    assert!(built.world.energy().elastic < 1e-12);
}

/// A character on a prescribed path walks through two doors: one swings open and stays whole, the other is bolted and breaks. All energy comes from the
/// work of the character, whose forces act at its own velocity; 1 % of it is allowed for steps that are not compared. An elastic impact throws a
/// fragment at twice the speed of the character, 7.5 m/s; half as much again is allowed for what fragments do to each other.
#[test]
fn a_character_opens_one_door_and_breaks_the_other() {
    let (scene, built) = open("parker/door");
    let mut world = built.world;
    let named = |name| scene.bodies.iter().position(|body| body.name == name).unwrap();
    let [walker, head, door, bolted] =
        ["walker", "head", "door", "bolted"].map(|name| built.bodies[named(name)]);
    let started = world.get(walker).unwrap().state.x[0];
    let total = |world: &World| {
        let energy = world.energy();
        energy.elastic + energy.kinetic + energy.potential
    };
    let (begin, own) = (total(&world), moving_energy(&world, [walker, head]));
    let (mut opened, mut work, mut fastest) = (0.0_f64, 0.0, 0.0_f64);
    for _ in 0..scene.frame_count() {
        world.step();
        let velocity = world.get(walker).unwrap().state.v[0];
        work += velocity.dot(pushes_of(&world, [walker, head]));
        let gained = total(&world) - moving_energy(&world, [walker, head]) - (begin - own);
        assert!(gained < 1.01 * work + 1e-3, "{:.3} s: {gained} J of {work} J", world.time());
        let x = &world.get(door).unwrap().state.x;
        opened = x.iter().map(|x| x.x).fold(opened, f64::max);
        let speeds = world.bodies().map(|(_, body)| {
            let nodes = body.state.v.iter().zip(body.model().masses());
            nodes.map(|(v, mass)| *mass * *v).sum::<DVec3>().length() / body.model().mass()
        });
        fastest = speeds.fold(fastest, f64::max);
    }
    assert!(fastest < 11.25, "a fragment flies at {fastest} m/s");
    let walked = world.get(walker).unwrap().state.x[0] - started;
    assert!((walked - DVec3::new(5.6, 0.0, 0.0)).length() < 1e-9, "{walked}");
    assert_eq!(world.pieces(door).count(), 1, "the unlocked door must stay whole");
    assert!(opened > 0.8, "the door opens by {opened} m of its 0.96 m");
    assert!(world.pieces(bolted).count() > 3, "{}", world.pieces(bolted).count());
    // A guard may damp a few steps of fragments that are thrown about.
    assert_eq!(Health { fallbacks: 0, ..world.health() }, Health::default());
}

/// The kinetic energy of bodies, in J.
fn moving_energy(world: &World, bodies: [BodyHandle; 2]) -> f64 {
    let nodes = bodies.into_iter().flat_map(|handle| {
        let body = world.get(handle).unwrap();
        body.state.v.iter().zip(body.model().masses())
    });
    nodes.map(|(v, mass)| 0.5 * mass * v.length_squared()).sum()
}

/// The sum of the impulses of bodies on all others in the last step, in N s.
fn pushes_of(world: &World, bodies: [BodyHandle; 2]) -> DVec3 {
    let pushes = world.contact_pairs().iter().map(|pair| {
        let [first, second] = pair.bodies().map(|body| bodies.contains(&body));
        match (first, second) {
            (true, false) => -pair.impulse,
            (false, true) => pair.impulse,
            _ => DVec3::ZERO,
        }
    });
    pushes.sum()
}

/// Presets have a toughness only if the scene asks for it; wood needs the direction of its grain, and a preset
/// without toughness needs a value.
#[test]
fn presets_break_where_a_scene_says_so() {
    let material = |material: &str| {
        let mesh = "mesh = { box = { cells = [1, 1, 1] } }";
        let text = format!("version = 1\n[[body]]\nname = \"a\"\n{mesh}\nmaterial = {material}");
        Scene::parse("test.toml", &text).map(|scene| scene.bodies[0].material.toughness)
    };
    let with = |preset: &str, toughness: &str| {
        material(&format!("{{ preset = \"{preset}\", toughness = {toughness} }}"))
    };
    assert_eq!(material("\"glass\"").unwrap(), None);
    assert_eq!(with("glass", "true").unwrap(), Some(Toughness::new(4.5e7)));
    let grain = Some(Grain { along: DVec3::Y, ratio: 37.0 });
    let fibrous = Toughness { strength: 2.3e6, grain };
    assert_eq!(with("wood", "{ grain = [0, 1, 0] }").unwrap(), Some(fibrous));
    assert_eq!(with("wood", "1e6").unwrap(), Some(Toughness::new(1e6)));
    for (preset, told) in [("wood", "the direction of the fibres"), ("steel", "tensile stress")] {
        let error = with(preset, "true").unwrap_err().to_string();
        assert!(error.contains(told) && error.contains("test.toml:5:"), "{error}");
    }
}
