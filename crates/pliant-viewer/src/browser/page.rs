//! A page of a browser, by the DevTools protocol.

use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use futures_util::{SinkExt as _, StreamExt as _};
use serde_json::{Value, json};
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::protocol::WebSocketConfig;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async_with_config};

use super::BrowserError;
use super::launch::Process;

/// How long an answer may take: drawing without a graphics card is slow.
const PATIENCE: Duration = Duration::from_secs(120);

/// A browser with one page.
///
/// The first pages are opened with [`Page::open`]; what they write to the console as an error, and every address that they
/// ask for, is kept.
#[derive(Debug)]
pub struct Page {
    socket: WebSocketStream<MaybeTlsStream<TcpStream>>,
    process: Process,
    session: String,
    next_id: u64,
    /// Whether the mouse is pressed.
    pressed: bool,
    errors: Vec<String>,
    requests: Vec<String>,
}

impl Page {
    /// Starts a browser and opens an address in a window of this size, in pixels.
    ///
    /// # Errors
    ///
    /// No browser, or one that does not start or answer.
    pub async fn open(address: &str, [width, height]: [u32; 2]) -> Result<Self, BrowserError> {
        let process = Process::start(&super::find()?).await?;
        let config = WebSocketConfig::default().max_message_size(None).max_frame_size(None);
        let connected = connect_async_with_config(&process.endpoint, Some(config), true).await;
        let (socket, _) = connected.map_err(|error| failed("connect", error.to_string()))?;
        let (session, next_id, pressed) = (String::new(), 1, false);
        let (errors, requests) = (Vec::new(), Vec::new());
        let mut page = Self { socket, process, session, next_id, pressed, errors, requests };
        let target = page.call("Target.createTarget", json!({ "url": "about:blank" })).await?;
        let attach = json!({ "targetId": target["targetId"], "flatten": true });
        let attached = page.call("Target.attachToTarget", attach).await?;
        page.session = attached["sessionId"].as_str().unwrap_or_default().to_owned();
        for domain in ["Page", "Runtime", "Log", "Network"] {
            page.call(&format!("{domain}.enable"), json!({})).await?;
        }
        page.resize([width, height]).await?;
        page.call("Page.navigate", json!({ "url": address })).await?;
        Ok(page)
    }

    /// Makes the window another size, in pixels.
    ///
    /// # Errors
    ///
    /// The browser does not answer.
    pub async fn resize(&mut self, [width, height]: [u32; 2]) -> Result<(), BrowserError> {
        let size =
            json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": false });
        self.call("Emulation.setDeviceMetricsOverride", size).await.map(drop)
    }

    /// What the page wrote to the console as errors so far, and what it threw.
    pub fn errors(&self) -> &[String] {
        &self.errors
    }

    /// Every address that the page has asked for.
    pub fn requests(&self) -> &[String] {
        &self.requests
    }

    /// The value of an expression in the page; promises are waited for.
    ///
    /// # Errors
    ///
    /// What the expression throws.
    pub async fn evaluate(&mut self, expression: &str) -> Result<Value, BrowserError> {
        let question = json!({ "expression": expression, "awaitPromise": true, "returnByValue": true, "userGesture": true });
        let answer = self.call("Runtime.evaluate", question).await?;
        match answer.get("exceptionDetails") {
            Some(details) => {
                let text =
                    details["exception"]["description"].as_str().or(details["text"].as_str());
                Err(failed(expression, text.unwrap_or("it threw").to_owned()))
            }
            None => Ok(answer["result"]["value"].clone()),
        }
    }

