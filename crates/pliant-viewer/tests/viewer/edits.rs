//! Edits are applied completely or not at all.

use crate::common;

use common::{
    Client, Frame, PLASTIC, SCENE, config, flowed, get, height, host, post, run_test, serve,
};
use pliant_io::surface::Surface;
use pliant_viewer::{Server, ServerConfig};
use serde_json::{Value, json};

/// An edit of all bodies that fails for one of them changes none: the world continues with the same bits. The bar is
/// quadratic and can adapt its degree, the cube is linear and cannot; the bar comes first.
#[test]
fn an_edit_that_fails_leaves_the_world_as_it_was() {
    run_test(async {
        let server = serve(SCENE).await;
        let mut page = Client::connect(server.address()).await;
        let undisturbed = page.done(json!({ "freeze": { "frame": 30 } })).await;
        page.done(json!({ "freeze": { "frame": 15 } })).await;
        let (generation, text) = (page.scene["generation"].clone(), toml(server.address()));
        for body in [Value::Null, json!(1)] {
            let edit = json!({ "set-body": { "body": body, "adaptive": true } });
            let error = page.ask(edit).await.unwrap_err();
            assert_eq!(error["code"], "bad-scene", "{error}");
        }
        // An invalid value fails before anything is changed.
        let error = page.ask(json!({ "set-world": { "dt": -1 } })).await.unwrap_err();
        assert_eq!(error["code"], "bad-scene", "{error}");
        let after = page.done(json!({ "step": { "count": 15 } })).await;
        assert_eq!(after.frame(), undisturbed.frame());
        assert_eq!(after.payload, undisturbed.payload, "positions must be the same to the bit");
        assert_eq!(page.scene["generation"], generation);
        assert_eq!(page.scene["undo"], Value::Null, "a failed edit must not be undoable");
        assert_eq!(toml(server.address()), text);
        page.done(json!({ "set-body": { "body": 0, "adaptive": true } })).await;
        assert_eq!(page.scene["bodies"][0]["adaptive"], true, "the bar alone can adapt its degree");
        server.stop().await;
    });
}

fn toml(address: &str) -> Vec<u8> {
    get(host(address), "/save/scene.toml").2
}

const BALL: &str = r#"
version = 1
[world]
gravity = [0, 0, 0]
[[body]]
name = "ball"
mesh = { figure = "ball", voxels = { depth = 2, leaves = 4 } }
material = { young = 1e5, poisson = 0.3, density = 1000 }
[[body.pin]]
where = "y-"
"#;

/// Painting with a brush smaller than the leaves of voxels always paints something: a leaf takes the last paint. One
/// undo removes the whole stroke.
#[test]
fn dabs_that_hide_each_other_are_painted() {
    run_test(async {
        let server = serve(BALL).await;
        let mut page = Client::connect(server.address()).await;
        page.done(json!("pause")).await;
        for k in 0..12 {
            let origin = [0.002 * f64::from(k), 0.4 + 0.001 * f64::from(k), 5.0];
            let point = json!({ "ray": { "origin": origin, "direction": [0, 0, -1] } });
            let dab =
                json!({ "body": 0, "points": [point], "radius": 1e-4, "factor": 10, "stroke": 1 });
            page.done(json!({ "paint": dab })).await;
            let regions = page.scene["bodies"][0]["regions"].as_array().unwrap();
            assert!(!regions.is_empty() && regions.len() <= 12, "{regions:?}");
            assert!(regions.iter().all(|region| region["young"] == 1e6), "{regions:?}");
        }
        page.done(json!("undo")).await;
        assert_eq!(page.scene["bodies"][0]["regions"], json!([]));
        server.stop().await;
    });
}

