//! Every invalid scene is refused with the line, the value and the remedy.

use std::path::Path;

use pliant_io::scene::{Scene, SceneError};

/// A valid static scene; tests change one line of it. Line numbers below count from its first line.
const GOOD: &str = r#"version = 1
mode = "static"
[world]
gravity = [0, -9.8, 0]
dt = 0.01
[statics]
tolerance = 1e-9
[[body]]
name = "beam"
mesh = { box = { size = [4, 1, 1], cells = [4, 1, 1] }, degree = 2 }
material = { law = "rest-stable", young = 1e6, poisson = 0.35, density = 1000 }
[[body.pin]]
where = "x-"
[[probe]]
name = "tip"
at = [4, 0.5, 0.5]
[[output]]
format = "vtu"
fields = ["von-mises"]
"#;

fn open(text: &str) -> Result<(), SceneError> {
    Scene::open("test.toml", text, Path::new("/nowhere")).map(|_| ())
}

/// The error message for the valid scene with `from` replaced by `to`.
fn spoiled(from: &str, to: &str) -> String {
    assert!(GOOD.contains(from), "{from}");
    open(&GOOD.replacen(from, to, 1)).expect_err(to).to_string()
}

/// The unchanged scene is valid.
#[test]
fn the_good_scene_is_good() {
    open(GOOD).unwrap();
}

