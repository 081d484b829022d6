//! Fracture while pages are connected.

use crate::common;

use common::{Client, Frame, config, get, host, post, run_test, serve, textured_glb};
use pliant_viewer::{Server, ServerConfig};
use serde_json::{Value, json};

/// A brittle bar, held at one end, with a probe at the other, where it is grabbed.
const BRITTLE: &str = r#"
version = 1
[world]
gravity = [0, 0, 0]
damping = 1.0
[[body]]
name = "ball"
mesh = { box = { size = [0.2, 0.2, 0.2], cells = [1, 1, 1] } }
material = { young = 2e5, poisson = 0.3, density = 1000 }
transform = { translate = [0, 3, 0] }
[[body]]
name = "bar"
mesh = { box = { size = [1, 0.25, 0.25], cells = [8, 2, 2], split = "tet5" } }
material = { young = 2e5, poisson = 0.3, density = 1000, toughness = 1e4 }
[[body.pin]]
where = "x-"
[[probe]]
name = "tip"
body = "bar"
at = [0.9, 0.24, 0.125]
"#;

/// The index of the bar in the scene.
const BAR: usize = 1;

/// A vertical ray from above onto the end of the bar.
fn on_the_tip() -> Value {
    json!({ "ray": { "origin": [0.9, 1, 0.125], "direction": [0, -1, 0] } })
}

/// Pulls the bar at its end until it breaks.
async fn torn(page: &mut Client) -> Frame {
    page.done(json!({ "freeze": { "frame": 0 } })).await;
    let grab = json!({ "grab": { "grab": 1, "point": on_the_tip(), "strength": 20 } });
    assert_eq!(page.ask(grab).await.unwrap()["hit"]["body"], BAR);
    page.done(json!({ "drag": { "grab": 1, "seq": 1, "target": [2.0, 0.25, 0.125] } })).await;
    let frame = page.done(json!({ "step": { "count": 40 } })).await;
    assert_eq!(page.scene["bodies"][BAR]["broken"], true, "the bar must break: {}", events(page));
    frame
}

fn events(page: &Client) -> Value {
    page.frames.iter().flat_map(|frame| frame.json["events"].as_array().unwrap().clone()).collect()
}

fn bodies(page: &Client) -> &Vec<Value> {
    page.scene["bodies"].as_array().unwrap()
}

/// Checks that the messages are consistent: a frame has the nodes of all bodies, each body has a model with as many
/// nodes, and all positions are finite.
fn is_whole_message(page: &Client, frame: &Frame) {
    let mut first = 0;
    for body in bodies(page) {
        assert_eq!(body["first"], first, "the nodes of bodies must be contiguous");
        let nodes = body["nodes"].as_u64().unwrap();
        first += nodes;
        let model = page.models.iter().rfind(|(head, _)| head["id"] == body["model"]);
        let (head, _) = model.expect("the model of every body has come");
        assert_eq!(head["nodes"], nodes, "{body}");
        assert!(head["triangles"].as_u64().unwrap() >= 4, "{body}");
    }
    assert_eq!(page.scene["nodes"], first);
    let nodes = frame.nodes();
    assert_eq!(nodes.len() as u64, first);
    assert!(nodes.iter().flatten().all(|x| x.is_finite() && x.abs() < 1e3));
}

