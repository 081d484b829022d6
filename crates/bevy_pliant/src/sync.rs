//! Entities for what came into the world without one: fragments, bodies of a scene or of a snapshot. And the end of those that left it.

use bevy_ecs::entity::Entity;
use bevy_ecs::hierarchy::{ChildOf, Children};
use bevy_ecs::name::Name;
use bevy_ecs::system::{Commands, Query, Res, ResMut};
use bevy_mesh::Mesh3d;
use bevy_transform::components::Transform;
use pliant::{BodyHandle, ContactConfig, MethodConfig, ObstacleHandle, Pose};

use crate::body::{BodyLink, Fragment, PliantBody, PliantPins, PliantVelocity};
use crate::convert::{rotation_to_bevy, to_bevy};
use crate::draw::drawn_body::DrawnBody;
use crate::obstacle::{ObstacleLink, PliantObstacle};
use crate::world::PliantWorld;

/// Gives every body and obstacle an entity, and despawns entities of bodies and obstacles that are no longer there.
pub(crate) fn sync_entities(mut commands: Commands, mut world: ResMut<PliantWorld>) {
    sync_bodies(&mut commands, &mut world);
    sync_obstacles(&mut commands, &mut world);
}

fn sync_bodies(commands: &mut Commands, world: &mut PliantWorld) {
    let new: Vec<_> = present(world).filter(|body| !world.bodies.contains_key(body)).collect();
    for body in new {
        let entity = spawn_body(commands, world, body);
        world.bodies.insert(body, entity);
    }
    let gone = |body: &&BodyHandle| world.is_gone(**body) != Some(false);
    let gone: Vec<_> = world.bodies.keys().filter(gone).copied().collect();
    for body in gone {
        despawn(commands, world.bodies.remove(&body));
        // A faded fragment still has a place; one that a program removed has none.
        let _ = world.remove(body);
    }
}

fn sync_obstacles(commands: &mut Commands, world: &mut PliantWorld) {
    let known = |obstacle: &&ObstacleHandle| !world.obstacles.contains_key(obstacle);
    let new: Vec<_> = world.obstacle_handles().iter().filter(known).copied().collect();
    for obstacle in new {
        let entity = spawn_obstacle(commands, world, obstacle);
        world.obstacles.extend(entity.map(|entity| (obstacle, entity)));
    }
    let gone = |obstacle: &&ObstacleHandle| world.obstacle(**obstacle).is_none();
    let gone: Vec<_> = world.obstacles.keys().filter(gone).copied().collect();
    for obstacle in gone {
        despawn(commands, world.obstacles.remove(&obstacle));
    }
}

/// The bodies that have not faded.
fn present(world: &PliantWorld) -> impl Iterator<Item = BodyHandle> {
    let bodies = world.bodies().map(|(body, _)| body);
    bodies.filter(|body| world.is_gone(*body) == Some(false))
}

fn despawn(commands: &mut Commands, entity: Option<Entity>) {
    if let Some(mut entity) = entity.and_then(|entity| commands.get_entity(entity).ok()) {
        entity.try_despawn();
    }
}

/// A new entity for a body. That of a fragment has clones of the components of the entity that it broke off from.
fn spawn_body(commands: &mut Commands, world: &PliantWorld, handle: BodyHandle) -> Entity {
    let origin = world.origin(handle).filter(|origin| *origin != handle);
    let of = origin.and_then(|origin| world.body_entity(origin));
    let entity = match of {
        Some(of) => clone_of(commands, of),
        None => commands.spawn_empty().id(),
    };
    let name = world.get(handle).map(|body| Name::new(body.name().to_owned()));
    let body = body_component(world, handle);
    let mut commands = commands.entity(entity);
    commands.insert((BodyLink(handle), DrawnBody::default()));
    name.map(|name| commands.insert(name));
    body.map(|body| commands.insert(body));
    of.map(|of| commands.insert(Fragment { of }));
    entity
}

/// A clone of an entity, without what belongs to its own body; an empty one if it is despawned.
fn clone_of(commands: &mut Commands, of: Entity) -> Entity {
    let Ok(mut of) = commands.get_entity(of) else { return commands.spawn_empty().id() };
    let mut clone = of.clone_and_spawn_with_opt_out(|builder| {
        builder.deny::<(BodyLink, DrawnBody, PliantBody, PliantPins, PliantVelocity)>();
        builder.deny::<(Mesh3d, Name, Fragment, Children, ChildOf)>();
    });
    clone.insert(Transform::IDENTITY).id()
}

fn body_component(world: &PliantWorld, handle: BodyHandle) -> Option<PliantBody> {
    let model = world.get(handle)?.model().clone();
    let method = world.method(handle).copied().unwrap_or_else(MethodConfig::default);
    let contact = world.contact(handle).copied().unwrap_or_else(ContactConfig::default);
    Some(PliantBody { model, method, contact })
}

fn spawn_obstacle(
    commands: &mut Commands,
    world: &PliantWorld,
    handle: ObstacleHandle,
) -> Option<Entity> {
    let obstacle = world.obstacle(handle)?;
    let component = PliantObstacle {
        shape: obstacle.shape.clone(),
        friction: obstacle.friction,
        material: obstacle.material,
    };
    let transform = transform_of(&obstacle.pose_at(world.time()));
    let name = Name::new(obstacle.name.clone());
    let link = ObstacleLink::not_driven(handle);
    Some(commands.spawn((component, transform, name, link)).id())
}

fn transform_of(pose: &Pose) -> Transform {
    let rotation = rotation_to_bevy(pose.rotation);
    Transform { translation: to_bevy(pose.translation), rotation, ..Transform::IDENTITY }
}

/// Moves the entities of obstacles that move by themselves, as those of scenes do.
pub(crate) fn follow_obstacles(
    world: Res<PliantWorld>,
    mut links: Query<(&ObstacleLink, &mut Transform)>,
) {
    for (link, mut transform) in &mut links {
        if link.is_driven() {
            continue;
        }
        if let Some(obstacle) = world.obstacle(link.handle) {
            *transform = transform_of(&obstacle.pose_at(world.time()));
        }
    }
}