/// The text replaced, its replacement, and the parts of the message: place, value, remedy.
const CASES: &[(&str, &str, &[&str])] = &[
    ("0.35", "0.5", &["test.toml:11:58", "poisson is 0.5", "less than 0.5", "0.49"]),
    ("0.35", "nan", &["test.toml:11:58", "NaN", "below 0.5"]),
    ("young = 1e6", "young = -1", &["test.toml:11:43", "young is -1", "pascal"]),
    ("density = 1000", "density = -5", &["test.toml:11:74", "-5", "water has 1000"]),
    ("[statics]", "[wind]\nvelocity = [1, 2]\n[statics]", &["test.toml:7:12", "array of length 3"]),
    ("[statics]", "[wind]\n[statics]", &["test.toml:6:1", "velocity"]),
    (
        "[world]",
        "wind = 3\n[world]",
        &["test.toml:3:8", "integer `3`, expected a table such as `wind = { … }`"],
    ),
    (
        "[[body.pin]]\nwhere = \"x-\"",
        "pin = [3]",
        &["test.toml:12:8", "integer `3`, expected a table such as `pin = [{ … }]`"],
    ),
    (
        "[statics]",
        "[wind]\nvelocity = [nan, 0, 0]\n[statics]",
        &["test.toml:7:12", "velocity", "three finite numbers"],
    ),
    (
        "[statics]",
        "[wind]\nvelocity = [1, 0, 0]\ndensity = -1\n[statics]",
        &["test.toml:8:11", "`density` is -1", "0 to 1e6", "kg/m³"],
    ),
    (
        "[statics]",
        "[wind]\nvelocity = [1, 0, 0]\ngusts = inf\n[statics]",
        &["test.toml:8:9", "`gusts` is inf", "0 to 100"],
    ),
    (
        "[statics]",
        "[wind]\nvelocity = [1, 0, 0]\ngust_length = 0\n[statics]",
        &["test.toml:8:15", "`gust_length` is 0", "1e-6", "in m"],
    ),
    (
        "[statics]",
        "[wind]\nvelocity = [1, 0, 0]\nstart = 2\nend = 1\n[statics]",
        &["test.toml:9:7", "`end` is 1", "after `start`"],
    ),
    (
        "[statics]",
        "[wind]\nvelocity = [1, 0, 0]\nseed = -3\n[statics]",
        &["test.toml:8:8", "`seed` is -3", "whole number"],
    ),
    (
        "[statics]",
        "[wind]\nvelocity = [1, 0, 0]\ndrga = 1\n[statics]",
        &["test.toml:8:1", "drga", "drag"],
    ),
    (
        "[[body.pin]]",
        "contact = { skin = \"cell\" }\n[[body.pin]]",
        &["test.toml:12:20", "`cell`", "cells"],
    ),
    (
        "[[body.pin]]",
        "contact = { within = 0.7 }\n[[body.pin]]",
        &["test.toml:12:22", "`within` is 0.7", "0 to 0.5"],
    ),
    (
        "[[body.pin]]",
        "contact = { skin = \"drawn\", within = 0.01 }\n[[body.pin]]",
        &["test.toml:12:38", "`within`", "skin = \"coarse\""],
    ),
    (
        "density = 1000",
        "density = 1000, plastic = { yield_stress = 0 }",
        &["test.toml:11:", "yield_stress is 0", "positive"],
    ),
    (
        "density = 1000",
        "density = 1000, plastic = { yield_stress = 2e3, hardening = -1 }",
        &["test.toml:11:", "hardening is -1", "0 or more"],
    ),
    (
        "density = 1000",
        "density = 1000, plastic = { yield_stress = 2e3, limit = 1e3 }",
        &["test.toml:11:", "below yield_stress", "no limit"],
    ),
    (
        "density = 1000",
        "density = 1000, plastic = { yield_strain = 0.1 }",
        &["test.toml:11:", "`rate`", "rate = 1"],
    ),
    (
        "density = 1000",
        "density = 1000, plastic = { yield_strain = 0.1, rate = 1, hardening = 5 }",
        &["test.toml:11:", "`hardening` has no effect", "yield_strain"],
    ),
    (
        "density = 1000",
        "density = 1000, plastic = true",
        &["test.toml:11:", "`yield_strain` of the plastic flow", "yield_stress"],
    ),
    (
        "[[body.pin]]\nwhere = \"x-\"\n",
        "rest = [[0, 0, 0]]\n[[body.pin]]\nwhere = \"x-\"\n",
        &["test.toml:12:8", "1 positions were given as rest shape", "nodes"],
    ),
    (
        "[[body.pin]]\nwhere = \"x-\"\n",
        "rest = [[0, inf, 0]]\n[[body.pin]]\nwhere = \"x-\"\n",
        &["test.toml:12:8", "`rest` is", "finite"],
    ),
    (
        "density = 1000",
        "density = 1000, plastic = { limit = 1 }",
        &["test.toml:11:", "plastic flow", "`yield_stress`"],
    ),
    (
        "rest-stable",
        "rest-stabel",
        &["test.toml:11:20", "no law `rest-stabel`", "did you mean `rest-stable`"],
    ),
    (
        "\"x-\"",
        "{ sphere = { centre = [9, 9, 9], radius = 1 } }",
        &["test.toml:13:9", "selects no node of body `beam`", "from [0, 0, 0] to [4, 1, 1]"],
    ),
    ("\"x-\"", "\"x_\"", &["test.toml:13:9", "`x_`", "`x-`", "did you mean"]),
    (
        "[[body.pin]]\nwhere = \"x-\"\n",
        "",
        &["test.toml:9:8", "body `beam` has no pin", "[[body.pin]]", "dynamic"],
    ),
    (
        "box = { size = [4, 1, 1], cells = [4, 1, 1] }",
        "file = \"missing.msh\"",
        &["test.toml:10:8", "missing.msh", "No such file"],
    ),
    ("dt = 0.01", "dt = 0", &["test.toml:5:6", "`dt` is 0", "above 0"]),
    ("dt = 0.01", "dt = -0.01", &["test.toml:5:6", "`dt` is -0.01", "above 0"]),
    ("dt = 0.01", "dt = nan", &["test.toml:5:6", "`dt` is NaN", "above 0"]),
    ("density = 1000", "density = 0", &["test.toml:11:74", "density is 0", "water has 1000"]),
    (
        "[[probe]]",
        "[[body.pin]]\nwhere = { box = { min = [0, 0, 0], max = [0, 1, 1] } }\nmotion = [{ translate = [1, 0, 0] }]\n[[probe]]",
        &["test.toml:15:9", "pins 0 and 1", "move it differently"],
    ),
    ("dt = 0.01", "dt = 1e300", &["test.toml:5:6", "`dt` is 1e300,"]),
    (
        "dt = 0.01",
        "sleep = { force = -1 }",
        &["test.toml:5:19", "`force` is -1", "0 or more, in N"],
    ),
    ("dt = 0.01", "sleep = { force = nan }", &["test.toml:5:19", "`force` is NaN", "in N"]),
    ("-9.8", "-1e300", &["test.toml:4:11", "-1e300", "at most 1e9 m/s²"]),
    ("size = [4, 1, 1]", "size = [4e200, 1, 1]", &["test.toml:10:8", "within 1e9 m"]),
    (
        "cells = [4, 1, 1]",
        "cells = [400, 400, 40]",
        &["test.toml:10:8", "51200000 nodes", "102 GB", "fewer cells"],
    ),
    (
        "[[body.pin]]",
        "velocity = [1e9, 0, 0]\n[[body.pin]]",
        &["test.toml:12:12", "speed of light"],
    ),
    ("\nmesh", "\ncolour = \"#+12345\"\nmesh", &["test.toml:10:10", "expected `#rrggbb`"]),
    ("fields", "path = \"a/\"\nfields", &["test.toml:19:8", "cannot be the path of a file"]),
    (
        "[[output]]",
        "[[output]]\nformat = \"vtu\"\n[[output]]",
        &["test.toml:20:10", "another output", "a `path` of its own"],
    ),
    ("dt = 0.01", "dt = inf", &["test.toml:5:6", "`dt` is inf", "finite"]),
    (
        "dt = 0.01",
        "dt = \"fast\"",
        &["test.toml:5:6", "invalid type: string \"fast\"", "expected a number"],
    ),
    ("dt = 0.01", "td = 0.01", &["test.toml:5:1", "unknown field `td`", "did you mean `dt`?"]),
    ("[0, -9.8, 0]", "[0, nan, 0]", &["test.toml:4:11", "NaN", "three finite numbers"]),
    (
        "[0, -9.8, 0]",
        "[0, -9.8, 0, 1]",
        &["test.toml:4:11", "invalid length 4", "an array of length 3"],
    ),
    ("tolerance = 1e-9", "tolerance = 5", &["test.toml:7:13", "`tolerance` is 5", "0.1"]),
    (
        "[statics]",
        "[method]\nstepper = \"lu\"\n[statics]",
        &["test.toml:6:1", "`method` has no effect in a static scene", "`[statics]`", "remove"],
    ),
    (
        "[[body.pin]]",
        "[body.method]\nsolver = \"cholesky\"\n[[body.pin]]",
        &["test.toml:12:1", "`method` has no effect in a static scene", "remove this"],
    ),
    (
        "mode = \"static\"",
        "mode = \"statics\"",
        &["test.toml:2:8", "no mode `statics`", "did you mean `static`"],
    ),
    ("cells = [4, 1, 1]", "cells = [0, 1, 1]", &["test.toml:10:44", "`cells` is 0", "from 1"]),
    (
        "cells = [4, 1, 1]",
        "cells = [40000, 4000, 4000]",
        &["test.toml:10:8", "5120000000000 nodes", "fewer cells"],
    ),
    ("size = [4, 1, 1]", "size = [4, -1, 1]", &["test.toml:10:25", "-1.0", "above 0"]),
    ("degree = 2", "degree = 7", &["test.toml:10:66", "`degree` is 7", "1, 2 or 3"]),
    (
        "cells = [4, 1, 1]",
        "cells = [4, 1, 1], split = \"hex\" }, degree = 3, refine = 1 }#",
        &["test.toml:10:8", "hex8", "degree 3"],
    ),
    (
        "box = { size",
        "ball = { radius = 1, cells = 2 }, box = { size",
        &["test.toml:10:8", "2 given", "exactly one", "`torus`"],
    ),
    (
        "box = { size = [4, 1, 1], cells = [4, 1, 1] }",
        "sculpture = { level = 5 }",
        &["test.toml:10:32", "`level` is 5", "1, 2, 3 or 4"],
    ),
    (
        "box = { size = [4, 1, 1], cells = [4, 1, 1] }",
        "fin = { chord = 0.1, thickness = 0.2 }",
        &["test.toml:10:8", "thickness of the fin is 0.2", "its chord"],
    ),
    (
        "box = { size = [4, 1, 1], cells = [4, 1, 1] }",
        "helix = { layers = -1 }",
        &["test.toml:10:29", "`layers` is -1", "from 0"],
    ),
    (
        "at = [4, 0.5, 0.5]",
        "at = [4.1, 0.5, 0.5]",
        &["test.toml:16:6", "probe `tip`", "[4.1, 0.5, 0.5]", "[4, 1, 1]"],
    ),
    (
        "name = \"tip\"",
        "name = \"tip\"\nbody = \"beem\"",
        &["test.toml:16:8", "no body `beem`", "did you mean `beam`"],
    ),
    (
        "version = 1",
        "version = 2\nfrom_the_future = true",
        &["test.toml:1:11", "version 2", "newer Pliant"],
    ),
    ("version = 1\n", "", &["`version` is missing", "version = 1"]),
    (
        "format = \"vtu\"",
        "format = \"vtk\"",
        &["test.toml:18:10", "no format `vtk`", "did you mean `vtu`"],
    ),
    ("\"von-mises\"", "\"mises\"", &["test.toml:19:11", "no field `mises`", "von-mises"]),
    (
        "format = \"vtu\"",
        "format = \"vtu\"\npath = \"../../etc/x\"",
        &["test.toml:19:8", "../../etc/x", "--out"],
    ),
    ("material = { law", "mass = 3\nmaterial = { law", &["test.toml:11:1", "unknown field `mass`"]),
    ("young = 1e6, ", "", &["test.toml:11:12", "`young` is missing", "young = 1e6"]),
    ("[[probe]]", "[[probe", &["test.toml:14"]),
];

