//! Edits are done whole or not at all.
#![allow(clippy::unwrap_used, reason = "tests may panic")]

mod common;

use common::{Client, SCENE, get, host, post, runtime, serve};
use serde_json::{Value, json};

/// An edit of all bodies that one of them refuses leaves all as they were: bit by bit the world goes on as it would have. The
/// bar is quadratic and can adapt its degree, the cube is linear and cannot; the bar comes first.
#[test]
fn an_edit_that_fails_leaves_the_world_as_it_was() {
    runtime().block_on(async {
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
        // What makes no sense by itself fails before anything is touched.
        let error = page.ask(json!({ "set-world": { "dt": -1 } })).await.unwrap_err();
        assert_eq!(error["code"], "bad-scene", "{error}");
        let after = page.done(json!({ "step": { "count": 15 } })).await;
        assert_eq!(after.frame(), undisturbed.frame());
        assert_eq!(after.payload, undisturbed.payload, "the same positions to the last bit");
        assert_eq!(page.scene["generation"], generation);
        assert_eq!(page.scene["undo"], Value::Null, "nothing was done");
        assert_eq!(toml(server.address()), text);
        page.done(json!({ "set-body": { "body": 0, "adaptive": true } })).await;
        assert_eq!(page.scene["bodies"][0]["adaptive"], true, "the bar alone can");
        server.stop().await;
    });
}

fn toml(address: &str) -> Vec<u8> {
    get(host(address), "/save/scene.toml").2
}

const BEAR: &str = r#"
version = 1
[world]
gravity = [0, 0, 0]
[[body]]
name = "bear"
mesh = { figure = "bear", voxels = { depth = 2, leaves = 4 } }
material = { young = 1e5, poisson = 0.3, density = 1000 }
[[body.pin]]
where = "y-"
"#;

/// Dabs finer than the parts of a voxel hide each other: a part has the colour of the last. However many fall into one part
/// and however small the brush is, something is painted and nothing is refused; one undo takes the stroke back.
#[test]
fn dabs_that_hide_each_other_are_painted() {
    runtime().block_on(async {
        let server = serve(BEAR).await;
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

/// A file with a picture on it becomes a body that wears the picture: its bytes come with the model, with coordinates for
/// every vertex.
#[test]
fn a_textured_file_keeps_its_picture() {
    runtime().block_on(async {
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
