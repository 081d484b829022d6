//! The commands of pages.

use crate::common;

use common::{Client, Frame, SCENE, get, host, post, run_test, serve};
use serde_json::{Value, json};

/// The probe at the end of the bar, in m.
fn tip(frame: &common::Frame) -> [f64; 3] {
    serde_json::from_value(frame.json["probes"][0].clone()).unwrap()
}

/// A vertical ray from above onto the end of the bar.
fn on_the_tip() -> Value {
    json!({ "ray": { "origin": [0.97, 5, 0.125], "direction": [0, -1, 0] } })
}

/// Pause, step, reset, speed and play work.
#[test]
fn time_passes_stops_and_goes_back() {
    run_test(async {
        let server = serve(SCENE).await;
        let mut page = Client::connect(server.address()).await;
        let paused = page.done(json!("pause")).await;
        assert_eq!(paused.json["playing"], false);
        let stepped = page.done(json!({ "step": { "count": 3 } })).await;
        assert_eq!(stepped.frame(), paused.frame() + 3);
        let reset = page.done(json!("reset")).await;
        assert_eq!((reset.frame(), reset.json["time"].as_f64()), (0, Some(0.0)));
        assert!((tip(&reset)[1] - 0.125).abs() < 1e-12);
        page.done(json!({ "speed": { "factor": 0.5 } })).await;
        page.done(json!("play")).await;
        let slow = page.until(|frame| frame.frame() >= 5).await;
        assert!((slow.json["budget_ms"].as_f64().unwrap() - 2000.0 / 60.0).abs() < 1e-9);
        server.stop().await;
    });
}

/// `freeze` gives the same bits every time, whatever was done before.
#[test]
fn a_frozen_frame_repeats() {
    run_test(async {
        let server = serve(SCENE).await;
        let mut page = Client::connect(server.address()).await;
        let first = page.done(json!({ "freeze": { "frame": 30 } })).await;
        page.done(json!("play")).await;
        page.until(|frame| frame.frame() > 40).await;
        let second = page.done(json!({ "freeze": { "frame": 30 } })).await;
        assert_eq!((first.frame(), second.frame()), (30, 30));
        assert_eq!(first.payload, second.payload);
        assert!(tip(&first)[1] < 0.12, "the bar must hang down");
        server.stop().await;
    });
}

/// A grabbed point follows its target, the force is reported, and a release ends it.
#[test]
fn a_body_follows_the_hand() {
    run_test(async {
        let server = serve(SCENE).await;
        let mut page = Client::connect(server.address()).await;
        page.done(json!({ "freeze": { "frame": 0 } })).await;
        let reply =
            page.ask(json!({ "grab": { "grab": 7, "point": on_the_tip() } })).await.unwrap();
        let hit = &reply["hit"];
        assert_eq!(hit["body"], 0);
        let position: [f64; 3] = serde_json::from_value(hit["position"].clone()).unwrap();
        assert!((position[1] - 0.25).abs() < 1e-9 && (position[0] - 0.97).abs() < 1e-9, "{hit}");
        let target = [0.9, 0.6, 0.125];
        page.done(json!({ "drag": { "grab": 7, "seq": 42, "target": target } })).await;
        let frame = page.done(json!({ "step": { "count": 120 } })).await;
        let grab = &frame.json["grabs"][0];
        assert_eq!(
            (&grab["grab"], &grab["seq"], &grab["page"]),
            (&json!(7), &json!(42), &json!(page.page))
        );
        let point: [f64; 3] = serde_json::from_value(grab["point"].clone()).unwrap();
        // The spring of the grab gives way to the weight and stiffness of the bar, by less than half of the distance.
        assert!((point[1] - 0.6).abs() < 0.17, "pulled to {point:?}");
        assert!(grab["force"][1].as_f64().unwrap() > 1.0, "{grab}");
        let freed = page.done(json!({ "release": { "grab": 7 } })).await;
        assert_eq!(freed.json["grabs"], json!([]));
        let after = page.done(json!({ "step": { "count": 60 } })).await;
        assert!(tip(&after)[1] < tip(&frame)[1] - 0.1, "the bar must fall back");
        let error = page
            .ask(json!({ "drag": { "grab": 7, "seq": 1, "target": target } }))
            .await
            .unwrap_err();
        assert_eq!(error["code"], "unknown-grab");
        let air = json!({ "ray": { "origin": [0, 5, 50], "direction": [0, 1, 0] } });
        let reply = page.ask(json!({ "grab": { "grab": 8, "point": air } })).await.unwrap();
        assert_eq!(reply["hit"], Value::Null);
        server.stop().await;
    });
}

