//! Edits that wait for the builder.

use pliant_io::scene::Scene;
use tokio::sync::oneshot;

use super::document::Document;
use super::edit::Edit;
use super::order::{Refusal, ReplyTo, Upload, Uploaded};
use super::version::Version;
use crate::protocol::message::Reply;

/// A pending change.
#[derive(Debug)]
pub(super) struct Pending {
    pub(super) cause: Cause,
    pub(super) reply_to: Option<ReplyTo>,
    pub(super) reply: Reply,
    /// The scene before the change.
    pub(super) before: Option<Version>,
}

impl Pending {
    pub(super) fn new(cause: Cause, reply_to: Option<ReplyTo>) -> Self {
        Self { cause, reply_to, reply: Reply::default(), before: None }
    }
}

/// The cause of a change.
#[derive(Debug)]
pub(super) enum Cause {
    Edit(Edit),
    Undo,
    Redo,
    /// Another scene.
    Open(Document),
    /// An uploaded surface.
    Upload(Upload, oneshot::Sender<Result<Uploaded, Refusal>>),
}

impl Cause {
    /// A short description of the change.
    pub(super) fn label(&self, scene: &Scene) -> String {
        match self {
            Self::Edit(edit) => edit.label(scene),
            Self::Undo => "undoing".to_owned(),
            Self::Redo => "redoing".to_owned(),
            Self::Open(document) => format!("opening {}", document.name),
            Self::Upload(upload, _) => format!("making a body of {}", upload.name),
        }
    }

    /// True if the change replaces the scene.
    pub(super) fn is_another_scene(&self) -> bool {
        matches!(self, Self::Open(_)) || matches!(self, Self::Upload(upload, _) if upload.alone)
    }
}
