//! What acts on the skin of a body from outside.

use glam::DVec3;

use crate::body::{Body, Skin, SkinMotion};
use crate::force::{DampedForces, PointForces, Wind};
use crate::island::SleepConfig;
use crate::persist::{Persist, Reader, SnapshotError, Writer};

/// The wind of a world, and when it is asked for, in s.
pub(super) type Blowing<'a> = Option<(&'a Wind, f64)>;

/// Loads on the skin of one body, given and found, and the buffers for them.
///
/// They are found once a step, where the body is at its begin, and hold for all of its substeps. Another field that acts on a skin
/// adds to the forces of its vertices as [`Wind::blow`] does, and everything after that is the same.
#[derive(Debug, Clone, Default)]
pub(super) struct SkinLoads {
    /// Given for every triangle, in Pa; empty for none.
    tractions: Vec<DVec3>,
    /// Given for every vertex, in N; empty for none.
    forces: Vec<DVec3>,
    /// Whether these have changed since the body fell asleep.
    changed: bool,
    motion: SkinMotion,
    vertices: DampedForces,
    nodes: DampedForces,
    /// Forces on its nodes when it fell asleep, in N; empty for none.
    calm: Vec<DVec3>,
    /// Whether there is room for them among the forces on points.
    roomy: bool,
}

impl SkinLoads {
    /// Takes tractions, one for each triangle or none.
    pub(super) fn set_tractions(&mut self, tractions: &[DVec3]) {
        self.changed |= self.tractions != tractions;
        self.tractions.clear();
        self.tractions.extend_from_slice(tractions);
    }

    /// Takes forces, one for each vertex or none.
    pub(super) fn set_forces(&mut self, forces: &[DVec3]) {
        self.changed |= self.forces != forces;
        self.forces.clear();
        self.forces.extend_from_slice(forces);
    }

    /// Whether something is given.
    pub(super) fn are_given(&self) -> bool {
        !(self.tractions.is_empty() && self.forces.is_empty())
    }

    /// Whether that has changed since the body fell asleep.
    pub(super) fn have_changed(&self) -> bool {
        self.changed
    }

    /// Whether there are as many as a skin wants, after they were loaded for nodes of this number.
    pub(super) fn fit(&self, skin: &Skin, node_count: usize) -> bool {
        let fits = |list: &[DVec3], count: usize| list.is_empty() || list.len() == count;
        fits(&self.tractions, skin.triangles().len())
            && fits(&self.forces, skin.vertex_count())
            && fits(&self.calm, node_count)
    }

    /// Whether room is to be made for them: the first time.
    pub(super) fn take_room(&mut self) -> bool {
        !std::mem::replace(&mut self.roomy, true)
    }

    /// Finds the forces of a step.
    pub(super) fn find(&mut self, skin: &Skin, body: &Body, wind: Blowing<'_>) {
        let Self { tractions, forces, motion, vertices, nodes, .. } = self;
        motion.follow(skin, &body.state);
        vertices.reset(skin.vertex_count());
        vertices.forces.iter_mut().zip(forces).for_each(|(sum, force)| *sum += *force);
        motion.add_tractions(skin, tractions, &mut vertices.forces);
        if let Some((wind, t)) = wind {
            wind.blow(skin, motion, t, vertices);
        }
        vertices.spread(skin, motion, &body.state.v, nodes);
    }

    /// Nothing acts.
    pub(super) fn clear(&mut self) {
        self.nodes.clear();
        self.vertices.clear();
    }

    /// Forces on the nodes of a body that stands still, in N; empty for none.
    pub(super) fn on_nodes(&self) -> &[DVec3] {
        &self.nodes.forces
    }

    /// Adds them to those on points of the body. Some weights of a rigid skin are negative, so that its dampers cannot be lumped; they
    /// are six numbers in the end.
    pub(super) fn push(&self, skin: &Skin, body: &Body, points: &mut PointForces) {
        if body.model().is_rigid() && self.nodes.resists() {
            self.vertices.push_vertices(skin, points);
        } else {
            self.nodes.push_nodes(body.unknowns(), points);
        }
    }

    /// Remembers the forces under which the body fell asleep.
    pub(super) fn note_calm(&mut self) {
        self.changed = false;
        self.calm.clone_from(&self.nodes.forces);
    }

    /// Whether the force on a node has changed since by what would make it, with these masses in kg, faster in `dt` than a sleeper may be,
    /// and by no less than a sleeper wakes for.
    pub(super) fn disturb(&self, masses: &[f64], sleep: &SleepConfig, dt: f64) -> bool {
        let force = |list: &[DVec3], node: usize| list.get(node).copied().unwrap_or(DVec3::ZERO);
        masses.iter().enumerate().any(|(node, mass)| {
            let change = force(&self.nodes.forces, node) - force(&self.calm, node);
            let change = change.length();
            dt * change > sleep.speed * mass && change >= sleep.force
        })
    }
}

/// What is given, and what a sleeper compares it with; the rest is found anew in every step.
impl Persist for SkinLoads {
    fn save(&self, to: &mut Writer) {
        to.flag(self.changed);
        for list in [&self.tractions, &self.forces, &self.calm] {
            to.u32(list.len() as u32);
            to.vectors(list);
        }
    }

    fn load(&mut self, from: &mut Reader<'_>) -> Result<(), SnapshotError> {
        /// Bytes of a vector.
        const VECTOR: usize = 24;
        self.changed = from.flag()?;
        for list in [&mut self.tractions, &mut self.forces, &mut self.calm] {
            let count = from.count(VECTOR)?;
            list.resize(count, DVec3::ZERO);
            from.vectors(list)?;
            if !list.iter().all(|value| value.is_finite()) {
                return Err(from.bad("loads on a skin"));
            }
        }
        Ok(())
    }
}
