//! Saving: scenes contain committed shapes, sessions contain everything, and a crash loses at most the last second.

use crate::common;

use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use common::{Client, Frame, PLASTIC, config, flowed, get, host, post, run_test, serve};
use pliant_viewer::{Server, ServerConfig};
use serde_json::{Value, json};

/// A vertical ray onto the middle of the bar.
fn middle() -> Value {
    json!({ "ray": { "origin": [0.5, 5, 0.125], "direction": [0, -1, 0] } })
}

/// Lifts the end of the bar and releases it.
async fn bent(page: &mut Client) -> Frame {
    common::bent(page, 60, 90).await
}

/// The largest difference of a coordinate between two frames with the same origin, in m, in single precision.
fn apart(a: &Frame, b: &Frame) -> f32 {
    let origin = |frame: &Frame| frame.json["origin"].clone();
    assert_eq!(origin(a), origin(b));
    let pairs = a.nodes().into_iter().zip(b.nodes());
    pairs.map(|(a, b)| (0..3).map(|k| (a[k] - b[k]).abs()).fold(0.0, f32::max)).fold(0.0, f32::max)
}

/// The saved scene contains a committed shape: opened again it starts in it, at rest and without stress, and can be
/// painted, committed and saved again. Tolerances: single precision of frames (1e-6), and rounding (1e-9 J).
#[test]
fn a_saved_scene_rests_in_the_committed_shape() {
    run_test(async {
        let server = serve(PLASTIC).await;
        let mut page = Client::connect(server.address()).await;
        bent(&mut page).await;
        let committed = page.done(json!({ "commit": {} })).await;
        let text = String::from_utf8(get(host(server.address()), "/save/scene.toml").2).unwrap();
        assert!(text.contains("rest = ["), "{text}");
        server.stop().await;
        let server = serve(&text).await;
        let mut page = Client::connect(server.address()).await;
        let begun = page.done(json!({ "freeze": { "frame": 0 } })).await;
        let rise = |frame: &Frame| {
            let heights = frame.nodes().into_iter().map(|x| x[1]);
            heights.clone().fold(f32::MIN, f32::max) - heights.fold(f32::MAX, f32::min)
        };
        assert!((rise(&begun) - rise(&committed)).abs() < 1e-6 && rise(&begun) > 0.3);
        assert!(begun.json["energy"]["elastic"].as_f64().unwrap() < 1e-9);
        let later = page.done(json!({ "step": { "count": 30 } })).await;
        assert!(apart(&begun, &later) < 1e-6, "the shape must be at rest");
        let paint = json!({ "body": 0, "points": [middle()], "radius": 0.2, "factor": 4 });
        let painted = page.done(json!({ "paint": paint })).await;
        assert!(apart(&begun, &painted) < 1e-6, "painting must not move the body");
        page.done(json!({ "commit": {} })).await;
        let again = String::from_utf8(get(host(server.address()), "/save/scene.toml").2).unwrap();
        assert_eq!(again.matches("rest = [").count(), 1, "{again}");
        // Another degree has other nodes, so that the committed shape is dropped.
        page.done(json!({ "set-body": { "body": 0, "degree": 1 } })).await;
        let text = String::from_utf8(get(host(server.address()), "/save/scene.toml").2).unwrap();
        assert!(!text.contains("rest = ["), "{text}");
        server.stop().await;
    });
}

async fn reopened(session: Vec<u8>) -> Server {
    Server::start(ServerConfig { session: Some(session), ..Default::default() }).await.unwrap()
}

/// A saved session continues with its time, its plastic strain and an uploaded body; damaged sessions are refused.
#[test]
fn a_session_goes_on_where_it_was() {
    run_test(async {
        let server = serve(PLASTIC).await;
        let mut page = Client::connect(server.address()).await;
        bent(&mut page).await;
        let paint = json!({ "body": 0, "points": [middle()], "radius": 0.2, "plastic": "elastic" });
        page.done(json!({ "paint": paint })).await;
        let (glb, _) = common::textured_glb();
        let to = host(server.address()).to_owned();
        let path = "/upload?name=die.glb&size=0.5&cells=3";
        let sent = tokio::task::spawn_blocking(move || post(&to, path, &glb)).await.unwrap();
        assert_eq!(sent.0, 200);
        let before = page.done(json!({ "step": { "count": 5 } })).await;
        let strain = flowed(&mut page).await;
        let session = get(host(server.address()), "/save/session").2;
        server.stop().await;

        let server = reopened(session.clone()).await;
        let mut page = Client::connect(server.address()).await;
        let after = page.done(json!("pause")).await;
        assert_eq!(page.run["playing"], false, "a session must open paused");
        assert_eq!(page.scene["bodies"].as_array().unwrap().len(), 2);
        assert_eq!(after.json["time"], before.json["time"]);
        // The origin may differ: it depends on the state at the start.
        let place = |frame: &Frame, page: &Client| -> Vec<f64> {
            let origin = page.scene["origin"].as_array().unwrap();
            let nodes = frame.nodes().into_iter();
            nodes.map(|x| f64::from(x[1]) + origin[1].as_f64().unwrap()).collect()
        };
        let heights = place(&after, &page);
        assert_eq!(heights.len(), before.nodes().len());
        assert!(
            (flowed(&mut page).await / strain - 1.0).abs() < 1e-6,
            "plastic strain must be kept"
        );
        page.done(json!({ "step": { "count": 5 } })).await;
        let reset = page.done(json!("reset")).await;
        assert_eq!(reset.json["time"], 0.0);
        server.stop().await;

        // A truncated session, another file and an empty one are refused.
        for bytes in [&session[..session.len() / 2], &b"version = 1"[..], &[]] {
            let config = ServerConfig { session: Some(bytes.to_vec()), ..Default::default() };
            let error = Server::start(config).await.unwrap_err().to_string();
            assert!(error.contains("session cannot be read"), "{error}");
        }
    });
}

