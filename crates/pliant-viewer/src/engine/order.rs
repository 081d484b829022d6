//! What reaches the engine from outside.

use std::sync::Arc;

use tokio::sync::{mpsc, oneshot};

use super::builder::Made;
use super::record::Recording;
use crate::protocol::command::Command;
use crate::protocol::message::{Message, Reply, Trouble};

/// Why something is not done; the engine is as before.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct Refusal {
    /// A word for programs.
    pub code: &'static str,
    /// What is wrong, and what to do.
    pub message: String,
}

impl Refusal {
    pub(crate) fn new(code: &'static str, message: impl Into<String>) -> Self {
        Self { code, message: message.into() }
    }
}

/// Something to be done between two steps.
#[derive(Debug)]
pub(crate) enum Order {
    /// A command of a page.
    Command(Asked),
    /// A surface that is to become a body.
    Upload(Upload, oneshot::Sender<Result<Uploaded, Refusal>>),
    /// The frames that were recorded.
    Recording(oneshot::Sender<Arc<Recording>>),
    /// A page is there.
    Arrived,
    /// A page is gone.
    Left(u32),
    /// What the builder made.
    Made(Box<Made>),
    /// The end.
    Stop,
}

/// A command, and who asked for it.
#[derive(Debug)]
pub(crate) struct Asked {
    pub(crate) page: u32,
    pub(crate) id: Option<u64>,
    pub(crate) command: Command,
    pub(crate) answers: mpsc::Sender<String>,
}

impl Asked {
    /// Who is to be answered.
    pub(crate) fn asker(&self) -> Asker {
        Asker { id: self.id, answers: self.answers.clone() }
    }
}

/// Who waits for an answer.
#[derive(Debug, Clone)]
pub(crate) struct Asker {
    id: Option<u64>,
    answers: mpsc::Sender<String>,
}

impl Asker {
    /// Answers; a page that reads nothing any more is left alone.
    pub(crate) fn answer(&self, serial: u64, result: Result<Reply, Refusal>) {
        let text = match (result, self.id) {
            (Ok(_), None) => return,
            (Ok(reply), Some(id)) => Message::Reply(Reply { id, serial, ..reply }).text(),
            (Err(refusal), id) => {
                let Refusal { code, message } = &refusal;
                Message::Error(Trouble { id, code, message }).text()
            }
        };
        // A full queue means that the page does not read: its connection is about to end.
        let _ = self.answers.try_send(text);
    }
}

/// A surface file that was sent.
#[derive(Debug)]
pub(crate) struct Upload {
    /// Where it lies, in the folder of this server.
    pub(crate) path: std::path::PathBuf,
    /// Name for the body.
    pub(crate) name: String,
    /// Largest extent, in m.
    pub(crate) size: f64,
    /// Cells along the longest side.
    pub(crate) cells: u32,
    /// Whether cells are tetrahedra, and not voxels.
    pub(crate) tetrahedra: bool,
    /// Whether it becomes a scene of its own.
    pub(crate) alone: bool,
    /// Lowest and highest corner of the surface as it stands in the file, in m.
    pub(crate) bounds: [glam::DVec3; 2],
}

/// What became of it.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub(crate) struct Uploaded {
    pub(crate) body: usize,
    pub(crate) name: String,
    pub(crate) notes: Vec<String>,
}
