//! One fixed step of the world.

use bevy_ecs::system::{Query, ResMut};

use crate::body::BodyLink;
use crate::draw::drawn_body::DrawnBody;
use crate::world::PliantWorld;

/// Stores where all bodies are, and steps the world.
pub(crate) fn step(mut world: ResMut<PliantWorld>, mut bodies: Query<(&BodyLink, &mut DrawnBody)>) {
    for (BodyLink(handle), mut drawn) in &mut bodies {
        if let Some(body) = world.get(*handle) {
            drawn.store(&body.state.x);
        }
    }
    world.step();
}
