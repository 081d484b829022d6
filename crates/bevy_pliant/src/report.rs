//! From the events of a step to messages about entities.

use bevy_ecs::message::{MessageReader, MessageWriter};
use bevy_ecs::system::{Commands, ResMut, SystemParam};
use pliant::world::AttachmentHandle;
use pliant::{BodyHandle, Event, EventKind};

use crate::attachment::{AttachmentLink, PliantAttachment};
use crate::convert::to_bevy;
use crate::messages::{
    AttachmentBroke, BodyBroke, BodyLanded, BodyLeft, BodyParted, BodySlept, BodyTouched,
    BodyTrouble, PliantProblem,
};
use crate::world::PliantWorld;

/// The messages of bodies.
#[derive(SystemParam)]
pub(crate) struct Writers<'w> {
    touched: MessageWriter<'w, BodyTouched>,
    parted: MessageWriter<'w, BodyParted>,
    landed: MessageWriter<'w, BodyLanded>,
    left: MessageWriter<'w, BodyLeft>,
    broke: MessageWriter<'w, BodyBroke>,
    released: MessageWriter<'w, AttachmentBroke>,
    slept: MessageWriter<'w, BodySlept>,
    trouble: MessageWriter<'w, BodyTrouble>,
}

/// Writes a message for every event of the step whose bodies have entities.
pub(crate) fn report(
    mut commands: Commands,
    mut world: ResMut<PliantWorld>,
    mut writers: Writers<'_>,
) {
    for event in world.events() {
        // A body that was removed has no entity, and nobody asks about it.
        let _ = writers.write(&world, event);
    }
    let released = |event: &Event| match event.kind {
        EventKind::Detached { attachment, .. } => Some(attachment),
        _ => None,
    };
    let released: Vec<AttachmentHandle> = world.events().iter().filter_map(released).collect();
    for attachment in released {
        if let Some(entity) = world.attachments.remove(&attachment) {
            commands.entity(entity).try_remove::<(PliantAttachment, AttachmentLink)>();
        }
    }
}

impl Writers<'_> {
    fn write(&mut self, world: &PliantWorld, event: &Event) -> Option<()> {
        let body = world.body_entity(event.body)?;
        match event.kind {
            EventKind::Touched { other, strongest } => {
                let (other, strongest) = (world.body_entity(other)?, strongest as f32);
                self.touched.write(BodyTouched { body, other, strongest });
            }
            EventKind::Parted { other } => {
                self.parted.write(BodyParted { body, other: world.body_entity(other)? });
            }
            EventKind::TouchedObstacle { obstacle, impulse, point, normal } => {
                let obstacle = world.obstacle_entity(obstacle)?;
                let [impulse, point, normal] = [impulse, point, normal].map(to_bevy);
                self.landed.write(BodyLanded { body, obstacle, impulse, point, normal });
            }
            EventKind::PartedObstacle { obstacle } => {
                self.left.write(BodyLeft { body, obstacle: world.obstacle_entity(obstacle)? });
            }
            EventKind::Broke { stress, .. } => {
                self.broke.write(broke(world, event.body, stress)?);
            }
            EventKind::Detached { attachment, force } => {
                let attachment = world.attachment_entity(attachment)?;
                self.released.write(AttachmentBroke { attachment, body, force: force as f32 });
            }
            EventKind::Slept => _ = self.slept.write(BodySlept { body, asleep: true }),
            EventKind::Woke => _ = self.slept.write(BodySlept { body, asleep: false }),
            kind if kind.is_trouble() => {
                self.trouble.write(BodyTrouble { body, text: world.event_text(event) });
            }
            _ => {}
        }
        Some(())
    }
}

fn broke(world: &PliantWorld, handle: BodyHandle, stress: f64) -> Option<BodyBroke> {
    let broken = world.breaks().iter().find(|broken| broken.body == handle)?;
    let pieces = broken.pieces.iter().filter_map(|piece| world.body_entity(*piece)).collect();
    let points = broken.faces.iter().map(|face| to_bevy(face.point)).collect();
    Some(BodyBroke { body: world.body_entity(handle)?, pieces, stress: stress as f32, points })
}

/// Logs what is wrong.
pub(crate) fn log_problems(
    mut problems: MessageReader<PliantProblem>,
    mut troubles: MessageReader<BodyTrouble>,
) {
    for PliantProblem { entity, error } in problems.read() {
        log::error!("entity {entity}: {error}");
    }
    for BodyTrouble { body, text } in troubles.read() {
        log::warn!("entity {body}: {text}");
    }
}