/// Each fault is reported with its place, its value and a remedy.
#[test]
fn each_fault_is_told_with_its_place_value_and_remedy() {
    let mut failures = String::new();
    for (from, to, expected) in CASES {
        let message = spoiled(from, to);
        for part in expected.iter().filter(|part| !message.contains(**part)) {
            failures += &format!("`{to}` should say `{part}`:\n{message}\n\n");
        }
    }
    assert!(failures.is_empty(), "{failures}");
}

/// A valid dynamic scene; tests change its methods. The scene's method is on line 2, that of the body on line 7.
const MOVING: &str = r#"version = 1
[method]

[[body]]
name = "beam"
[body.method]

[body.mesh]
box = { size = [4, 1, 1], cells = [4, 1, 1] }
degree = 2
[body.material]
young = 1e6
poisson = 0.35
density = 1000
"#;

/// The error message for that scene with lines added to its method and to that of its body.
fn method_message(scene: &str, body: &str) -> String {
    let text = MOVING.replacen("[method]\n", &format!("[method]\n{scene}"), 1);
    let text = text.replacen("[body.method]\n", &format!("[body.method]\n{body}"), 1);
    open(&text).expect_err(&text).to_string()
}

/// The method of the scene, that of the body, and the parts of the message.
const METHODS: &[(&str, &str, &[&str])] = &[
    (
        "stepper = \"implicit-eular\"",
        "",
        &["test.toml:3:11", "no stepper `implicit-eular`", "did you mean `implicit-euler`"],
    ),
    ("solver = \"lu\"", "", &["test.toml:3:10", "no solver `lu`", "`cholesky`"]),
    (
        "rotation = \"node\"",
        "",
        &["test.toml:3:12", "no rotation `node`", "`cell`, `point` or `edges`"],
    ),
    ("mass = \"lump\"", "", &["test.toml:3:8", "no mass `lump`", "`lumped`"]),
    ("tolerance = 0", "", &["test.toml:3:13", "tolerance is 0", "1e-14 to 0.5"]),
    ("tolerance = nan", "", &["test.toml:3:13", "tolerance is NaN"]),
    ("max_iterations = 0", "", &["test.toml:3:18", "`max_iterations` is 0", "from 1"]),
    ("newton_iterations = -1", "", &["test.toml:3:21", "`newton_iterations` is -1"]),
    ("lazy = -0.1", "", &["test.toml:3:8", "lazy is -0.1", "zero or more"]),
    ("rayleigh = { mass = -2 }", "", &["test.toml:3:21", "rayleigh.mass is -2", "1/s"]),
    (
        "rayleigh = { stiffness = inf }",
        "",
        &["test.toml:3:26", "rayleigh.stiffness is inf", "a time in s"],
    ),
    (
        "adaptive = { refine = 1e-4, coarsen = 1e-3 }",
        "",
        &["test.toml:3:39", "coarsen, 0.001, is not below", "refine, 0.0001", "a fifth of refine"],
    ),
    ("adaptive = { refine = 0 }", "", &["test.toml:3:23", "refine is 0"]),
    ("adaptive = { coarsen = nan }", "", &["test.toml:3:24", "coarsen is NaN"]),
    ("adaptive = { dwell = -1 }", "", &["test.toml:3:22", "`dwell` is -1", "from 0"]),
    ("adaptive = 5", "", &["test.toml:3:12", "true, false, or a table"]),
    ("adaptive = { refin = 1 }", "", &["test.toml:3:14", "did you mean `refine`?"]),
    (
        "stepper = \"symplectic-euler\"\nmass = \"consistent\"",
        "",
        &["test.toml:4:8", "does not go with", "choose an implicit stepper"],
    ),
    (
        "stepper = \"symplectic-euler\"\nadaptive = true",
        "",
        &["test.toml:4:12", "adaptive degree does not go with an explicit stepper"],
    ),
    (
        "stepper = \"symplectic-euler\"\nrayleigh = { stiffness = 1e-3 }",
        "",
        &["test.toml:4:12", "rayleigh stiffness damping does not go with"],
    ),
    // The body's key is at fault if the scene is valid without it.
    (
        "mass = \"consistent\"",
        "stepper = \"symplectic-euler\"",
        &["test.toml:8:11", "mass = \"consistent\" does not go with"],
    ),
    ("", "tolerance = 7", &["test.toml:7:13", "tolerance is 7"]),
    (
        "adaptive = { refine = 1e-3, coarsen = 1e-4 }",
        "adaptive = { coarsen = 1e-2 }",
        &["test.toml:8:24", "coarsen, 0.01, is not below the one to refine, 0.001"],
    ),
];

