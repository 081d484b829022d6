//! Calls to a browser in the DevTools protocol.

use std::time::Duration;

use futures_util::{SinkExt as _, StreamExt as _};
use serde_json::{Value, json};
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::protocol::WebSocketConfig;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async_with_config};

use super::BrowserError;

/// The longest time for an answer: drawing without a graphics card is slow.
pub(super) const ANSWER_TIMEOUT: Duration = Duration::from_secs(120);

/// A connection to a browser or to one of its pages.
#[derive(Debug)]
pub(super) struct Connection {
    socket: WebSocketStream<MaybeTlsStream<TcpStream>>,
    /// The page that calls apply to; empty for the browser itself.
    pub(super) session: String,
    next_id: u64,
    /// Console errors and uncaught exceptions of the page.
    pub(super) errors: Vec<String>,
    /// Addresses that the page has requested.
    pub(super) requests: Vec<String>,
}

impl Connection {
    pub(super) async fn open(endpoint: &str) -> Result<Self, BrowserError> {
        let config = WebSocketConfig::default().max_message_size(None).max_frame_size(None);
        let connected = connect_async_with_config(endpoint, Some(config), true).await;
        let failed = |error: tokio_tungstenite::tungstenite::Error| {
            BrowserError::call("connect", error.to_string())
        };
        let (socket, _) = connected.map_err(failed)?;
        let (session, errors, requests) = (String::new(), Vec::new(), Vec::new());
        Ok(Self { socket, session, next_id: 1, errors, requests })
    }

    /// Calls a method and waits for the answer.
    pub(super) async fn call(
        &mut self,
        method: &str,
        parameters: Value,
    ) -> Result<Value, BrowserError> {
        let id = self.next_id;
        self.next_id += 1;
        let mut question = json!({ "id": id, "method": method, "params": parameters });
        if !self.session.is_empty() {
            question["sessionId"] = json!(self.session);
        }
        let sent = self.socket.send(Message::text(question.to_string())).await;
        sent.map_err(|error| BrowserError::call(method, error.to_string()))?;
        let answered = tokio::time::timeout(ANSWER_TIMEOUT, self.answer(method, id)).await;
        answered.unwrap_or_else(|_| Err(self.timeout(method)))
    }

    /// The error for a call that took too long.
    pub(super) fn timeout(&self, what: &str) -> BrowserError {
        let page_errors = match self.errors.is_empty() {
            true => String::new(),
            false => format!("; the page says: {}", self.errors.join("; ")),
        };
        BrowserError::Timeout {
            what: what.to_owned(),
            seconds: ANSWER_TIMEOUT.as_secs(),
            page_errors,
        }
    }

    async fn answer(&mut self, method: &str, id: u64) -> Result<Value, BrowserError> {
        loop {
            let message = self.socket.next().await;
            let message = message
                .ok_or_else(|| BrowserError::call(method, "the browser closed the connection"))?;
            let message = message.map_err(|error| BrowserError::call(method, error.to_string()))?;
            let Message::Text(text) = message else { continue };
            let said: Value = serde_json::from_str(&text).unwrap_or_default();
            if said["id"] != id {
                self.note(&said);
            } else if let Some(error) = said.get("error") {
                return Err(BrowserError::call(method, error["message"].to_string()));
            } else {
                return Ok(said["result"].clone());
            }
        }
    }

    fn note(&mut self, said: &Value) {
        let about = &said["params"];
        match said["method"].as_str() {
            Some("Runtime.exceptionThrown") => {
                let details = &about["exceptionDetails"];
                let text =
                    details["exception"]["description"].as_str().or(details["text"].as_str());
                self.errors.push(text.unwrap_or_default().to_owned());
            }
            Some("Runtime.consoleAPICalled") if about["type"] == "error" => {
                self.errors.push(about["args"].to_string());
            }
            Some("Log.entryAdded") if about["entry"]["level"] == "error" => {
                self.errors.push(format!("{} {}", about["entry"]["text"], about["entry"]["url"]));
            }
            Some("Network.requestWillBeSent") => {
                self.requests.push(about["request"]["url"].as_str().unwrap_or_default().to_owned());
            }
            _ => {}
        }
    }
}
