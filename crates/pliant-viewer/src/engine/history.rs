//! Edits that can be taken back.

use super::document::Document;
use super::edit::Edit;

/// Most edits that are kept.
const MOST: usize = 200;

/// A document before an edit, or after it.
#[derive(Debug, Clone)]
struct Past {
    document: Document,
    label: String,
}

/// What can be undone and done again.
#[derive(Debug, Default)]
pub(crate) struct History {
    undo: Vec<Past>,
    redo: Vec<Past>,
    last: Option<Edit>,
}

impl History {
    /// What undo would take back.
    pub(crate) fn undo_label(&self) -> Option<&str> {
        self.undo.last().map(|past| past.label.as_str())
    }

    /// What redo would do again.
    pub(crate) fn redo_label(&self) -> Option<&str> {
        self.redo.last().map(|past| past.label.as_str())
    }

    /// Notes an edit of `before`.
    pub(crate) fn note(&mut self, before: Document, edit: &Edit, label: String) {
        self.redo.clear();
        let joins =
            self.last.as_ref().is_some_and(|last| edit.joins(last)) && !self.undo.is_empty();
        if !joins {
            self.undo.push(Past { document: before, label });
            if self.undo.len() > MOST {
                self.undo.remove(0);
            }
        }
        self.last = Some(edit.clone());
    }

    /// The document before the last edit.
    pub(crate) fn before(&self) -> Option<Document> {
        self.undo.last().map(|past| past.document.clone())
    }

    /// The document after the edit that was last taken back.
    pub(crate) fn after(&self) -> Option<Document> {
        self.redo.last().map(|past| past.document.clone())
    }

    /// Notes that the last edit, which led to `now`, was taken back.
    pub(crate) fn undone(&mut self, now: Document) {
        if let Some(past) = self.undo.pop() {
            self.redo.push(Past { document: now, label: past.label });
        }
        self.last = None;
    }

    /// Notes that it was done again, on top of `now`.
    pub(crate) fn redone(&mut self, now: Document) {
        if let Some(past) = self.redo.pop() {
            self.undo.push(Past { document: now, label: past.label });
        }
        self.last = None;
    }

    /// Forgets all: another scene is shown.
    pub(crate) fn clear(&mut self) {
        *self = Self::default();
    }
}