/// Each fault of a method is reported with its place, its value and a remedy.
#[test]
fn each_fault_of_a_method_is_told_with_its_place_value_and_remedy() {
    let mut failures = String::new();
    for (scene, body, expected) in METHODS {
        let line = |text: &str| if text.is_empty() { String::new() } else { format!("{text}\n") };
        let message = method_message(&line(scene), &line(body));
        let once = message.matches("error:").count() == 1;
        for part in expected.iter().filter(|part| !message.contains(**part) || !once) {
            failures += &format!("`{scene}`, `{body}` should say `{part}` once:\n{message}\n\n");
        }
    }
    assert!(failures.is_empty(), "{failures}");
}

/// A budget that is not a positive number, or is given in a static scene, is refused.
#[test]
fn budgets_that_are_none_are_refused() {
    for (text, told) in
        [("0", "0"), ("-8", "-8"), ("nan", "NaN"), ("inf", "inf"), ("1e9", "1000000000")]
    {
        let scene = MOVING.replacen("[method]", &format!("[world]\nbudget = {text}\n[method]"), 1);
        let message = open(&scene).expect_err(text).to_string();
        let expected = ["test.toml:3:10", &format!("`budget` is {told},"), "in ms per step"];
        assert!(expected.iter().all(|part| message.contains(part)), "{message}");
    }
    let message = spoiled("dt = 0.01", "budget = 8");
    assert!(message.contains("`budget` has no effect in a static scene"), "{message}");
}

