//! A page of a browser.

use std::time::{Duration, Instant};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};

use super::BrowserError;
use super::connection::{Connection, PATIENCE};
use super::launch::Process;

/// A browser that no one sees; it ends when this is dropped.
#[derive(Debug)]
pub struct Browser {
    process: Process,
}

impl Browser {
    /// Starts one.
    ///
    /// # Errors
    ///
    /// None is installed, or it does not start.
    pub async fn start() -> Result<Self, BrowserError> {
        Ok(Self { process: Process::start(&super::find()?).await? })
    }

    /// Opens an address in a window of this size, in pixels.
    ///
    /// # Errors
    ///
    /// It does not answer.
    pub async fn open(&self, address: &str, size: [u32; 2]) -> Result<Page, BrowserError> {
        let mut connection = Connection::open(&self.process.endpoint).await?;
        // A page behind another in the same window is not drawn.
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
/// What it writes to the console as an error, and every address that it asks for, is kept.
#[derive(Debug)]
pub struct Page {
    connection: Connection,
    target: Value,
    /// Whether the mouse is pressed.
    pub(super) pressed: bool,
}

impl Page {
    /// Goes to another address.
    ///
    /// # Errors
    ///
    /// The browser does not answer.
    pub async fn visit(&mut self, address: &str) -> Result<(), BrowserError> {
        self.call("Page.navigate", json!({ "url": address })).await.map(drop)
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
        &self.connection.errors
    }

    /// Every address that the page has asked for.
    pub fn requests(&self) -> &[String] {
        &self.connection.requests
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
                Err(BrowserError::call(expression, text.unwrap_or("it threw")))
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
        let begin = Instant::now();
        while self.evaluate(expression).await? != json!(true) {
            if begin.elapsed() > PATIENCE {
                return Err(self.connection.slow(expression));
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        Ok(())
    }

    /// Waits until the page stands still at a frame, for as long as it comes nearer to it; tells how far it is.
    ///
    /// # Errors
    ///
    /// It does not get there.
    pub async fn wait_for_frame(
        &mut self,
        frame: u64,
        mut tell: impl FnMut(u64),
    ) -> Result<(), BrowserError> {
        let (mut since, mut before) = (Instant::now(), Value::Null);
        let wanted = frame.to_string();
        loop {
            let now = self.evaluate(HOW_FAR).await?;
            if now["frozen"] == wanted {
                return Ok(());
            }
            if now != before {
                (since, before) = (Instant::now(), now);
                tell(before["frame"].as_u64().unwrap_or(0).min(frame));
            } else if since.elapsed() > PATIENCE {
                return Err(self.connection.slow(&format!("frame {frame}")));
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
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
        STANDARD.decode(text).map_err(|error| BrowserError::call(method, error.to_string()))
    }

    /// Asks the browser for anything in the protocol.
    ///
    /// # Errors
    ///
    /// What it answers with, or that it does not.
    pub async fn call(&mut self, method: &str, parameters: Value) -> Result<Value, BrowserError> {
        self.connection.call(method, parameters).await
    }

    /// Closes the page; the browser goes on.
    pub async fn close(mut self) {
        let target = json!({ "targetId": self.target });
        // A browser that has ended has closed it too.
        let _ = self.call("Target.closeTarget", target).await;
    }
}

/// The frame at which the page stands still, and the one that it has come to.
const HOW_FAR: &str = "({ frozen: document.documentElement?.dataset.frozen ?? null, frame: window.pliant?.state?.().frame ?? null })";
