//! A client without a browser.

use futures_util::stream::{SplitSink, SplitStream};
use futures_util::{SinkExt as _, StreamExt as _};
use serde_json::{Value, json};
use tokio::net::TcpStream;
use tokio::time::Instant;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async_with_config};

use super::LatencyError;
use crate::protocol::decode;

type Socket = WebSocketStream<MaybeTlsStream<TcpStream>>;

/// A message that the client waits for.
#[derive(Debug)]
pub(super) enum Arrival {
    /// The JSON of a frame; it is acknowledged already.
    Frame(Value),
    /// Another text message, such as the answer to a command.
    Text(Value),
}

/// A client without a browser, which acknowledges every frame at once.
#[derive(Debug)]
pub(super) struct Client {
    sink: SplitSink<Socket, Message>,
    stream: SplitStream<Socket>,
}

impl Client {
    /// Connects without Nagle's delay, as browsers do: otherwise a command would wait for the acknowledgement of the
    /// previous packet.
    pub(super) async fn connect(address: &str) -> Result<Self, LatencyError> {
        let connected = connect_async_with_config(address, None, true).await;
        let (socket, _) = connected.map_err(failed)?;
        let (sink, stream) = socket.split();
        Ok(Self { sink, stream })
    }

    /// Sends a command.
    pub(super) async fn send(&mut self, command: &Value) -> Result<(), LatencyError> {
        self.send_request(&json!({ "command": command })).await
    }

    /// Sends a command that is answered with this id.
    pub(super) async fn ask(&mut self, id: u64, command: &Value) -> Result<(), LatencyError> {
        self.send_request(&json!({ "id": id, "command": command })).await
    }

    async fn send_request(&mut self, request: &Value) -> Result<(), LatencyError> {
        self.sink.send(Message::text(request.to_string())).await.map_err(failed)
    }

    /// The next frame or text message, with the time of its arrival; `None` if there is none before `end`.
    pub(super) async fn next(
        &mut self,
        end: Instant,
    ) -> Result<Option<(Instant, Arrival)>, LatencyError> {
        while let Ok(message) = tokio::time::timeout_at(end, self.stream.next()).await {
            let arrived = Instant::now();
            match message.ok_or_else(|| failed("the server closed it"))?.map_err(failed)? {
                Message::Text(text) => {
                    let text = serde_json::from_str(&text).map_err(failed)?;
                    return Ok(Some((arrived, Arrival::Text(text))));
                }
                Message::Binary(bytes) => {
                    let Some((1, header, _)) = decode(&bytes) else { continue };
                    let frame: Value = serde_json::from_slice(header).map_err(failed)?;
                    self.send(&json!({ "ack": { "serial": frame["serial"] } })).await?;
                    return Ok(Some((arrived, Arrival::Frame(frame))));
                }
                _ => {}
            }
        }
        Ok(None)
    }
}

pub(super) fn failed(error: impl ToString) -> LatencyError {
    LatencyError::Connection(error.to_string())
}