/// If no cell can change its degree, the error points at the key of the scene or of the body that asked for it;
/// a body can switch it off.
#[test]
fn adaptive_degree_needs_quadratic_tetrahedra() {
    let linear = MOVING.replacen("degree = 2", "degree = 1", 1);
    for (from, at) in [("[method]\n", "test.toml:3:12"), ("[body.method]\n", "test.toml:7:12")] {
        let text = linear.replacen(from, &format!("{from}adaptive = true\n"), 1);
        let message = open(&text).unwrap_err().to_string();
        for part in [at, "needs quadratic tetrahedra", "degree 2"] {
            assert!(message.contains(part), "{part} is missing:\n{message}");
        }
    }
    let text = linear.replacen("[method]\n", "[method]\nadaptive = true\n", 1);
    open(&text.replacen("[body.method]\n", "[body.method]\nadaptive = false\n", 1)).unwrap();
}

/// A body that is too stiff and light for explicit steps is refused with its stable step and a remedy.
#[test]
fn a_stiffness_that_explicit_steps_cannot_resolve_is_told() {
    let stiff = MOVING.replacen("young = 1e6", "young = 1e15", 1);
    let stiff = stiff.replacen("density = 1000", "density = 1e-6", 1);
    open(&stiff).unwrap();
    let text = stiff.replacen("[method]\n", "[method]\nstepper = \"symplectic-euler\"\n", 1);
    let message = open(&text).unwrap_err().to_string();
    for part in ["test.toml:3:11", "stable step of this body is", "substeps", "implicit stepper"] {
        assert!(message.contains(part), "{part} is missing:\n{message}");
    }
}

/// All faults of a scene are reported at once, in order.
#[test]
fn all_faults_are_told_at_once() {
    let text = GOOD
        .replacen("0.35", "0.7", 1)
        .replacen("density = 1000", "density = 0", 1)
        .replacen("dt = 0.01", "dt = -1", 1)
        .replacen("\"vtu\"", "\"vtx\"", 1);
    let error = open(&text).unwrap_err();
    let lines: Vec<usize> = error.problems().iter().map(|problem| error.place(problem).0).collect();
    assert_eq!(lines, [5, 11, 11, 18], "{error}");
}

/// Faults of keys and faults found while building meshes are reported together.
#[test]
fn faults_of_text_and_of_meshes_are_told_together() {
    let text = GOOD.replacen("dt = 0.01", "dt = -1", 1).replacen("at = [4,", "at = [5,", 1);
    let error = open(&text).unwrap_err();
    let lines: Vec<usize> = error.problems().iter().map(|problem| error.place(problem).0).collect();
    assert_eq!(lines, [5, 16], "{error}");
}

/// Two bodies cannot have the same name.
#[test]
fn names_must_differ() {
    let body = GOOD.split("[[body]]").nth(1).unwrap().split("[[probe]]").next().unwrap();
    let message = open(&format!("{GOOD}[[body]]{body}")).unwrap_err().to_string();
    assert!(message.contains("another body called `beam`"), "{message}");
}

/// Colour codes are only in the coloured form of an error.
#[test]
fn colours_are_only_in_the_coloured_form() {
    let error = open(&GOOD.replacen("0.35", "0.5", 1)).unwrap_err();
    assert!(!error.render(false).contains('\u{1b}'));
    assert!(error.render(true).contains('\u{1b}'));
}

