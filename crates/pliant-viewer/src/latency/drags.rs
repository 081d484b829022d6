//! The latency from a drag to the frame that shows it.

use std::collections::BTreeMap;
use std::time::Duration;

use serde_json::{Value, json};
use tokio::time::Instant;

use super::client::{Arrival, Client};
use super::{LatencyError, SERVER_THREADS, quantile, with_server};
use crate::ServerConfig;

/// A body of 4,096 nodes that hangs from its top.
const SCENE: &str = r#"
version = 1
title = "4,096 nodes"
[method]
stepper = "xpbd"
substeps = 2
[[body]]
name = "block"
mesh = { box = { size = [1, 1, 1], cells = [15, 15, 15], split = "hex" } }
material = { young = 1e5, poisson = 0.3, density = 1000 }
[[body.pin]]
where = "y+"
"#;

/// The measured latency; times in ms.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct Latency {
    /// Number of answered drags.
    pub count: usize,
    /// Median latency.
    pub median: f64,
    /// 95th percentile of the latency.
    pub p95: f64,
    /// Frames per second.
    pub rate: f64,
    /// Mean time of a step of the engine.
    pub step: f64,
    /// CPU time of the server threads per frame; `None` if the system does not report it.
    pub server: Option<f64>,
    /// Time of the engine to publish a frame.
    pub publish: f64,
}

/// Drags a body of 4,096 nodes `drags` times, with a client that works like a page.
///
/// # Errors
///
/// The server does not start or does not answer.
pub fn measure(drags: u64) -> Result<Latency, LatencyError> {
    let config = ServerConfig { name: "latency".into(), text: SCENE.into(), ..Default::default() };
    with_server(config, async move |address| measure_drags(&address, drags).await)
}

async fn measure_drags(address: &str, drags: u64) -> Result<Latency, LatencyError> {
    let mut hand = Hand::new(Client::connect(address).await?);
    let ray = json!({ "ray": { "origin": [0.5, -3, 0.5], "direction": [0, 1, 0] } });
    hand.client.send(&json!({ "grab": { "grab": 1, "point": ray } })).await?;
    hand.listen(Duration::from_secs(1)).await?;
    let (begin, frames, server_cpu_time) = (Instant::now(), hand.frames, server_cpu_time());
    for seq in 1..=drags {
        let turn = 0.1 * seq as f64;
        let target = [0.5 + 0.2 * turn.sin(), -0.1, 0.5 + 0.2 * turn.cos()];
        hand.sent.insert(seq, Instant::now());
        hand.client.send(&json!({ "drag": { "grab": 1, "seq": seq, "target": target } })).await?;
        // Not a multiple of a step, so that drags arrive at all phases of a step.
        hand.listen(Duration::from_micros(41_300)).await?;
    }
    let frames = (hand.frames - frames).max(1) as f64;
    let rate = frames / begin.elapsed().as_secs_f64();
    let spent = server_cpu_time_since(server_cpu_time);
    hand.latencies.sort_by(f64::total_cmp);
    let ms = |key: &str| hand.last["ms"][key].as_f64().unwrap_or(f64::NAN);
    Ok(Latency {
        count: hand.latencies.len(),
        median: quantile(&hand.latencies, 0.5),
        p95: quantile(&hand.latencies, 0.95),
        rate,
        step: ms("step"),
        server: spent.map(|spent| 1e3 * spent / frames),
        publish: ms("publish"),
    })
}

/// A client that holds the body.
struct Hand {
    client: Client,
    /// Send times of drags that are not answered yet.
    sent: BTreeMap<u64, Instant>,
    /// Latencies of answered drags, in ms.
    latencies: Vec<f64>,
    frames: u64,
    /// The last frame.
    last: Value,
}

impl Hand {
    fn new(client: Client) -> Self {
        let (sent, latencies) = Default::default();
        Self { client, sent, latencies, frames: 0, last: Value::Null }
    }

    /// Handles messages for this time.
    async fn listen(&mut self, time: Duration) -> Result<(), LatencyError> {
        let end = Instant::now() + time;
        while let Some((arrived, arrival)) = self.client.next(end).await? {
            if let Arrival::Frame(frame) = arrival {
                self.frame(arrived, frame);
            }
        }
        Ok(())
    }

    fn frame(&mut self, arrived: Instant, frame: Value) {
        self.frames += 1;
        let echo = frame["grabs"][0]["seq"].as_u64().unwrap_or(0);
        while let Some(first) = self.sent.first_entry().filter(|first| *first.key() <= echo) {
            self.latencies.push(1e3 * (arrived - first.remove()).as_secs_f64());
        }
        self.last = frame;
    }
}

/// Total CPU time of the server threads, in s; `None` if the system does not report it.
fn server_cpu_time() -> Option<f64> {
    let mut sum = 0.0;
    for task in std::fs::read_dir("/proc/self/task").ok()?.flatten() {
        let name = std::fs::read_to_string(task.path().join("comm")).unwrap_or_default();
        if name.trim() == SERVER_THREADS {
            let text = std::fs::read_to_string(task.path().join("schedstat")).ok()?;
            sum += 1e-9 * text.split(' ').next()?.parse::<f64>().ok()?;
        }
    }
    Some(sum)
}

fn server_cpu_time_since(before: Option<f64>) -> Option<f64> {
    Some(server_cpu_time()? - before?)
}
