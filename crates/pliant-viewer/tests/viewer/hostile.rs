//! Invalid messages and dropped connections: the engine goes on, and memory does not grow.

use crate::common;

use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::time::Duration;

use common::{Client, SCENE, get_json, host, run_test, serve};
use futures_util::{SinkExt as _, StreamExt as _};
use pliant_kernels::math::SplitMix;
use serde_json::json;
use tokio_tungstenite::connect_async;
use tokio_tungstenite::tungstenite::Message;

/// Valid commands, to be damaged.
fn samples() -> Vec<String> {
    let commands = [
        json!("play"),
        json!("reset"),
        json!({ "step": { "count": 1 } }),
        json!({ "speed": { "factor": 0.5 } }),
        json!({ "grab": { "grab": 1, "point": { "ray": { "origin": [0.97, 5, 0.125], "direction": [0, -1, 0] } } } }),
        json!({ "drag": { "grab": 1, "seq": 3, "target": [1, 1, 1] } }),
        json!({ "grab": { "grab": 2, "point": { "at": { "body": 0, "triangle": 3, "weights": [0.2, 0.3, 0.5] } } } }),
        json!({ "set-body": { "body": 0, "young": 2e5, "poisson": 0.3, "stepper": "xpbd" } }),
        json!({ "set-world": { "gravity": [0, -9.81, 0], "dt": 0.016 } }),
        json!({ "pin": { "point": { "ray": { "origin": [0.5, 5, 0.1], "direction": [0, -1, 0] } }, "radius": 0.1 } }),
        json!({ "watch": { "field": "stress" } }),
        json!({ "ack": { "serial": 1 } }),
        json!("undo"),
    ];
    commands.iter().map(|command| json!({ "id": 1, "command": command }).to_string()).collect()
}

/// A message of random bytes, or a command with some characters changed, removed or inserted.
fn damaged(samples: &[String], random: &mut SplitMix) -> Message {
    let below = |random: &mut SplitMix, n: usize| (random.bits() % n as u64) as usize;
    if below(random, 4) == 0 {
        let length = below(random, 300);
        let bytes: Vec<u8> = (0..length).map(|_| random.bits() as u8).collect();
        return match below(random, 2) {
            0 => Message::binary(bytes),
            _ => Message::text(String::from_utf8_lossy(&bytes).into_owned()),
        };
    }
    let mut text = samples[below(random, samples.len())].clone().into_bytes();
    for _ in 0..1 + below(random, 4) {
        let at = below(random, text.len().max(1));
        if text.is_empty() {
            break;
        }
        match below(random, 4) {
            0 => text[at] = b' ' + below(random, 95) as u8,
            1 => drop(text.remove(at)),
            2 => text.insert(at, b"0123456789-+.eE\"[]{},:"[below(random, 22)]),
            _ => text.truncate(at.max(1)),
        }
    }
    Message::text(String::from_utf8_lossy(&text).into_owned())
}

/// The memory of this process, in bytes; `None` if the system does not report it.
fn memory() -> Option<usize> {
    let text = std::fs::read_to_string("/proc/self/statm").ok()?;
    Some(4096 * text.split(' ').nth(1)?.parse::<usize>().ok()?)
}

/// Set in a process that runs one test alone.
const ALONE: &str = "PLIANT_TEST_ALONE";

/// True in a process that runs this test alone. Elsewhere it starts that process, and checks that the test passes there:
/// tests that measure memory must not share it with others.
fn is_alone(test: &str) -> bool {
    if std::env::var_os(ALONE).is_some() {
        return true;
    }
    let mut alone = std::process::Command::new(std::env::current_exe().unwrap());
    let output = alone.args([test, "--exact", "--nocapture"]).env(ALONE, "1").output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && text.contains("1 passed"), "{text}{errors}");
    false
}

/// The largest growth of memory between the first tenth and the end, in bytes: room for arenas of the allocator, but
/// not for data of each message or connection. One megabyte for each of a hundred closed pages would be twice as
/// much.
const MAX_GROWTH: usize = 48 << 20;