/// Fragments are listed as bodies after those of the scene; no cell and no mass is lost, and probe and grab
/// follow their fragment.
#[test]
fn pieces_are_bodies_behind_those_of_the_scene() {
    run_test(async {
        let server = serve(BRITTLE).await;
        let mut page = Client::connect(server.address()).await;
        let frame = torn(&mut page).await;
        is_whole_message(&page, &frame);
        let all = bodies(&page);
        assert!(all.len() > 2, "{all:?}");
        assert_eq!((&all[0]["broken"], &all[0]["pieces"]), (&json!(false), &json!(1)));
        assert_eq!(all[BAR]["pieces"], all.len() - 1);
        assert!(all[2..].iter().all(|piece| piece["piece_of"] == BAR), "{all:?}");
        assert!(all[..2].iter().all(|body| body.get("piece_of").is_none()));
        // 8 × 2 × 2 boxes of five tetrahedra; no cell and no mass is lost.
        let cells = |body: &Value| body["cells"]["tet4"].as_u64().unwrap();
        assert_eq!(all[1..].iter().map(cells).sum::<u64>(), 160);
        let mass: f64 = all[1..].iter().map(|body| body["mass"].as_f64().unwrap()).sum();
        assert!((mass - 62.5).abs() < 1e-9, "{mass}");
        assert!(events(&page).as_array().unwrap().iter().any(|event| {
            event["kind"] == "broke" && event["body"] == BAR && event["trouble"] == false
        }));
        // The probe follows the fragment that contains it, and so does the hand.
        let tip = frame.json["probes"][0][0].as_f64().unwrap();
        assert!(tip > 1.2, "the probe must follow the grab: {tip}");
        let held = frame.json["grabs"][0]["body"].as_u64().unwrap() as usize;
        assert!(held >= 2, "the grab must hold the fragment: {}", frame.json["grabs"]);
        let probe = &page.scene["probes"][0];
        let piece = &all[probe["body"].as_u64().unwrap() as usize];
        let nodes: Vec<u64> = serde_json::from_value(probe["nodes"].clone()).unwrap();
        assert!(nodes.iter().all(|node| *node < piece["nodes"].as_u64().unwrap()), "{probe}");
        let weights: Vec<f64> = serde_json::from_value(probe["weights"].clone()).unwrap();
        let (x, first) = (frame.nodes(), piece["first"].as_u64().unwrap());
        let place = |node: &u64| f64::from(x[(first + node) as usize][0]);
        let at: f64 = nodes.iter().zip(&weights).map(|(node, weight)| weight * place(node)).sum();
        let origin = page.scene["origin"][0].as_f64().unwrap();
        // The nodes of frames are in single precision.
        assert!((at + origin - tip).abs() < 1e-5, "{} is not {tip}", at + origin);
        server.stop().await;
    });
}

/// A hand pulls a fragment like any body, and a fragment can be grabbed again.
#[test]
fn hands_hold_pieces() {
    run_test(async {
        let server = serve(BRITTLE).await;
        let mut page = Client::connect(server.address()).await;
        torn(&mut page).await;
        page.done(json!({ "drag": { "grab": 1, "seq": 2, "target": [3.0, 1.0, 0.5] } })).await;
        let frame = page.done(json!({ "step": { "count": 120 } })).await;
        let grab = &frame.json["grabs"][0];
        assert_eq!(grab["seq"], 2);
        let point: [f64; 3] = serde_json::from_value(grab["point"].clone()).unwrap();
        // Only the hand holds the fragment, so the fragment moves to it.
        assert!((point[0] - 3.0).abs() < 0.1 && (point[1] - 1.0).abs() < 0.1, "{point:?}");
        page.done(json!({ "release": { "grab": 1 } })).await;
        let down =
            json!({ "ray": { "origin": [point[0] - 0.02, 9, point[2]], "direction": [0, -1, 0] } });
        let hit =
            page.ask(json!({ "grab": { "grab": 5, "point": down } })).await.unwrap()["hit"].clone();
        let place = hit["body"].as_u64().unwrap() as usize;
        assert_eq!(bodies(&page)[place]["piece_of"], BAR, "{hit}");
        page.done(json!({ "drag": { "grab": 5, "seq": 3, "target": [3.0, 2.0, 0.5] } })).await;
        let frame = page.done(json!({ "step": { "count": 120 } })).await;
        let height = frame.json["grabs"][0]["point"][1].as_f64().unwrap();
        assert!((height - 2.0).abs() < 0.1, "{height}");
        server.stop().await;
    });
}

/// A reset restores the unbroken bodies, and breaks are reproducible to the bit.
#[test]
fn a_reset_makes_everything_whole() {
    run_test(async {
        let server = serve(BRITTLE).await;
        let mut page = Client::connect(server.address()).await;
        let before = page.done(json!({ "freeze": { "frame": 0 } })).await;
        let (models, nodes) = (page.scene["bodies"].clone(), page.scene["nodes"].clone());
        torn(&mut page).await;
        let after = page.done(json!("reset")).await;
        assert_eq!(before.payload, after.payload);
        assert_eq!((&page.scene["bodies"], &page.scene["nodes"]), (&models, &nodes));
        is_whole_message(&page, &after);
        assert_eq!(after.json["grabs"], json!([]));
        let first = torn(&mut page).await;
        let again = torn(&mut page).await;
        assert_eq!(first.payload, again.payload);
        server.stop().await;
    });
}