/// A bar with ten times Young's modulus hangs less, and the change does not move it at once. A small deflection would
/// fall to a tenth; this one is large, so that a half is required.
#[test]
fn a_stiffer_bar_hangs_less() {
    run_test(async {
        let server = serve(SCENE).await;
        let mut page = Client::connect(server.address()).await;
        page.done(json!({ "set-world": { "damping": 5 } })).await;
        let soft = page.done(json!({ "freeze": { "frame": 300 } })).await;
        let model = page.scene["bodies"][0]["model"].clone();
        let same = page.done(json!({ "set-body": { "body": 0, "young": 2e6 } })).await;
        assert_eq!(same.nodes(), soft.nodes(), "the change must not move the bar");
        assert_eq!(page.scene["bodies"][0]["young"], 2e6);
        assert_eq!(page.scene["bodies"][0]["model"], model, "the surface must be the same");
        assert_eq!(page.scene["bodies"][1]["young"], 1e5, "the other body must be unchanged");
        let stiff = page.done(json!({ "step": { "count": 300 } })).await;
        let (before, after) = (0.125 - tip(&soft)[1], 0.125 - tip(&stiff)[1]);
        assert!(before > 0.01 && after < 0.5 * before, "{before} m, then {after} m");
        // Undo and redo.
        page.done(json!("undo")).await;
        assert_eq!(page.scene["bodies"][0]["young"], 2e5);
        page.done(json!("redo")).await;
        assert_eq!(page.scene["bodies"][0]["young"], 2e6);
        let (_, _, text) = get(host(server.address()), "/save/scene.toml");
        let text = String::from_utf8(text).unwrap();
        assert!(
            text.contains("young = 2000000.0") && text.contains("# a comment that stays"),
            "{text}"
        );
        server.stop().await;
    });
}

/// Every setting of bodies and of the world can be changed while the scene runs.
#[test]
fn every_setting_can_be_changed_while_it_runs() {
    run_test(async {
        let server = serve(SCENE).await;
        let mut page = Client::connect(server.address()).await;
        let settings = [
            ("poisson", json!(0.3), "poisson"),
            ("density", json!(500.0), "density"),
            ("friction", json!(0.1), "friction"),
            ("self_contact", json!(true), "self_contact"),
            ("stepper", json!("xpbd"), "stepper"),
            ("stepper", json!("implicit-euler"), "stepper"),
            ("solver", json!("cholesky"), "solver"),
            ("mass", json!("consistent"), "mass_matrix"),
            ("mass", json!("lumped"), "mass_matrix"),
            ("adaptive", json!(true), "adaptive"),
            ("adaptive", json!(false), "adaptive"),
            ("substeps", json!(2), "substeps"),
            ("rayleigh_mass", json!(0.5), "rayleigh_mass"),
            ("rayleigh_stiffness", json!(0.001), "rayleigh_stiffness"),
            ("degree", json!(1), "degree"),
            ("colour", json!("#010203"), "colour"),
        ];
        for (key, value, told) in settings {
            page.done(json!({ "set-body": { "body": 0, key: value } })).await;
            let expected = if key == "colour" { json!([1, 2, 3]) } else { value };
            assert_eq!(page.scene["bodies"][0][told], expected, "{key}");
        }
        page.done(json!({ "set-body": { "body": 1, "size": 0.6 } })).await;
        assert!((page.scene["bodies"][1]["size"].as_f64().unwrap() - 0.6).abs() < 1e-9);
        page.done(json!({ "set-world": { "gravity": [0, 1, 0], "dt": 0.01, "substeps": 2, "friction": 0.9, "sleep": false, "contact": "safe" } })).await;
        let world = &page.scene["world"];
        assert_eq!(
            (&world["gravity"], &world["dt"], &world["friction"]),
            (&json!([0.0, 1.0, 0.0]), &json!(0.01), &json!(0.9))
        );
        assert_eq!(
            (&world["substeps"], &world["sleep"], &world["contact"]),
            (&json!(2), &json!(false), &json!("safe"))
        );
        let frame = page.until(|frame| frame.frame() > 3).await;
        assert!(frame.nodes().iter().flatten().all(|x| x.is_finite()));
        server.stop().await;
    });
}

