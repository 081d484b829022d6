//! The world of Pliant, and the entities of what is in it.

use std::collections::BTreeMap;
use std::ops::{Deref, DerefMut};

use bevy_ecs::entity::Entity;
use bevy_ecs::resource::Resource;
use pliant::world::AttachmentHandle;
use pliant::{BodyHandle, ObstacleHandle, World};

/// The world of Pliant. It gives access to everything that the engine offers: pulls, rays, wind, force fields, budgets, snapshots.
///
/// Bodies that are added to it directly, or that come back with a snapshot, get entities at the end of the next step; entities of bodies that
/// are no longer in it are despawned.
#[derive(Resource, Debug)]
pub struct PliantWorld {
    world: World,
    pub(crate) bodies: BTreeMap<BodyHandle, Entity>,
    pub(crate) obstacles: BTreeMap<ObstacleHandle, Entity>,
    pub(crate) attachments: BTreeMap<AttachmentHandle, Entity>,
}

impl From<World> for PliantWorld {
    fn from(world: World) -> Self {
        let (bodies, obstacles, attachments) = Default::default();
        Self { world, bodies, obstacles, attachments }
    }
}

impl PliantWorld {
    /// The entity of a body.
    pub fn body_entity(&self, body: BodyHandle) -> Option<Entity> {
        self.bodies.get(&body).copied()
    }

    /// The entity of an obstacle.
    pub fn obstacle_entity(&self, obstacle: ObstacleHandle) -> Option<Entity> {
        self.obstacles.get(&obstacle).copied()
    }

    /// The entity of an attachment.
    pub fn attachment_entity(&self, attachment: AttachmentHandle) -> Option<Entity> {
        self.attachments.get(&attachment).copied()
    }

    /// The entities of all bodies, obstacles and attachments.
    #[cfg(feature = "scenes")]
    pub(crate) fn entities(&self) -> impl Iterator<Item = Entity> {
        let others = self.obstacles.values().chain(self.attachments.values());
        self.bodies.values().chain(others).copied()
    }
}

impl Deref for PliantWorld {
    type Target = World;

    fn deref(&self) -> &World {
        &self.world
    }
}

impl DerefMut for PliantWorld {
    fn deref_mut(&mut self) -> &mut World {
        &mut self.world
    }
}
