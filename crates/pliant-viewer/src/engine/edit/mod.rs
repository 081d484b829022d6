//! Edits of a scene, as changes of its text.

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
use settings::keys;
use settings::said;

/// Something to be changed in a scene.
#[derive(Debug, Clone)]
pub(crate) enum Edit {
    /// Settings of bodies.
    Body(Box<SetBody>),
    /// The size of a body.
    Size(usize, Resize),
    /// Settings of the world.
    World(SetWorld),
    /// Holds a part of a body.
    Pin(PinEdit),
    /// Lets go of a pin, or of all.
    Unpin(usize, Option<usize>),
    /// Gives spots of a body a material of their own.
    Paint(PaintEdit),
    /// Lets a body rest in the shape that it has, or all.
    Commit(Option<usize>),
    /// Takes a body out.
    Remove(usize),
    /// Puts a body in.
    Add(BodyEdit),
}

impl Edit {
    /// The document after the edit; `scene` is what it means before.
    pub(crate) fn applied(&self, document: &Document, scene: &Scene) -> Result<Document, Refusal> {
        let mut new = document.clone();
        match self {
            Self::Body(set) => settings::set_bodies(&mut new, scene, set)?,
            Self::Size(index, by) => {
                let table = body(&mut new, scene, *index)?;
                by.apply(table, &scene.bodies[*index]);
                // A shape that was committed is that of another mesh from now on.
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

    /// A document that has no body yet, with the one that this adds.
    pub(crate) fn added(&self, document: &Document) -> Result<Document, Refusal> {
        let mut new = document.clone();
        if let Self::Add(add) = self {
            add.apply(&mut new);
        }
        Ok(new)
    }

    /// What it is called in "undo …".
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

    /// What it is one with if it comes right after it: one undo takes both back.
    pub(crate) fn joins(&self, before: &Self) -> bool {
        match (self, before) {
            (Self::Paint(now), Self::Paint(before)) => {
                now.stroke.is_some() && now.stroke == before.stroke && now.body == before.body
            }
            (Self::Pin(now), Self::Pin(before)) => {
                now.stroke.is_some() && now.stroke == before.stroke && now.body == before.body
            }
            (Self::Size(now, _), Self::Size(before, _)) => now == before,
            (Self::Body(now), Self::Body(before)) => said(now) == said(before),
            (Self::World(now), Self::World(before)) => said(now) == said(before),
            _ => false,
        }
    }

    /// Becomes one with what comes right after it, and [joins](Self::joins) it.
    pub(crate) fn join(&mut self, now: &Self) {
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
