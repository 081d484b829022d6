//! What obstacles did to a body in a step: the impulse of each.

use glam::DVec3;

use crate::body::State;
use crate::force::PointForces;
use crate::persist::{Reader, SnapshotError, Writer};

/// The impulse of an obstacle on a body in a step.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct ObstacleTouch {
    /// The obstacle, by its index in the world.
    pub(crate) obstacle: u32,
    /// The impulse of all points together on the body, in N·s.
    pub(crate) impulse: DVec3,
    /// The strongest impulse of a single point, in N·s.
    pub(crate) strongest: f64,
    /// Where that was at the end of the substep, in m.
    pub(crate) point: DVec3,
    /// The normal of the obstacle there.
    pub(crate) normal: DVec3,
}

/// A contact force of the substep: its obstacle, and where its point was at the start, in m.
#[derive(Debug, Clone, Copy)]
struct Push {
    obstacle: u32,
    start: DVec3,
}

/// The impulses of all obstacles on a body, and which of them touched it in the step before.
#[derive(Debug, Clone, Default)]
pub(crate) struct ObstacleTouches {
    /// The forces of the substep, the first of which is number `first` of the point forces.
    pushes: Vec<Push>,
    first: usize,
    /// The length of the substep, in s.
    h: f64,
    /// Those of the present step, or of the last one in which the body was stepped.
    touching: Vec<ObstacleTouch>,
    /// The obstacles that touched it in the step before.
    before: Vec<u32>,
    /// True if the body was stepped since the changes were last told.
    stepped: bool,
}

impl ObstacleTouches {
    /// With memory for this number of forces.
    pub(crate) fn with_room(count: usize) -> Self {
        /// Obstacles that a body seldom touches more of at once.
        const OBSTACLES: usize = 8;
        Self {
            pushes: Vec::with_capacity(count),
            touching: Vec::with_capacity(OBSTACLES),
            before: Vec::with_capacity(OBSTACLES),
            ..Self::default()
        }
    }

    /// Forgets the impulses so far: a step begins, perhaps again.
    pub(crate) fn begin_step(&mut self) {
        self.touching.clear();
        self.pushes.clear();
    }

    /// Begins a substep of `h` seconds whose contact forces follow the first `first` point forces.
    pub(super) fn begin_substep(&mut self, first: usize, h: f64) {
        self.pushes.clear();
        (self.first, self.h) = (first, h);
    }

    /// Notes the next contact force of the substep, on a point that is now at `start`.
    pub(super) fn push(&mut self, obstacle: u32, start: DVec3) {
        self.pushes.push(Push { obstacle, start });
    }

    /// Adds the impulses of the substep that has just been taken, by the force that each point had at its end.
    ///
    /// ```text
    /// J = h ( f − K (p₁ − p₀) − D ṗ₁ )
    /// ```
    pub(crate) fn end_substep(&mut self, points: &PointForces, state: &State) {
        let Self { pushes, first, h, touching, .. } = self;
        let forces = points.iter().zip(points.sides()).skip(*first);
        for (Push { obstacle, start }, ((force, weights), side)) in pushes.iter().zip(forces) {
            let blend = |values: &[DVec3]| -> DVec3 {
                weights.iter().map(|(node, weight)| *weight * values[*node as usize]).sum()
            };
            let (point, velocity) = (blend(&state.x), blend(&state.v));
            let now = force.moved(point - *start);
            let impulse = *h * (now.force - DVec3::from(now.damping.mul_vec(velocity.into())));
            let normal = side.unwrap_or_default();
            // The linearised force of a step may also pull; such a point takes part in the sum, but it is no touch.
            let strongest = if impulse.dot(normal) > 0.0 { impulse.length() } else { 0.0 };
            add(touching, ObstacleTouch { obstacle: *obstacle, impulse, strongest, point, normal });
        }
        pushes.clear();
        self.stepped = true;
    }

    /// The impulses of the last step in which the body was stepped.
    pub(crate) fn touching(&self) -> impl Iterator<Item = &ObstacleTouch> {
        self.touching.iter().filter(|touch| touch.strongest > 0.0)
    }

    /// Passes the touches that began in the last step to `began`, and the obstacles that touch no more to `ended`; nothing if the body was not
    /// stepped since then.
    pub(crate) fn tell_changes(
        &mut self,
        mut began: impl FnMut(&ObstacleTouch),
        mut ended: impl FnMut(u32),
    ) {
        if !std::mem::take(&mut self.stepped) {
            return;
        }
        let before = std::mem::take(&mut self.before);
        self.touching().filter(|touch| !before.contains(&touch.obstacle)).for_each(&mut began);
        let touches = |obstacle: &u32| self.touching().any(|touch| touch.obstacle == *obstacle);
        before.iter().filter(|obstacle| !touches(obstacle)).for_each(|obstacle| ended(*obstacle));
        self.before = before;
        self.before.clear();
        let touching = self.touching.iter().filter(|touch| touch.strongest > 0.0);
        self.before.extend(touching.map(|touch| touch.obstacle));
    }

    /// Forgets an obstacle that is removed; later ones move up.
    pub(super) fn forget(&mut self, obstacle: u32) {
        self.touching.retain(|touch| touch.obstacle != obstacle);
        self.before.retain(|before| *before != obstacle);
        let touching = self.touching.iter_mut().map(|touch| &mut touch.obstacle);
        for later in touching.chain(&mut self.before).filter(|other| **other > obstacle) {
            *later -= 1;
        }
        self.pushes.clear();
    }

    /// True if some obstacle touched it in the last step in which it was stepped.
    pub(super) fn is_touched(&self) -> bool {
        self.touching().next().is_some()
    }

    /// Saves what touched it. Between steps these are the obstacles of `before` as well.
    pub(super) fn save(&self, to: &mut Writer) {
        to.u32(self.touching().count() as u32);
        for ObstacleTouch { obstacle, impulse, strongest, point, normal } in self.touching() {
            to.u32(*obstacle);
            to.vector(*impulse);
            to.f64(*strongest);
            to.vector(*point);
            to.vector(*normal);
        }
    }

    pub(super) fn load(&mut self, from: &mut Reader<'_>) -> Result<(), SnapshotError> {
        /// Bytes of a touch.
        const BYTES: usize = 84;
        self.begin_step();
        self.before.clear();
        for _ in 0..from.count(BYTES)? {
            let (obstacle, impulse) = (from.u32()?, from.vector()?);
            let (strongest, point, normal) = (from.f64()?, from.vector()?, from.vector()?);
            self.touching.push(ObstacleTouch { obstacle, impulse, strongest, point, normal });
            self.before.push(obstacle);
        }
        self.stepped = false;
        Ok(())
    }

    /// Forgets all of it.
    pub(crate) fn clear(&mut self) {
        self.begin_step();
        self.before.clear();
        self.stepped = false;
    }
}

/// Adds an impulse to those of the same obstacle.
fn add(touching: &mut Vec<ObstacleTouch>, new: ObstacleTouch) {
    let Some(known) = touching.iter_mut().find(|touch| touch.obstacle == new.obstacle) else {
        return touching.push(new);
    };
    known.impulse += new.impulse;
    if new.strongest > known.strongest {
        (known.strongest, known.point, known.normal) = (new.strongest, new.point, new.normal);
    }
}