/// A command that needs an unbroken body says so; one that makes the body anew makes it whole; and what concerns the world or a
/// colour leaves the fragments where they are.
#[test]
fn edits_of_broken_bodies() {
    run_test(async {
        let server = serve(BRITTLE).await;
        let mut page = Client::connect(server.address()).await;
        let frame = torn(&mut page).await;
        let piece = bodies(&page).len() - 1;
        let at = json!({ "at": { "body": piece, "triangle": 0, "weights": [0.4, 0.3, 0.3] } });
        for refused in [
            json!({ "pin": { "point": at, "radius": 0.1 } }),
            json!({ "unpin": { "body": BAR } }),
            json!({ "unpin": { "body": piece, "pin": 0 } }),
            json!({ "paint": { "body": piece, "points": [at], "radius": 0.1 } }),
            json!({ "paint": { "body": BAR, "points": [at], "radius": 0.1 } }),
            json!({ "commit": { "body": BAR } }),
            json!({ "commit": { "body": piece } }),
        ] {
            let error = page.ask(refused.clone()).await.unwrap_err();
            assert_eq!(error["code"], "broken", "{refused}");
            assert!(error["message"].as_str().unwrap().contains("reset first"), "{error}");
        }
        // A point on a model from before the break is not taken for one on the current model.
        let seen = |model: &Value| {
            let at =
                json!({ "body": BAR, "triangle": 0, "weights": [0.4, 0.3, 0.3], "model": model });
            json!({ "pick": { "point": { "at": at } } })
        };
        let error = page.ask(seen(&json!(u32::MAX))).await.unwrap_err();
        assert_eq!(error["code"], "broken");
        let other = bodies(&page)[piece]["model"].clone();
        assert_eq!(page.ask(seen(&other)).await.unwrap()["hit"]["body"], piece);
        let count = bodies(&page).len();
        page.done(json!({ "set-world": { "gravity": [0, -1, 0] } })).await;
        page.done(json!({ "set-body": { "body": BAR, "colour": "#102030" } })).await;
        page.done(json!({ "set-body": { "body": BAR, "friction": 0.9 } })).await;
        let same = page.done(json!({ "commit": { "body": 0 } })).await;
        assert_eq!(bodies(&page).len(), count);
        assert_eq!(bodies(&page)[piece]["colour"], json!([16, 32, 48]));
        assert_eq!(same.payload, frame.payload, "fragments must not move");
        let whole = page.done(json!({ "set-body": { "body": piece, "young": 3e5 } })).await;
        assert_eq!((bodies(&page).len(), &bodies(&page)[BAR]["broken"]), (2, &json!(false)));
        assert_eq!(bodies(&page)[BAR]["young"], 3e5);
        assert_eq!(whole.json["grabs"], json!([]), "the grab must be released");
        is_whole_message(&page, &whole);
        torn(&mut page).await;
        let undone = page.done(json!("undo")).await;
        assert_eq!((bodies(&page).len(), &bodies(&page)[BAR]["young"]), (2, &json!(2e5)));
        is_whole_message(&page, &undone);
        torn(&mut page).await;
        let larger = page.done(json!({ "set-body": { "body": BAR, "size": 2.0 } })).await;
        assert_eq!((bodies(&page).len(), &bodies(&page)[BAR]["size"]), (2, &json!(2.0)));
        is_whole_message(&page, &larger);
        server.stop().await;
    });
}