/// An uploaded file with a texture becomes a body with it: the model contains the bytes of the texture and texture
/// coordinates for every vertex.
#[test]
fn a_textured_file_keeps_its_picture() {
    run_test(async {
        let server = serve(SCENE).await;
        let mut page = Client::connect(server.address()).await;
        let (glb, png) = common::textured_glb();
        let to = host(server.address()).to_owned();
        let path = "/upload?name=die.glb&size=0.5&cells=3";
        let answer = tokio::task::spawn_blocking(move || post(&to, path, &glb)).await.unwrap();
        assert_eq!(answer.0, 200, "{}", String::from_utf8_lossy(&answer.2));
        while page.scene["bodies"].as_array().unwrap().len() < 3 {
            page.take().await;
        }
        let id = page.scene["bodies"][2]["model"].clone();
        while !page.models.iter().any(|(head, _)| head["id"] == id) {
            page.take().await;
        }
        let (head, payload) = page.models.iter().find(|(head, _)| head["id"] == id).unwrap();
        let picture = &head["textures"][0];
        let begin = picture["offset"].as_u64().unwrap() as usize;
        let bytes = &payload[begin..begin + picture["bytes"].as_u64().unwrap() as usize];
        assert_eq!((bytes, &picture["mime"]), (&png[..], &json!("image/png")));
        assert_eq!(head["parts"][0]["texture"], 0);
        let uv = common::numbers(payload, &head["buffers"]["uv"]);
        assert_eq!(uv.len() as u64, 2 * head["vertices"].as_u64().unwrap());
        assert!(uv.iter().any(|u| *u > 0.9) && uv.iter().all(|u| (-1e-6..=1.000_001).contains(u)));
        server.stop().await;
    });
}

/// Lifts the end of the bar, releases it and waits until it rests.
async fn bent(page: &mut Client) -> Frame {
    common::bent(page, 90, 180).await
}

fn elastic(frame: &Frame) -> f64 {
    frame.json["energy"]["elastic"].as_f64().unwrap()
}

/// A bent bar is committed where it is, without stress and plastic strain, and stays there; undo restores stress and
/// plastic strain, redo removes them. Tolerance 1e-3 of the length: the remaining motion.
#[test]
fn a_committed_shape_is_the_one_at_rest() {
    run_test(async {
        let server = serve(PLASTIC).await;
        let mut page = Client::connect(server.address()).await;
        let before = bent(&mut page).await;
        let (rise, strain) = (height(&before) - 0.125, flowed(&mut page).await);
        assert!(rise > 0.1 && strain > 0.02, "the bar must stay bent: {rise} m, {strain}");
        let after = page.done(json!({ "commit": { "body": 0 } })).await;
        assert_eq!(after.nodes(), before.nodes(), "a commit must not move the bar");
        assert_eq!(page.scene["undo"], "commit of bar");
        assert!(flowed(&mut page).await < 1e-9);
        assert!(elastic(&after) < 1e-9 && elastic(&before) > 1e-3, "{}", elastic(&before));
        let rested = page.done(json!({ "step": { "count": 60 } })).await;
        assert!((height(&rested) - height(&after)).abs() < 1e-3);

        page.done(json!("undo")).await;
        let back = page.done(json!({ "step": { "count": 1 } })).await;
        assert!(elastic(&back) > 0.5 * elastic(&before), "{}", elastic(&back));
        assert!((flowed(&mut page).await / strain - 1.0).abs() < 0.05);
        assert_eq!(page.ask(json!("undo")).await.unwrap_err()["code"], "nothing-to-undo");
        page.done(json!("redo")).await;
        assert!(flowed(&mut page).await < 1e-9);
        assert_eq!(page.ask(json!("redo")).await.unwrap_err()["code"], "nothing-to-redo");
        server.stop().await;
    });
}

/// A reset returns to the committed shape, or to that of the scene if none was committed, without later flow; and
/// runs are reproducible to the bit.
#[test]
fn a_reset_begins_in_the_committed_shape() {
    run_test(async {
        let server = serve(PLASTIC).await;
        let mut page = Client::connect(server.address()).await;
        bent(&mut page).await;
        let flowed_away = page.done(json!("reset")).await;
        assert!((height(&flowed_away) - 0.125).abs() < 1e-9);
        assert!(flowed(&mut page).await < 1e-9, "a reset must remove plastic strain");
        let first = bent(&mut page).await;
        page.done(json!("reset")).await;
        let again = bent(&mut page).await;
        assert_eq!(first.payload, again.payload, "the same start must give the same flow");
        let committed = page.done(json!({ "commit": {} })).await;
        let begun = page.done(json!({ "freeze": { "frame": 0 } })).await;
        assert_eq!(begun.nodes(), committed.nodes());
        let later = page.done(json!({ "freeze": { "frame": 60 } })).await;
        assert!((height(&later) - height(&begun)).abs() < 1e-6, "the shape must be at rest");
        server.stop().await;
    });
}