/// A budget can be set and removed; while there is one, frames report the compromises made for it.
#[test]
fn budgets_come_and_go() {
    run_test(async {
        let server = serve(SCENE).await;
        let mut page = Client::connect(server.address()).await;
        assert_eq!(page.scene["world"]["budget"], json!(null));
        let frame = page.until(|frame| frame.frame() > 1).await;
        assert_eq!(frame.json["given_up"], json!(null));
        page.done(json!({ "set-world": { "budget": 0.001 } })).await;
        assert_eq!(page.scene["world"]["budget"], json!(0.001));
        let given = |frame: &Frame, what: &str| frame.json["given_up"][what].as_u64();
        let frame = page.until(|frame| given(frame, "steps") == Some(60)).await;
        assert!(given(&frame, "solves") > Some(0), "{}", frame.json["given_up"]);
        page.done(json!({ "set-world": { "budget": 0 } })).await;
        assert_eq!(page.scene["world"]["budget"], json!(null));
        page.until(|frame| frame.json["given_up"].is_null()).await;
        server.stop().await;
    });
}

/// Invalid commands are refused with a code and a message, and change nothing.
#[test]
fn nonsense_is_refused() {
    run_test(async {
        let server = serve(SCENE).await;
        let mut page = Client::connect(server.address()).await;
        let cases = [
            (json!({ "set-body": { "body": 0, "young": -1 } }), "bad-scene"),
            (json!({ "set-body": { "body": 0, "poisson": 0.7 } }), "bad-scene"),
            (json!({ "set-body": { "body": 0, "stepper": "magic" } }), "bad-scene"),
            (json!({ "set-body": { "body": 9, "young": 1e5 } }), "unknown-body"),
            (json!({ "set-body": { "body": 0, "size": 0 } }), "out-of-range"),
            (json!({ "set-world": { "dt": 0 } }), "bad-scene"),
            (json!({ "set-world": { "budget": -1 } }), "bad-scene"),
            (json!({ "speed": { "factor": 0 } }), "out-of-range"),
            (json!({ "step": { "count": 0 } }), "out-of-range"),
            (json!({ "release": { "grab": 1 } }), "unknown-grab"),
            (json!({ "unpin": { "body": 0, "pin": 5 } }), "unknown-pin"),
            (json!({ "open": { "scene": "../../etc/passwd" } }), "unknown-scene"),
            (json!({ "remove": { "body": 5 } }), "unknown-body"),
            (json!("undo"), "nothing-to-undo"),
            (json!("redo"), "nothing-to-redo"),
            (
                json!({ "pick": { "point": { "at": { "body": 0, "triangle": 99999, "weights": [1, 0, 0] } } } }),
                "out-of-range",
            ),
            (
                json!({ "paint": { "body": 0, "points": [], "radius": 1, "factor": 2 } }),
                "out-of-range",
            ),
        ];
        let generation = page.scene["generation"].clone();
        for (command, code) in cases {
            let error = page.ask(command.clone()).await.unwrap_err();
            assert_eq!(error["code"], code, "{command}: {error}");
            assert!(error["message"].as_str().unwrap().len() > 8, "{error}");
        }
        assert_eq!(page.scene["generation"], generation);
        server.stop().await;
    });
}

