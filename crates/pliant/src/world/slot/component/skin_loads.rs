//! Loads on the skin of a body.

use glam::DVec3;

use crate::body::{Body, Skin, SkinMotion};
use crate::force::{DampedForces, PointForces, Wind};
use crate::persist::{Persist, Reader, SnapshotError, Writer};
use crate::sleep::SleepConfig;

/// The wind of a world at a time in s.
pub(crate) type WindAt<'a> = Option<(&'a Wind, f64)>;

/// Loads on the skin of one body: prescribed ones and wind, with their buffers.
///
/// They are found once in a step, for the shape at its start, and hold for all of its substeps. Another kind of load on a skin
/// adds to the forces on its vertices, as [`Wind::blow`] does.
#[derive(Debug, Clone, Default)]
pub(crate) struct SkinLoads {
    /// Prescribed traction on each triangle, in Pa; may be empty.
    tractions: Vec<DVec3>,
    /// Prescribed force on each vertex, in N; may be empty.
    forces: Vec<DVec3>,
    /// True if these have changed since the body fell asleep.
    changed: bool,
    motion: SkinMotion,
    vertices: DampedForces,
    nodes: DampedForces,
    /// Forces on the nodes when the body fell asleep, in N; may be empty.
    at_sleep: Vec<DVec3>,
    /// True once memory was reserved among the point forces.
    has_room: bool,
}

impl SkinLoads {
    /// Sets the tractions: one for each triangle, or an empty list.
    pub(crate) fn set_tractions(&mut self, tractions: &[DVec3]) {
        self.changed |= self.tractions != tractions;
        self.tractions.clear();
        self.tractions.extend_from_slice(tractions);
    }

    /// Sets the forces: one for each vertex, or an empty list.
    pub(crate) fn set_forces(&mut self, forces: &[DVec3]) {
        self.changed |= self.forces != forces;
        self.forces.clear();
        self.forces.extend_from_slice(forces);
    }

    /// True if loads are prescribed.
    pub(crate) fn are_given(&self) -> bool {
        !(self.tractions.is_empty() && self.forces.is_empty())
    }

    /// True if prescribed loads have changed since the body fell asleep.
    pub(crate) fn have_changed(&self) -> bool {
        self.changed
    }

    /// True if the lists have the lengths that a skin and `node_count` nodes need.
    pub(crate) fn fit(&self, skin: &Skin, node_count: usize) -> bool {
        let fits = |list: &[DVec3], count: usize| list.is_empty() || list.len() == count;
        fits(&self.tractions, skin.triangles().len())
            && fits(&self.forces, skin.vertex_count())
            && fits(&self.at_sleep, node_count)
    }

    /// Returns true once: memory has to be reserved.
    pub(crate) fn needs_room(&mut self) -> bool {
        !std::mem::replace(&mut self.has_room, true)
    }

    /// Finds the forces for a step.
    pub(crate) fn find(&mut self, skin: &Skin, body: &Body, wind: WindAt<'_>) {
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

    /// Removes all forces of the step.
    pub(crate) fn clear(&mut self) {
        self.nodes.clear();
        self.vertices.clear();
    }

    /// Forces on the nodes of a body at rest, in N; may be empty.
    pub(crate) fn on_nodes(&self) -> &[DVec3] {
        &self.nodes.forces
    }

    /// Adds the forces to the point forces of the body. Some weights of a rigid skin are negative, so its dampers cannot be
    /// lumped at nodes and act at the vertices.
    pub(crate) fn push(&self, skin: &Skin, body: &Body, points: &mut PointForces) {
        if body.model().is_rigid() && self.nodes.resists() {
            self.vertices.push_vertices(skin, points);
        } else {
            self.nodes.push_nodes(body.unknowns(), points);
        }
    }

    /// Stores the forces under which the body fell asleep.
    pub(crate) fn store_sleep_loads(&mut self) {
        self.changed = false;
        self.at_sleep.clone_from(&self.nodes.forces);
    }

    /// True if the force on a node has changed, since the body fell asleep, by more than the sleep thresholds for speed (reached
    /// in `dt` with these masses, in kg) and for force.
    pub(crate) fn disturb(&self, masses: &[f64], sleep: &SleepConfig, dt: f64) -> bool {
        let force = |list: &[DVec3], node: usize| list.get(node).copied().unwrap_or(DVec3::ZERO);
        masses.iter().enumerate().any(|(node, mass)| {
            let change = force(&self.nodes.forces, node) - force(&self.at_sleep, node);
            let change = change.length();
            dt * change > sleep.speed * mass && change >= sleep.force
        })
    }
}

/// Prescribed loads, and the loads at the time of falling asleep; all else is found anew in every step.
impl Persist for SkinLoads {
    fn save(&self, to: &mut Writer) {
        to.flag(self.changed);
        for list in [&self.tractions, &self.forces, &self.at_sleep] {
            to.u32(list.len() as u32);
            to.vectors(list);
        }
    }

    fn load(&mut self, from: &mut Reader<'_>) -> Result<(), SnapshotError> {
        /// Bytes of a vector.
        const VECTOR: usize = 24;
        self.changed = from.flag()?;
        for list in [&mut self.tractions, &mut self.forces, &mut self.at_sleep] {
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
