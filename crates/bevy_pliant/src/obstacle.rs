//! Obstacles: fixed, or driven by the transforms of their entities.

use bevy_ecs::component::Component;
use bevy_ecs::entity::Entity;
use bevy_ecs::lifecycle::Remove;
use bevy_ecs::message::MessageWriter;
use bevy_ecs::name::Name;
use bevy_ecs::observer::On;
use bevy_ecs::query::{With, Without};
use bevy_ecs::system::{Commands, Query, ResMut};
use bevy_transform::components::Transform;
use bevy_transform::helper::TransformHelper;
use pliant::glam::DVec3;
use pliant::{Motion, Obstacle, ObstacleHandle, Pose, Shape};

use crate::body::Rejected;
use crate::convert::pose_of;
use crate::error::PliantError;
use crate::messages::PliantProblem;
use crate::world::PliantWorld;

/// A solid that no body moves. It is where the [`Transform`] of its entity is, without its scale, also as a child of another entity.
///
/// Move the transform in `FixedUpdate` to drive it: during the next step it moves there evenly, and carries and pushes bodies. A transform that is
/// moved in `Update` drives it as well, but less evenly. Despawn the entity to remove the obstacle.
#[derive(Component, Debug, Clone, PartialEq)]
#[require(Transform)]
pub struct PliantObstacle {
    /// The solid, in the frame of the entity.
    pub shape: Shape,
    /// Coulomb's coefficient (default `0.5`).
    pub friction: f64,
    /// Number of its material (default `0`), used to look up friction between two materials.
    pub material: u32,
}

impl From<Shape> for PliantObstacle {
    fn from(shape: Shape) -> Self {
        Self { shape, friction: 0.5, material: 0 }
    }
}

impl PliantObstacle {
    /// The ground: everything below the plane y = 0 of its entity.
    pub fn ground(friction: f64) -> Self {
        Self { friction, ..Shape::Plane { normal: DVec3::Y }.into() }
    }
}

/// The obstacle of an entity in the [`PliantWorld`]. The plugin adds it.
#[derive(Component, Debug, Clone, Copy, PartialEq)]
pub struct ObstacleLink {
    /// Its handle.
    pub handle: ObstacleHandle,
    /// Where it was driven last; `None` if the transform of the entity does not drive it.
    driven_to: Option<Pose>,
}

impl ObstacleLink {
    /// An obstacle that moves as the world says, not as its transform does.
    pub(crate) fn not_driven(handle: ObstacleHandle) -> Self {
        Self { handle, driven_to: None }
    }

    /// True if the transform of the entity drives it.
    pub(crate) fn is_driven(&self) -> bool {
        self.driven_to.is_some()
    }
}

/// Adds the obstacles of new entities, in the order of their entities.
pub(crate) fn add_obstacles(
    mut commands: Commands,
    mut world: ResMut<PliantWorld>,
    mut problems: MessageWriter<PliantProblem>,
    helper: TransformHelper<'_, '_>,
    new: Query<
        (Entity, &PliantObstacle, Option<&Name>),
        (Without<ObstacleLink>, Without<Rejected>),
    >,
) {
    let mut new: Vec<_> = new.iter().collect();
    new.sort_by_key(|parts| parts.0);
    for (entity, obstacle, name) in new {
        let pose = pose_now(&helper, entity).unwrap_or(Pose::IDENTITY);
        let name = name.map_or_else(|| entity.to_string(), ToString::to_string);
        match world.add_obstacle(placed(obstacle, name, pose)) {
            Ok(handle) => {
                world.obstacles.insert(handle, entity);
                commands.entity(entity).insert(ObstacleLink { handle, driven_to: Some(pose) });
            }
            Err(error) => {
                problems.write(PliantProblem { entity, error: error.into() });
                commands.entity(entity).insert(Rejected);
            }
        }
    }
}

fn placed(obstacle: &PliantObstacle, name: String, pose: Pose) -> Obstacle {
    let PliantObstacle { shape, friction, material } = obstacle.clone();
    Obstacle { name, shape, pose, motion: Motion::default(), friction, material }
}

fn pose_now(helper: &TransformHelper<'_, '_>, entity: Entity) -> Option<Pose> {
    let global = helper.compute_global_transform(entity).ok()?;
    Some(pose_of(&global.compute_transform()))
}

/// Drives every obstacle whose transform changed to where it is now.
pub(crate) fn drive_obstacles(
    mut world: ResMut<PliantWorld>,
    mut problems: MessageWriter<PliantProblem>,
    helper: TransformHelper<'_, '_>,
    mut links: Query<(Entity, &mut ObstacleLink), With<Transform>>,
) {
    for (entity, mut link) in &mut links {
        let Some(driven_to) = link.driven_to else { continue };
        let Some(pose) = pose_now(&helper, entity).filter(|pose| *pose != driven_to) else {
            continue;
        };
        match world.drive_obstacle(link.handle, pose) {
            Ok(()) => link.driven_to = Some(pose),
            Err(error) => {
                let error = PliantError::from(error);
                problems.write(PliantProblem { entity, error });
            }
        }
    }
}

/// Removes the obstacle of an entity that is despawned.
pub(crate) fn remove_obstacle(
    event: On<'_, '_, Remove<ObstacleLink>>,
    links: Query<&ObstacleLink>,
    mut world: ResMut<PliantWorld>,
) {
    let Ok(link) = links.get(event.entity) else { return };
    if world.obstacles.remove(&link.handle).is_some() {
        // A program may have removed it from the world already.
        let _ = world.remove_obstacle(link.handle);
    }
}