/// Fields have a number for each node of each fragment, and all file formats can be saved.
#[test]
fn fields_and_files_of_pieces() {
    run_test(async {
        let server = serve(BRITTLE).await;
        let mut page = Client::connect(server.address()).await;
        torn(&mut page).await;
        for field in ["stress", "displacement", "speed", "volume", "stiffness"] {
            let frame = page.watch(field).await;
            assert_eq!(frame.json["field"]["count"], page.scene["nodes"], "{field}");
            assert!(frame.numbers("field").iter().all(|value| value.is_finite()), "{field}");
        }
        let (host, pieces) = (host(server.address()), bodies(&page).len());
        let read = |path: &str| {
            let (status, _, body) = get(host, path);
            assert_eq!(status, 200, "{path}: {}", String::from_utf8_lossy(&body));
            body
        };
        let obj = String::from_utf8(read("/save/shape.obj")).unwrap();
        let groups = obj.lines().filter(|line| line.starts_with("o ") || line.starts_with("g "));
        assert!(groups.count() >= pieces, "each fragment must be a part of the file");
        assert!(read("/save/shape.glb?field=stress").starts_with(b"glTF"));
        assert!(read(&format!("/save/shape.vtu?body={}", pieces - 1)).len() > 1000);
        let glb = read("/save/animation.glb");
        assert!(glb.starts_with(b"glTF") && glb.len() > 10_000);
        let zip = read("/save/animation.zip");
        let holds = |name: &str| zip.windows(name.len()).any(|bytes| bytes == name.as_bytes());
        assert!(
            holds("bar.pvd") && holds("ball.pvd") && holds("bar.2.pvd"),
            "each body must have its own series"
        );
        let energy = page.done(json!("pause")).await.json["energy"].clone();
        assert!(energy["kinetic"].as_f64().unwrap() >= 0.0, "{energy}");
        server.stop().await;
    });
}

/// A session with broken bodies opens with these bodies unbroken, and reports it.
#[test]
fn a_session_with_pieces_opens() {
    run_test(async {
        let server = serve(BRITTLE).await;
        let mut page = Client::connect(server.address()).await;
        torn(&mut page).await;
        let (status, _, bytes) = get(host(server.address()), "/save/session");
        assert_eq!(status, 200);
        server.stop().await;
        let again = ServerConfig { session: Some(bytes), ..Default::default() };
        let opened = Server::start(again).await.unwrap();
        let mut page = Client::connect(opened.address()).await;
        assert_eq!(bodies(&page).len(), 2);
        assert_eq!(bodies(&page)[BAR]["broken"], false);
        assert!(
            events(&page).to_string().contains("bar differs from the session"),
            "{}",
            events(&page)
        );
        torn(&mut page).await;
        opened.stop().await;
    });
}

/// After a reset attachments, wind and blasts act as in the scene.
#[test]
fn a_reset_keeps_what_is_no_body() {
    let text = BRITTLE.replace("[[body.pin]]\nwhere = \"x-\"", "").replace(
        "[[probe]]",
        "[[attachment]]\nname = \"wall\"\nbody = \"bar\"\nwhere = \"x-\"\n[wind]\nvelocity = [0, 0, 3]\n[[blast]]\ncentre = [0.9, -0.3, 0.1]\nradius = 1.0\nimpulse = 900.0\ntime = 0.2\n[[probe]]",
    );
    run_test(async {
        let server = Server::start(config(&text)).await.unwrap();
        let mut page = Client::connect(server.address()).await;
        page.done(json!("pause")).await;
        let first = page.done(json!({ "freeze": { "frame": 30 } })).await;
        let again = page.done(json!({ "freeze": { "frame": 30 } })).await;
        assert_eq!(first.payload, again.payload);
        let x = |frame: &Frame| {
            let nodes = frame.nodes();
            let bar = bodies(&page)[BAR]["first"].as_u64().unwrap() as usize;
            nodes[bar..].iter().map(|x| x[0]).fold(f32::INFINITY, f32::min)
        };
        // The origin of a frame is the centre of all bodies, at x = 0.5.
        assert!((x(&again) + 0.5).abs() < 0.02, "the attachment must hold the bar: {}", x(&again));
        let tip: [f64; 3] = serde_json::from_value(again.json["probes"][0].clone()).unwrap();
        assert!(tip[1] > 0.15, "the blast must lift the bar: {tip:?}");
        server.stop().await;
    });
}

