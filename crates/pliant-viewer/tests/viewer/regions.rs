//! Painting regions on bodies while they run: stiffness, plasticity, rigidity and pins.

use crate::common;

use common::{Client, flowed, get, height, host, run_test, serve};
use serde_json::{Value, json};

/// A bar with some plastic flow, held at one end.
const BAR: &str = r#"
version = 1
[world]
gravity = [0, -4, 0]
damping = 1.0
[[body]]
name = "bar"
mesh = { box = { size = [2, 0.25, 0.25], cells = [8, 1, 1], split = "tet5" }, degree = 2 }
material = { young = 2e5, poisson = 0.4, density = 1000, plastic = { yield_stress = 4e3, hardening = 2e3 } }
[[body.pin]]
where = "x-"
[[probe]]
name = "tip"
body = "bar"
at = [2, 0.125, 0.125]
"#;

/// A vertical ray from above onto the bar at this x.
fn above(x: f64) -> Value {
    json!({ "ray": { "origin": [x, 5, 0.125], "direction": [0, -1, 0] } })
}

fn regions(page: &Client) -> Vec<Value> {
    page.scene["bodies"][0]["regions"].as_array().unwrap().clone()
}

/// Painting changes the material parameters of a region and nothing else: positions are the same to the bit,
/// and plastic strain to 1e-6. Undo and redo work stroke by stroke, and the saved scene with the paint is
/// valid.
#[test]
fn paint_changes_parameters_and_nothing_else() {
    run_test(async {
        let server = serve(BAR).await;
        let mut page = Client::connect(server.address()).await;
        let before = page.done(json!({ "freeze": { "frame": 40 } })).await;
        let strain = flowed(&mut page).await;
        assert!(strain > 0.02, "the bar must flow: {strain}");
        for (paint, key, value) in [
            (json!({ "factor": 8 }), "young", json!(1.6e6)),
            (json!({ "plastic": "creep" }), "plastic", json!("creep")),
            (json!({ "yield_stress": 9e3, "limit": 5e4 }), "plastic", json!("hardening")),
            (json!({ "plastic": "elastic" }), "plastic", Value::Null),
            (json!({ "rigid": true }), "rigid", json!(true)),
        ] {
            let mut command = paint.clone();
            command["body"] = json!(0);
            command["points"] = json!([above(0.4)]);
            command["radius"] = json!(0.3);
            let frame = page.done(json!({ "paint": command })).await;
            let region = regions(&page).pop().unwrap();
            let found =
                if key == "plastic" { region[key]["kind"].clone() } else { region[key].clone() };
            assert_eq!(found, value, "{paint}: {region}");
            assert_eq!(frame.nodes(), before.nodes(), "{paint}");
            assert!((flowed(&mut page).await / strain - 1.0).abs() < 1e-6, "{paint}");
            let text =
                String::from_utf8(get(host(server.address()), "/save/scene.toml").2).unwrap();
            assert!(pliant_io::scene::Scene::parse("saved", &text).is_ok(), "{text}");
            page.done(json!("undo")).await;
            assert!(regions(&page).is_empty());
            page.done(json!("redo")).await;
            assert_eq!(regions(&page).len(), 1);
            let back = page.done(json!("undo")).await;
            assert_eq!(back.nodes(), before.nodes(), "{paint}");
            assert!((flowed(&mut page).await / strain - 1.0).abs() < 1e-6, "{paint}: undone");
        }
        server.stop().await;
    });
}

