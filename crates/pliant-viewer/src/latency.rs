//! Measures the latency from a drag to the frame that shows it.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use futures_util::stream::{SplitSink, SplitStream};
use futures_util::{SinkExt as _, StreamExt as _};
use serde_json::{Value, json};
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async_with_config};

use crate::protocol::decode;
use crate::{Server, ServerConfig, ServerError};

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

/// An error of the measurement.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LatencyError {
    /// The server does not start.
    #[error(transparent)]
    Server(#[from] ServerError),
    /// The connection fails.
    #[error("the connection failed: {0}")]
    Connection(String),
}

type Socket = WebSocketStream<MaybeTlsStream<TcpStream>>;

/// Drags a body of 4,096 nodes `drags` times, with a client that works like a page.
///
/// # Errors
///
/// The server does not start or does not answer.
pub fn measure(drags: u64) -> Result<Latency, LatencyError> {
    let failed = |error: std::io::Error| LatencyError::Server(ServerError::System(error));
    // Threads of the pool inherit the name of the thread that starts them; start them here, so that they do not count
    // as server threads.
    rayon::current_num_threads();
    let runtime = |name: &str| {
        let mut builder = tokio::runtime::Builder::new_multi_thread();
        builder.worker_threads(2).thread_name(name).enable_all().build().map_err(failed)
    };
    let (ours, theirs) = (runtime(THREADS)?, runtime("pliant page")?);
    let config = ServerConfig { name: "latency".into(), text: SCENE.into(), ..Default::default() };
    let server = ours.block_on(ours.spawn(Server::start(config)));
    let server = server.map_err(|error| LatencyError::Connection(error.to_string()))??;
    let address = server.address().replace("http://", "ws://") + "socket";
    let measured = theirs.block_on(measure_drags(&address, drags));
    ours.block_on(server.stop());
    measured
}

/// Name of the threads of the server.
const THREADS: &str = "pliant server";

async fn measure_drags(address: &str, drags: u64) -> Result<Latency, LatencyError> {
    // Without Nagle's delay, as in browsers: otherwise a drag would wait for the acknowledgement of the previous
    // packet.
    let connected = connect_async_with_config(address, None, true).await;
    let (socket, _) = connected.map_err(|error| LatencyError::Connection(error.to_string()))?;
    let (sink, stream) = socket.split();
    let mut client = Client {
        sink,
        stream,
        sent: BTreeMap::new(),
        latencies: Vec::new(),
        frames: 0,
        last: Value::Null,
    };
    let ray = json!({ "ray": { "origin": [0.5, -3, 0.5], "direction": [0, 1, 0] } });
    client.send(&json!({ "grab": { "grab": 1, "point": ray } })).await?;
    client.listen(Duration::from_secs(1)).await?;
    let (begin, frames, server_cpu_time) = (Instant::now(), client.frames, server_cpu_time());
    for seq in 1..=drags {
        let turn = 0.1 * seq as f64;
        let target = [0.5 + 0.2 * turn.sin(), -0.1, 0.5 + 0.2 * turn.cos()];
        client.sent.insert(seq, Instant::now());
        client.send(&json!({ "drag": { "grab": 1, "seq": seq, "target": target } })).await?;
        // Not a multiple of a step, so that drags arrive at all phases of a step.
        client.listen(Duration::from_micros(41_300)).await?;
    }
    let frames = (client.frames - frames).max(1) as f64;
    let rate = frames / begin.elapsed().as_secs_f64();
    let spent = server_cpu_time_since(server_cpu_time);
    client.latencies.sort_by(f64::total_cmp);
    let part = |part: f64| {
        let place = (part * client.latencies.len() as f64) as usize;
        client
            .latencies
            .get(place.min(client.latencies.len().saturating_sub(1)))
            .copied()
            .unwrap_or(f64::INFINITY)
    };
    let ms = |key: &str| client.last["ms"][key].as_f64().unwrap_or(f64::NAN);
    Ok(Latency {
        count: client.latencies.len(),
        median: part(0.5),
        p95: part(0.95),
        rate,
        step: ms("step"),
        server: spent.map(|spent| 1e3 * spent / frames),
        publish: ms("publish"),
    })
}

/// A client without a browser that holds the body.
struct Client {
    sink: SplitSink<Socket, Message>,
    stream: SplitStream<Socket>,
    /// Send times of drags that are not answered yet.
    sent: BTreeMap<u64, Instant>,
    /// Latencies of answered drags, in ms.
    latencies: Vec<f64>,
    frames: u64,
    last: Value,
}

impl Client {
    async fn send(&mut self, command: &Value) -> Result<(), LatencyError> {
        let text = json!({ "command": command }).to_string();
        let sent = self.sink.send(Message::text(text)).await;
        sent.map_err(|error| LatencyError::Connection(error.to_string()))
    }

    /// Handles messages for this time.
    async fn listen(&mut self, time: Duration) -> Result<(), LatencyError> {
        let end = tokio::time::Instant::now() + time;
        while let Ok(message) = tokio::time::timeout_at(end, self.stream.next()).await {
            let message = message
                .ok_or_else(|| LatencyError::Connection("the server closed it".to_owned()))?;
            let message = message.map_err(|error| LatencyError::Connection(error.to_string()))?;
            if let Message::Binary(bytes) = message
                && let Some((1, header, _)) = decode(&bytes)
            {
                let arrived = Instant::now();
                self.last = serde_json::from_slice(header).unwrap_or_default();
                self.frame(arrived).await?;
            }
        }
        Ok(())
    }

    async fn frame(&mut self, arrived: Instant) -> Result<(), LatencyError> {
        self.frames += 1;
        let echo = self.last["grabs"][0]["seq"].as_u64().unwrap_or(0);
        while let Some(first) = self.sent.first_entry().filter(|first| *first.key() <= echo) {
            self.latencies.push(1e3 * (arrived - first.remove()).as_secs_f64());
        }
        let ack = json!({ "ack": { "serial": self.last["serial"] } });
        self.send(&ack).await
    }
}

/// Total CPU time of the server threads, in s; `None` if the system does not report it.
fn server_cpu_time() -> Option<f64> {
    let mut sum = 0.0;
    for task in std::fs::read_dir("/proc/self/task").ok()?.flatten() {
        let name = std::fs::read_to_string(task.path().join("comm")).unwrap_or_default();
        if name.trim() == THREADS {
            let text = std::fs::read_to_string(task.path().join("schedstat")).ok()?;
            sum += 1e-9 * text.split(' ').next()?.parse::<f64>().ok()?;
        }
    }
    Some(sum)
}

fn server_cpu_time_since(before: Option<f64>) -> Option<f64> {
    Some(server_cpu_time()? - before?)
}
