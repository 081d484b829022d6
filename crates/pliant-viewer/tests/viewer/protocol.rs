//! The messages of the server and their order.

use crate::common;

use std::time::Duration;

use common::{Client, SCENE, get_json, host, numbers, run_test, serve, words};
use serde_json::json;

/// Scene, models, pins and frames arrive in the order of the protocol and are consistent.
#[test]
fn a_page_is_told_all_it_needs() {
    run_test(async {
        let server = serve(SCENE).await;
        let client = Client::connect(server.address()).await;
        assert_eq!(client.scene["title"], "Two bodies");
        assert_eq!(client.models.len(), 2);
        assert!(client.page > 0 && client.run["playing"] == true);
        let bodies = client.scene["bodies"].as_array().unwrap();
        let nodes: u64 = bodies.iter().map(|body| body["nodes"].as_u64().unwrap()).sum();
        assert_eq!(client.frames[0].nodes().len() as u64, nodes);
        assert_eq!(client.scene["nodes"], nodes);
        assert_eq!(bodies[1]["first"], bodies[0]["nodes"]);
        let pins = client.held["pins"].as_array().unwrap();
        assert_eq!((pins.len(), &pins[0]["body"], &pins[0]["led"]), (1, &json!(0), &json!(false)));
        assert_eq!(client.frames[0].json["probes"].as_array().unwrap().len(), 1);
        server.stop().await;
    });
}

/// The surface of a model, interpolated from its nodes at rest, is the surface of the box: weights sum to 1 and areas
/// to that of the box, to single precision.
#[test]
fn points_follow_nodes_to_the_surface_of_the_body() {
    run_test(async {
        let server = serve(SCENE).await;
        let client = Client::connect(server.address()).await;
        let (json, payload) = &client.models[0];
        let buffer = |name: &str| &json["buffers"][name];
        let rest = numbers(payload, buffer("rest"));
        let (start, pairs) =
            (words(payload, buffer("influence_start")), numbers(payload, buffer("influences")));
        assert_eq!(pairs.len() % 2048, 0, "pairs must fill rows of 1,024");
        let points: Vec<[f32; 3]> = start
            .windows(2)
            .map(|ends| {
                let mut sum = [0.0; 4];
                for pair in pairs[2 * ends[0] as usize..2 * ends[1] as usize].chunks(2) {
                    assert!(pair[1] != 0.0, "zero weights must be left out");
                    for axis in 0..3 {
                        sum[axis] += pair[1] * rest[3 * pair[0] as usize + axis];
                    }
                    sum[3] += pair[1];
                }
                assert!((sum[3] - 1.0).abs() < 1e-6, "weights sum to {}", sum[3]);
                [sum[0], sum[1], sum[2]]
            })
            .collect();
        assert_eq!(json["points"], points.len());
        let vertex_point = words(payload, buffer("vertex_point"));
        let triangles = words(payload, buffer("triangles"));
        let area: f32 = triangles
            .chunks(3)
            .map(|corners| {
                let [a, b, c] =
                    [0, 1, 2].map(|k| points[vertex_point[corners[k] as usize] as usize]);
                let (u, v) = ([0, 1, 2].map(|k| b[k] - a[k]), [0, 1, 2].map(|k| c[k] - a[k]));
                let n = [
                    u[1] * v[2] - u[2] * v[1],
                    u[2] * v[0] - u[0] * v[2],
                    u[0] * v[1] - u[1] * v[0],
                ];
                0.5 * n.iter().map(|x| x * x).sum::<f32>().sqrt()
            })
            .sum();
        assert!((area - (4.0 * 0.25 + 2.0 * 0.0625)).abs() < 1e-5, "area {area}");
        // A box has a crease along every edge: a fan contains triangles of one side only.
        let (fan_start, fans) =
            (words(payload, buffer("fan_start")), words(payload, buffer("fans")));
        assert_eq!(fan_start.len(), vertex_point.len() + 1);
        assert!(fans.iter().all(|triangle| (*triangle as usize) < triangles.len() / 3));
        assert!(
            fan_start.windows(2).all(|ends| ends[0] < ends[1]),
            "every vertex must have a triangle"
        );
        assert!(vertex_point.len() > points.len(), "vertices on creases must be split");
        // A quadratic edge has three control points.
        let edges = &json["edges"][0];
        assert_eq!(edges["degree"], 2);
        let all = words(payload, buffer("edges"));
        assert_eq!(all.len() as u64, 3 * edges["count"].as_u64().unwrap());
        assert!(edges["outside"].as_u64() <= edges["count"].as_u64());
        server.stop().await;
    });
}

/// A client that acknowledges nothing gets at most two frames, and then the newest one as soon as it acknowledges.
#[test]
fn at_most_two_frames_are_on_their_way() {
    run_test(async {
        let server = serve(SCENE).await;
        let mut client = Client::connect(server.address()).await;
        client.acks = false;
        let quiet = async {
            loop {
                client.take().await;
            }
        };
        let _ = tokio::time::timeout(Duration::from_millis(700), quiet).await;
        // The first frame was acknowledged on connecting.
        assert!(client.frames.len() <= 3, "{} frames", client.frames.len());
        let stale = client.frames.last().unwrap().frame();
        let now = get_json(host(server.address()), "/state")["frame"].as_u64().unwrap();
        assert!(now > stale + 10, "the engine must go on: {now} after {stale}");
        client.acks = true;
        let serial = client.frames.last().unwrap().json["serial"].clone();
        client.send(json!({ "ack": { "serial": serial } })).await;
        let next = client.until(|_| true).await;
        assert!(
            next.frame() >= now,
            "the newest frame must be sent: {} is older than {now}",
            next.frame()
        );
        server.stop().await;
    });
}

/// Fields are sent only to clients that ask for them, with a finite number for every node.
#[test]
fn fields_come_to_those_who_ask() {
    run_test(async {
        let server = serve(SCENE).await;
        let mut one = Client::connect(server.address()).await;
        let mut two = Client::connect(server.address()).await;
        let hello_fields = [
            "stress",
            "strain",
            "volume",
            "speed",
            "displacement",
            "degree",
            "region",
            "stiffness",
        ];
        for field in hello_fields {
            let frame = one.watch(field).await;
            let values = frame.numbers("field");
            assert_eq!(values.len() as u64, one.scene["nodes"].as_u64().unwrap());
            assert!(values.iter().all(|value| value.is_finite()), "{field}");
            let (low, high) = (&frame.json["field"]["low"], &frame.json["field"]["high"]);
            assert!(low.as_f64() <= high.as_f64(), "{field}: {low} to {high}");
        }
        let frame = two.until(|_| true).await;
        assert!(frame.json["field"].is_null());
        one.ask(json!({ "watch": { "field": null } })).await.unwrap();
        one.until(|frame| frame.json["field"].is_null()).await;
        server.stop().await;
    });
}

/// Two pages show the same world, and the number of pages is reported.
#[test]
fn several_pages_watch_one_world() {
    run_test(async {
        let server = serve(SCENE).await;
        let mut one = Client::connect(server.address()).await;
        let mut two = Client::connect(server.address()).await;
        let frozen = one.done(json!({ "freeze": { "frame": 10 } })).await;
        let serial = frozen.json["serial"].as_u64().unwrap();
        let seen = two.frame_from(serial).await;
        assert_eq!((seen.frame(), seen.nodes()), (10, frozen.nodes()));
        while two.run["playing"] != false || two.run["pages"] != 2 {
            two.take().await;
        }
        drop(one);
        while two.run["pages"] != 1 {
            two.take().await;
        }
        server.stop().await;
    });
}