/// A surface file as a volume mesh is an error that says so.
#[test]
fn a_surface_in_place_of_a_volume_is_told_as_such() {
    let folder = tempfile::tempdir().unwrap();
    let surface = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
    std::fs::write(folder.path().join("sheet.obj"), surface).unwrap();
    let mesh = "file = \"sheet.obj\"";
    let text = GOOD.replacen("box = { size = [4, 1, 1], cells = [4, 1, 1] }", mesh, 1);
    let message = Scene::open("test.toml", &text, folder.path()).unwrap_err().to_string();
    for part in ["test.toml:10:8", "sheet.obj", "surface", "volume"] {
        assert!(message.contains(part), "{part} is missing:\n{message}");
    }
}

/// An axis may be very long or very short. (Earlier it was called zero if its square underflows.)
#[test]
fn an_axis_may_be_very_long_or_short() {
    for length in ["1e300", "1e-300"] {
        let turn =
            format!("transform = {{ rotate = {{ axis = [{length}, 0, 0], angle_deg = 0 }} }}");
        open(&GOOD.replacen("[[body.pin]]", &format!("{turn}\n[[body.pin]]"), 1)).unwrap();
    }
}

/// Only the first problems of many are shown. (Earlier a hundred thousand were shown, each after a search of the
/// whole text.)
#[test]
fn only_the_first_of_many_problems_are_shown() {
    let output = "[[output]]\nformat = \"vtu\"\n";
    let shown = open(&(GOOD.to_owned() + &output.repeat(1000))).unwrap_err().to_string();
    assert_eq!(shown.matches("error:").count(), 20);
    assert!(shown.ends_with("and 980 more"), "{shown}");
}

/// A valid dynamic scene with an obstacle of every shape.
const OBSTACLES: &str = r##"version = 1
[[body]]
name = "cube"
mesh = { box = {} }
material = "rubber"
[[obstacle]]
plane = { point = [0, -1, 0], normal = [0, 2, 0] }
friction = 0.8
[[obstacle]]
sphere = { centre = [3, 0, 0], radius = 0.5 }
motion = [{ start = 1, end = 2, translate = [1, 0, 0] }]
[[obstacle]]
box = { centre = [0, 0, 4], size = [1, 2, 3], rotate = { axis = [0, 1, 0], angle_deg = 90 } }
colour = "#123456"
[[obstacle]]
capsule = { from = [-3, 0, 0], to = [-3, 0, 2], radius = 0.25 }
"##;

/// Every obstacle has its shape, position and motion.
#[test]
fn obstacles_mean_what_they_say() {
    let (scene, _) = Scene::open("test.toml", OBSTACLES, Path::new("/nowhere")).unwrap();
    let distance = |obstacle: usize, t: f64, point: [f64; 3]| {
        let obstacle = &scene.obstacles[obstacle].obstacle;
        obstacle.shape.distance(obstacle.pose_at(t).local_point(point.into())).distance
    };
    // Points two metres from each surface, to rounding.
    let cases = [
        (0, 0.0, [7.0, 1.0, -3.0]),
        (1, 0.0, [3.0, 2.5, 0.0]),
        (1, 9.0, [4.0, 2.5, 0.0]),
        (2, 0.0, [3.5, 0.0, 4.0]),
        (3, 0.0, [-3.0, 0.0, 4.25]),
        (3, 0.0, [-5.25, 0.0, 1.0]),
    ];
    for (obstacle, t, point) in cases {
        let found = distance(obstacle, t, point);
        assert!((found - 2.0).abs() < 1e-12, "obstacle {obstacle} from {point:?}: {found}");
    }
    assert_eq!(
        (scene.obstacles[0].obstacle.friction, scene.obstacles[1].obstacle.friction),
        (0.8, 0.5)
    );
    assert_eq!(scene.obstacles[2].colour, [0x12, 0x34, 0x56]);
}

