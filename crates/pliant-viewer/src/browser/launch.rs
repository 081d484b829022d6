//! Starts a headless browser.

use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use tempfile::TempDir;

use super::BrowserError;

/// The longest time for a browser to start.
const START_TIMEOUT: Duration = Duration::from_secs(60);

/// No windows, no background requests, drawing without a graphics card.
const FLAGS: [&str; 17] = [
    "--headless=new",
    "--no-sandbox",
    "--no-first-run",
    "--no-default-browser-check",
    "--disable-quic",
    "--disable-background-networking",
    "--disable-background-timer-throttling",
    "--disable-backgrounding-occluded-windows",
    "--disable-renderer-backgrounding",
    "--disable-component-update",
    "--disable-default-apps",
    "--disable-extensions",
    "--disable-sync",
    "--hide-scrollbars",
    "--mute-audio",
    "--use-angle=swiftshader",
    "--enable-unsafe-swiftshader",
];

/// A browser process; it ends when this is dropped.
#[derive(Debug)]
pub(super) struct Process {
    child: Child,
    /// Its profile, deleted with it.
    folder: TempDir,
    /// Address of its DevTools socket.
    pub(super) endpoint: String,
}

impl Process {
    /// Starts the browser and waits until it listens.
    pub(super) async fn start(path: &Path) -> Result<Self, BrowserError> {
        let failed =
            |reason: String| BrowserError::Launch { path: path.display().to_string(), reason };
        let folder = tempfile::Builder::new().prefix("pliant-browser-").tempdir();
        let folder = folder.map_err(|error| failed(error.to_string()))?;
        let mut command = Command::new(path);
        command.args(FLAGS).arg("--remote-debugging-port=0");
        command.arg(format!("--user-data-dir={}", folder.path().display())).arg("about:blank");
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        let child = command.spawn().map_err(|error| failed(error.to_string()))?;
        let mut process = Self { child, folder, endpoint: String::new() };
        let begin = Instant::now();
        loop {
            if let Some(endpoint) = endpoint(process.folder.path()) {
                process.endpoint = endpoint;
                return Ok(process);
            }
            if let Ok(Some(status)) = process.child.try_wait() {
                return Err(failed(format!("the process ended at once, {status}")));
            }
            if begin.elapsed() > START_TIMEOUT {
                return Err(failed(format!(
                    "it was not ready within {} s",
                    START_TIMEOUT.as_secs()
                )));
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
        // Child processes still write to the profile for a moment.
        let gone = |_: &i32| {
            thread::sleep(Duration::from_millis(50));
            std::fs::remove_dir_all(self.folder.path()).is_ok()
        };
        let _ = (0..20).find(gone);
    }
}

/// Reads the port and path on which the browser listens from its profile.
fn endpoint(folder: &Path) -> Option<String> {
    let text = std::fs::read_to_string(folder.join("DevToolsActivePort")).ok()?;
    let mut lines = text.lines();
    let (port, path) = (lines.next()?.parse::<u16>().ok()?, lines.next()?);
    Some(format!("ws://127.0.0.1:{port}{path}"))
}
