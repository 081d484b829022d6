//! Inputs of contact with obstacles.

use glam::DVec3;

use crate::contact::law::friction_table::FrictionTable;
use crate::contact::law::overlap_recovery::OverlapRecovery;

use super::obstacle::Obstacle;

/// The vertices that take part in contact with obstacles in a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Reach {
    /// Vertices that are inside, or would be by the end of the step. For implicit steppers, which then find
    /// the velocity at which they just touch.
    #[default]
    Ahead,
    /// Vertices that are inside. For explicit steppers: with them, a force that stops a vertex ahead of the obstacle would pull
    /// it there.
    Now,
}

/// Inputs of contact with obstacles in a step.
#[derive(Debug, Clone, Copy)]
pub struct ObstacleContext<'a> {
    /// The obstacles of the world.
    pub obstacles: &'a [Obstacle],
    /// Friction between materials.
    pub frictions: &'a FrictionTable,
    /// The material of the body.
    pub material: u32,
    /// True if the body was just placed: overlaps with obstacles it did not touch before are then resolved slowly.
    pub just_placed: bool,
    /// The speed of that.
    pub recovery: OverlapRecovery,
    /// Gravity, in m/s².
    pub gravity: DVec3,
    /// Velocity of the centre of mass, in m/s, if the velocities of the rotation about it are those at the start of the step;
    /// `None` if all velocities are displacements of the last step over its length.
    pub centre_velocity: Option<DVec3>,
}
