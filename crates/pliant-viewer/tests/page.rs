//! The page in a real browser. Where none is installed, these tests say so and pass.
#![allow(clippy::unwrap_used, reason = "tests may panic")]

mod common;

use common::{SCENE, runtime, serve};
use pliant_viewer::Server;
use pliant_viewer::browser::{BrowserError, Page, find};
use serde_json::{Value, json};

/// One at a time: a browser without a graphics card needs all of the machine.
static TURN: std::sync::Mutex<()> = std::sync::Mutex::new(());

/// A test in a page of its own, on a scene of its own.
fn in_a_page(test: impl AsyncFnOnce(&mut Page, &Server)) {
    if let Err(error @ BrowserError::NotFound) = find() {
        println!("skipped: {error}");
        return;
    }
    let _turn = TURN.lock();
    runtime().block_on(async {
        let server = serve(SCENE).await;
        let mut page = Page::open(server.address(), [640, 480]).await.unwrap();
        page.wait_for("document.readyState === 'complete' && !!window.pliant").await.unwrap();
        page.evaluate("window.pliant.ready.then(() => true)").await.unwrap();
        test(&mut page, &server).await;
        assert_eq!(page.errors(), &[] as &[String], "the console is clean");
        let own = |address: &&String| {
            !address.starts_with(server.address())
                && !address.starts_with("blob:")
                && !address.starts_with("data:")
        };
        let others: Vec<&String> = page
            .requests()
            .iter()
            .filter(own)
            .filter(|address| *address != "about:blank")
            .collect();
        assert!(others.is_empty(), "nothing is asked for elsewhere: {others:?}");
        page.close().await;
        server.stop().await;
    });
}

async fn state(page: &mut Page) -> Value {
    page.evaluate("window.pliant.state(true)").await.unwrap()
}

fn height(state: &Value, body: usize, node: usize) -> f64 {
    state["bodies"][body]["x"][node][1].as_f64().unwrap()
}

#[test]
fn it_loads_and_shows_the_world() {
    in_a_page(async |page, _| {
        let state = state(page).await;
        assert_eq!((&state["title"], &state["connection"]), (&json!("Two bodies"), &json!("open")));
        let first = page.picture().await.unwrap();
        assert!(first.starts_with(b"\x89PNG") && first.len() > 5000, "{} bytes", first.len());
    });
}

/// The same frame is the same picture: not a pixel of it is noise.
#[test]
fn a_frozen_frame_is_the_same_picture_again() {
    in_a_page(async |page, _| {
        page.evaluate("window.pliant.freeze(30)").await.unwrap();
        let first = page.evaluate("window.pliant.picture()").await.unwrap();
        page.evaluate("window.pliant.ask('play')").await.unwrap();
        page.evaluate("window.pliant.freeze(30)").await.unwrap();
        let second = page.evaluate("window.pliant.picture()").await.unwrap();
        assert_eq!(first, second);
    });
}

/// A hand on the mouse takes the end of the bar and lifts it.
#[test]
fn a_body_follows_the_mouse() {
    in_a_page(async |page, _| {
        page.evaluate("window.pliant.freeze(60)").await.unwrap();
        let before = state(page).await;
        let nodes = before["bodies"][0]["x"].as_array().unwrap();
        let x = |node: &Value| node[0].as_f64().unwrap();
        let tip = (0..nodes.len()).max_by(|a, b| x(&nodes[*a]).total_cmp(&x(&nodes[*b]))).unwrap();
        // The middle of the end, so that the pixel is one of the bar from wherever it is seen.
        let place = |node: &Value| -> [f64; 3] { serde_json::from_value(node.clone()).unwrap() };
        let end = place(&nodes[tip]);
        let near = nodes
            .iter()
            .map(place)
            .filter(|x| (0..3).map(|axis| (x[axis] - end[axis]).powi(2)).sum::<f64>() < 0.3 * 0.3);
        let near: Vec<[f64; 3]> = near.collect();
        let mean =
            [0, 1, 2].map(|axis| near.iter().map(|x| x[axis]).sum::<f64>() / near.len() as f64);
        let at = page.evaluate(&format!("window.pliant.pixelOf({mean:?})")).await.unwrap();
        let (x, y) = (at["x"].as_f64().unwrap(), at["y"].as_f64().unwrap());
        page.evaluate("window.pliant.ask('play')").await.unwrap();
        page.mouse("mouseMoved", x, y).await.unwrap();
        page.mouse("mousePressed", x, y).await.unwrap();
        for step in 1..=10 {
            page.mouse("mouseMoved", x, y - 8.0 * f64::from(step)).await.unwrap();
        }
        page.wait_for("window.pliant.state().grabs.length > 0").await.unwrap();
        tokio::time::sleep(std::time::Duration::from_secs(2)).await;
        let pulled = state(page).await;
        assert!(
            height(&pulled, 0, tip) > height(&before, 0, tip) + 0.02,
            "the end of the bar rose"
        );
        page.mouse("mouseReleased", x, y - 80.0).await.unwrap();
        page.wait_for("window.pliant.state().grabs.length === 0").await.unwrap();
    });
}

/// Two pages see one world.
#[test]
fn two_pages_at_once() {
    in_a_page(async |page, server| {
        let mut other = common::Client::connect(server.address()).await;
        other.done(json!({ "set-body": { "body": 0, "young": 5e5 } })).await;
        page.wait_for("window.pliant.state().bodies[0].young === 5e5").await.unwrap();
        page.evaluate("window.pliant.freeze(10)").await.unwrap();
        other.until(|frame| frame.frame() == 10).await;
    });
}