/// Hammer, bullet, explosion and twist break the bar; invalid parameters are refused and change nothing.
#[test]
fn blows_break_it() {
    run_test(async {
        let server = serve(BRITTLE).await;
        let mut page = Client::connect(server.address()).await;
        let point = json!({ "ray": { "origin": [0.5, 1, 0.125], "direction": [0, -1, 0] } });
        let strike = |speed: Value, radius: Value, through: bool| json!({ "strike": { "point": point, "direction": [0, -1, 0], "speed": speed, "radius": radius, "through": through } });
        let explode = |centre: Value, radius: f64, impulse: f64| json!({ "explode": { "centre": centre, "radius": radius, "impulse": impulse } });
        for command in [
            strike(json!(20.0), json!(0.2), false),
            strike(json!(60.0), json!(0.05), true),
            explode(json!([0.5, 0.5, 0.125]), 2.0, 5000.0),
        ] {
            let before = page.done(json!({ "freeze": { "frame": 0 } })).await;
            let still = page.done(json!({ "step": { "count": 5 } })).await;
            assert_eq!(before.payload, still.payload, "the bar must be at rest before");
            page.done(command.clone()).await;
            let frame = page.done(json!({ "step": { "count": 30 } })).await;
            assert_eq!(bodies(&page)[BAR]["broken"], true, "{command}");
            is_whole_message(&page, &frame);
        }
        page.done(json!({ "freeze": { "frame": 0 } })).await;
        let grab = json!({ "grab": { "grab": 1, "point": on_the_tip() } });
        page.ask(grab).await.unwrap();
        page.done(json!({ "twist": { "grab": 1, "axis": [1, 0, 0], "strength": 400 } })).await;
        page.done(json!({ "step": { "count": 60 } })).await;
        assert_eq!(bodies(&page)[BAR]["broken"], true, "twisted");
        let before = page.done(json!({ "freeze": { "frame": 0 } })).await;
        page.ask(json!({ "grab": { "grab": 1, "point": on_the_tip() } })).await.unwrap();
        for hostile in [
            strike(json!(-1.0), json!(0.2), false),
            strike(json!(1e9), json!(0.2), false),
            strike(json!(1.0), json!(0.0), false),
            strike(json!(1.0), json!(1e300), false),
            json!({ "strike": { "point": point, "direction": [0, 0, 0], "speed": 1, "radius": 1 } }),
            json!({ "strike": { "point": { "at": { "body": 9, "triangle": 0, "weights": [1, 0, 0] } }, "direction": [0, 1, 0], "speed": 1, "radius": 1 } }),
            explode(json!([1e308, 1e308, 0]), -1.0, 10.0),
            explode(json!([0, 0, 0]), 1.0, 1e300),
            json!({ "twist": { "grab": 1, "axis": [0, 0, 0], "strength": 1 } }),
            json!({ "twist": { "grab": 1, "axis": [0, 1, 0], "strength": 1e300 } }),
            json!({ "twist": { "grab": 77, "axis": [0, 1, 0], "strength": 1 } }),
            json!({ "set-body": { "body": BAR, "toughness": -5.0 } }),
            json!({ "set-body": { "body": BAR, "toughness": 1e300 } }),
            json!({ "paint": { "body": 0, "points": [point], "radius": 0.1, "toughness": 2 } }),
            json!({ "paint": { "body": BAR, "points": [point], "radius": 0.1, "toughness": 0 } }),
        ] {
            let error = page.ask(hostile.clone()).await;
            assert!(error.is_err(), "{hostile}: {error:?}");
        }
        page.done(json!({ "release": { "grab": 1 } })).await;
        let after = page.done(json!({ "step": { "count": 3 } })).await;
        assert_eq!(before.payload, after.payload, "refused commands must change nothing");
        let missed = json!({ "ray": { "origin": [9, 9, 9], "direction": [0, 1, 0] } });
        let reply = page.ask(json!({ "strike": { "point": missed, "direction": [0, 1, 0], "speed": 1, "radius": 1 } })).await;
        assert_eq!(reply.unwrap()["hit"], Value::Null);
        server.stop().await;
    });
}

/// A tougher body does not break, nor does one without toughness (0), and painting can weaken a region.
#[test]
fn toughness_is_a_setting() {
    run_test(async {
        let server = serve(BRITTLE).await;
        let mut page = Client::connect(server.address()).await;
        page.done(json!("pause")).await;
        assert_eq!(bodies(&page)[BAR]["toughness"], 1e4);
        assert_eq!(bodies(&page)[0]["toughness"], Value::Null);
        let point = json!({ "ray": { "origin": [0.5, 1, 0.125], "direction": [0, -1, 0] } });
        let strike = json!({ "strike": { "point": point, "direction": [0, -1, 0], "speed": 20, "radius": 0.2 } });
        for (toughness, breaks) in [(0.0, false), (1e9, false), (1e4, true)] {
            page.done(json!({ "set-body": { "body": BAR, "toughness": toughness } })).await;
            page.done(json!({ "freeze": { "frame": 0 } })).await;
            page.done(strike.clone()).await;
            page.done(json!({ "step": { "count": 30 } })).await;
            assert_eq!(bodies(&page)[BAR]["broken"], breaks, "{toughness}");
        }
        page.done(json!("reset")).await;
        page.done(json!({ "set-body": { "body": BAR, "toughness": 1e9 } })).await;
        let paint = json!({ "paint": { "body": BAR, "points": [point], "radius": 0.3, "toughness": 1e-3 } });
        page.done(paint).await;
        assert_eq!(bodies(&page)[BAR]["regions"][0]["toughness"], 1e6);
        server.stop().await;
    });
}

