//! An edit on its way into the world.

use pliant_io::scene::Scene;
use tokio::sync::oneshot;

use super::document::Document;
use super::edit::Edit;
use super::order::{Asker, Refusal, Upload, Uploaded};
use super::version::Version;
use crate::protocol::message::Reply;

/// An edit under way.
#[derive(Debug)]
pub(super) struct Pending {
    pub(super) cause: Cause,
    pub(super) asker: Option<Asker>,
    pub(super) reply: Reply,
    /// The scene before it.
    pub(super) before: Option<Version>,
}

impl Pending {
    pub(super) fn new(cause: Cause, asker: Option<Asker>) -> Self {
        Self { cause, asker, reply: Reply::default(), before: None }
    }
}

/// Why the scene changes.
#[derive(Debug)]
pub(super) enum Cause {
    Edit(Edit),
    Undo,
    Redo,
    /// Another scene.
    Open(Document),
    /// A surface that was sent.
    Upload(Upload, oneshot::Sender<Result<Uploaded, Refusal>>),
}

impl Cause {
    /// What is done, in a few words.
    pub(super) fn label(&self, scene: &Scene) -> String {
        match self {
            Self::Edit(edit) => edit.label(scene),
            Self::Undo => "undoing".to_owned(),
            Self::Redo => "redoing".to_owned(),
            Self::Open(document) => format!("opening {}", document.name),
            Self::Upload(upload, _) => format!("making a body of {}", upload.name),
        }
    }

    /// Whether another scene takes the place of this one.
    pub(super) fn is_another_scene(&self) -> bool {
        matches!(self, Self::Open(_)) || matches!(self, Self::Upload(upload, _) if upload.alone)
    }
}
