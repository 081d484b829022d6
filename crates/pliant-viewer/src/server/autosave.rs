//! Saves the session to a file while it runs, so that a crash loses at most the last second.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use tokio::sync::watch;

use crate::engine::frame::Frame;
use crate::engine::session::Session;

/// Shortest time between two saves. Together with the time to write a file it stays below one second.
const MIN_SAVE_INTERVAL: Duration = Duration::from_millis(700);

/// Interval at which the thread checks for changes.
const CHECK_INTERVAL: Duration = Duration::from_millis(100);

/// The time between two saves is at least this many times the time to write one.
const MIN_INTERVAL_RATIO: u32 = 4;

/// A thread that saves frames. The engine does not depend on it.
#[derive(Debug)]
pub(super) struct Autosave {
    ending: Option<Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Autosave {
    /// Starts to save a session to a file. The first save happens after the first edit or pull.
    pub(super) fn start(
        path: PathBuf,
        frames: watch::Receiver<Arc<Frame>>,
        uploads: PathBuf,
    ) -> std::io::Result<Self> {
        let (ending, end) = mpsc::channel();
        let mut writer = Writer { path, frames, uploads, seen: 0 };
        let work = move || {
            let mut next = Instant::now();
            let mut going = true;
            while going {
                going = end.recv_timeout(CHECK_INTERVAL) == Err(RecvTimeoutError::Timeout);
                if !going || Instant::now() >= next {
                    let begin = Instant::now();
                    writer.save_if_changed();
                    next = begin + MIN_SAVE_INTERVAL.max(MIN_INTERVAL_RATIO * begin.elapsed());
                }
            }
        };
        let thread = thread::Builder::new().name("pliant autosave".to_owned()).spawn(work)?;
        Ok(Self { ending: Some(ending), thread: Some(thread) })
    }

    /// Saves the last changes and stops the thread.
    pub(super) fn finish(mut self) {
        drop(self.ending.take());
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

struct Writer {
    path: PathBuf,
    frames: watch::Receiver<Arc<Frame>>,
    uploads: PathBuf,
    /// Serial of the last saved frame.
    seen: u64,
}

impl Writer {
    /// Saves the newest frame if it has changed.
    fn save_if_changed(&mut self) {
        let frame = self.frames.borrow().clone();
        if !frame.edited || frame.serial == self.seen {
            return;
        }
        let session = Session::of(&frame, &self.uploads);
        // A failed save must not stop the viewer; the next one may succeed.
        if replace(&self.path, &session.bytes()).is_ok() {
            self.seen = frame.serial;
        }
    }
}

/// Replaces a file atomically: the old one stays until the new one is on the disk.
fn replace(path: &Path, bytes: &[u8]) -> std::io::Result<()> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    let new = path.with_extension("new");
    let mut file = fs::File::create(&new)?;
    file.write_all(bytes)?;
    file.sync_data()?;
    fs::rename(&new, path)
}
