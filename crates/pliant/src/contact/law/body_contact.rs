//! One contact between bodies, and its force.

use glam::DVec3;

use crate::force::PointForce;

use super::friction_memory::FrictionMemory;
use super::half_space::HalfSpace;
use super::overlap_recovery::OverlapRecovery;
use super::vertex_law::{PointMotion, VertexLaw};

/// Two points in contact, and the law between them.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct BodyContact {
    /// The two bodies, by their indices among the bodies that are stepped together.
    pub members: [u32; 2],
    /// Unit normal out of the second body; the normal force on the first acts along it.
    pub normal: DVec3,
    /// Stiffness and damping of the contact.
    pub law: VertexLaw,
    /// Coulomb's coefficient μ.
    pub friction: f64,
    /// The mass that friction alone can stop, in kg: that of the first body if the motion of the second is prescribed. Infinite between two bodies: those in a
    /// heap are pressed and held by others, and a load of many weights does not stop one of them.
    pub mass: f64,
    /// The distance at which the points are kept apart, in m.
    pub thickness: f64,
    /// How much nearer points were put that slide from the start, in m: they carried no load there. Points at rest may as well stick.
    pub raised: f64,
    /// Depth of their overlap that is ignored at the start of the step, in m.
    pub ignored_depth: f64,
    /// The decrease of the ignored depth.
    pub recovery: OverlapRecovery,
    /// The friction memory; `None` for a new contact.
    pub memory: Option<FrictionMemory>,
    /// From the second point to the first when the memory was written, in m.
    pub span: DVec3,
    /// The second point, if its motion is prescribed; it then has no nodes here.
    pub prescribed: Option<MovingPoint>,
    /// Impulse on the first body so far in this step, in N·s.
    pub impulse: DVec3,
}

/// A point of a body and its velocity: prescribed, or a result of the nodes of the body.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct MovingPoint {
    /// Its position, in m.
    pub point: DVec3,
    /// Its velocity, in m/s.
    pub velocity: DVec3,
}

impl BodyContact {
    /// True if it is expected to push: it is new, or pushed in the last substep.
    pub(super) fn starts_pushing(&self) -> bool {
        self.memory.is_none_or(|memory| memory.pushed)
    }

    /// The force between two moving points, in a substep that ends `elapsed` seconds after the start of the step; updates the
    /// friction memory.
    pub(super) fn force(
        &mut self,
        first: MovingPoint,
        second: MovingPoint,
        elapsed: f64,
        h: f64,
    ) -> PointForce {
        let other = self.prescribed.unwrap_or(second);
        let span = first.point - other.point;
        // A prescribed point acts from its position at the end of the substep, since the force is implicit.
        let moves = if self.prescribed.is_some() { h * other.velocity } else { DVec3::ZERO };
        let ignored_depth = self.recovery.remaining(self.ignored_depth, elapsed);
        // The plane through the second point, moved out by the thickness and in by the depth that is still ignored.
        let point = other.point + moves + (self.thickness - ignored_depth) * self.normal;
        let plane = HalfSpace { point, normal: self.normal };
        // A prescribed point has no unknowns here, so its velocity is given as that of the surface. Between two bodies the law
        // acts on their relative velocity.
        let (velocity, surface) = match self.prescribed {
            Some(prescribed) => (first.velocity, prescribed.velocity),
            None => (first.velocity - second.velocity, DVec3::ZERO),
        };
        // The offset grows with the distance between the points since the memory was written.
        let motion = PointMotion {
            position: first.point,
            velocity,
            surface,
            offset: self.memory.map(|memory| memory.offset + (span - self.span)),
            // In the first substep: the thickness stays the same over a step.
            raised: std::mem::take(&mut self.raised),
            before: self.memory.map(|memory| memory.slip),
            mass: self.mass,
        };
        let (force, result) = self.law.force(&plane, &motion, self.friction, h);
        let (offset, slip, normal) = (result.offset, result.velocity, self.normal);
        let thickness = self.thickness;
        let pushed = self.starts_pushing();
        let memory = FrictionMemory { offset, slip, normal, ignored_depth, thickness, pushed };
        self.memory = Some(memory);
        self.span = span;
        if let Some(prescribed) = &mut self.prescribed {
            prescribed.point += moves;
        }
        force
    }
}
