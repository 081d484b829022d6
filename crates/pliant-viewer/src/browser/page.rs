//! A page of a browser.

use std::time::{Duration, Instant};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};

use super::BrowserError;
use super::connection::{ANSWER_TIMEOUT, Connection};
use super::launch::Process;

/// A headless browser; it ends when this is dropped.
#[derive(Debug)]
pub struct Browser {
    process: Process,
}

impl Browser {
    /// Starts a browser.
    ///
    /// # Errors
    ///
    /// No browser is installed, or it does not start.
    pub async fn start() -> Result<Self, BrowserError> {
        Ok(Self { process: Process::start(&super::find()?).await? })
    }

    /// Opens an address in a window of this size, in pixels.
    ///
    /// # Errors
    ///
    /// The browser does not answer.
    pub async fn open(&self, address: &str, size: [u32; 2]) -> Result<Page, BrowserError> {
        let mut connection = Connection::open(&self.process.endpoint).await?;
        // A page behind another one in the same window is not drawn.
        let blank = json!({ "url": "about:blank", "newWindow": true });
        let target = connection.call("Target.createTarget", blank).await?["targetId"].clone();
        let attach = json!({ "targetId": target, "flatten": true });
        let attached = connection.call("Target.attachToTarget", attach).await?;
        connection.session = attached["sessionId"].as_str().unwrap_or_default().to_owned();
        let mut page = Page { connection, target, pressed: false };
        for domain in ["Page", "Runtime", "Log", "Network"] {
            page.call(&format!("{domain}.enable"), json!({})).await?;
        }
        page.resize(size).await?;
        page.visit(address).await?;
        Ok(page)
    }
}

/// A page of a browser.
///
/// Console errors of the page and all addresses that it requests are recorded.
#[derive(Debug)]
pub struct Page {
    connection: Connection,
    target: Value,
    /// True while the mouse button is pressed.
    pub(super) pressed: bool,
}

impl Page {
    /// Navigates to another address.
    ///
    /// # Errors
    ///
    /// The browser does not answer.
    pub async fn visit(&mut self, address: &str) -> Result<(), BrowserError> {
        self.call("Page.navigate", json!({ "url": address })).await.map(drop)
    }

    /// Resizes the window, in pixels.
    ///
    /// # Errors
    ///
    /// The browser does not answer.
    pub async fn resize(&mut self, [width, height]: [u32; 2]) -> Result<(), BrowserError> {
        let size =
            json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": false });
        self.call("Emulation.setDeviceMetricsOverride", size).await.map(drop)
    }

    /// Console errors and uncaught exceptions of the page so far.
    pub fn errors(&self) -> &[String] {
        &self.connection.errors
    }

    /// All addresses that the page has requested.
    pub fn requests(&self) -> &[String] {
        &self.connection.requests
    }

    /// Evaluates an expression in the page; waits for promises.
    ///
    /// # Errors
    ///
    /// The expression throws.
    pub async fn evaluate(&mut self, expression: &str) -> Result<Value, BrowserError> {
        let question = json!({ "expression": expression, "awaitPromise": true, "returnByValue": true, "userGesture": true });
        let answer = self.call("Runtime.evaluate", question).await?;
        match answer.get("exceptionDetails") {
            Some(details) => {
                let text =
                    details["exception"]["description"].as_str().or(details["text"].as_str());
                Err(BrowserError::call(
                    expression,
                    text.unwrap_or("the expression threw an exception"),
                ))
            }
            None => Ok(answer["result"]["value"].clone()),
        }
    }

    /// Waits until an expression in the page is true.
    ///
    /// # Errors
    ///
    /// The expression does not become true in time, or throws.
    pub async fn wait_for(&mut self, expression: &str) -> Result<(), BrowserError> {
        let begin = Instant::now();
        while self.evaluate(expression).await? != json!(true) {
            if begin.elapsed() > ANSWER_TIMEOUT {
                return Err(self.connection.timeout(expression));
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        Ok(())
    }

    /// Waits until the page is frozen at a frame, as long as it makes progress; `progress` gets the current frame.
    ///
    /// # Errors
    ///
    /// The page does not reach the frame.
    pub async fn wait_for_frame(
        &mut self,
        frame: u64,
        mut progress: impl FnMut(u64),
    ) -> Result<(), BrowserError> {
        let (mut since, mut before) = (Instant::now(), Value::Null);
        let wanted = frame.to_string();
        loop {
            let now = self.evaluate(PROGRESS_SCRIPT).await?;
            if now["frozen"] == wanted {
                return Ok(());
            }
            if now != before {
                (since, before) = (Instant::now(), now);
                progress(before["frame"].as_u64().unwrap_or(0).min(frame));
            } else if since.elapsed() > ANSWER_TIMEOUT {
                return Err(self.connection.timeout(&format!("frame {frame}")));
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }

    /// Takes a screenshot as a PNG file.
    ///
    /// # Errors
    ///
    /// The browser does not answer.
    pub async fn picture(&mut self) -> Result<Vec<u8>, BrowserError> {
        self.capture(json!({ "format": "png" })).await
    }

    /// Takes a screenshot as a JPEG file: smaller, but lossy.
    ///
    /// # Errors
    ///
    /// The browser does not answer.
    pub async fn jpeg(&mut self) -> Result<Vec<u8>, BrowserError> {
        self.capture(json!({ "format": "jpeg", "quality": 85 })).await
    }

    async fn capture(&mut self, how: Value) -> Result<Vec<u8>, BrowserError> {
        let method = "Page.captureScreenshot";
        let answer = self.call(method, how).await?;
        let text = answer["data"].as_str().unwrap_or_default();
        STANDARD.decode(text).map_err(|error| BrowserError::call(method, error.to_string()))
    }

    /// Calls any method of the DevTools protocol.
    ///
    /// # Errors
    ///
    /// The browser answers with an error, or does not answer.
    pub async fn call(&mut self, method: &str, parameters: Value) -> Result<Value, BrowserError> {
        self.connection.call(method, parameters).await
    }

    /// Closes the page; the browser keeps running.
    pub async fn close(mut self) {
        let target = json!({ "targetId": self.target });
        // If the browser has ended, the page is closed as well.
        let _ = self.call("Target.closeTarget", target).await;
    }
}

/// Script that returns the frame at which the page is frozen, and its current frame.
const PROGRESS_SCRIPT: &str = "({ frozen: document.documentElement?.dataset.frozen ?? null, frame: window.pliant?.state?.().frame ?? null })";
