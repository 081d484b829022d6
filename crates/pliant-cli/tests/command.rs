//! The command from outside: exit codes, standard output and error, and files.
#![allow(clippy::unwrap_used, reason = "tests may panic")]

#[path = "../src/args.rs"]
#[expect(dead_code, reason = "only the names of commands and options are read here")]
mod args;
#[path = "command/documents.rs"]
mod documents;
#[path = "../../pliant-io/tests/files/markdown.rs"]
#[expect(dead_code, reason = "tables are read in other tests")]
mod markdown;

use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use serde_json::Value;

/// A small dynamic scene that runs fast.
const CUBE: &str = r#"
version = 1
[world]
duration = 0.1
[[body]]
name = "cube"
mesh = { box = { cells = [2, 2, 2] } }
material = { young = 1e4, poisson = 0.3, density = 1000 }
[[body.pin]]
where = "y+"
[[probe]]
name = "foot"
at = [0.5, 0, 0.5]
[[output]]
format = "vtu"
every = 3
fields = ["displacement", "von-mises", "det-f", "velocity"]
[[output]]
format = "obj"
path = "surface/cube"
every = 6
"#;

fn pliant(folder: &Path, args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_pliant")).current_dir(folder).args(args).output().unwrap()
}

fn folder_with(text: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("cube.toml"), text).unwrap();
    folder
}

