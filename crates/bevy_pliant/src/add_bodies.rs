//! From new entities to bodies of the world, and back.

use bevy_ecs::entity::Entity;
use bevy_ecs::lifecycle::Remove;
use bevy_ecs::message::MessageWriter;
use bevy_ecs::name::Name;
use bevy_ecs::observer::On;
use bevy_ecs::query::Without;
use bevy_ecs::system::{Commands, Query, ResMut};
use bevy_mesh::Mesh3d;
use bevy_transform::components::Transform;
use pliant::body::{Action, Ramp};
use pliant::glam::DVec3;
use pliant::{Body, BodyHandle, Motion, Pin, Pose};

use crate::body::{BodyLink, PliantBody, PliantPins, PliantVelocity, Rejected};
use crate::convert::{pose_of, to_pliant};
use crate::draw::drawn_body::DrawnBody;
use crate::error::PliantError;
use crate::messages::PliantProblem;
use crate::world::PliantWorld;

/// What a body is made of.
type Parts<'a> = (
    Entity,
    &'a PliantBody,
    &'a Transform,
    Option<&'a PliantPins>,
    Option<&'a PliantVelocity>,
    Option<&'a Name>,
);

/// Adds the bodies of new entities, in the order of their entities, so that equal programs make equal worlds.
pub(crate) fn add_bodies(
    mut commands: Commands,
    mut world: ResMut<PliantWorld>,
    mut problems: MessageWriter<PliantProblem>,
    new: Query<Parts<'_>, (Without<BodyLink>, Without<Rejected>)>,
) {
    let mut new: Vec<_> = new.iter().collect();
    new.sort_by_key(|parts| parts.0);
    for parts in new {
        let entity = parts.0;
        match add_body(&mut world, parts) {
            Ok(body) => {
                commands.entity(entity).insert((BodyLink(body), DrawnBody::default()));
            }
            Err(error) => {
                problems.write(PliantProblem { entity, error });
                commands.entity(entity).insert(Rejected);
            }
        }
    }
}

fn add_body(world: &mut PliantWorld, parts: Parts<'_>) -> Result<BodyHandle, PliantError> {
    let (entity, PliantBody { model, method, contact }, transform, pins, velocity, name) = parts;
    let pose = pose_of(transform);
    let pins = pins.map_or(&[][..], |pins| &pins.0);
    let pins = pins.iter().map(|pin| placed_pin(pin, &pose)).collect();
    let name = name.map_or_else(|| entity.to_string(), ToString::to_string);
    let mut body = Body::new(name, model.clone(), pins)?;
    if pose != Pose::IDENTITY {
        body.place(pose.point(body.centre_of_mass()))?;
        body.turn(pose.rotation)?;
        body.keep_form();
    }
    if let Some(PliantVelocity { linear, angular }) = velocity {
        body.set_motion(to_pliant(*linear), to_pliant(*angular))?;
    }
    let handle = world.add_with(body, *method)?;
    if let Err(error) = world.set_contact(handle, *contact) {
        // The body is in the world already, and was added a moment ago.
        let _ = world.remove(handle);
        return Err(error.into());
    }
    world.bodies.insert(handle, entity);
    Ok(handle)
}

/// A pin whose motion ends with that from the frame of the model to the world.
fn placed_pin(pin: &Pin, pose: &Pose) -> Pin {
    if *pose == Pose::IDENTITY {
        return pin.clone();
    }
    let (axis, angle) = pose.rotation.to_axis_angle();
    let jump = |action| Ramp { start: 0.0, end: 0.0, action };
    let turn = jump(Action::Rotate { centre: DVec3::ZERO, axis, angle });
    let place = jump(Action::Translate(pose.translation));
    let ramps = pin.motion.ramps.iter().copied().chain([turn, place]).collect();
    Pin { motion: Motion { ramps }, ..pin.clone() }
}

/// Removes the body of an entity that is despawned.
pub(crate) fn remove_body(
    event: On<'_, '_, Remove<BodyLink>>,
    links: Query<&BodyLink>,
    mut world: ResMut<PliantWorld>,
    mut commands: Commands,
) {
    let entity = event.entity;
    let Ok(BodyLink(handle)) = links.get(entity) else { return };
    if world.bodies.remove(handle).is_some() {
        // It is gone already if a snapshot without it was restored.
        let _ = world.remove(*handle);
    }
    if let Ok(mut entity) = commands.get_entity(entity) {
        entity.try_remove::<(PliantBody, DrawnBody, Mesh3d)>();
    }
}
