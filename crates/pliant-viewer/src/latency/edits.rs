//! The latency from an edit to the frame that shows it.

use std::time::Duration;

use serde_json::{Value, json};
use tokio::time::Instant;

use super::client::{Arrival, Client};
use super::{LatencyError, quantile, with_server};
use crate::ServerConfig;

/// The measured latency of one kind of edit; times in ms.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct EditLatency {
    /// Kind of edit, as the command is called.
    pub edit: &'static str,
    /// Number of edits.
    pub count: usize,
    /// Median latency.
    pub median: f64,
    /// 95th percentile of the latency.
    pub p95: f64,
}

/// The measured kinds of edits, in the order of the result.
const KINDS: [&str; 5] = ["pin", "unpin", "paint", "stiffness", "undo"];

/// The longest wait for the frame that shows an edit.
const TIMEOUT: Duration = Duration::from_secs(120);

/// Edits the first body of a running scene in `rounds` rounds: pins a part of it and releases it, paints a spot, makes
/// the body stiffer, and undoes the last two.
///
/// The time counts from the command to the arrival of the first frame that contains its effect.
///
/// # Errors
///
/// The server does not start, does not answer, or refuses an edit: for example, a rigid body cannot be painted.
pub fn measure_edits(
    name: &str,
    text: &str,
    rounds: usize,
) -> Result<Vec<EditLatency>, LatencyError> {
    let config = ServerConfig { name: name.into(), text: text.into(), ..Default::default() };
    let latencies = with_server(config, async move |address| {
        let mut editor = Editor::new(Client::connect(&address).await?);
        editor.listen(Duration::from_secs(1)).await?;
        for round in 0..rounds {
            editor.round(round).await?;
        }
        Ok(editor.latencies)
    })?;
    let summary = |(edit, mut latencies): (&'static str, Vec<f64>)| {
        latencies.sort_by(f64::total_cmp);
        let (median, p95) = (quantile(&latencies, 0.5), quantile(&latencies, 0.95));
        EditLatency { edit, count: latencies.len(), median, p95 }
    };
    Ok(KINDS.into_iter().zip(latencies).map(summary).collect())
}

/// A client that edits the first body.
struct Editor {
    client: Client,
    /// The first body in the last `scene` message.
    body: Value,
    edit_count: u64,
    /// Latencies of each kind, in ms.
    latencies: [Vec<f64>; KINDS.len()],
}

impl Editor {
    fn new(client: Client) -> Self {
        Self { client, body: Value::Null, edit_count: 0, latencies: Default::default() }
    }

    /// Makes one edit of each kind.
    async fn round(&mut self, round: usize) -> Result<(), LatencyError> {
        // Another triangle of the drawn surface in every round.
        let weights = [1.0 / 3.0; 3];
        let point = json!({ "at": { "body": 0, "triangle": 7 * round, "weights": weights } });
        let radius = 0.1 * self.body["size"].as_f64().unwrap_or(1.0);
        let young = (1.5 + 0.01 * round as f64) * self.body["young"].as_f64().unwrap_or(1e5);
        let pin = json!({ "pin": { "point": point, "radius": radius } });
        let pin = self.edit("pin", &pin).await?["pin"].clone();
        self.edit("unpin", &json!({ "unpin": { "body": 0, "pin": pin } })).await?;
        let paint = json!({ "body": 0, "points": [point], "radius": radius, "factor": 5 });
        self.edit("paint", &json!({ "paint": paint })).await?;
        self.edit("stiffness", &json!({ "set-body": { "body": 0, "young": young } })).await?;
        self.edit("undo", &json!("undo")).await?;
        self.edit("undo", &json!("undo")).await?;
        Ok(())
    }

    /// Makes an edit and waits for the frame that shows it; returns the answer.
    async fn edit(&mut self, kind: &str, command: &Value) -> Result<Value, LatencyError> {
        self.edit_count += 1;
        let begin = Instant::now();
        self.client.ask(self.edit_count, command).await?;
        let (shown, reply) = self.shown(begin + TIMEOUT).await?;
        if let Some(kind) = KINDS.iter().position(|known| *known == kind) {
            self.latencies[kind].push(1e3 * (shown - begin).as_secs_f64());
        }
        // Not a multiple of a step, so that edits arrive at all phases of a step.
        self.listen(Duration::from_micros(91_300)).await?;
        Ok(reply)
    }

    /// The arrival of the first frame that contains the effect of the last edit, and the answer.
    async fn shown(&mut self, end: Instant) -> Result<(Instant, Value), LatencyError> {
        let (mut frames, mut reply) = (Vec::new(), None::<Value>);
        while let Some((arrived, arrival)) = self.client.next(end).await? {
            match arrival {
                Arrival::Frame(frame) => frames.push((frame["serial"].as_u64(), arrived)),
                Arrival::Text(text) => reply = self.text(text)?.or(reply),
            }
            let Some(reply) = &reply else { continue };
            // A frame may arrive before the answer that names it.
            let serial = reply["serial"].as_u64();
            if let Some((_, arrived)) = frames.iter().find(|(frame, _)| *frame >= serial) {
                return Ok((*arrived, reply.clone()));
            }
        }
        Err(LatencyError::Connection("no frame shows the edit".to_owned()))
    }

    /// Handles a text message; returns it if it is the answer to the last edit.
    fn text(&mut self, text: Value) -> Result<Option<Value>, LatencyError> {
        if let Some(error) = text.get("error") {
            return Err(LatencyError::Refused(error["message"].to_string()));
        }
        if let Some(scene) = text.get("scene") {
            self.body = scene["bodies"][0].clone();
        }
        let reply = text.get("reply").filter(|reply| reply["id"] == self.edit_count);
        Ok(reply.cloned())
    }

    /// Handles messages for this time.
    async fn listen(&mut self, time: Duration) -> Result<(), LatencyError> {
        let end = Instant::now() + time;
        while let Some((_, arrival)) = self.client.next(end).await? {
            if let Arrival::Text(text) = arrival {
                self.text(text)?;
            }
        }
        Ok(())
    }
}