/// Breaks the bar by a strike in its middle.
async fn smashed(page: &mut Client) -> Frame {
    page.done(json!({ "freeze": { "frame": 0 } })).await;
    let point = json!({ "ray": { "origin": [0.5, 1, 0.125], "direction": [0, -1, 0] } });
    let strike = json!({ "strike": { "point": point, "direction": [0, -1, 0], "speed": 40, "radius": 0.2 } });
    assert_eq!(page.ask(strike).await.unwrap()["hit"]["body"], BAR);
    let frame = page.done(json!({ "step": { "count": 30 } })).await;
    assert_eq!(page.scene["bodies"][BAR]["broken"], true);
    frame
}

/// Fragments of a textured surface keep the texture, their open faces have none, and a page can also get the bare
/// cells.
#[test]
fn surfaces_tear() {
    let (glb, _) = textured_glb();
    run_test(async {
        let server = serve(BRITTLE).await;
        let mut page = Client::connect(server.address()).await;
        page.done(json!("pause")).await;
        let path = "/upload?name=die.glb&size=1&mesher=tetrahedra&cells=4";
        let (status, _, body) = post(host(server.address()), path, &glb);
        assert_eq!(status, 200, "{}", String::from_utf8_lossy(&body));
        let die =
            serde_json::from_slice::<Value>(&body).unwrap()["body"].as_u64().unwrap() as usize;
        page.done(json!({ "set-body": { "body": die, "toughness": 2e3 } })).await;
        page.ask(json!({ "watch": { "cells": true } })).await.unwrap();
        page.done(json!({ "freeze": { "frame": 0 } })).await;
        let whole = bodies(&page)[die].clone();
        assert_eq!(whole["surface"], true);
        let at = json!({ "at": { "body": die, "triangle": 0, "weights": [0.4, 0.3, 0.3] } });
        let strike = json!({ "strike": { "point": at, "direction": [0.3, -1, 0.2], "speed": 60, "radius": 0.3 } });
        page.done(strike).await;
        let frame = page.done(json!({ "step": { "count": 30 } })).await;
        is_whole_message(&page, &frame);
        assert_eq!(bodies(&page)[die]["broken"], true);
        let model = |id: u64| &page.models.iter().rfind(|(head, _)| head["id"] == id).unwrap().0;
        for body in bodies(&page).iter().filter(|body| body["surface"] == true) {
            let id = body["model"].as_u64().unwrap();
            let (own, cells) = (model(id), model(id | 1 << 31));
            assert_eq!((&own["nodes"], &cells["nodes"]), (&body["nodes"], &body["nodes"]));
            assert!(
                cells["textures"].as_array().unwrap().is_empty(),
                "bare cells must have no textures"
            );
            let parts = own["parts"].as_array().unwrap();
            let counted: u64 = parts.iter().map(|part| part["count"].as_u64().unwrap()).sum();
            assert_eq!(counted, own["triangles"].as_u64().unwrap());
            assert!(own["buffers"]["uv"].is_object(), "{own}");
            assert!(
                parts.len() <= 2 && parts.iter().any(|part| part["texture"].is_null()),
                "open faces must have no texture: {parts:?}"
            );
        }
        server.stop().await;
    });
}

