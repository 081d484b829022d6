//! Grabbing and dragging bodies.

use crate::common;

use common::{Client, SCENE, run_test, serve};
use pliant_io::scene::catalogue;
use serde_json::{Value, json};

/// The position of the point that is held, in m.
fn held(frame: &common::Frame) -> [f64; 3] {
    serde_json::from_value(frame.json["grabs"][0]["point"].clone()).unwrap()
}

/// A dragged point follows its target at 1.5 sizes of the body per second at most, even if the mouse jumps across the
/// picture. The size of the cube is the diagonal of its box, 0.3 √3 = 0.52 m, so that the point moves 0.13 m in ten
/// steps of 1/60 s; a tenth more is allowed for swinging on its spring. After three seconds it is at the target,
/// except for its sag: 27 kg on a spring of at least 1.7 kN/m (a tenth of the stiffness for 25 rad/s), at most
/// 0.16 m.
#[test]
fn a_hand_that_jumps_moves_at_a_limited_speed() {
    run_test(async {
        let server = serve(SCENE).await;
        let mut page = Client::connect(server.address()).await;
        page.done(json!({ "freeze": { "frame": 0 } })).await;
        let ray = json!({ "ray": { "origin": [3.15, 5, 0.15], "direction": [0, -1, 0] } });
        let grabbed = page.done(json!({ "grab": { "grab": 1, "point": ray } })).await;
        let start = held(&grabbed);
        let target = [start[0], start[1] + 1.0, start[2]];
        page.done(json!({ "drag": { "grab": 1, "seq": 1, "target": target } })).await;
        let fastest = 1.5 * 0.3 * 3f64.sqrt();
        for tenths in [1, 2, 3] {
            let frame = page.done(json!({ "step": { "count": 10 } })).await;
            let (rise, reach) = (held(&frame)[1] - start[1], fastest * f64::from(tenths) / 6.0);
            assert!(rise < 1.1 * reach, "{rise} m of {reach} m after {tenths} tenths");
        }
        let frame = page.done(json!({ "step": { "count": 150 } })).await;
        assert!((held(&frame)[1] - target[1]).abs() < 0.16, "{:?} of {target:?}", held(&frame));
        server.stop().await;
    });
}

/// Pulling the default bar at its end as far as possible, to one and a half times its length, does no damage: after
/// the release it swings back, and no body is reset. (When a single point was held, its corner inverted, and all
/// bodies flew apart after the release.) The bar is 2 m long and hangs at x = −2.4 m: after a second its tip is
/// within 3 m of there.
#[test]
fn what_is_pulled_far_and_let_go_comes_back() {
    run_test(async {
        let server = serve(catalogue::find("default").unwrap().text).await;
        let mut page = Client::connect(server.address()).await;
        let frame = page.done(json!({ "freeze": { "frame": 127 } })).await;
        let tip: [f64; 3] = serde_json::from_value(frame.json["probes"][0].clone()).unwrap();
        let ray =
            json!({ "origin": [tip[0], tip[1] + 0.05, tip[2] + 5.0], "direction": [0, 0, -1] });
        let grab = json!({ "grab": { "grab": 1, "point": { "ray": ray }, "strength": 1 } });
        let grabbed = page.done(grab).await;
        assert_eq!(grabbed.json["grabs"][0]["body"], 0);
        for [right, up] in [[-0.6, -0.6], [0.0, -0.9], [0.6, -0.9]] {
            let target = [tip[0] + right, tip[1] + up, tip[2]];
            page.done(json!({ "drag": { "grab": 1, "seq": 1, "target": target } })).await;
            page.done(json!({ "step": { "count": 40 } })).await;
        }
        page.done(json!({ "release": { "grab": 1 } })).await;
        page.done(json!({ "step": { "count": 60 } })).await;
        let events = page.frames.iter().flat_map(|frame| frame.json["events"].as_array().unwrap());
        let resets: Vec<&Value> = events.filter(|event| event["kind"] == "reset").collect();
        assert!(resets.is_empty(), "{resets:?}");
        let tip: [f64; 3] =
            serde_json::from_value(page.frames.last().unwrap().json["probes"][0].clone()).unwrap();
        assert!((tip[0] + 2.4).hypot(tip[1]) < 3.0, "{tip:?}");
        server.stop().await;
    });
}

/// A box on another box of the same material.
const STACK: &str = r#"
version = 1
[[body]]
name = "lower"
mesh = { box = { size = [0.4, 0.3, 0.4], cells = [2, 2, 2] } }
material = { young = 1e6, poisson = 0.3, density = 1000 }
transform = { translate = [-0.05, 0, -0.05] }
[[body.pin]]
where = "y-"
[[body]]
name = "upper"
mesh = { box = { size = [0.3, 0.3, 0.3], cells = [2, 2, 2] } }
material = { young = 1e6, poisson = 0.3, density = 1000 }
transform = { translate = [0, 0.31, 0] }
"#;

/// Frames contain contacts for pages that ask for them: points at the height of the lower box with vertical unit
/// normals. Tolerance 1 cm: the box of 0.3 m and 1 MPa is compressed by less than a millimetre (ρ g h²/E), and the
/// contact distance is less than a centimetre.
#[test]
fn frames_tell_where_bodies_touch() {
    run_test(async {
        let server = serve(STACK).await;
        let mut page = Client::connect(server.address()).await;
        // At this frame the box rests but does not sleep yet: sleeping bodies have no contacts.
        let frame = page.done(json!({ "freeze": { "frame": 20 } })).await;
        assert_eq!(
            frame.json["contacts"],
            Value::Null,
            "contacts must not be sent without being asked for"
        );
        let frame = watched(&mut page, true).await;
        let numbers = frame.numbers("contacts");
        let contacts: Vec<&[f32]> = numbers.chunks(6).collect();
        assert!(contacts.len() >= 4 && numbers.len() % 6 == 0, "{contacts:?}");
        let origin = page.scene["origin"][1].as_f64().unwrap() as f32;
        for contact in contacts {
            let (height, normal) = (contact[1] + origin, &contact[3..]);
            assert!((height - 0.3).abs() < 0.01, "at {height} m");
            let length = normal.iter().map(|n| n * n).sum::<f32>().sqrt();
            assert!((length - 1.0).abs() < 1e-5 && normal[1].abs() > 0.99, "{normal:?}");
        }
        watched(&mut page, false).await;
        server.stop().await;
    });
}

/// Switches contacts on or off; returns the first frame with the new setting.
async fn watched(page: &mut Client, contacts: bool) -> common::Frame {
    let before = page.frames.len();
    page.ask(json!({ "watch": { "contacts": contacts } })).await.unwrap();
    loop {
        let so = |frame: &&common::Frame| frame.json["contacts"].is_null() != contacts;
        if let Some(frame) = page.frames[before..].iter().find(so) {
            return frame.clone();
        }
        page.take().await;
    }
}