/// Each fault of an obstacle is reported with its place, its value and a remedy.
#[test]
fn bad_obstacles_are_told_with_their_place_value_and_remedy() {
    let cases: &[(&str, &str, &[&str])] = &[
        ("radius = 0.5", "radius = -1", &["test.toml:10:41", "`radius` is -1", "above 0"]),
        ("radius = 0.5", "radius = nan", &["test.toml:10:41", "NaN", "above 0"]),
        ("radius = 0.5", "radius = 1e300", &["test.toml:9:1", "1e9 m"]),
        ("[0, 2, 0]", "[0, 0, 0]", &["test.toml:7:40", "`normal`", "not all zero"]),
        ("friction = 0.8", "friction = -0.1", &["test.toml:8:12", "-0.1", "from 0 to 100"]),
        ("size = [1, 2, 3]", "size = [1, 0, 3]", &["test.toml:13:36", "above 0"]),
        ("end = 2", "end = 0", &["test.toml:11:30", "not before `start`"]),
        ("translate = [1, 0, 0]", "", &["test.toml:11:11", "a motion: 0 given", "`rotate`"]),
        ("colour = \"#123456\"", "colour = \"blue\"", &["test.toml:14:10", "#rrggbb"]),
        ("box = { centre", "box = { side = 2, centre", &["test.toml:13:9", "unknown field `side`"]),
        (
            "friction = 0.8",
            "sphere = { centre = [0, 0, 0], radius = 1 }",
            &["test.toml:6:1", "an obstacle: 2 given", "`capsule`"],
        ),
        ("plane = { point = [0, -1, 0], normal = [0, 2, 0] }", "", &["0 given", "`plane`"]),
    ];
    let mut failures = String::new();
    for (from, to, expected) in cases {
        assert!(OBSTACLES.contains(from), "{from}");
        let message = open(&OBSTACLES.replacen(from, to, 1)).expect_err(to).to_string();
        for part in expected.iter().filter(|part| !message.contains(**part)) {
            failures += &format!("`{to}` should say `{part}`:\n{message}\n\n");
        }
    }
    assert!(failures.is_empty(), "{failures}");
    let message =
        open(&format!("{GOOD}[[obstacle]]\nsphere = {{ centre = [0, 9, 0], radius = 1 }}\n"));
    let message = message.unwrap_err().to_string();
    assert!(message.contains("no effect in a static scene"), "{message}");
}

/// A valid dynamic scene whose body has a start, a spin and a pull. Line numbers below count from its first line.
const STARTED: &str = r#"version = 1
[[body]]
name = "cube"
mesh = { box = { size = [1, 1, 1], cells = [2, 2, 2] } }
material = "rubber"
start = { scale = [1, 0, 1], about = [0, 0, 0] }
spin = [0, 0, 1]
[[body.pin]]
where = "y-"
[[body.pull]]
at = [1, 1, 1]
stiffness = 500
damping = 5
motion = [{ translate = [0, 1, 0] }]
"#;

/// Each fault of a start, a spin or a pull is reported with its place, its value and a remedy.
#[test]
fn bad_starts_and_pulls_are_told_with_their_place_value_and_remedy() {
    open(STARTED).unwrap();
    let cases: &[(&str, &str, &[&str])] = &[
        ("[1, 0, 1]", "[1, nan, 1]", &["test.toml:6:19", "`scale` is [1.0, NaN", "0 flattens"]),
        ("[1, 0, 1]", "[1, 1e9, 1]", &["test.toml:6:19", "at most 1e6"]),
        ("[1, 0, 1]", "[1, 0]", &["test.toml:6:19"]),
        ("[0, 0, 0]", "[0, inf, 0]", &["test.toml:6:38", "`about`", "at most 1e9 m"]),
        ("about = [0, 0, 0]", "scatter = 1", &["test.toml:6:9", "a start: 2 given", "`scatter`"]),
        ("scale = [1, 0, 1], ", "", &["test.toml:6:9", "a start: 0 given", "`scale`"]),
        (
            "scale = [1, 0, 1]",
            "scatter = 1",
            &["test.toml:6:32", "`about` has no effect with `scatter`", "remove this key"],
        ),
        ("scale = [1, 0, 1]", "scatter = 1.5", &["test.toml:6:21"]),
        ("[0, 0, 1]", "[0, nan, 1]", &["test.toml:7:8", "`spin` is [0.0, NaN", "1e9 rad/s"]),
        ("[0, 0, 1]", "[0, 0, 1e10]", &["test.toml:7:8", "`spin`", "at most 1e9 rad/s"]),
        ("spin = [0, 0, 1]", "velocity = [inf, 0, 0]", &["test.toml:7:12", "`velocity`", "m/s"]),
        ("spin", "spni", &["test.toml:7:1", "did you mean `spin`"]),
        ("scale", "sacle", &["test.toml:6:11", "did you mean `scale`"]),
        ("stiffness = 500", "stiffness = -1", &["test.toml:12:13", "`stiffness` is -1", "from 0"]),
        ("stiffness = 500", "stiffness = nan", &["test.toml:12:13", "NaN", "from 0 to 1e15"]),
        ("damping = 5", "damping = -5", &["test.toml:13:11", "`damping` is -5", "from 0"]),
        ("stiffness = 500\n", "", &["test.toml:10:1", "missing field `stiffness`"]),
        (
            "at = [1, 1, 1]",
            "at = [1, 1, 2]",
            &["test.toml:11:6", "not inside body `cube`", "from [0, 0, 0] to [1, 1, 1]"],
        ),
        ("translate = [0, 1, 0]", "", &["test.toml:14:11", "a motion: 0 given", "`rotate`"]),
    ];
    let mut failures = String::new();
    for (from, to, expected) in cases {
        assert!(STARTED.contains(from), "{from}");
        let message = open(&STARTED.replacen(from, to, 1)).expect_err(to).to_string();
        for part in expected.iter().filter(|part| !message.contains(**part)) {
            failures += &format!("`{to}` should say `{part}`:\n{message}\n\n");
        }
    }
    assert!(failures.is_empty(), "{failures}");
    let statics = STARTED.replacen("version = 1", "version = 1\nmode = \"static\"", 1);
    let message = open(&statics).unwrap_err().to_string();
    for part in
        ["start", "spin", "body.pull"].map(|key| format!("`{key}` has no effect in a static"))
    {
        assert!(message.contains(&part), "{message}");
    }
}

