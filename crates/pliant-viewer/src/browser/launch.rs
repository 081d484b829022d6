//! Starting a browser that no one sees.

use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use tempfile::TempDir;

use super::BrowserError;

/// How long a browser may take to start.
const PATIENCE: Duration = Duration::from_secs(60);

/// No windows, no calls home, drawing without a graphics card.
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

/// A browser's process; it ends when this is dropped.
#[derive(Debug)]
pub(super) struct Process {
    child: Child,
    /// Its profile, which goes with it.
    folder: TempDir,
    /// Where it listens.
    pub(super) endpoint: String,
}

impl Process {
    /// Starts it, and waits until it listens.
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
                return Err(failed(format!("it ended at once, {status}")));
            }
            if begin.elapsed() > PATIENCE {
                return Err(failed(format!("it did not listen within {} s", PATIENCE.as_secs())));
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
        // Its helpers write to the profile for a moment longer.
        let gone = |_: &i32| {
            thread::sleep(Duration::from_millis(50));
            std::fs::remove_dir_all(self.folder.path()).is_ok()
        };
        let _ = (0..20).find(gone);
    }
}

/// What it wrote about where it listens: a port and a path.
fn endpoint(folder: &Path) -> Option<String> {
    let text = std::fs::read_to_string(folder.join("DevToolsActivePort")).ok()?;
    let mut lines = text.lines();
    let (port, path) = (lines.next()?.parse::<u16>().ok()?, lines.next()?);
    Some(format!("ws://127.0.0.1:{port}{path}"))
}
