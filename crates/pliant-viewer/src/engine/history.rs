//! The undo history.

use std::sync::Arc;

use super::edit::Edit;
use super::version::Version;

/// The largest number of stored edits.
const MAX_EDITS: usize = 200;

/// The largest number of cells of stored models: a commit needs about a kilobyte per cell.
const MAX_CELLS: usize = 500_000;

/// The scene before an edit, or after it.
#[derive(Debug, Clone)]
struct HistoryEntry {
    version: Version,
    label: String,
}

/// The edits that can be undone and redone.
#[derive(Debug, Default)]
pub(crate) struct History {
    undo: Vec<HistoryEntry>,
    redo: Vec<HistoryEntry>,
    last: Option<Edit>,
}

impl History {
    /// Label of the next undo.
    pub(crate) fn undo_label(&self) -> Option<&str> {
        self.undo.last().map(|past| past.label.as_str())
    }

    /// Label of the next redo.
    pub(crate) fn redo_label(&self) -> Option<&str> {
        self.redo.last().map(|past| past.label.as_str())
    }

    /// Records an edit that changed `before`.
    pub(crate) fn note(&mut self, before: Version, edit: &Edit, label: String) {
        self.redo.clear();
        let joins =
            self.last.as_ref().is_some_and(|last| edit.merges_with(last)) && !self.undo.is_empty();
        if !joins {
            self.undo.push(HistoryEntry { version: before, label });
            self.drop_oldest();
        }
        self.last = Some(edit.clone());
    }

    fn drop_oldest(&mut self) {
        while self.undo.len() > MAX_EDITS || self.undo.len() > 1 && self.cell_count() > MAX_CELLS {
            self.undo.remove(0);
        }
    }

    /// Number of cells of all stored models, each counted once.
    fn cell_count(&self) -> usize {
        let mut models: Vec<_> = self.undo.iter().flat_map(|past| past.version.models()).collect();
        models.sort_by_key(|model| Arc::as_ptr(model));
        models.dedup_by(|a, b| Arc::ptr_eq(a, b));
        models.iter().map(|model| model.mesh().cell_count()).sum()
    }

    /// The scene before the last edit.
    pub(crate) fn before(&self) -> Option<&Version> {
        self.undo.last().map(|past| &past.version)
    }

    /// The scene after the edit that was undone last.
    pub(crate) fn after(&self) -> Option<&Version> {
        self.redo.last().map(|past| &past.version)
    }

    /// Records that the last edit, which led to `now`, was undone.
    pub(crate) fn undone(&mut self, mut now: Version) {
        if let Some(past) = self.undo.pop() {
            now.keep_as(&past.version);
            self.redo.push(HistoryEntry { version: now, label: past.label });
        }
        self.last = None;
    }

    /// Records that an edit of `now` was redone.
    pub(crate) fn redone(&mut self, mut now: Version) {
        if let Some(past) = self.redo.pop() {
            now.keep_as(&past.version);
            self.undo.push(HistoryEntry { version: now, label: past.label });
        }
        self.last = None;
    }

    /// Clears the history, for another scene.
    pub(crate) fn clear(&mut self) {
        *self = Self::default();
    }
}