/// A valid dynamic scene with attachments, fields and frictions, which the test below changes.
const HELD: &str = r#"version = 1
[[body]]
name = "bar"
mesh = { box = { size = [2, 1, 1] } }
material = "rubber"
[[body]]
name = "box"
mesh = { box = { origin = [2, 0, 0] } }
material = { young = 1e7, poisson = 0.3, density = 1000 }
rigid = true
[[obstacle]]
height-field = { heights = [[0, 0], [0, 0.5]], size = [9, 9], centre = [0, -3, 0], floor = -1 }
material = "ice"
[[attachment]]
name = "weld"
body = "bar"
where = "x+"
to = "box"
[[attachment]]
name = "door"
body = "box"
where = "x+"
hinge = { through = [2.5, 0.5, 0.5], axis = [0, 1, 0] }
motion = [{ translate = [0, 1, 0] }]
[[friction]]
between = ["rubber", "ice"]
coefficient = 0.1
"#;

/// Each fault of attachments, fields and frictions is reported with its place, its value and a remedy.
#[test]
fn bad_attachments_fields_and_frictions_are_told_with_their_place_value_and_remedy() {
    open(HELD).unwrap();
    let cases: &[(&str, &str, &[&str])] = &[
        ("to = \"box\"", "to = \"bix\"", &["test.toml:18:6", "`bix`", "did you mean `box`"]),
        ("to = \"box\"", "to = \"bar\"", &["test.toml:17:9", "cannot be attached to itself"]),
        (
            "to = \"box\"",
            "motion = [{ translate = [1, 0, 0] }]\nto = \"box\"",
            &["test.toml:18:11", "no effect"],
        ),
        ("where = \"x+\"\nto", "where = \"nose\"\nto", &["test.toml:17:9", "`nose`"]),
        ("where = \"x+\"\nhinge", "where = \"nose\"\nhinge", &["test.toml:22:9", "no side `nose`"]),
        (
            "where = \"x+\"\nhinge",
            "where = { sphere = { centre = [9, 9, 9], radius = 1 } }\nhinge",
            &["test.toml:22:9", "selects no vertex of body `box`", "from [2, 0, 0] to [3, 1, 1]"],
        ),
        ("axis = [0, 1, 0]", "axis = [0, 0, 0]", &["test.toml:23:45", "`axis`"]),
        ("name = \"door\"", "name = \"weld\"", &["another attachment called `weld`"]),
        ("body = \"bar\"\n", "", &["the attachment's `body` is missing", "body = \"beam\""]),
        (
            "coefficient = 0.1",
            "coefficient = -1",
            &["test.toml:27:15", "`coefficient` is -1", "from 0 to 100"],
        ),
        (
            "[\"rubber\", \"ice\"]",
            "[\"rubbr\", \"ice\"]",
            &["test.toml:26:12", "`rubbr`", "did you mean `rubber`"],
        ),
        ("[0, 0.5]", "[0]", &["test.toml:12:28", "row 1", "1 heights, expected 2"]),
        ("[0, 0.5]", "[0, nan]", &["test.toml:12:28", "NaN", "above the floor"]),
        ("size = [9, 9]", "size = [9, 0]", &["test.toml:12:28", "0 m", "positive length"]),
        ("floor = -1", "floor = 1", &["test.toml:12:28", "floor 1 m"]),
    ];
    for (from, to, expected) in cases {
        assert!(HELD.contains(from), "{from}");
        let error = open(&HELD.replacen(from, to, 1)).expect_err(to).to_string();
        for part in *expected {
            assert!(error.contains(part), "{to}: lacks {part:?}\n{error}");
        }
    }
}