/// Waits until the session file exists and contains `says`; returns its bytes.
async fn kept(path: &Path, says: &str) -> Vec<u8> {
    for _ in 0..600 {
        tokio::time::sleep(Duration::from_millis(100)).await;
        let bytes = std::fs::read(path).unwrap_or_default();
        if String::from_utf8_lossy(&bytes).contains(says) {
            return bytes;
        }
    }
    panic!("nothing was kept in {}", path.display());
}

/// A page that is loaded again finds everything as it was, because the server holds the session.
#[test]
fn a_page_that_is_loaded_again_finds_everything() {
    run_test(async {
        let server = serve(PLASTIC).await;
        let mut page = Client::connect(server.address()).await;
        let before = bent(&mut page).await;
        let paint = json!({ "body": 0, "points": [middle()], "radius": 0.2, "rigid": true });
        page.done(json!({ "paint": paint })).await;
        drop(page);
        let mut page = Client::connect(server.address()).await;
        let after = page.done(json!("pause")).await;
        assert_eq!(after.nodes(), before.nodes());
        assert_eq!(page.scene["bodies"][0]["regions"][0]["rigid"], true);
        assert_eq!(page.scene["undo"], "paint on bar");
        server.stop().await;
    });
}

/// A session is saved automatically, but only after an edit.
#[test]
fn sessions_are_kept_once_something_is_edited() {
    run_test(async {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("deep/bar.session");
        let autosave = Some(path.clone());
        let server = Server::start(ServerConfig { autosave, ..config(PLASTIC) }).await.unwrap();
        let mut page = Client::connect(server.address()).await;
        page.done(json!({ "step": { "count": 3 } })).await;
        tokio::time::sleep(Duration::from_millis(1500)).await;
        assert!(!path.exists(), "no session may be saved before an edit");
        page.done(json!({ "set-body": { "body": 0, "young": 123456 } })).await;
        kept(&path, "123456").await;
        page.done(json!({ "set-body": { "body": 0, "young": 234567 } })).await;
        // A regular stop writes the last changes.
        server.stop().await;
        let bytes = std::fs::read(&path).unwrap();
        assert!(String::from_utf8_lossy(&bytes).contains("234567"));
        let names: Vec<_> = std::fs::read_dir(path.parent().unwrap()).unwrap().collect();
        assert_eq!(names.len(), 1, "no temporary files may be left");
    });
}

/// An edit is saved even if it comes before the first look for changes.
#[test]
fn an_edit_right_after_the_start_is_kept() {
    run_test(async {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("bar.session");
        let autosave = Some(path.clone());
        let server = Server::start(ServerConfig { autosave, ..config(PLASTIC) }).await.unwrap();
        let mut page = Client::connect(server.address()).await;
        page.done(json!("pause")).await;
        page.done(json!({ "set-body": { "body": 0, "young": 456789 } })).await;
        kept(&path, "456789").await;
        server.stop().await;
    });
}

/// The server of [`a_killed_server_loses_a_second_at_most`], which starts this program again to run it, and kills it.
#[test]
#[ignore = "runs until it is killed"]
fn serve_until_killed() {
    let Some(path) = std::env::var_os("PLIANT_TEST_AUTOSAVE") else { return };
    run_test(async {
        let config = ServerConfig { autosave: Some(path.into()), ..config(PLASTIC) };
        let server = Server::start(config).await.unwrap();
        println!("\naddress {}", server.address());
        tokio::time::sleep(Duration::from_secs(120)).await;
        server.stop().await;
    });
}

/// A killed server leaves a session that continues with its state, to single precision.
#[test]
fn a_killed_server_loses_a_second_at_most() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("bar.session");
    let mut child = Command::new(std::env::current_exe().unwrap())
        .args(["--ignored", "--exact", "sessions::serve_until_killed", "--nocapture"])
        .env("PLIANT_TEST_AUTOSAVE", &path)
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let mut words = lines.map_while(Result::ok);
    let address = words.find_map(|line| line.strip_prefix("address ").map(str::to_owned)).unwrap();
    run_test(async {
        let mut page = Client::connect(&address).await;
        let before = bent(&mut page).await;
        page.done(json!({ "set-body": { "body": 0, "young": 345678 } })).await;
        let strain = flowed(&mut page).await;
        let bytes = kept(&path, "345678").await;
        // On Unix this is SIGKILL: nothing is written after it.
        child.kill().unwrap();
        child.wait().unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), bytes);
        let server = reopened(bytes).await;
        let mut page = Client::connect(server.address()).await;
        let after = page.done(json!("pause")).await;
        assert_eq!(page.scene["bodies"][0]["young"], 345678.0);
        assert!(apart(&before, &after) < 1e-6);
        assert!((flowed(&mut page).await / strain - 1.0).abs() < 1e-6);
        server.stop().await;
    });
}