/// Pins, paint and changes of parameters do not change a committed shape, and it can be grabbed where it is seen. A
/// new size starts from the shape of the scene, and undo restores the committed one.
#[test]
fn a_committed_shape_outlives_other_edits() {
    run_test(async {
        let server = serve(PLASTIC).await;
        let mut page = Client::connect(server.address()).await;
        bent(&mut page).await;
        let shape = page.done(json!({ "commit": { "body": 0 } })).await;
        let above = [0.8, 5.0, 0.125];
        let end = json!({ "ray": { "origin": above, "direction": [0, -1, 0] } });
        let dab = json!({ "body": 0, "points": [end], "radius": 0.1, "factor": 3 });
        for edit in [
            json!({ "set-body": { "body": 0, "young": 3e5 } }),
            json!({ "set-body": { "body": 0, "stepper": "baraff-witkin" } }),
            json!({ "pin": { "point": end, "radius": 0.05 } }),
            json!({ "paint": dab }),
            json!("undo"),
            json!("undo"),
            json!("undo"),
        ] {
            let edited = page.done(edit.clone()).await;
            assert_eq!(edited.nodes(), shape.nodes(), "{edit}");
            assert!(elastic(&edited) < 1e-6, "{edit}: {} J", elastic(&edited));
            assert!((height(&edited) - height(&shape)).abs() < 1e-9, "{edit}: the probe");
        }
        let hit = page.ask(json!({ "grab": { "grab": 2, "point": end } })).await.unwrap();
        assert!(hit["hit"]["position"][1].as_f64().unwrap() > 0.3, "{hit}");
        let held = page.done(json!({ "step": { "count": 10 } })).await;
        let force = &held.json["grabs"][0]["force"];
        // Below a thousandth of its weight, from the remaining motion.
        assert!(
            (0..3).all(|k| force[k].as_f64().unwrap().abs() < 0.6),
            "the body must be at rest: {force}"
        );
        page.done(json!({ "release": { "grab": 2 } })).await;

        let grown = page.done(json!({ "set-body": { "body": 0, "size": 2 } })).await;
        let rise = |frame: &Frame| {
            let heights = frame.nodes().into_iter().map(|x| x[1]);
            heights.clone().fold(f32::MIN, f32::max) - heights.fold(f32::MAX, f32::min)
        };
        assert!((rise(&grown) - 0.5).abs() < 1e-6, "the bar must be straight and twice as large");
        let back = page.done(json!("undo")).await;
        assert_eq!(back.nodes(), shape.nodes());
        page.done(json!("undo")).await;
        page.done(json!("undo")).await;
        assert_eq!(page.scene["undo"], Value::Null, "the commit must be the first edit");
        assert!(flowed(&mut page).await > 0.02);
        server.stop().await;
    });
}

/// A voxel body that bends under its weight.
const BESIDE: &str = r#"
[[body]]
name = "bear"
transform = { translate = [3, 0, 0] }
mesh = { figure = "bear", voxels = { depth = 2, leaves = 4 } }
material = { young = 1e5, poisson = 0.3, density = 1000 }
[[body.pin]]
where = "y-"
"#;

/// Partly filled voxels can be committed, alone and together with all bodies; a body that does not exist is an error
/// and changes nothing.
#[test]
fn voxels_are_committed_and_nobody_else_refused() {
    run_test(async {
        let both = format!("{PLASTIC}{BESIDE}").replace("[0, 0, 0]", "[0, -9.81, 0]");
        let server = serve(&both).await;
        let mut page = Client::connect(server.address()).await;
        let before = page.done(json!({ "freeze": { "frame": 30 } })).await;
        let error = page.ask(json!({ "commit": { "body": 7 } })).await.unwrap_err();
        assert_eq!(error["code"], "unknown-body", "{error}");
        assert_eq!(page.scene["undo"], Value::Null);
        let after = page.done(json!("pause")).await;
        assert_eq!(after.payload, before.payload);
        assert_eq!(
            elastic(&after),
            elastic(&before),
            "a refused commit must not change the rest shapes"
        );
        for body in [json!(1), Value::Null] {
            let after = page.done(json!({ "commit": { "body": body } })).await;
            assert_eq!(after.nodes(), before.nodes(), "a commit must not move the bodies");
        }
        let after = page.done(json!("pause")).await;
        assert!(elastic(&after) < 1e-9 && elastic(&before) > 1e-3, "{}", elastic(&after));
        server.stop().await;
    });
}