/// After ten thousand damaged messages the scene still runs from its start, and memory has not grown.
#[test]
fn ten_thousand_damaged_messages_disturb_nothing() {
    if !is_alone("hostile::ten_thousand_damaged_messages_disturb_nothing") {
        return;
    }
    run_test(async {
        let server = serve(SCENE).await;
        let address = server.address().to_owned();
        let (samples, mut random) = (samples(), SplitMix::new(2025));
        let (mut sent, mut first) = (0, None);
        while sent < 10_000 {
            let (mut socket, _) =
                connect_async(format!("ws://{}/socket", host(&address))).await.unwrap();
            // The server closes a connection after a hundred faults.
            for _ in 0..100 {
                if socket.send(damaged(&samples, &mut random)).await.is_err() {
                    break;
                }
                sent += 1;
                while let Ok(Some(Ok(_))) =
                    tokio::time::timeout(Duration::ZERO, socket.next()).await
                {}
            }
            let _ = socket.close(None).await;
            if sent >= 1000 {
                first = first.or(memory());
            }
        }
        let mut page = Client::connect(&address).await;
        // Whatever was set, the scene is valid and steps from its start.
        let frame = page.done(json!({ "freeze": { "frame": 20 } })).await;
        assert_eq!(frame.frame(), 20);
        assert!(frame.nodes().iter().flatten().all(|x| x.is_finite()));
        if let (Some(before), Some(after)) = (first, memory()) {
            assert!(after < before + MAX_GROWTH, "memory grew from {before} to {after} bytes");
        }
        server.stop().await;
    });
}

/// After a thousand dropped connections the engine goes on, the pages are gone, and memory has not grown.
#[test]
fn a_thousand_connections_dropped_in_the_middle_leave_nothing() {
    if !is_alone("hostile::a_thousand_connections_dropped_in_the_middle_leave_nothing") {
        return;
    }
    run_test(async {
        let server = serve(SCENE).await;
        let to = host(server.address()).to_owned();
        let dropping = tokio::task::spawn_blocking(move || {
            let mut first = None;
            for number in 0..1000 {
                drop_in_the_middle(&to, number);
                if number == 100 {
                    first = memory();
                }
            }
            first
        });
        let first = dropping.await.unwrap();
        let to = host(server.address()).to_owned();
        let mut page = Client::connect(server.address()).await;
        while page.run["pages"] != 1 {
            page.take().await;
        }
        let before = get_json_beside(&to).await;
        tokio::time::sleep(Duration::from_millis(300)).await;
        assert!(get_json_beside(&to).await > before, "the engine must go on");
        if let (Some(before), Some(after)) = (first, memory()) {
            assert!(after < before + MAX_GROWTH, "memory grew from {before} to {after} bytes");
        }
        server.stop().await;
    });
}

async fn get_json_beside(host: &str) -> u64 {
    let host = host.to_owned();
    let state = tokio::task::spawn_blocking(move || get_json(&host, "/state"));
    state.await.unwrap()["frame"].as_u64().unwrap()
}

/// Opens a socket, sometimes reads from it, and drops it in the middle of a message or of the handshake.
fn drop_in_the_middle(host: &str, number: usize) {
    let handshake = format!(
        "GET /socket HTTP/1.1\r\nHost: {host}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
    );
    if number.is_multiple_of(7) {
        let mut stream = TcpStream::connect(host).unwrap();
        let _ = stream.write_all(&handshake.as_bytes()[..handshake.len() / 2]);
        return;
    }
    let mut stream = upgraded(host, &handshake);
    let mut some = [0; 512];
    // A part of a text message of 200 bytes; every third time only its header.
    let _ = stream.write_all(&[0x81, 0x80 | 126, 0, 200, 1, 2, 3, 4]);
    if !number.is_multiple_of(3) {
        let _ = stream.write_all(&[7; 50]);
    }
    if number.is_multiple_of(2) {
        let _ = stream.read(&mut some);
    }
}

/// Opens a socket. On a busy machine connections are dropped faster than the server removes them: it then answers
/// that there are too many, and accepts again a moment later.
fn upgraded(host: &str, handshake: &str) -> TcpStream {
    for _ in 0..1000 {
        let mut stream = TcpStream::connect(host).unwrap();
        let _ = stream.set_read_timeout(Some(Duration::from_secs(5)));
        stream.write_all(handshake.as_bytes()).unwrap();
        let mut some = [0; 512];
        let count = stream.read(&mut some).unwrap();
        let answer = String::from_utf8_lossy(&some[..count]);
        if answer.starts_with("HTTP/1.1 101") {
            return stream;
        }
        assert!(answer.starts_with("HTTP/1.1 503"), "{answer}");
        std::thread::sleep(Duration::from_millis(20));
    }
    panic!("no room for a page for 20 s");
}
