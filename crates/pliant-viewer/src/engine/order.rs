//! Requests to the engine.

use std::sync::Arc;

use tokio::sync::{mpsc, oneshot};

use super::builder::Built;
use super::record::Recording;
use crate::protocol::command::Command;
use crate::protocol::message::{ErrorMessage, Message, Reply};

/// The reason why a request is refused; the engine is unchanged.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct Refusal {
    /// A code for programs.
    pub code: &'static str,
    /// The problem, and how to solve it.
    pub message: String,
}

impl Refusal {
    pub(crate) fn new(code: &'static str, message: impl Into<String>) -> Self {
        Self { code, message: message.into() }
    }
}

/// A request that is handled between two steps.
#[derive(Debug)]
pub(crate) enum Order {
    /// A command from a page.
    Command(PageCommand),
    /// A surface from which a body is made.
    Upload(Upload, oneshot::Sender<Result<Uploaded, Refusal>>),
    /// A request for the recorded frames.
    Recording(oneshot::Sender<Arc<Recording>>),
    /// A page has connected.
    Arrived,
    /// A page has disconnected.
    Left(u32),
    /// A result of the builder.
    Built(Box<Built>),
    /// Stops the engine.
    Stop,
}

/// A command and its sender.
#[derive(Debug)]
pub(crate) struct PageCommand {
    pub(crate) page: u32,
    pub(crate) id: Option<u64>,
    pub(crate) command: Command,
    pub(crate) answers: mpsc::Sender<String>,
}

impl PageCommand {
    /// The receiver of the answer.
    pub(crate) fn reply_to(&self) -> ReplyTo {
        ReplyTo { id: self.id, answers: self.answers.clone() }
    }
}

/// The receiver of an answer.
#[derive(Debug, Clone)]
pub(crate) struct ReplyTo {
    id: Option<u64>,
    answers: mpsc::Sender<String>,
}

impl ReplyTo {
    /// Sends the answer; ignored if the page no longer reads.
    pub(crate) fn answer(&self, serial: u64, result: Result<Reply, Refusal>) {
        let text = match (result, self.id) {
            (Ok(_), None) => return,
            (Ok(reply), Some(id)) => Message::Reply(Reply { id, serial, ..reply }).text(),
            (Err(refusal), id) => {
                let Refusal { code, message } = &refusal;
                Message::Error(ErrorMessage { id, code, message }).text()
            }
        };
        // A full queue means that the page does not read, and its connection is about to end.
        let _ = self.answers.try_send(text);
    }
}

/// An uploaded surface file.
#[derive(Debug)]
pub(crate) struct Upload {
    /// Path of the file, in the folder of the server.
    pub(crate) path: std::path::PathBuf,
    /// Name of the body.
    pub(crate) name: String,
    /// Largest extent of the body, in m.
    pub(crate) size: f64,
    /// Cells along the longest side.
    pub(crate) cells: u32,
    /// True for tetrahedra, false for voxels.
    pub(crate) tetrahedra: bool,
    /// True to replace the scene by one with this body.
    pub(crate) alone: bool,
    /// Lowest and highest corner of the surface in the file, in m.
    pub(crate) bounds: [glam::DVec3; 2],
}

/// The result of an upload.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub(crate) struct Uploaded {
    pub(crate) body: usize,
    pub(crate) name: String,
    pub(crate) notes: Vec<String>,
}
