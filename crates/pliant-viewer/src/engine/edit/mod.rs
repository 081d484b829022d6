//! Edits of a scene, applied to its text.

mod add;
mod paint;
mod pin;
mod plastic;
mod resize;
mod settings;
mod toughness;

use pliant_io::scene::Scene;
use toml_edit::TableLike;

use super::document::{Document, origins};
use super::order::Refusal;
use crate::protocol::command::{SetBody, SetWorld};

pub(crate) use add::BodyEdit;
pub(crate) use paint::{PaintEdit, painted_material};
pub(crate) use pin::PinEdit;
pub(crate) use resize::Resize;
use settings::given_keys;
use settings::keys;

/// An edit of a scene.
#[derive(Debug, Clone)]
pub(crate) enum Edit {
    /// Changes settings of bodies.
    Body(Box<SetBody>),
    /// Changes the size of a body.
    Size(usize, Resize),
    /// Changes settings of the world.
    World(SetWorld),
    /// Adds a pin to a body.
    Pin(PinEdit),
    /// Removes one pin of a body, or all.
    Unpin(usize, Option<usize>),
    /// Paints spots of a body with a material of their own.
    Paint(PaintEdit),
    /// Makes the current shape of a body the rest shape, or of all bodies.
    Commit(Option<usize>),
    /// Removes a body.
    Remove(usize),
    /// Adds a body.
    Add(BodyEdit),
}

impl Edit {
    /// Returns the document after the edit; `scene` is the parsed document before it.
    pub(crate) fn applied(&self, document: &Document, scene: &Scene) -> Result<Document, Refusal> {
        let mut new = document.clone();
        match self {
            Self::Body(set) => settings::set_bodies(&mut new, scene, set)?,
            Self::Size(index, by) => {
                let table = body(&mut new, scene, *index)?;
                by.apply(table, &scene.bodies[*index]);
                // A committed rest shape belongs to the old mesh.
                table.remove("rest");
            }
            Self::World(set) => settings::set_world(&mut new, set),
            Self::Pin(pin) => pin.apply(body(&mut new, scene, pin.body)?),
            Self::Unpin(index, pin) => pin::unpin(body(&mut new, scene, *index)?, *pin)?,
            Self::Paint(paint) => paint.apply(body(&mut new, scene, paint.body)?)?,
            Self::Commit(_) => {}
            Self::Remove(index) => add::remove(&mut new, scene, *index)?,
            Self::Add(add) => add.apply(&mut new),
        }
        Ok(new)
    }

    /// Applies an edit that adds a body to a document without bodies.
    pub(crate) fn added(&self, document: &Document) -> Result<Document, Refusal> {
        let mut new = document.clone();
        if let Self::Add(add) = self {
            add.apply(&mut new);
        }
        Ok(new)
    }

    /// The text after "undo" on the page.
    pub(crate) fn label(&self, scene: &Scene) -> String {
        let name = |index: usize| scene.bodies.get(index).map_or("", |plan| &plan.name).to_owned();
        match self {
            Self::Body(set) => {
                let of = set.body.map_or("all bodies".to_owned(), name);
                format!("{} of {of}", keys(set))
            }
            Self::Size(index, _) => format!("size of {}", name(*index)),
            Self::World(set) => format!("{} of the world", keys(set)),
            Self::Pin(pin) => format!("pin on {}", name(pin.body)),
            Self::Unpin(index, _) => format!("letting go of {}", name(*index)),
            Self::Paint(paint) => format!("paint on {}", name(paint.body)),
            Self::Commit(index) => {
                format!("commit of {}", index.map_or("all bodies".to_owned(), name))
            }
            Self::Remove(index) => format!("removing {}", name(*index)),
            Self::Add(add) => format!("adding {}", add.name),
        }
    }

    /// True if this edit, right after `before`, is undone together with it.
    pub(crate) fn merges_with(&self, before: &Self) -> bool {
        match (self, before) {
            (Self::Paint(now), Self::Paint(before)) => {
                now.stroke.is_some() && now.stroke == before.stroke && now.body == before.body
            }
            (Self::Pin(now), Self::Pin(before)) => {
                now.stroke.is_some() && now.stroke == before.stroke && now.body == before.body
            }
            (Self::Size(now, _), Self::Size(before, _)) => now == before,
            (Self::Body(now), Self::Body(before)) => given_keys(now) == given_keys(before),
            (Self::World(now), Self::World(before)) => given_keys(now) == given_keys(before),
            _ => false,
        }
    }

    /// Merges the next edit, which [merges with](Self::merges_with) this one, into it.
    pub(crate) fn merge(&mut self, now: &Self) {
        match (self, now) {
            (Self::Paint(last), Self::Paint(now)) => last.centres.extend_from_slice(&now.centres),
            (last, now) => *last = now.clone(),
        }
    }
}

/// The table of a body of the scene.
fn body<'a>(
    document: &'a mut Document,
    scene: &Scene,
    index: usize,
) -> Result<&'a mut dyn TableLike, Refusal> {
    let count = scene.bodies.len();
    let none =
        || Refusal::new("unknown-body", format!("there is no body {index}, the scene has {count}"));
    let origin = origins(scene).get(index).copied().ok_or_else(none)?;
    document.body_mut(origin).ok_or_else(none)
}