/// With `anneal` set, a body that has not flowed for that time is annealed: its plastic strain is reset, and it moves
/// by less than 1e-3 of its length. The setting is saved with the scene and can be switched off.
#[test]
fn a_shape_at_rest_is_annealed() {
    run_test(async {
        let server = serve(PLASTIC).await;
        let mut page = Client::connect(server.address()).await;
        let before = bent(&mut page).await;
        let strain = flowed(&mut page).await;
        page.done(json!({ "set-world": { "anneal": 0.5 } })).await;
        assert_eq!(page.scene["world"]["anneal"], 0.5);
        let after = page.done(json!({ "step": { "count": 60 } })).await;
        let left = flowed(&mut page).await;
        assert!(strain > 0.02 && left < 0.5 * strain, "{strain} to {left}");
        assert!((height(&after) - height(&before)).abs() < 1e-3);
        let text = String::from_utf8(toml(server.address())).unwrap();
        assert!(text.contains("anneal = 0.5"), "{text}");
        page.done(json!({ "set-world": { "anneal": 0 } })).await;
        assert_eq!(page.scene["world"]["anneal"], Value::Null);
        let error = page.ask(json!({ "set-world": { "anneal": -1 } })).await.unwrap_err();
        assert!(error["message"].as_str().unwrap().contains("anneal"), "{error}");
        server.stop().await;
    });
}

/// Plastic parameters can be changed while the body runs, without changing positions or plastic strain; they are
/// saved with the scene, and invalid values are errors.
#[test]
fn flow_is_a_setting() {
    run_test(async {
        let server = serve(PLASTIC).await;
        let mut page = Client::connect(server.address()).await;
        let before = bent(&mut page).await;
        let strain = flowed(&mut page).await;
        for (set, key, value) in [
            (json!({ "yield_stress": 8e3 }), "yield_stress", json!(8e3)),
            (json!({ "hardening": 1e4 }), "hardening", json!(1e4)),
            (json!({ "limit": 1e5 }), "limit", json!(1e5)),
            (json!({ "plastic": "creep" }), "kind", json!("creep")),
            (json!({ "rate": 3, "yield_strain": 0.1 }), "rate", json!(3.0)),
            (json!({ "limited": false }), "limit", Value::Null),
        ] {
            let mut command = set.clone();
            command["body"] = json!(0);
            let frame = page.done(json!({ "set-body": command })).await;
            assert_eq!(page.scene["bodies"][0]["plastic"][key], value, "{set}");
            assert_eq!(frame.nodes(), before.nodes(), "{set}");
            assert!((flowed(&mut page).await / strain - 1.0).abs() < 1e-6, "{set}");
        }
        let text = String::from_utf8(toml(server.address())).unwrap();
        let said = "plastic = { yield_strain = 0.1, rate = 3.0 }";
        assert!(text.contains(said), "{text}");
        for (set, words) in [
            (json!({ "yield_strain": 0 }), "yield_strain"),
            (json!({ "rate": -1 }), "rate"),
            (json!({ "limit": 0.01 }), "limit"),
            (json!({ "rate": 1, "yield_stress": 1e4 }), "choose one"),
        ] {
            let error = page.ask(json!({ "set-body": set })).await.unwrap_err();
            assert!(error["message"].as_str().unwrap().contains(words), "{error}");
        }
        // As an elastic material it flows no more, and its plastic strain stays.
        let stopped = page.done(json!({ "set-body": { "body": 0, "plastic": "elastic" } })).await;
        assert_eq!(page.scene["bodies"][0]["plastic"], Value::Null);
        assert_eq!(stopped.nodes(), before.nodes());
        assert!((flowed(&mut page).await / strain - 1.0).abs() < 1e-6);
        let error = page.ask(json!({ "set-body": { "limit": 1 } })).await.unwrap_err();
        assert!(error["message"].as_str().unwrap().contains("elastic"), "{error}");
        page.done(json!("undo")).await;
        assert!((flowed(&mut page).await / strain - 1.0).abs() < 1e-6);
        server.stop().await;
    });
}