/// A bar that is painted rigid while it is bent keeps that form, and its pin holds it still, to 1e-5 m (single
/// precision). Undone, it falls on; after a reset it has its rest shape.
#[test]
fn a_rigid_brush_freezes_what_it_paints() {
    run_test(async {
        let server = serve(BAR).await;
        let mut page = Client::connect(server.address()).await;
        let before = page.done(json!({ "freeze": { "frame": 12 } })).await;
        let all = json!({ "body": 0, "points": [above(0.3)], "radius": 5, "rigid": true });
        let still = page.done(json!({ "paint": all })).await;
        assert_eq!(still.nodes(), before.nodes());
        let later = page.done(json!({ "step": { "count": 20 } })).await;
        let off = before
            .nodes()
            .into_iter()
            .zip(later.nodes())
            .map(|(a, b)| (0..3).map(|k| (a[k] - b[k]).abs()).fold(0.0, f32::max));
        assert!(off.fold(0.0, f32::max) < 1e-5, "the rigid bar must not move");
        page.done(json!("undo")).await;
        let falling = page.done(json!({ "step": { "count": 20 } })).await;
        assert!(height(&falling) < height(&later) - 0.01, "the soft bar must fall on");
        page.done(json!("redo")).await;
        let straight = page.done(json!({ "freeze": { "frame": 20 } })).await;
        assert!((height(&straight) - 0.125).abs() < 1e-5, "after a reset the bar must be straight");
        server.stop().await;
    });
}

/// Painting beside the body, and invalid parameters, return errors and change nothing.
#[test]
fn bad_paint_is_refused() {
    run_test(async {
        let server = serve(BAR).await;
        let mut page = Client::connect(server.address()).await;
        page.done(json!("pause")).await;
        for (paint, code, words) in [
            (json!({ "points": [above(-3.0)] }), "no-cells", "start on its surface"),
            (json!({ "yield_stress": 0 }), "bad-scene", "yield"),
            (json!({ "yield_stress": 1e4, "limit": 1e3 }), "bad-scene", "limit"),
            (json!({ "hardening": -1 }), "bad-scene", "hardening"),
            (json!({ "yield_stress": 1e4, "rate": 1 }), "out-of-range", "choose one"),
            (json!({ "factor": 0 }), "out-of-range", "factor"),
            (json!({ "radius": -1 }), "out-of-range", "radius"),
        ] {
            let mut command = json!({ "body": 0, "points": [above(0.5)], "radius": 0.1 });
            for (key, value) in paint.as_object().unwrap() {
                command[key] = value.clone();
            }
            let error = page.ask(json!({ "paint": command })).await.unwrap_err();
            assert_eq!(error["code"], code, "{paint}: {error}");
            assert!(error["message"].as_str().unwrap().contains(words), "{error}");
        }
        assert!(regions(&page).is_empty());
        assert_eq!(page.scene["undo"], Value::Null);
        server.stop().await;
    });
}

/// The height of the top of the bar near its middle, in m.
async fn seen(page: &mut Client) -> f64 {
    let hit = page.ask(json!({ "pick": { "point": above(1.1) } })).await.unwrap();
    hit["hit"]["position"][1].as_f64().unwrap()
}

/// Pins painted on a bar in one stroke hold it in place, and one undo removes all of them.
#[test]
fn pins_are_painted() {
    run_test(async {
        let server = serve(BAR).await;
        let mut page = Client::connect(server.address()).await;
        page.done(json!({ "freeze": { "frame": 8 } })).await;
        for x in [0.9, 1.05, 1.2, 1.35] {
            let pin = json!({ "point": above(x), "radius": 0.2, "stroke": 7 });
            page.ask(json!({ "pin": pin })).await.unwrap();
        }
        let pins = page.scene["bodies"][0]["pins"].as_u64().unwrap();
        assert!(pins >= 3, "{pins} pins");
        let mut top = Vec::new();
        for command in [json!({ "step": { "count": 1 } }), json!({ "step": { "count": 30 } })] {
            page.done(command).await;
            top.push(seen(&mut page).await);
        }
        // Tolerance 1 cm: cells between pinned nodes still bend.
        assert!((top[1] - top[0]).abs() < 1e-2, "the pinned part must stay: {top:?}");
        page.done(json!("undo")).await;
        assert_eq!(page.scene["bodies"][0]["pins"], 1);
        page.done(json!({ "step": { "count": 30 } })).await;
        let fallen = top[1] - seen(&mut page).await;
        assert!(fallen > 0.05, "without pins the bar must fall: {fallen} m");
        server.stop().await;
    });
}
