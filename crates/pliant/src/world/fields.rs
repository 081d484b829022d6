//! Explosions and force fields, as they come.

use std::collections::BTreeMap;

use glam::DVec3;

use crate::body::{Skin, SkinMotion};
use crate::force::{Blast, FieldError, ForceField, PairSide};

use super::entry::Entry;
use super::{Handle, World};

impl World {
    /// Takes in an explosion; one whose time has passed goes off in the next step.
    ///
    /// # Errors
    ///
    /// Numbers that are none; then nothing has changed.
    pub fn add_blast(&mut self, blast: Blast) -> Result<(), FieldError> {
        blast.check()?;
        self.blasts.push(Blast { time: blast.time.max(self.time), ..blast });
        Ok(())
    }

    /// Explosions that are still to come.
    pub fn blasts(&self) -> impl Iterator<Item = &Blast> {
        self.blasts.iter().filter(|blast| blast.time >= self.time)
    }

    /// Takes in a force field.
    ///
    /// ```
    /// use glam::DVec3;
    /// use pliant::force::{FieldKind, ForceField};
    /// use pliant::world::{World, WorldConfig};
    ///
    /// let mut world = World::new(WorldConfig::default())?;
    /// let lift = FieldKind::Steady(DVec3::Y * 12.0);
    /// world.add_field(ForceField { radius: 2.0, kind: lift, ..Default::default() })?;
    /// assert_eq!(world.fields().len(), 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Numbers that are none; then nothing has changed.
    pub fn add_field(&mut self, field: ForceField) -> Result<(), FieldError> {
        field.check()?;
        self.fields.push(field);
        Ok(())
    }

    /// Takes a force field away, and moves those behind it up by one place; false if there is none there.
    pub fn remove_field(&mut self, index: usize) -> bool {
        let there = index < self.fields.len();
        if there {
            self.fields.remove(index);
        }
        there
    }

    /// Force fields, in the order they were added.
    pub fn fields(&self) -> &[ForceField] {
        &self.fields
    }

    /// Lets explosions go off whose time has come, and fields act over the step that begins.
    pub(super) fn push_by_fields(&mut self) {
        let (from, to) = (self.time, self.time + self.config.dt);
        for index in 0..self.blasts.len() {
            let blast = self.blasts[index];
            if (from..to).contains(&blast.time) {
                self.explode(&blast);
            }
        }
        for index in 0..self.fields.len() {
            let field = self.fields[index];
            if field.acts(from) {
                self.drive(&field);
            }
        }
    }

    fn explode(&mut self, blast: &Blast) {
        let mut motion = SkinMotion::default();
        let threshold = self.config.sleep.unwrap_or_default().force;
        for index in 0..self.entries.len() as u32 {
            let Some(entry) = self.entries.get_mut(index) else { continue };
            if entry.is_kinematic() || !entry.within(blast.centre, blast.radius) {
                continue;
            }
            let skin = entry.skin().clone();
            motion.follow(&skin, &entry.body.state);
            let mut impulses = vec![DVec3::ZERO; skin.vertex_count()];
            if !blast.push(&skin, &motion, &mut impulses) {
                continue;
            }
            if entry.rest.is_asleep() && strongest(&skin, &impulses) < threshold * self.config.dt {
                continue;
            }
            self.wake(Handle { index, generation: 0 });
            let Some(entry) = self.entries.get_mut(index) else { continue };
            for (vertex, impulse) in impulses.iter().enumerate() {
                let weights: Vec<(u32, f64)> = skin.weights(vertex).collect();
                entry.kick(&PairSide { member: 0, weights: &weights }, *impulse, 0.0);
            }
            entry.leap.shake();
        }
    }

    /// Accelerates what is in a field; what sleeps wakes if that would make it faster than what counts as still, by no less force than
    /// a sleeper wakes for.
    fn drive(&mut self, field: &ForceField) {
        let (time, dt) = (self.time, self.config.dt);
        let still = self.config.sleep.map_or(0.0, |sleep| sleep.speed);
        let threshold = self.config.sleep.unwrap_or_default().force;
        for index in 0..self.entries.len() as u32 {
            let Some(entry) = self.entries.get(index) else { continue };
            if entry.is_kinematic() || !entry.within(field.centre, field.radius) {
                continue;
            }
            let reach = |x: &DVec3| dt * field.at(*x, time).length();
            let fastest = entry.body.state.x.iter().map(reach).fold(0.0, f64::max);
            let sleeps_on = || entry.rest.is_asleep() && entry.strongest(field, time) < threshold;
            if fastest <= still || sleeps_on() {
                continue;
            }
            self.wake(Handle { index, generation: 0 });
            if let Some(entry) = self.entries.get_mut(index) {
                entry.accelerate(field, time, dt);
            }
        }
    }
}

impl Entry {
    /// Whether a part of it may be within a ball.
    fn within(&self, centre: DVec3, radius: f64) -> bool {
        let x = &self.body.state.x;
        let low = x.iter().fold(DVec3::INFINITY, |low, x| low.min(*x));
        let high = x.iter().fold(DVec3::NEG_INFINITY, |high, x| high.max(*x));
        let nearest = centre.clamp(low.min(high), high.max(low));
        // The nodes of a rigid body are not on its skin.
        self.body.model().is_rigid() || nearest.distance(centre) <= radius
    }

    /// The strongest force of a field on a node, in N.
    fn strongest(&self, field: &ForceField, time: f64) -> f64 {
        let nodes = self.body.state.x.iter().zip(self.body.model().masses());
        nodes.map(|(x, mass)| mass * field.at(*x, time).length()).fold(0.0, f64::max)
    }

    /// Gives all its free nodes what a field gives in a step.
    fn accelerate(&mut self, field: &ForceField, time: f64, dt: f64) {
        let body = &mut self.body;
        if body.model().is_rigid() {
            let x = &body.state.x;
            let centre = x.iter().sum::<DVec3>() / x.len() as f64;
            let by = dt * field.at(centre, time);
            body.state.v.iter_mut().for_each(|v| *v += by);
            return;
        }
        for node in 0..body.state.x.len() {
            if !body.unknowns().is_prescribed(node as u32) {
                let by = dt * field.at(body.state.x[node], time);
                body.state.v[node] += by;
            }
        }
    }
}

/// The strongest impulse on a node of those on the vertices of a skin, in N·s.
fn strongest(skin: &Skin, impulses: &[DVec3]) -> f64 {
    let mut nodes: BTreeMap<u32, DVec3> = BTreeMap::new();
    for (vertex, impulse) in impulses.iter().enumerate() {
        for (node, weight) in skin.weights(vertex) {
            *nodes.entry(node).or_default() += weight * *impulse;
        }
    }
    nodes.values().map(|impulse| impulse.length()).fold(0.0, f64::max)
}