/// An uploaded, bent and committed surface is saved in its new shape, with its texture.
#[test]
fn an_edited_surface_is_saved_with_its_picture() {
    run_test(async {
        let server = serve(PLASTIC).await;
        let mut page = Client::connect(server.address()).await;
        let (glb, png) = common::textured_glb();
        let to = host(server.address()).to_owned();
        let path = "/upload?name=die.glb&size=1&cells=4&mesher=tetrahedra&into=new";
        let answer = tokio::task::spawn_blocking(move || post(&to, path, &glb)).await.unwrap();
        assert_eq!(answer.0, 200, "{}", String::from_utf8_lossy(&answer.2));
        while page.scene["bodies"][0]["name"] != "die" {
            page.take().await;
        }
        page.done(json!("pause")).await;
        page.done(json!({ "set-world": { "gravity": [0, 0, 0], "damping": 4 } })).await;
        page.done(json!({ "set-body": { "body": 0, "plastic": "creep" } })).await;
        page.done(json!({ "commit": {} })).await;
        let point = json!({ "ray": { "origin": [0, 9, 0], "direction": [0, -1, 0] } });
        let reply = page.ask(json!({ "grab": { "grab": 1, "point": point, "strength": 2 } })).await;
        assert_eq!(reply.unwrap()["hit"]["body"], 0);
        let saved = |name: &str| {
            let (status, _, bytes) = get(host(server.address()), name);
            assert_eq!(status, 200);
            let folder = tempfile::tempdir().unwrap();
            let file = folder.path().join("shape.glb");
            std::fs::write(&file, bytes).unwrap();
            pliant_io::surface::read_surface(&file).unwrap()
        };
        let whole = saved("/save/shape.glb");
        page.done(json!({ "drag": { "grab": 1, "seq": 1, "target": [0.2, 1.6, 0] } })).await;
        page.done(json!({ "step": { "count": 60 } })).await;
        page.done(json!({ "release": { "grab": 1 } })).await;
        page.done(json!({ "commit": {} })).await;
        let edited = saved("/save/shape.glb");
        assert_eq!(edited.triangles.len(), whole.triangles.len());
        let top = |surface: &Surface| surface.vertices.iter().map(|x| x.y).fold(0.0, f64::max);
        assert!(top(&edited) > top(&whole) + 0.1, "the new shape must be saved");
        assert_eq!(edited.parts[0].texture.as_ref().unwrap().bytes, png);
        assert!(edited.texcoords.is_some());
        server.stop().await;
    });
}

/// Pins, paint, stiffness and undo do not make the mesh of a body again: they work although the file of its surface is
/// gone, and the page keeps its model. After a reset the body moves as that of the edited text, to the bit.
#[test]
fn edits_keep_the_mesh() {
    // The engine builds small bodies itself; the third one is large, and the builder makes it.
    let meshers = [
        "tetrahedra = { cells = 60 }, degree = 2",
        "voxels = { depth = 2, leaves = 4 }",
        "voxels = { depth = 4, leaves = 5 }",
    ];
    for mesher in meshers {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("die.glb");
        let (glb, _) = common::textured_glb();
        std::fs::write(&file, &glb).unwrap();
        let text = format!(
            "version = 1\n[[body]]\nname = \"die\"\nmesh = {{ surface = \"die.glb\", {mesher} }}\n\
             material = {{ young = 1e5, poisson = 0.4, density = 1000 }}\n"
        );
        let config = |text: &str| ServerConfig { base: folder.path().into(), ..config(text) };
        run_test(async {
            let server = Server::start(config(&text)).await.unwrap();
            let mut page = Client::connect(server.address()).await;
            page.done(json!({ "freeze": { "frame": 0 } })).await;
            std::fs::remove_file(&file).unwrap();
            let point = json!({ "at": { "body": 0, "triangle": 0, "weights": [0.3, 0.3, 0.4] } });
            let size = page.scene["bodies"][0]["size"].as_f64().unwrap();
            let radius = 0.4 * size;
            page.done(json!({ "pin": { "point": point, "radius": radius } })).await;
            let paint = json!({ "body": 0, "points": [point], "radius": radius, "factor": 5 });
            page.done(json!({ "paint": paint })).await;
            page.done(json!({ "set-body": { "body": 0, "young": 2e5 } })).await;
            page.done(json!({ "unpin": { "body": 0 } })).await;
            page.done(json!("undo")).await;
            let body = &page.scene["bodies"][0];
            assert_eq!((body["pins"].as_u64(), page.models.len()), (Some(1), 1), "{mesher}");
            assert_eq!(body["regions"].as_array().unwrap().len(), 1, "{mesher}");
            let edited = page.done(json!({ "freeze": { "frame": 10 } })).await;
            let text = String::from_utf8(toml(server.address())).unwrap();
            server.stop().await;
            std::fs::write(&file, &glb).unwrap();
            let server = Server::start(config(&text)).await.unwrap();
            let mut page = Client::connect(server.address()).await;
            let opened = page.done(json!({ "freeze": { "frame": 10 } })).await;
            assert!(edited.payload == opened.payload, "{mesher}: positions must be the same");
            server.stop().await;
        });
    }
}