fn json(output: &Output) -> Value {
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

fn stdout(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// The JSON report of a run has all documented keys.
#[test]
fn a_run_tells_all_that_was_promised() {
    let folder = folder_with(CUBE);
    let report = json(&pliant(folder.path(), &["run", "cube.toml", "--json", "--no-output"]));
    let keys = [
        "scene",
        "frames",
        "dt",
        "threads",
        "ms_per_frame",
        "phases_ms",
        "bodies",
        "probes",
        "energy",
        "volume_ratio",
        "health",
        "events",
        "linear",
        "state_hash",
    ];
    for key in keys {
        assert!(!report[key].is_null(), "{key} is missing: {report}");
    }
    assert_eq!(report["frames"], 6);
    assert_eq!(report["bodies"][0]["cells"]["tet4"], 40);
    assert_eq!(report["health"]["resets"], 0);
    assert!(report["probes"]["foot"]["displacement"][1].as_f64().unwrap() < 0.0);
    assert!(!folder.path().join("out").exists());
}

/// The hash of the final state is the same for one and two threads.
#[test]
fn the_state_is_the_same_for_any_number_of_threads() {
    let folder = folder_with(CUBE);
    let hash = |threads: &str| {
        let args = ["run", "cube.toml", "--json", "--no-output", "--threads", threads];
        json(&pliant(folder.path(), &args))["state_hash"].clone()
    };
    assert_eq!(hash("1"), hash("2"));
}

/// A run writes the outputs of its scene.
#[test]
fn a_run_writes_what_the_scene_asks_for() {
    let folder = folder_with(CUBE);
    let output = pliant(folder.path(), &["run", "cube.toml"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let out = folder.path().join("out/cube");
    for file in ["cube.pvd", "cube_0002.vtu", "surface/cube.0001.obj"] {
        assert!(out.join(file).is_file(), "{file} is missing");
    }
    assert!(String::from_utf8_lossy(&output.stdout).contains("cube.pvd (ParaView)"));
}

/// The reaction of the clamp in a static scene is the weight, to 1e-7, the tolerance of the solver.
#[test]
fn a_static_scene_reports_its_equilibrium() {
    let folder = tempfile::tempdir().unwrap();
    let args = ["run", "saillant/static-bending-p3", "--json", "--no-output"];
    let report = json(&pliant(folder.path(), &args));
    let weight = 4.0 * 1000.0 * 9.8;
    let carried = report["static"]["reactions"][0]["force"][1].as_f64().unwrap();
    assert!(
        (carried / weight - 1.0).abs() < 1e-7,
        "the reaction of the clamp is {carried} N, the weight {weight} N"
    );
    assert!(report["static"]["residual"].as_f64().unwrap() < 1e-7);
}

/// `--frames` limits the number of frames.
#[test]
fn frames_can_be_limited() {
    let folder = folder_with(CUBE);
    let args = ["run", "cube.toml", "--json", "--no-output", "--frames", "2"];
    assert_eq!(json(&pliant(folder.path(), &args))["frames"], 2);
}

/// `check` reports several faults at once on standard error, with exit code 2 and without colours.
#[test]
fn check_finds_several_faults_at_once() {
    let folder = folder_with(&CUBE.replace("0.3,", "0.5,").replace("\"y+\"", "\"up\""));
    let output = pliant(folder.path(), &["check", "cube.toml"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(output.stdout.is_empty());
    let shown = stderr(&output);
    for part in ["poisson is 0.5", "cube.toml:8:", "`up`", "cube.toml:10:"] {
        assert!(shown.contains(part), "{part} is missing:\n{shown}");
    }
    assert!(!shown.contains('\u{1b}'), "there must be no colours without a terminal");
}

/// `check` shows the method of every body of a valid dynamic scene, and nothing for a static one.
#[test]
fn check_shows_the_methods_of_a_good_scene() {
    let method = "stepper = \"symplectic-euler\"\nrayleigh = { mass = 2 }";
    let folder = folder_with(&CUBE.replace("[world]", &format!("[method]\n{method}\n[world]")));
    let output = pliant(folder.path(), &["check", "cube.toml"]);
    assert_eq!(output.status.code(), Some(0));
    assert!(output.stderr.is_empty(), "{}", stderr(&output));
    let shown = stdout(&output);
    assert!(shown.starts_with("body cube: symplectic-euler, "), "{shown}");
    for part in [" substeps of ", "stable below", "Rayleigh damping 2 /s"] {
        assert!(shown.contains(part), "{part} is missing: {shown}");
    }

    let folder = folder_with(CUBE);
    let shown = stdout(&pliant(folder.path(), &["check", "cube.toml"]));
    assert!(shown.starts_with("body cube: bdf2, "), "{shown}");
    assert!(shown.contains("solver auto to 1e-3"), "{shown}");

    let statics = pliant(folder.path(), &["check", "saillant/static-bending-p1"]);
    assert_eq!(statics.status.code(), Some(0));
    assert!(statics.stdout.is_empty() && statics.stderr.is_empty());
}

/// Far too few substeps for stability are reported by `check` before the run, and by resets and one warning in it.
#[test]
fn steps_that_are_too_long_are_warned_of() {
    let method = "[method]\nstepper = \"symplectic-euler\"\n[world]\nsubsteps = 1\ndt = 0.1";
    let text = CUBE.replace("[world]", method).replace("young = 1e4", "young = 1e8");
    let folder = folder_with(&text);
    let output = pliant(folder.path(), &["check", "cube.toml"]);
    assert_eq!(output.status.code(), Some(0));
    for part in ["warning: body `cube`: 1 substeps", "the stable step is", "implicit stepper"] {
        assert!(stderr(&output).contains(part), "{part} is missing: {}", stderr(&output));
    }

    let args = ["run", "cube.toml", "--json", "--no-output", "--frames", "60"];
    let output = pliant(folder.path(), &args);
    let report = json(&output);
    let resets = report["health"]["resets"].as_u64().unwrap();
    assert!(resets > 1, "{report}");
    let [event] = report["events"].as_array().unwrap().as_slice() else { panic!("{report}") };
    assert_eq!((&event["body"], event["count"].as_u64()), (&"cube".into(), Some(resets)));
    assert_eq!(stderr(&output).matches("warning: body").count(), 1, "{}", stderr(&output));
    assert!(stderr(&output).contains("shorten dt"), "{}", stderr(&output));
}

/// The phases of a step sum to at most the time of the frame.
#[test]
fn phases_add_up_to_the_frame() {
    let folder = folder_with(CUBE);
    let report = json(&pliant(folder.path(), &["run", "cube.toml", "--json", "--no-output"]));
    let phases = &report["phases_ms"];
    let keys = ["contact", "forces", "degree", "assembly", "solve", "update"];
    let sum: f64 = keys.iter().map(|key| phases[key].as_f64().unwrap()).sum();
    let frame = report["ms_per_frame"]["mean"].as_f64().unwrap();
    assert!(sum > 0.0 && sum <= frame, "{sum} of {frame} ms");
    assert!(phases["forces"].as_f64().unwrap() > 0.0);
    for key in ["iterations_per_step", "residual_max", "unknowns", "nonzeros"] {
        assert!(report["linear"][key].is_number(), "{key} is missing: {report}");
    }
    assert_eq!(report["contacts"]["most"], 0, "one body touches no other");
    assert_eq!(report["health"]["unconverged"], 0);
    assert_eq!(report["bodies"][0]["stepper"], "bdf2");
}

/// The summary of a run shows phases, and that explicit steps have no linear solves.
#[test]
fn the_summary_tells_phases_and_solves() {
    let method = "[method]\nstepper = \"symplectic-euler\"\n[world]";
    let folder = folder_with(&CUBE.replace("[world]", method));
    let shown = stdout(&pliant(folder.path(), &["run", "cube.toml", "--no-output"]));
    for part in ["phases", "forces ", "output ", "none: explicit steps", "nodes, symplectic-euler"]
    {
        assert!(shown.contains(part), "{part} is missing:\n{shown}");
    }
}

/// A run with a budget that no step can meet reports the compromises; a run without budget reports none.
#[test]
fn a_run_tells_how_its_budget_was_kept() {
    let hard = CUBE.replacen(
        "[world]",
        "[method]\nsolver = \"matrix-free\"\ntolerance = 1e-12\n[world]\nbudget = 0.001",
        1,
    );
    let folder = folder_with(&hard);
    let run = |more: &[&str]| {
        pliant(folder.path(), &[&["run", "cube.toml", "--no-output"], more].concat())
    };
    let report = json(&run(&["--json"]));
    let budget = &report["budget"];
    assert_eq!((&budget["ms"], &budget["breaks_put_off"]), (&0.001.into(), &0.into()));
    assert!(budget["kept"].as_f64().unwrap() < 0.5, "{budget}");
    assert!(budget["solves_cut"].as_u64().unwrap() > 0, "{budget}");
    let text = stdout(&run(&[]));
    assert!(text.contains("solves cut short, 0 breaks put off"), "{text}");
    let report =
        json(&pliant(folder_with(CUBE).path(), &["run", "cube.toml", "--json", "--no-output"]));
    assert!(report.get("budget").is_none());
}

/// A run with XPBD reports the residual of its constraints; a stiff body with one substep per frame is reported
/// as too soft, with a remedy; other steppers report nothing.
#[test]
fn a_run_tells_how_far_constraints_are_from_met() {
    let with = |method: &str| CUBE.replace("[world]", &format!("[method]\n{method}\n[world]"));
    let run = |text: &str, args: &[&str]| {
        pliant(folder_with(text).path(), &[&["run", "cube.toml", "--no-output"], args].concat())
    };
    let fine = with("stepper = \"xpbd\"\nsubsteps = 50\nsweeps = 2");
    let report = json(&run(&fine, &["--json"]));
    assert_eq!(report["xpbd"]["sweeps_per_step"], 100.0);
    let last = report["xpbd"]["residual_last"].as_f64().unwrap();
    let mean = report["xpbd"]["residual_mean"].as_f64().unwrap();
    assert!(last > 0.0 && last < 0.05 && mean > 0.0 && mean < 0.5, "{last} {mean}");
    let shown = stdout(&run(&fine, &[]));
    assert!(shown.contains("constraints"), "{shown}");
    assert!(shown.contains("100.0 sweeps a step, residual"), "{shown}");
    assert!(!shown.contains("softer"), "{shown}");

    let rough = with("stepper = \"xpbd\"\nsubsteps = 1").replace("young = 1e4", "young = 1e8");
    let shown = stdout(&run(&rough, &[]));
    assert!(shown.contains("softer than its material: raise substeps"), "{shown}");

    assert!(json(&run(CUBE, &["--json"])).get("xpbd").is_none());
    assert!(!stdout(&run(CUBE, &[])).contains("constraints"));
}

/// Outputs can have the field `degree`.
#[test]
fn the_degree_is_a_field_of_outputs() {
    let text = CUBE.replace("cells = [2, 2, 2] }", "cells = [1, 1, 1] }, degree = 2");
    let text = text.replace(
        "\"velocity\"]",
        "\"degree\"]\n[[output]]\nformat = \"png\"\nfields = [\"degree\"]",
    );
    let folder = folder_with(&text);
    let output = pliant(folder.path(), &["run", "cube.toml", "--frames", "3"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let file = fs::read(folder.path().join("out/cube/cube_0001.vtu")).unwrap();
    assert!(String::from_utf8_lossy(&file).contains("Name=\"degree\""));
    assert!(folder.path().join("out/cube/cube.png").is_file());
}

/// Stress, plastic strain and the shares of their limits can be fields of volumes and colours of surfaces. The
/// colours of the unloaded free end and of the held end differ.
#[test]
fn stress_and_flow_are_fields_and_colours() {
    let flowing = CUBE
        .replace("density = 1000 }", "density = 1000, plastic = { yield_stress = 500, limit = 1e5 } }")
        .replace(
            "\"velocity\"]",
            "\"velocity\", \"plastic-strain\", \"yield-share\", \"limit-share\"]\n[[output]]\nformat = \"glb\"\nfields = [\"yield-share\"]",
        );
    let folder = folder_with(&flowing);
    json(&pliant(folder.path(), &["run", "cube.toml", "--json", "--out", "out"]));
    let out = folder.path().join("out");
    let volume = fs::read(out.join("cube_0002.vtu")).unwrap();
    let volume = String::from_utf8_lossy(&volume);
    for field in ["von-mises", "plastic-strain", "yield-share", "limit-share"] {
        assert!(volume.contains(&format!("\"{field}\"")), "{field}");
    }
    let surface = pliant_io::surface::read_surface(&out.join("cube.glb")).unwrap();
    let colours = surface.colours.expect("colours of vertices");
    assert_eq!(colours.len(), surface.vertices.len());
    let (low, high) = colours
        .iter()
        .fold((f32::MAX, f32::MIN), |(low, high), [r, ..]| (low.min(*r), high.max(*r)));
    assert!(high - low > 0.2, "red from {low} to {high}");
}

/// A build compared with itself ends in the same state; a scene that is missing is named before
/// the measurements, with the option that leaves it out.
#[test]
fn a_build_is_compared_with_itself() {
    let (folder, build) = (folder_with(CUBE), env!("CARGO_BIN_EXE_pliant"));
    let compare = |scenes: &str| {
        let args = ["bench", "regress", build, build, "--rounds", "2", "--scenes", scenes];
        pliant(folder.path(), &args)
    };
    let same = stdout(&compare("cube.toml"));
    let row = same.lines().find(|line| line.starts_with("| cube.toml |")).unwrap();
    assert!(row.ends_with("| yes |"), "{row}");
    assert!(same.lines().last().unwrap().contains("lower"), "{same}");
    let missing = compare("cube.toml,cone.toml");
    assert_eq!(missing.status.code(), Some(2));
    assert!(stderr(&missing).contains("without it: --scenes cube.toml"), "{}", stderr(&missing));
}

/// Scenes with bad input end in a finite world, large strains hold, and the last line counts the rows that fail.
#[test]
fn hard_scenes_that_hold_today_still_hold() {
    let folder = tempfile::tempdir().unwrap();
    for (words, rows) in [("bad-input", 24), ("pull by 10", 2), ("twist by 4 turns", 2)] {
        let args = ["bench", "torture", "--short", "--only", words];
        let text = stdout(&pliant(folder.path(), &args));
        assert_eq!(text.lines().filter(|line| line.contains("| holds |")).count(), rows, "{text}");
        assert!(text.contains(&format!("Default stepper: 0 of {rows} runs fail")), "{text}");
    }
}

/// Meshers are compared: rows without Python say what to set, and ours has one piece near the surface of a ball, in both
/// directions (cells of a fifth of the radius lie within 5 % of the diagonal).
#[test]
fn meshers_are_compared() {
    let folder = tempfile::tempdir().unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_pliant"))
        .current_dir(folder.path())
        .env_remove("PEERS_PYTHON")
        .env_remove("PLIANT_MESHES")
        .args(["bench", "meshers", "--only", "ball", "--cells", "300", "--json"])
        .output()
        .unwrap();
    let rows = json(&output);
    let rows = rows.as_array().unwrap();
    let of = |mesher: &str| rows.iter().find(|row| row["mesher"] == mesher).unwrap();
    assert!(of("fTetWild")["failure"].as_str().unwrap().contains("set PEERS_PYTHON"));
    for degree in ["Pliant, degree 1", "Pliant, degree 2"] {
        let measured = &of(degree)["measured"];
        let number = |key: &str| measured[key].as_f64().unwrap();
        assert!((150.0..600.0).contains(&number("cells")), "{measured}");
        assert!((0.0..5.0).contains(&number("surface_to_cells_percent")), "{measured}");
        assert!((0.0..5.0).contains(&number("cells_to_surface_percent")), "{measured}");
        assert_eq!(number("pieces"), 1.0);
    }
    assert!(folder.path().join("meshers.svg").is_file());
}

/// A scene and `pliant mesh` say which cells serve a surface, and why.
#[test]
fn the_choice_of_cells_is_told() {
    let body = |name: &str| {
        format!(
            "[[body]]\nname = \"{name}\"\nmesh = {{ figure = \"{name}\", edge = 0.05 }}\nmaterial = \"rubber\"\n"
        )
    };
    let folder = folder_with(&format!("version = 1\n{}{}", body("ball"), body("shirt")));
    let told = stdout(&pliant(folder.path(), &["check", "cube.toml"]));
    assert!(told.contains("body ball: tetrahedra, because they follow the surface"), "{told}");
    assert!(told.contains("body shirt: voxels, because"), "{told}");
    let mesh = |args: &[&str]| stdout(&pliant(folder.path(), args));
    assert!(mesh(&["mesh", "shirt"]).contains("`--method voxels`"));
    assert!(!mesh(&["mesh", "shirt", "--method", "tets"]).contains("`--method voxels`"));
    assert!(!mesh(&["mesh", "ball", "--cells", "300"]).contains("`--method voxels`"));
}

/// The scene file of a hard scene is written, and is valid.
#[test]
fn a_hard_scene_is_written_as_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let words = "pyramid-3 rigid gaps bdf2 safe 1/60";
    let args = ["bench", "torture", "--only", words, "--write", "scenes"];
    for path in stdout(&pliant(folder.path(), &args)).lines() {
        let checked = pliant(folder.path(), &["check", path]);
        assert!(checked.status.success(), "{path}: {}", stderr(&checked));
    }
    assert!(folder.path().join("scenes/pyramid-3-rigid-gaps-bdf2-safe-1-60.toml").is_file());
}

/// Invalid input has exit code 2 and a message that names it.
#[test]
fn bad_input_has_exit_code_2() {
    let folder = folder_with(CUBE);
    fs::write(folder.path().join("binary.toml"), [0xff, 0xfe, 0x00]).unwrap();
    fs::write(folder.path().join("none.obj"), "v 0 0 0\n").unwrap();
    let cases: [(&[&str], &str); 12] = [
        (&["run", "defualt"], "did you mean `default`?"),
        (&["run", "missing.toml"], "missing.toml"),
        (&["run", "binary.toml"], "iconv -f UTF-16 -t UTF-8"),
        (&["mesh", "missing.msh"], "missing.msh"),
        (&["mesh", "none.obj"], "none.obj"),
        (&["bench", "nothing"], "elements"),
        (&["bench", "elements", "--rounds", "2"], "`elements` has no `--rounds`"),
        (&["bench", "torture", "--only", "no such row"], "no such row"),
        (&["bench", "regress"], "OLD NEW"),
        (&["bench", "regress", "no/old", "no/new"], "no/old"),
        (&["run", "--threads", "0"], "0"),
        (&["frobnicate"], "frobnicate"),
    ];
    for (args, expected) in cases {
        let output = pliant(folder.path(), args);
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        assert!(stderr(&output).contains(expected), "{args:?}: {}", stderr(&output));
    }
}

/// An output folder that cannot be made is an error before the run.
#[test]
fn a_folder_that_cannot_be_made_is_told_before_the_run() {
    let folder = folder_with(CUBE);
    fs::write(folder.path().join("file"), "in the way").unwrap();
    let output = pliant(folder.path(), &["run", "cube.toml", "--out", "file/results"]);
    assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
    assert!(stderr(&output).contains("file is a file; choose a folder"), "{}", stderr(&output));
}

/// A read-only output folder is an error and leaves no file. Skipped for users who may write anywhere.
#[cfg(unix)]
#[test]
fn a_read_only_folder_is_no_panic() {
    use std::os::unix::fs::PermissionsExt;
    let folder = folder_with(CUBE);
    let locked = folder.path().join("locked");
    fs::create_dir(&locked).unwrap();
    fs::set_permissions(&locked, fs::Permissions::from_mode(0o555)).unwrap();
    if fs::write(locked.join("probe"), "").is_ok() {
        println!("skipped: this user may write anywhere");
        return;
    }
    let output = pliant(folder.path(), &["run", "cube.toml", "--out", "locked"]);
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    assert!(stderr(&output).contains("locked"));
    assert_eq!(fs::read_dir(&locked).unwrap().count(), 0, "something was left behind");
}

/// `scenes` lists the catalogue and prints a scene.
#[test]
fn scenes_are_listed_and_printed() {
    let folder = tempfile::tempdir().unwrap();
    let list = json(&pliant(folder.path(), &["scenes", "--json"]));
    assert!(list.as_array().unwrap().iter().any(|scene| scene["name"] == "default"));
    let source = pliant(folder.path(), &["scenes", "gallery/twist"]);
    assert!(source.stdout.starts_with(b"version = 1"));
}

/// `mesh` reports, elevates, refines and converts a mesh and keeps its node sets.
#[test]
fn a_mesh_is_reported_raised_refined_and_converted() {
    let folder = folder_with(&CUBE.replace("\"vtu\"", "\"msh\""));
    pliant(folder.path(), &["run", "cube.toml", "--frames", "1", "--out", "."]);
    let report = json(&pliant(folder.path(), &["mesh", "cube.0000.msh", "--json"]));
    assert_eq!((&report["cells"]["tet4"], &report["nodes"]), (&40.into(), &27.into()));
    assert!((report["volume"].as_f64().unwrap() - 1.0).abs() < 1e-12);
    assert_eq!(report["valid"], true);
    let args = ["mesh", "cube.0000.msh", "--degree", "2", "--refine", "1", "-o", "p2.vtu"];
    assert_eq!(pliant(folder.path(), &args).status.code(), Some(0));
    let fine = json(&pliant(folder.path(), &["mesh", "p2.vtu", "--json"]));
    assert_eq!(fine["cells"]["tet10"], 320);
    let sets: Vec<&str> = fine["node_sets"]
        .as_array()
        .unwrap()
        .iter()
        .map(|set| set["name"].as_str().unwrap())
        .collect();
    assert!(sets.contains(&"x-"), "{sets:?}");
}

/// A closed pipe, as in `pliant scenes | head -1`, is not an error.
#[test]
fn a_broken_pipe_is_no_panic() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_pliant"))
        .args(["scenes", "default"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert!(output.stderr.is_empty(), "{}", stderr(&output));
}

/// Regression: the colour of a body was written to PLY files in linear light, but these have sRGB.
#[test]
fn a_ply_file_has_the_colour_of_the_scene() {
    let scene = CUBE.replace("name = \"cube\"", "name = \"cube\"\ncolour = \"#c85a3c\"");
    let folder = folder_with(&scene.replace("format = \"obj\"", "format = \"ply\""));
    json(&pliant(folder.path(), &["run", "cube.toml", "--json"]));
    let path = folder.path().join("out/cube/surface/cube.0000.ply");
    let colours = pliant_io::surface::read_surface(&path).unwrap().colours.unwrap();
    let bytes = colours[0].map(|channel| (255.0 * channel).round() as u8);
    assert_eq!(bytes, [0xc8, 0x5a, 0x3c]);
}

/// Regression: a cube whose top moved 100 m in a frame reached positions that GLB cannot store, and the run failed
/// while writing. Expected: the body is reset, the report says so, and the file is written.
#[test]
fn a_body_that_blows_up_is_set_back_and_its_files_are_written() {
    let jerk = "where = \"y+\"\nmotion = [{ translate = [100, 0, 0], end = 0.016 }]";
    let pictures = CUBE.replace("\"vtu\"", "\"glb\"").replace("fields = [", "# fields = [");
    // With an explicit stepper, because implicit ones do not diverge.
    let explicit = "[method]\nstepper = \"symplectic-euler\"\n\n[world]";
    let scene = pictures.replace("where = \"y+\"", jerk).replace("0.1\n", "0.5\n");
    let folder = folder_with(&scene.replace("[world]", explicit));
    let output = pliant(folder.path(), &["run", "cube.toml", "--json"]);
    let report = json(&output);
    assert!(report["health"]["resets"].as_u64().unwrap() > 0, "{report}");
    assert!(!String::from_utf8_lossy(&output.stdout).contains("null"), "{report}");
    assert!(folder.path().join("out/cube/cube.glb").is_file());
    assert_eq!(report["sound"], false);
    assert!(stderr(&output).lines().last().unwrap().contains("not sound"), "{}", stderr(&output));
}

/// A free bar that spins about a short axis, without gravity.
const SPINNING: &str = r#"
version = 1
[world]
gravity = [0, 0, 0]
duration = 0.5
[method]
stepper = "symplectic-euler"
[[body]]
name = "bar"
mesh = { box = { origin = [3, 0, 0], size = [2, 0.4, 0.4], cells = [5, 1, 1] } }
material = { young = 1e5, poisson = 0.3, density = 1000 }
velocity = [0, 1, 0]
spin = [0, 0, 6]
"#;

fn numbers(value: &Value) -> Vec<f64> {
    value.as_array().unwrap().iter().map(|number| number.as_f64().unwrap()).collect()
}

/// The history of a free bar has a row for the start and for every frame, and keeps momentum and angular momentum, which
/// symplectic Euler conserves to rounding (1e-10 after some hundred substeps). The kinetic energy that the bar loses while it
/// stretches is elastic energy, up to the oscillation of that scheme, 2 %. The only body has all of it.
#[test]
fn the_history_of_a_spinning_bar_keeps_its_momenta() {
    let folder = folder_with(SPINNING);
    let report = json(&pliant(folder.path(), &["run", "cube.toml", "--json", "--no-output"]));
    let history = &report["history"];
    let time = numbers(&history["time"]);
    assert_eq!((time.len(), history["every"].as_u64()), (31, Some(1)));
    assert!((time[30] - 0.5).abs() < 1e-12);
    for (key, size) in [("momentum", 320.0), ("angular_momentum", 300.0)] {
        let rows: Vec<Vec<f64>> = history[key].as_array().unwrap().iter().map(numbers).collect();
        assert!(rows[0].iter().map(|x| x * x).sum::<f64>().sqrt() > size, "{key}: {:?}", rows[0]);
        for row in &rows {
            let change = row.iter().zip(&rows[0]).map(|(now, start)| (now - start).abs());
            assert!(change.fold(0.0, f64::max) < 1e-10 * size, "{key}: {row:?}");
        }
    }
    let [kinetic, elastic] = ["kinetic", "elastic"].map(|key| numbers(&history[key]));
    assert!(elastic.iter().copied().fold(0.0, f64::max) > 0.02 * kinetic[0]);
    for (kinetic_now, elastic) in kinetic.iter().zip(&elastic) {
        assert!(((kinetic_now + elastic) / kinetic[0] - 1.0).abs() < 0.02);
    }
    assert_eq!(history["bodies"]["bar"]["kinetic"], history["kinetic"]);
    assert_eq!(report["energy"]["elastic"].as_f64(), elastic.last().copied());
}

/// A falling cube trades potential for kinetic energy. Under BDF2 its speed is g n h. Its first step, of Euler, falls too far by
/// g h²/2, and later ones settle at 3/4 of that: the sum decreases by at most 3/4 m g² h² n. The solver leaves errors of 1e-6, far below its
/// tolerance, because a fall deforms nothing.
#[test]
fn the_history_of_a_fall_trades_potential_for_kinetic_energy() {
    let (free, _) = CUBE.split_once("[[body.pin]]").unwrap();
    let folder = folder_with(&free.replace("0.1", "0.5"));
    let report = json(&pliant(folder.path(), &["run", "cube.toml", "--json", "--no-output"]));
    let [kinetic, potential] = ["kinetic", "potential"].map(|key| numbers(&report["history"][key]));
    assert!((potential[0] / (1000.0 * 9.81 * 0.5) - 1.0).abs() < 1e-12, "{}", potential[0]);
    for (n, (kinetic, now)) in kinetic.iter().zip(&potential).enumerate() {
        let speed = 9.81 / 60.0 * n as f64;
        let error = kinetic / (0.5 * 1000.0 * speed * speed).max(1e-9) - 1.0;
        assert!(n == 0 || error.abs() < 1e-6, "frame {n}: {error:.1e}");
        let (lost, unit) = (potential[0] - kinetic - now, 1000.0 * (9.81_f64 / 60.0).powi(2));
        assert!(
            (-1e-9..0.75 + 1e-9).contains(&(lost / unit / n.max(1) as f64)),
            "frame {n}: {lost} J"
        );
    }
}

/// The history of a long run leaves frames out, evenly, and has at most 1001 rows; a static scene has none.
#[test]
fn a_long_history_leaves_frames_out() {
    let folder = folder_with(&SPINNING.replace("cells = [5, 1, 1]", "cells = [1, 1, 1]"));
    let long = ["run", "cube.toml", "--json", "--no-output", "--frames", "2500"];
    let history = &json(&pliant(folder.path(), &long))["history"];
    let time = numbers(&history["time"]);
    assert_eq!((history["every"].as_u64(), time.len()), (Some(3), 834));
    assert!((time[1] - 0.05).abs() < 1e-12);
    let bending = ["run", "saillant/static-bending-p2", "--json", "--no-output"];
    assert!(json(&pliant(folder.path(), &bending)).get("history").is_none());
}

/// A run with a reset says so in its last line, with advice that is true for its stepper; `--strict` fails then, and only
/// then.
#[test]
fn a_strict_run_fails_if_a_body_was_reset() {
    let jerk = "where = \"y+\"\nmotion = [{ translate = [100, 0, 0], end = 0.016 }]";
    let explicit = "[method]\nstepper = \"symplectic-euler\"\n\n[world]";
    let jerked = CUBE.replace("where = \"y+\"", jerk).replace("0.1\n", "0.5\n");
    let folder = folder_with(&jerked.replace("[world]", explicit));
    let run = ["run", "cube.toml", "--no-output"];
    let lenient = pliant(folder.path(), &run);
    assert_eq!(lenient.status.code(), Some(0), "{}", stderr(&lenient));
    let text = stdout(&lenient);
    let last = text.lines().last().unwrap();
    assert!(last.starts_with("not sound: ") && last.contains("reset"), "{text}");
    assert!(stderr(&lenient).contains("choose an implicit stepper"), "{}", stderr(&lenient));
    let strict = pliant(folder.path(), &[&run[..], &["--strict"]].concat());
    assert_eq!(strict.status.code(), Some(1));
    assert!(stderr(&strict).contains("error: not sound: "), "{}", stderr(&strict));
    fs::write(folder.path().join("cube.toml"), CUBE).unwrap();
    let good = pliant(folder.path(), &[&run[..], &["--strict"]].concat());
    assert_eq!(good.status.code(), Some(0), "{}", stderr(&good));
    assert!(!stdout(&good).contains("not sound"));
}

/// An animation too long for memory is refused before the run, with a value for `every` that fits.
#[test]
fn a_moving_picture_too_long_for_memory_is_refused_at_once() {
    let folder = folder_with(&CUBE.replace("\"vtu\"", "\"png\"").replace("0.1\n", "3600\n"));
    let output = pliant(folder.path(), &["run", "cube.toml"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("72000 frames") && stderr(&output).contains("every = 108"));
}

/// An animation of very short steps is written, in slow motion, although the frame rate of an animated PNG is limited.
#[test]
fn a_picture_of_very_short_steps_is_shown_in_slow_motion() {
    let text = CUBE.replace("\"vtu\"", "\"png\"").replace("[world]", "[world]\ndt = 1e-5");
    let folder = folder_with(&text);
    let output = pliant(folder.path(), &["run", "cube.toml", "--frames", "3"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
}

/// A folder in place of a scene, and a file in place of a folder, are errors.
#[test]
fn places_that_are_not_what_they_should_be_are_told() {
    let folder = folder_with(CUBE);
    fs::create_dir(folder.path().join("scenes")).unwrap();
    let cases: [(&[&str], &str); 2] =
        [(&["run", "scenes"], "scenes is a folder"), (&["mesh", "cube.toml/x.msh"], "cannot read")];
    for (args, part) in cases {
        let output = pliant(folder.path(), args);
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        assert!(stderr(&output).contains(part), "{args:?}: {}", stderr(&output));
    }
}

/// Paths need not be valid Unicode. (Earlier the scene had to be, and such a folder made the JSON report fail after
/// the whole run.)
#[cfg(unix)]
#[test]
fn paths_need_not_be_unicode() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt as _;

    let folder = folder_with(CUBE);
    let name = OsStr::from_bytes(b"caf\xe9.toml");
    if fs::copy(folder.path().join("cube.toml"), folder.path().join(name)).is_err() {
        return; // Some file systems allow Unicode only.
    }
    let mut command = Command::new(env!("CARGO_BIN_EXE_pliant"));
    command.current_dir(folder.path()).arg("run").arg(name).args(["--json", "--out"]);
    let report = json(&command.arg(OsStr::from_bytes(b"r\xe9sultats")).output().unwrap());
    assert_eq!(report["written"].as_array().unwrap().len(), 2);
}

/// `mesh` makes valid curved tetrahedra or voxels from a built-in figure, with a picture and a file; the report has
/// the distance of the boundary from the surface.
#[test]
fn a_mesh_is_made_for_a_surface() {
    let folder = tempfile::tempdir().unwrap();
    let made = pliant(
        folder.path(),
        &["mesh", "ball", "--cells", "200", "-o", "ball.msh", "--picture", "ball.png", "--json"],
    );
    let report = json(&made);
    assert_eq!(report["method"], "tets");
    assert_eq!(report["mesh"]["valid"], true);
    assert_eq!(report["surface"]["open_edges"], 0);
    let distance = |key: &str| report["tetrahedra"][key][0].as_f64().unwrap();
    assert!(4.0 * distance("curved_distance") < distance("straight_distance"), "{report}");
    // With a curved boundary the volume is right to a few per mille.
    assert!((report["volume_ratio"].as_f64().unwrap() - 1.0).abs() < 0.01, "{report}");
    assert!(folder.path().join("ball.png").exists());
    let again = pliant(folder.path(), &["mesh", "ball.msh", "--json"]);
    assert_eq!(json(&again)["cells"], report["mesh"]["cells"]);
    let voxels = pliant(folder.path(), &["mesh", "ball", "--method", "voxels", "--depth", "2"]);
    assert!(stdout(&voxels).contains("leaves"), "{}", stdout(&voxels));
}

/// `--finer` makes cells finer where vertices have a colour; an invalid or missing colour is an error.
#[test]
fn tetrahedra_are_finer_where_the_surface_is_painted() {
    let folder = tempfile::tempdir().unwrap();
    let red = "1 0 0";
    let text = format!(
        "v 0 0 0 {red}\nv 1 0 0 {red}\nv 0 1 0 {red}\nv 0 0 1 1 1 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n"
    );
    std::fs::write(folder.path().join("tip.obj"), text).unwrap();
    let mesh = |more: &[&str]| {
        let arguments = [&["mesh", "tip.obj", "--size", "0.2", "--json"], more].concat();
        pliant(folder.path(), &arguments)
    };
    let cells = |more: &[&str]| json(&mesh(more))["mesh"]["cells"]["tet10"].as_u64().unwrap();
    assert!(cells(&["--finer", "ff0000=0.05"]) > 2 * cells(&[]));
    for (wrong, message) in [
        ("00ff00=0.05", "no triangle has it"),
        ("red=0.05", "ff0000=0.02"),
        ("ff0000=0", "ff0000=0.02"),
        ("ff0000", "ff0000=0.02"),
    ] {
        let output = mesh(&["--finer", wrong]);
        assert_eq!(output.status.code(), Some(2), "{wrong}");
        assert!(stderr(&output).contains(message), "{wrong}: {}", stderr(&output));
    }
}

/// Options of the other method, and surfaces that enclose no volume, are errors.
#[test]
fn a_surface_that_cannot_be_meshed_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let wrong = pliant(folder.path(), &["mesh", "ball", "--depth", "3"]);
    assert_eq!(wrong.status.code(), Some(2));
    assert!(stderr(&wrong).contains("--method voxels"), "{}", stderr(&wrong));
    std::fs::write(folder.path().join("dot.obj"), "v 0 0 0\nv 0 0 0\nv 0 0 0\nf 1 2 3\n").unwrap();
    for method in ["voxels", "tets"] {
        let dot = pliant(folder.path(), &["mesh", "dot.obj", "--method", method]);
        assert_eq!(dot.status.code(), Some(2), "{method}: {}", stderr(&dot));
        assert!(stderr(&dot).contains("dot.obj"), "{}", stderr(&dot));
    }
}

/// `splinter` cuts boxes into glass, bricks and wood without losing volume, and reads its own file again.
#[test]
fn a_surface_is_cut_into_splinters() {
    let folder = tempfile::tempdir().unwrap();
    let cut = |args: &[&str]| pliant(folder.path(), &[&["splinter"], args].concat());
    let report =
        json(&cut(&["2x1x0.01", "--kind", "glass", "--json", "-o", "pane.glb", "--sliver", "0"]));
    let count = report["splinters"].as_u64().unwrap();
    assert!((50..200).contains(&count), "{count}");
    assert!((report["volume"].as_f64().unwrap() / 0.02 - 1.0).abs() < 1e-9);
    assert!(report["volume_error"].as_f64().unwrap().abs() < 1e-9);
    // The file has a node for each splinter, which are read as splinters again.
    let again = json(&cut(&["pane.glb", "--kind", "parts", "--json"]));
    assert_eq!(again["splinters"].as_u64(), Some(count));
    let inside = |report: &Value| report["inside_area"].as_f64().unwrap();
    assert!((inside(&again) / inside(&report) - 1.0).abs() < 1e-5);
    let text =
        stdout(&cut(&["2x1x0.2", "--kind", "brick", "--picture", "wall.png", "--out", "wall.obj"]));
    assert!(text.contains("splinters") && text.contains("wrote wall.png"), "{text}");
    assert!(fs::metadata(folder.path().join("wall.obj")).unwrap().len() > 1000);
    assert!(fs::metadata(folder.path().join("wall.png")).unwrap().len() > 1000);
    let wood = json(&cut(&["2x0.2x0.05", "--kind", "wood", "--grain", "-1,0,0", "--json"]));
    assert!(wood["splinters"].as_u64().unwrap() > 50);
}

/// Surfaces and options that cannot make splinters are errors with a remedy.
#[test]
fn splinters_that_cannot_be_are_told() {
    let folder = tempfile::tempdir().unwrap();
    let tell = |args: &[&str], what: &str| {
        let output = pliant(folder.path(), &[&["splinter"], args].concat());
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        assert!(stderr(&output).contains(what), "{args:?}: {}", stderr(&output));
    };
    tell(&["shirt"], "shirt: the surface is not closed");
    tell(&["2x1x0"], "half");
    tell(&["1x1x1", "--size", "0"], "size is 0, expected a positive length");
    tell(&["1x1x1", "--size", "1e-5"], "splinters would be made");
    tell(&["1x1x1", "--kind", "wood", "--grain", "0,0,0"], "grain is (0, 0, 0)");
    tell(&["1x1x1", "--kind", "wood", "--count", "5"], "give --length and --width");
    tell(&["1x1x1", "--brick", "1x1x1"], "are for --kind brick");
    tell(&["1x1x1", "--impact", "1,2"], "three numbers");
    tell(&["1x1x1", "--picture", "a.png", "--apart", "-1"], "--apart");
    tell(&["missing.obj"], "missing.obj");
}