/// All splinters are kept in a break: the number of triangles is the same.
#[test]
fn splinters_are_shown() {
    let text = BRITTLE
        .replace("[[body.pin]]", "[body.splinters]\nkind = \"stone\"\ncount = 60\n[[body.pin]]");
    run_test(async {
        let server = serve(&text).await;
        let mut page = Client::connect(server.address()).await;
        let triangles = |page: &Client| -> u64 {
            let of = |body: &Value| {
                let model = page.models.iter().rfind(|(head, _)| head["id"] == body["model"]);
                model.unwrap().0["triangles"].as_u64().unwrap()
            };
            bodies(page)[BAR..].iter().map(of).sum()
        };
        let before = triangles(&page);
        assert_eq!(bodies(&page)[BAR]["surface"], true);
        let frame = smashed(&mut page).await;
        is_whole_message(&page, &frame);
        assert_eq!(triangles(&page), before);
        server.stop().await;
    });
}

/// Faded fragments are no longer in the list; the rest of the bar keeps its place.
#[test]
fn debris_fades() {
    let text = BRITTLE.replace(
        "damping = 1.0",
        "damping = 20.0\nsleep = true\ndebris = { most = 0, fate = \"fade\" }",
    );
    // Only sleeping bodies fade, and a floating body does not fall asleep.
    let ground = "[[obstacle]]\nplane = { point = [0, -0.3, 0], normal = [0, 1, 0] }\n[[probe]]";
    let text =
        text.replace("gravity = [0, 0, 0]", "gravity = [0, -9.81, 0]").replace("[[probe]]", ground);
    run_test(async {
        let server = serve(&text).await;
        let mut page = Client::connect(server.address()).await;
        smashed(&mut page).await;
        let frame = page.done(json!({ "step": { "count": 600 } })).await;
        assert_eq!((bodies(&page).len(), &bodies(&page)[BAR]["gone"]), (2, &json!(true)));
        is_whole_message(&page, &frame);
        let at = json!({ "at": { "body": BAR, "triangle": 0, "weights": [0.4, 0.3, 0.3] } });
        let error = page.ask(json!({ "pick": { "point": at } })).await.unwrap_err();
        assert_eq!(error["code"], "unknown-body");
        let reset = page.done(json!("reset")).await;
        assert_eq!(bodies(&page)[BAR]["gone"], false);
        is_whole_message(&page, &reset);
        server.stop().await;
    });
}

/// Many strikes and blasts on linear tetrahedra do not break the engine.
#[test]
fn many_smashes_of_tetrahedra() {
    many_smashes(BRITTLE);
}

/// The same on quadratic tetrahedra.
#[test]
fn many_smashes_of_curved_cells() {
    let cells = r#"cells = [8, 2, 2], split = "tet5" }"#;
    many_smashes(&BRITTLE.replace(cells, r#"cells = [4, 1, 1], split = "tet5" }, degree = 2"#));
}

/// The same on the default cells.
#[test]
fn many_smashes_of_boxes() {
    many_smashes(&BRITTLE.replace(r#"cells = [8, 2, 2], split = "tet5""#, "cells = [8, 2, 2]"));
}

/// Strikes a bar at many places, times and speeds; checks that all messages are consistent and that the engine does
/// not fail.
fn many_smashes(scene: &str) {
    run_test(async {
        let server = serve(scene).await;
        let mut page = Client::connect(server.address()).await;
        for k in 0..24_u32 {
            page.done(json!({ "freeze": { "frame": k } })).await;
            let share = f64::from(k) / 24.0;
            let (x, speed) = (0.05 + 0.9 * share, 5.0 * 30_f64.powf((share * 7.0).fract()));
            let point = json!({ "ray": { "origin": [x, 1, 0.06 + 0.13 * share], "direction": [0, -1, 0] } });
            let direction = [(7.0 * share).cos(), -1.0, (7.0 * share).sin()];
            let strike = json!({ "strike": {
                "point": point, "direction": direction, "speed": speed, "radius": 0.02 + 0.2 * share, "through": k % 3 == 0,
            } });
            page.done(strike).await;
            let blast = json!({ "explode": { "centre": [x, -0.2, 0.1], "radius": 0.6, "impulse": 100.0 * speed } });
            if k % 2 == 0 {
                page.done(blast).await;
            }
            let frame = page.done(json!({ "step": { "count": 20 } })).await;
            is_whole_message(&page, &frame);
            let failed =
                |event: &Value| event["text"].as_str().unwrap().contains("the engine failed");
            assert!(
                !events(&page).as_array().unwrap().iter().any(failed),
                "smash {k}: {}",
                events(&page)
            );
            page.frames.clear();
        }
        server.stop().await;
    });
}
