//! Events in words that name their bodies.

use crate::contact::Obstacle;
use crate::world::slot::handle::{BodyHandle, ObstacleHandle};
use crate::world::world::World;
use pliant_mesh::geometry::Shape;

use super::event::{Event, EventKind};

impl World {
    /// The text of an event, in which every other body is named, and every obstacle by its shape and its index in [`World::obstacles`].
    ///
    /// ```
    /// use pliant::{Event, EventKind, World, WorldConfig};
    /// # use std::sync::Arc;
    /// # use pliant::mesh::generate::{BoxConfig, box_mesh};
    /// # use pliant::{Body, Material, Model};
    /// # let model = Arc::new(Model::uniform(box_mesh(&BoxConfig::default())?, Material::default())?);
    /// let mut world = World::new(WorldConfig::default())?;
    /// let [body, other] = ["cow", "crate"].map(|name| world.add(Body::new(name, model.clone(), vec![]).expect("no pins")));
    /// let event = Event { body, kind: EventKind::Overlapped { other, depth: 0.14 } };
    /// assert!(world.event_text(&event).starts_with("`cow` and `crate` began 0.14 m inside each other"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn event_text(&self, event: &Event) -> String {
        let Event { body, kind } = event;
        let other = |other: &BodyHandle| match other {
            other if other == body => "itself".to_owned(),
            other => self.name_of(*other),
        };
        match kind {
            EventKind::Touched { other: with, strongest } => {
                format!("it began to touch {}, by {strongest:.2e} N·s at a point", other(with))
            }
            EventKind::Parted { other: with } => format!("it no longer touches {}", other(with)),
            EventKind::Overlapped { other, depth } => {
                let (first, second, depth) =
                    (self.name_of(*body), self.name_of(*other), length(*depth));
                format!(
                    "{first} and {second} began {depth} inside each other, and are moved apart slowly; put them farther apart, or let them not meet each other"
                )
            }
            EventKind::InObstacle { obstacle, depth } => {
                let (body, depth) = (self.name_of(*body), length(*depth));
                let obstacle = self.name_of_obstacle(*obstacle);
                format!(
                    "{body} began {depth} inside {obstacle}, and is moved out slowly; put it farther away"
                )
            }
            EventKind::TouchedObstacle { obstacle, impulse, .. } => {
                let (obstacle, impulse) = (self.name_of_obstacle(*obstacle), impulse.length());
                format!("it began to touch {obstacle}, by {impulse:.2e} N·s")
            }
            EventKind::PartedObstacle { obstacle } => {
                format!("it no longer touches {}", self.name_of_obstacle(*obstacle))
            }
            kind => kind.to_string(),
        }
    }

    /// A body in a text: its name, or that of the body that it broke off.
    fn name_of(&self, handle: BodyHandle) -> String {
        match self.get(handle) {
            Some(body) if body.cells_of_whole().is_some() => {
                format!("a piece of `{}`", body.whole_name())
            }
            Some(body) => format!("`{}`", body.name()),
            None => "a body that is gone".to_owned(),
        }
    }
}

impl World {
    /// An obstacle in a text: its name, or its shape and its place in the order of all.
    fn name_of_obstacle(&self, handle: ObstacleHandle) -> String {
        match self.obstacle(handle) {
            Some(obstacle) if !obstacle.name.is_empty() => format!("`{}`", obstacle.name),
            Some(obstacle) => {
                let index = self.obstacle_handles().iter().position(|other| *other == handle);
                format!("the {} obstacle {}", shape_of(obstacle), index.unwrap_or_default())
            }
            None => "an obstacle that is gone".to_owned(),
        }
    }
}

/// A word for the shape of an obstacle.
fn shape_of(obstacle: &Obstacle) -> &'static str {
    match obstacle.shape {
        Shape::Plane { .. } => "plane",
        Shape::Sphere { .. } => "sphere",
        Shape::Box { .. } => "box",
        Shape::Capsule { .. } => "capsule",
        Shape::Surface(_) => "surface",
    }
}

/// A length, in m, in words.
fn length(metres: f64) -> String {
    if metres < 0.01 { format!("{:.2} mm", 1e3 * metres) } else { format!("{metres:.2} m") }
}