/// A body that is pinned in its fall stays there; unpinned, it falls on.
#[test]
fn what_is_pinned_stays() {
    run_test(async {
        let server = serve(SCENE).await;
        let mut page = Client::connect(server.address()).await;
        page.done(json!({ "freeze": { "frame": 20 } })).await;
        let point = json!({ "ray": { "origin": [3.15, 5, 0.15], "direction": [0, -1, 0] } });
        let reply = page.ask(json!({ "pin": { "point": point, "radius": 0.16 } })).await.unwrap();
        let held = reply["hit"]["position"][1].as_f64().unwrap();
        assert!(held < 0.3 - 0.1, "the cube must have fallen, but its top is at {held} m");
        assert_eq!(reply["pin"], 0);
        page.frame_from(reply["serial"].as_u64().unwrap()).await;
        let pins = page.held["pins"].as_array().unwrap().clone();
        assert!(pins.iter().any(|pin| pin["body"] == 1 && pin["mine"] == true), "{pins:?}");
        page.done(json!({ "step": { "count": 30 } })).await;
        let after = page.ask(json!({ "pick": { "point": point } })).await.unwrap();
        let there = after["hit"]["position"][1].as_f64().unwrap();
        // Within 2 cm: the fall had deformed the top side.
        assert!((there - held).abs() < 0.02, "{held} m, then {there} m");
        page.done(json!({ "unpin": { "body": 1, "pin": 0 } })).await;
        page.done(json!({ "step": { "count": 10 } })).await;
        let fallen = page.ask(json!({ "pick": { "point": point } })).await.unwrap();
        assert!(fallen["hit"]["position"][1].as_f64().unwrap() < there - 0.05);
        server.stop().await;
    });
}

/// Painting makes regions with the new stiffness, and one undo removes a whole stroke.
#[test]
fn paint_makes_regions_and_one_undo_takes_a_stroke_back() {
    run_test(async {
        let server = serve(SCENE).await;
        let mut page = Client::connect(server.address()).await;
        page.done(json!("pause")).await;
        for x in [0.5, 0.6, 0.9] {
            let point = json!({ "ray": { "origin": [x, 5, 0.125], "direction": [0, -1, 0] } });
            page.done(json!({ "paint": { "body": 0, "points": [point], "radius": 0.1, "factor": 10, "stroke": 1 } })).await;
        }
        let regions = page.scene["bodies"][0]["regions"].as_array().unwrap().clone();
        assert!(
            !regions.is_empty() && regions.iter().all(|region| region["young"] == 2e6),
            "{regions:?}"
        );
        let frame = page.watch("stiffness").await;
        assert_eq!(frame.json["field"]["high"], 2e6);
        page.done(json!("undo")).await;
        assert_eq!(page.scene["bodies"][0]["regions"], json!([]));
        server.stop().await;
    });
}

/// Scenes of the catalogue can be opened; a static scene is solved and cannot be played.
#[test]
fn scenes_of_the_catalogue_can_be_opened() {
    run_test(async {
        let server = serve(SCENE).await;
        let mut page = Client::connect(server.address()).await;
        let frame = page.done(json!({ "open": { "scene": "nesme/ears" } })).await;
        assert_eq!(page.scene["name"], "nesme/ears");
        assert!(frame.frame() < 100);
        page.until(|frame| frame.frame() >= 2).await;
        // A static scene is solved for equilibrium, and no time passes.
        page.done(json!({ "open": { "scene": "saillant/static-bending-p2" } })).await;
        assert_eq!(page.scene["mode"], "static");
        let error = page.ask(json!("play")).await.unwrap_err();
        assert_eq!(error["code"], "static");
        server.stop().await;
    });
}

/// A tetrahedron in each of the text formats.
const OBJ: &str = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n";
const STL: &str = "solid t
facet normal 0 0 -1
outer loop
vertex 0 0 0
vertex 0 1 0
vertex 1 0 0
endloop
endfacet
facet normal 0 -1 0
outer loop
vertex 0 0 0
vertex 1 0 0
vertex 0 0 1
endloop
endfacet
facet normal 1 1 1
outer loop
vertex 1 0 0
vertex 0 1 0
vertex 0 0 1
endloop
endfacet
facet normal -1 0 0
outer loop
vertex 0 0 0
vertex 0 0 1
vertex 0 1 0
endloop
endfacet
endsolid t
";
const PLY: &str = "ply\nformat ascii 1.0\nelement vertex 4\nproperty float x\nproperty float y\nproperty float z\nelement face 4\nproperty list uchar int vertex_indices\nend_header\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n3 0 2 1\n3 0 1 3\n3 1 2 3\n3 0 3 2\n";

