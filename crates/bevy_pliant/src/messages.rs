//! Messages about bodies. They are written at the end of each fixed step.

use bevy_ecs::entity::Entity;
use bevy_ecs::message::Message;
use bevy_math::Vec3;

use crate::error::PliantError;

/// A body began to touch another, or itself.
#[derive(Message, Debug, Clone, Copy, PartialEq)]
pub struct BodyTouched {
    /// The body.
    pub body: Entity,
    /// The other.
    pub other: Entity,
    /// The strongest impulse of a point, in N·s.
    pub strongest: f32,
}

/// A body no longer touches another.
#[derive(Message, Debug, Clone, Copy, PartialEq)]
pub struct BodyParted {
    /// The body.
    pub body: Entity,
    /// The other.
    pub other: Entity,
}

/// A body landed on an obstacle, or ran into it.
#[derive(Message, Debug, Clone, Copy, PartialEq)]
pub struct BodyLanded {
    /// The body.
    pub body: Entity,
    /// The obstacle.
    pub obstacle: Entity,
    /// The impulse of all points together on the body, in N·s.
    pub impulse: Vec3,
    /// Where the strongest impulse was, in m.
    pub point: Vec3,
    /// The normal of the obstacle there.
    pub normal: Vec3,
}

/// A body no longer touches an obstacle.
#[derive(Message, Debug, Clone, Copy, PartialEq)]
pub struct BodyLeft {
    /// The body.
    pub body: Entity,
    /// The obstacle.
    pub obstacle: Entity,
}

/// A body broke. Its entity keeps the heaviest fragment.
#[derive(Message, Debug, Clone, PartialEq)]
pub struct BodyBroke {
    /// The body.
    pub body: Entity,
    /// The new entities of the other fragments; empty if it has only cracked. They exist when the message can be read.
    pub pieces: Vec<Entity>,
    /// The highest tensile stress at the points that opened, in Pa.
    pub stress: f32,
    /// The centres of the fresh faces, in m, for dust and sound.
    pub points: Vec<Vec3>,
}

/// An attachment broke.
#[derive(Message, Debug, Clone, Copy, PartialEq)]
pub struct AttachmentBroke {
    /// The entity of the attachment.
    pub attachment: Entity,
    /// The body that it held.
    pub body: Entity,
    /// The force that broke it, in N.
    pub force: f32,
}

/// A body fell asleep or woke.
#[derive(Message, Debug, Clone, Copy, PartialEq, Eq)]
pub struct BodySlept {
    /// The body.
    pub body: Entity,
    /// True if it fell asleep, false if it woke.
    pub asleep: bool,
}

/// A component could not be added to the world, or not be moved in it. The plugin logs it as an error.
#[derive(Message, Debug, Clone, PartialEq)]
pub struct PliantProblem {
    /// The entity.
    pub entity: Entity,
    /// What is wrong.
    pub error: PliantError,
}

/// A body whose step was in trouble: it was set back, not solved to the tolerance, or put into another one. The plugin logs it as a warning.
#[derive(Message, Debug, Clone, PartialEq)]
pub struct BodyTrouble {
    /// The body.
    pub body: Entity,
    /// What happened, and what helps.
    pub text: String,
}
