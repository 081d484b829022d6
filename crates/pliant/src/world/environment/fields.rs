//! Explosions and force fields.

use std::collections::BTreeMap;

use glam::DVec3;

use crate::body::{Masses, Skin, SkinMotion};
use crate::force::{Blast, FieldError, ForceField, PairSide};
use crate::world::slot::slot::BodySlot;
use crate::world::world::World;

impl World {
    /// Adds an explosion; one whose time has passed goes off in the next step.
    ///
    /// # Errors
    ///
    /// A number that is not finite or out of range; then nothing has changed.
    pub fn add_blast(&mut self, blast: Blast) -> Result<(), FieldError> {
        blast.check()?;
        self.environment.blasts.push(Blast { time: blast.time.max(self.time), ..blast });
        Ok(())
    }

    /// Explosions in the future.
    pub fn blasts(&self) -> impl Iterator<Item = &Blast> {
        self.environment.blasts.iter().filter(|blast| blast.time >= self.time)
    }

    /// Adds a force field.
    ///
    /// ```
    /// use glam::DVec3;
    /// use pliant::force::{FieldKind, ForceField};
    /// use pliant::{World, WorldConfig};
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
    /// A number that is not finite or out of range; then nothing has changed.
    pub fn add_field(&mut self, field: ForceField) -> Result<(), FieldError> {
        field.check()?;
        self.environment.fields.push(field);
        Ok(())
    }

    /// Removes a force field, and shifts the later ones by one index; false if there is none at this index.
    pub fn remove_field(&mut self, index: usize) -> bool {
        let there = index < self.environment.fields.len();
        if there {
            self.environment.fields.remove(index);
        }
        there
    }

    /// Force fields, in the order they were added.
    pub fn fields(&self) -> &[ForceField] {
        &self.environment.fields
    }

    /// Applies explosions that are due, and force fields, to the step that begins.
    pub(crate) fn apply_fields(&mut self) {
        let (from, to) = (self.time, self.time + self.config.dt);
        for index in 0..self.environment.blasts.len() {
            let blast = self.environment.blasts[index];
            if (from..to).contains(&blast.time) {
                self.explode(&blast);
            }
        }
        for index in 0..self.environment.fields.len() {
            let field = self.environment.fields[index];
            if field.acts(from) {
                self.drive(&field);
            }
        }
    }

    fn explode(&mut self, blast: &Blast) {
        let mut motion = SkinMotion::default();
        let threshold = self.config.sleep.unwrap_or_default().force;
        for index in 0..self.slots.len() as u32 {
            let Some(slot) = self.slots.get_mut(index) else { continue };
            if slot.is_kinematic() || !slot.within(blast.centre, blast.radius) {
                continue;
            }
            let skin = slot.skin().clone();
            motion.follow(&skin, &slot.body.state);
            let mut impulses = vec![DVec3::ZERO; skin.vertex_count()];
            if !blast.push(&skin, &motion, &mut impulses) {
                continue;
            }
            if slot.sleep.is_asleep() && strongest(&skin, &impulses) < threshold * self.config.dt {
                continue;
            }
            self.wake_slot(index);
            let Some(slot) = self.slots.get_mut(index) else { continue };
            slot.apply_impulses(&skin, &impulses);
            slot.stepping.energy.forget();
            slot.double_step.hold_full_rate();
        }
    }

    /// Accelerates the bodies in a field. A sleeping body wakes if the field would make it faster than the sleep speed, with a force above
    /// the sleep threshold.
    fn drive(&mut self, field: &ForceField) {
        let (time, dt) = (self.time, self.config.dt);
        let still = self.config.sleep.map_or(0.0, |sleep| sleep.speed);
        let threshold = self.config.sleep.unwrap_or_default().force;
        for index in 0..self.slots.len() as u32 {
            let Some(slot) = self.slots.get(index) else { continue };
            if slot.is_kinematic() || !slot.within(field.centre, field.radius) {
                continue;
            }
            let reach = |x: &DVec3| dt * field.at(*x, time).length();
            let fastest = slot.body.state.x.iter().map(reach).fold(0.0, f64::max);
            let sleeps_on = || slot.sleep.is_asleep() && slot.strongest(field, time) < threshold;
            if fastest <= still || sleeps_on() {
                continue;
            }
            self.wake_slot(index);
            if let Some(slot) = self.slots.get_mut(index) {
                slot.accelerate(field, time, dt);
                slot.stepping.energy.forget();
            }
        }
    }
}

impl BodySlot {
    /// True if a part of it may be within a ball.
    fn within(&self, centre: DVec3, radius: f64) -> bool {
        let x = &self.body.state.x;
        let low = x.iter().fold(DVec3::INFINITY, |low, x| low.min(*x));
        let high = x.iter().fold(DVec3::NEG_INFINITY, |high, x| high.max(*x));
        let nearest = centre.clamp(low.min(high), high.max(low));
        // The nodes of a rigid body do not bound its skin.
        self.body.model().is_rigid() || nearest.distance(centre) <= radius
    }

    /// Changes the velocities by impulses on the vertices of its skin, in N s.
    fn apply_impulses(&mut self, skin: &Skin, impulses: &[DVec3]) {
        /// Relative to the impulse: what is left changes no figure of a blast.
        const TOLERANCE: f64 = 1e-6;
        let model = self.body.model().clone();
        if let Masses::Consistent(matrix) = self.stepping.stepper.mass_matrix(&model) {
            // M Δv = Hᵀ J. Division by row sums would shift the impulse within its cell, and so change its torque.
            let mut change = vec![DVec3::ZERO; model.masses().len()];
            for (vertex, impulse) in impulses.iter().enumerate() {
                for (node, weight) in skin.weights(vertex) {
                    change[node as usize] += weight * *impulse;
                }
            }
            let unknowns = self.body.unknowns();
            matrix.solve(TOLERANCE, |node| !unknowns.is_prescribed(node as u32), &mut change);
            self.body.state.v.iter_mut().zip(change).for_each(|(v, change)| *v += change);
            return;
        }
        for (vertex, impulse) in impulses.iter().enumerate() {
            let weights: Vec<(u32, f64)> = skin.weights(vertex).collect();
            self.apply_impulse(&PairSide { member: 0, weights: &weights }, *impulse, 0.0);
        }
    }

    /// The strongest force of a field on a node, in N.
    fn strongest(&self, field: &ForceField, time: f64) -> f64 {
        let nodes = self.body.state.x.iter().zip(self.body.model().masses());
        nodes.map(|(x, mass)| mass * field.at(*x, time).length()).fold(0.0, f64::max)
    }

    /// Adds the velocity that a field causes in a step to all free nodes.
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