    /// Waits until an expression in the page is true.
    ///
    /// # Errors
    ///
    /// It never is, or it throws.
    pub async fn wait_for(&mut self, expression: &str) -> Result<(), BrowserError> {
        let begin = std::time::Instant::now();
        while self.evaluate(expression).await? != json!(true) {
            if begin.elapsed() > PATIENCE {
                return Err(failed(expression, "it did not become true".to_owned()));
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        Ok(())
    }

    /// What is to be seen, as a PNG file.
    ///
    /// # Errors
    ///
    /// The browser does not answer.
    pub async fn picture(&mut self) -> Result<Vec<u8>, BrowserError> {
        self.capture(json!({ "format": "png" })).await
    }

    /// What is to be seen, as a JPEG file: smaller, and not exact.
    ///
    /// # Errors
    ///
    /// The browser does not answer.
    pub async fn photo(&mut self) -> Result<Vec<u8>, BrowserError> {
        self.capture(json!({ "format": "jpeg", "quality": 85 })).await
    }

    async fn capture(&mut self, how: Value) -> Result<Vec<u8>, BrowserError> {
        let method = "Page.captureScreenshot";
        let answer = self.call(method, how).await?;
        let text = answer["data"].as_str().unwrap_or_default();
        STANDARD.decode(text).map_err(|error| failed(method, error.to_string()))
    }

    /// Moves the mouse, presses it or lets it go: `mouseMoved`, `mousePressed`, `mouseReleased`.
    ///
    /// # Errors
    ///
    /// The browser does not answer.
    pub async fn mouse(&mut self, kind: &str, x: f64, y: f64) -> Result<(), BrowserError> {
        let moves = kind == "mouseMoved";
        self.pressed = if moves { self.pressed } else { kind == "mousePressed" };
        let event = json!({
            "type": kind, "x": x, "y": y, "button": if moves { "none" } else { "left" },
            "buttons": u8::from(self.pressed), "clickCount": u8::from(!moves),
        });
        self.call("Input.dispatchMouseEvent", event).await.map(drop)
    }

    /// Presses a key and lets it go; `key` and `code` as a browser tells them: `a` and `KeyA`.
    ///
    /// # Errors
    ///
    /// The browser does not answer.
    pub async fn key(&mut self, key: &str, code: &str) -> Result<(), BrowserError> {
        let text = if key.chars().count() == 1 { key } else { "" };
        for kind in ["keyDown", "keyUp"] {
            let event = json!({ "type": kind, "key": key, "code": code, "text": text });
            self.call("Input.dispatchKeyEvent", event).await?;
        }
        Ok(())
    }

    /// Asks the browser for anything in the protocol.
    ///
    /// # Errors
    ///
    /// What it answers with, or that it does not.
    pub async fn call(&mut self, method: &str, parameters: Value) -> Result<Value, BrowserError> {
        let id = self.next_id;
        self.next_id += 1;
        let mut question = json!({ "id": id, "method": method, "params": parameters });
        if !self.session.is_empty() {
            question["sessionId"] = json!(self.session);
        }
        let sent = self.socket.send(Message::text(question.to_string())).await;
        sent.map_err(|error| failed(method, error.to_string()))?;
        let answered = tokio::time::timeout(PATIENCE, self.answer(method, id)).await;
        answered.unwrap_or_else(|_| {
            Err(failed(method, format!("no answer in {} s", PATIENCE.as_secs())))
        })
    }

    async fn answer(&mut self, method: &str, id: u64) -> Result<Value, BrowserError> {
        loop {
            let message = self.socket.next().await;
            let message = message.ok_or_else(|| failed(method, "it has ended".to_owned()))?;
            let message = message.map_err(|error| failed(method, error.to_string()))?;
            let Message::Text(text) = message else { continue };
            let said: Value = serde_json::from_str(&text).unwrap_or_default();
            if said["id"] != id {
                self.note(&said);
            } else if let Some(error) = said.get("error") {
                return Err(failed(method, error["message"].to_string()));
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

    /// Ends the browser.
    pub async fn close(self) {
        self.process.end().await;
    }
}

fn failed(method: &str, reason: String) -> BrowserError {
    BrowserError::Call { method: method.to_owned(), reason }
}
