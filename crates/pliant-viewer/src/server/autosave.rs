//! Keeping the session in a file while it goes on, so that a crash loses at most the last second.

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

/// From one file to the next, at least. With the time that one takes to be written it stays below a second.
const PAUSE: Duration = Duration::from_millis(700);

/// How often it is looked whether something has changed.
const LOOK: Duration = Duration::from_millis(100);

/// Share of the time that may go into writing: what takes long is written less often.
const SHARE: u32 = 4;

/// A thread that writes what frames show. The engine knows nothing of it.
#[derive(Debug)]
pub(super) struct Autosave {
    ending: Option<Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Autosave {
    /// Begins to keep a session in a file. Nothing is written before something was edited or pulled at.
    pub(super) fn start(
        path: PathBuf,
        frames: watch::Receiver<Arc<Frame>>,
        uploads: PathBuf,
    ) -> std::io::Result<Self> {
        let (ending, end) = mpsc::channel();
        let mut writer = Writer { path, frames, uploads, first: None, touched: false, seen: 0 };
        let work = move || {
            let mut next = Instant::now();
            let mut going = true;
            while going {
                going = end.recv_timeout(LOOK) == Err(RecvTimeoutError::Timeout);
                if !going || Instant::now() >= next {
                    let begin = Instant::now();
                    writer.look();
                    next = begin + PAUSE.max(SHARE * begin.elapsed());
                }
            }
        };
        let thread = thread::Builder::new().name("pliant autosave".to_owned()).spawn(work)?;
        Ok(Self { ending: Some(ending), thread: Some(thread) })
    }

    /// Writes what is left to be written, and ends.
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
    /// Edits before what was opened.
    first: Option<u64>,
    /// Whether a person has done something.
    touched: bool,
    /// The last frame that was written.
    seen: u64,
}

impl Writer {
    /// Writes the newest frame, if it is new.
    fn look(&mut self) {
        let frame = self.frames.borrow().clone();
        let edits = frame.cast.edits;
        let first = *self.first.get_or_insert(edits);
        self.touched |= edits != first || !frame.grabs.is_empty();
        if !self.touched || frame.serial == self.seen {
            return;
        }
        let session = Session::of(&frame, &self.uploads);
        // A folder that cannot be written to is no reason to stop showing; the next time may do.
        if replace(&self.path, &session.bytes()).is_ok() {
            self.seen = frame.serial;
        }
    }
}

/// Writes a file whole or not at all: what was there stays until the new one is on the disk.
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
