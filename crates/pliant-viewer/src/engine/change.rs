//! Differences between two versions of a scene text.

use toml_edit::TableLike;

use super::document::{Document, item_text};
use super::table::list;

/// The parts of the world that an edit affects.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Change {
    /// The whole world; for example, bodies or obstacles are added or removed.
    Whole,
    /// Settings and some bodies, by their `[[body]]` tables.
    Bodies(Vec<BodyChange>),
}

/// The parts of a body that an edit affects.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum BodyChange {
    /// Nothing of the running body: only its colour or its initial motion.
    Nothing,
    /// Material, method or contact: mesh and state stay.
    Settings,
    /// Pins or pulls: model and state stay.
    Pinned,
    /// Regions, perhaps with pins and materials: mesh and state stay.
    Rebuilt,
    /// The mesh: the body starts again.
    Remeshed,
}

/// Keys of a scene that do not belong to a body.
const SETTINGS: [&str; 4] = ["world", "method", "probe", "obstacle"];

/// Keys of a body that change its mesh or position.
const MESH_KEYS: [&str; 6] = ["mesh", "transform", "rigid", "quadrature", "dilation", "rest"];

/// Returns the change from one text to another.
pub(crate) fn between(old: &Document, new: &Document) -> Change {
    let (before, after) = (old.bodies(), new.bodies());
    let obstacles = |document: &Document| list(document.toml.as_table(), "obstacle").len();
    let whole = before.len() != after.len()
        || obstacles(old) != obstacles(new)
        || ["mode", "statics"].iter().any(|key| old.text_of(key) != new.text_of(key))
        || old.base != new.base
        || before.iter().zip(&after).any(|(a, b)| counts_differ(*a, *b));
    if whole {
        return Change::Whole;
    }
    let settings = SETTINGS[..2].iter().any(|key| old.text_of(key) != new.text_of(key));
    let least = if settings { BodyChange::Settings } else { BodyChange::Nothing };
    let pairs = before.into_iter().zip(after);
    Change::Bodies(pairs.map(|(a, b)| of_body(a, b).max(least)).collect())
}

fn counts_differ(a: &dyn TableLike, b: &dyn TableLike) -> bool {
    differs(a, b, "copies") || differs(a, b, "name")
}

fn differs(a: &dyn TableLike, b: &dyn TableLike, key: &str) -> bool {
    item_text(a.get(key)) != item_text(b.get(key))
}

fn of_body(a: &dyn TableLike, b: &dyn TableLike) -> BodyChange {
    if MESH_KEYS.iter().any(|key| differs(a, b, key)) {
        return BodyChange::Remeshed;
    }
    let pinned = ["pin", "pull"].iter().any(|key| differs(a, b, key));
    let material = differs(a, b, "material");
    // The mass of a rigid body depends on its material.
    if differs(a, b, "region") || material && (pinned || a.get("rigid").is_some()) {
        return BodyChange::Rebuilt;
    }
    match material || ["method", "contact"].iter().any(|key| differs(a, b, key)) {
        _ if pinned => BodyChange::Pinned,
        true => BodyChange::Settings,
        false => BodyChange::Nothing,
    }
}