/// Uploaded files become bodies of the requested size, and a saved file can be uploaded again.
#[test]
fn files_become_bodies() {
    run_test(async {
        let server = serve(SCENE).await;
        let host = host(server.address()).to_owned();
        let mut page = Client::connect(server.address()).await;
        // Paused, because otherwise the saved shape of the falling bodies would depend on the speed of the machine.
        page.done(json!("pause")).await;
        let files = [("a.obj", OBJ), ("b.stl", STL), ("c.ply", PLY)];
        for (count, (name, text)) in (3..).zip(files) {
            let path = format!("/upload?name={name}&size=0.5&cells=4");
            let (to, body) = (host.clone(), text.as_bytes());
            let answer = tokio::task::spawn_blocking(move || post(&to, &path, body)).await.unwrap();
            assert_eq!(answer.0, 200, "{}", String::from_utf8_lossy(&answer.2));
            page.until(|_| true).await;
            while page.scene["bodies"].as_array().unwrap().len() < count {
                page.take().await;
            }
            let body = page.scene["bodies"][count - 1].clone();
            assert!((body["size"].as_f64().unwrap() - 0.5).abs() < 1e-6, "{body}");
        }
        let frame = page.done(json!({ "step": { "count": 3 } })).await;
        assert!(frame.nodes().iter().flatten().all(|x| x.is_finite()));
        // The current shape, saved as GLB, becomes a new scene.
        let to = host.clone();
        let saved = tokio::task::spawn_blocking(move || get(&to, "/save/shape.glb")).await.unwrap();
        assert_eq!((saved.0, &saved.2[..4]), (200, &b"glTF"[..]));
        let to = host.clone();
        let path = "/upload?name=all.glb&into=new&mesher=tetrahedra&cells=30";
        let answer = tokio::task::spawn_blocking(move || post(&to, path, &saved.2)).await.unwrap();
        assert_eq!(answer.0, 200, "{}", String::from_utf8_lossy(&answer.2));
        while page.scene["name"] != "all" {
            page.take().await;
        }
        assert_eq!(page.scene["bodies"].as_array().unwrap().len(), 1);
        server.stop().await;
    });
}

/// All files that can be saved can be read by our own readers.
#[test]
fn what_is_saved_can_be_opened() {
    run_test(async {
        let server = serve(SCENE).await;
        let host = host(server.address()).to_owned();
        let mut page = Client::connect(server.address()).await;
        page.done(json!({ "freeze": { "frame": 12 } })).await;
        let folder = tempfile::tempdir().unwrap();
        let to = host.clone();
        let fetched = tokio::task::spawn_blocking(move || {
            [
                "scene.toml",
                "shape.obj",
                "shape.glb",
                "shape.vtu?body=0",
                "animation.glb",
                "animation.zip",
            ]
            .map(|file| (file, get(&to, &format!("/save/{file}"))))
        });
        for (file, (status, head, bytes)) in fetched.await.unwrap() {
            assert_eq!(status, 200, "{file}");
            assert!(head.contains("attachment; filename=\"test."), "{head}");
            let path = folder.path().join(file.split('?').next().unwrap());
            std::fs::write(&path, &bytes).unwrap();
            match path.extension().unwrap().to_str().unwrap() {
                "obj" | "glb" => {
                    let surface = pliant_io::surface::read_surface(&path).unwrap();
                    assert!(surface.triangles.len() > 100, "{file}");
                }
                "vtu" => {
                    let mesh = pliant_io::read_mesh(&path).unwrap().mesh;
                    assert_eq!(
                        mesh.nodes.len() as u64,
                        page.scene["bodies"][0]["nodes"].as_u64().unwrap()
                    );
                }
                "toml" => {
                    pliant_io::scene::Scene::parse("saved", std::str::from_utf8(&bytes).unwrap())
                        .unwrap();
                }
                _ => {
                    // The end of a ZIP archive has the number of its files: 13 frames of two bodies, and a list for
                    // each body.
                    let end = &bytes[bytes.len() - 22..];
                    assert_eq!(
                        (&end[..4], u16::from_le_bytes([end[10], end[11]])),
                        (&b"PK\x05\x06"[..], 28)
                    );
                }
            }
        }
        server.stop().await;
    });
}
