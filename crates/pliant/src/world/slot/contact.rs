//! Contact of a body in a step: its collider, and the forces of obstacles.

use glam::DVec3;

use crate::body::{Body, State};
use crate::contact::RESERVED_FEATURES;
use crate::contact::{
    Collider, ContinuousSurface, ObstacleContact, ObstacleContext, Reach, SurfaceMotion,
};
use crate::persist::{Persist, Reader, SnapshotError};
use crate::solver::{Phase, PhaseTeller};
use crate::world::context::StepContext;
use pliant_kernels::math::TimeStep;

use super::component::contact::SlotContact;
use super::slot::BodySlot;

impl BodySlot {
    /// Makes the skin for contact with obstacles, and reserves memory for its forces.
    pub(crate) fn prepare_for_obstacles(&mut self) {
        if !self.is_present() {
            return;
        }
        let new = || ObstacleContact::new(self.body.model());
        let skin = self.contact.obstacles.get_or_insert_with(new).skin();
        // Every vertex may touch an obstacle: no later step allocates for that, nor for some points between vertices.
        let vertices = skin.vertex_count();
        let nodes = |vertex| skin.weights(vertex).len();
        let weights: usize = (0..vertices).map(nodes).sum();
        let most = (0..vertices).map(nodes).max().unwrap_or(0);
        let between = RESERVED_FEATURES;
        self.loads.points.reserve(vertices + between, weights + 3 * most * between);
    }

    /// Makes the collider for contact with other bodies.
    pub(crate) fn prepare_for_bodies(&mut self) {
        if !self.is_present() || self.contact.collider.is_some() {
            return;
        }
        self.prepare_for_obstacles();
        let contact = self.contact.obstacles.as_ref();
        let facets = contact.and_then(ObstacleContact::facets);
        self.contact.collider = facets.cloned().map(Collider::new);
        self.contact.is_in_hull = contact.is_some_and(|contact| contact.skin().is_in_hull());
    }

    /// Updates the collider for a step of `h` seconds.
    pub(crate) fn update_collider(&mut self, h: f64, thickness: f64) {
        self.prepare_for_bodies();
        let SlotContact { collider: Some(collider), obstacles: Some(contact), .. } =
            &mut self.contact
        else {
            return;
        };
        let State { x, v, .. } = &self.body.state;
        collider.follow(contact.skin(), x, v, h);
        collider.refit(thickness);
        self.contact.collider_stale = false;
    }

    /// Finds a box that contains the collider over a step of `h` seconds. The collider itself is updated later, if the box of another body overlaps this one; at once
    /// only if it is needed in any case, or if the nodes do not enclose it.
    pub(crate) fn enclose_collider(&mut self, h: f64, thickness: f64) {
        self.prepare_for_bodies();
        self.contact.is_near = false;
        let needed = self.is_kinematic() || self.contact.config.with_itself;
        if needed || !self.contact.is_in_hull {
            return self.update_collider(h, thickness);
        }
        let State { x, v, .. } = &self.body.state;
        if let Some(collider) = &mut self.contact.collider {
            collider.enclose(x, v, h);
            self.contact.make_stale();
        }
    }

    /// True if the collider has to be updated at the start of a step: sleeping bodies do not move.
    pub(crate) fn needs_collider_update(&self) -> bool {
        !self.sleep.is_asleep() || self.contact.collider_stale || self.contact.collider.is_none()
    }

    /// The surface where the body is now, for queries between steps of `h` seconds; `None` for a body that is gone, and for a skin that is no
    /// surface.
    pub(crate) fn seen(&self, h: f64, thickness: f64) -> Option<&Collider> {
        self.is_present().then(|| self.contact.seen(&self.body, h, thickness))?
    }

    /// The skin over the step that was just taken, for continuous contact to correct.
    pub(crate) fn swept_surface(&mut self, h: f64) -> Option<ContinuousSurface<'_>> {
        let (kinematic, give) = (self.is_kinematic(), self.impulse_share(h));
        let Self { contact, body, stepping, start_state, .. } = self;
        contact.update_inverse_masses(body, &stepping.stepper);
        let rigid = body.model().is_rigid();
        let SlotContact { collider, obstacles, kinematic_end, inverse_masses, .. } = contact;
        let (collider, skin) = (collider.as_ref()?, obstacles.as_ref()?.skin());
        let State { x, v, .. } = &mut body.state;
        let facets = collider.facets();
        if kinematic {
            skin.interpolate(x, kinematic_end);
            let motion = SurfaceMotion::Prescribed { begin: collider.x(), end: kinematic_end };
            return Some(ContinuousSurface { facets, motion });
        }
        let (x0, v0) = (&*start_state.state.x, &*start_state.state.v);
        let ties = stepping.stepper.tied().map(|(unknowns, _)| unknowns);
        let motion =
            SurfaceMotion::Nodes { skin, x0, x1: x, v0, v, inverse_masses, ties, give, rigid };
        Some(ContinuousSurface { facets, motion })
    }

    /// The part of an impulse that one node takes by itself in a step of h seconds; its neighbours take the rest.
    ///
    /// ```text
    /// 1/(1 + h² ω²)        ω² = E/(ρ ℓ²)
    /// ```
    ///
    /// - `E`, `ρ` Young's modulus and density of the stiffest material, in Pa and kg/m³
    /// - `ℓ` the distance between nodes, in m, from the volume of each
    ///
    /// With masses alone an impulse would move a node of stiff material as if it were free. Its neighbours would pull it back
    /// in the next step, with more energy than the impact had. Derived here.
    fn impulse_share(&self, h: f64) -> f64 {
        let (model, materials) = (self.body.model(), self.body.model().materials());
        let waves = materials.iter().map(|of| of.young / of.density).fold(0.0, f64::max);
        let density = materials.iter().map(|of| of.density).fold(0.0, f64::max);
        let volume = model.mass() / density / model.masses().len() as f64;
        let spacing = volume.cbrt();
        1.0 / (1.0 + h * h * waves / (spacing * spacing))
    }

    /// Gathers the forces of contact with obstacles in a substep.
    pub(crate) fn gather_obstacle_contacts(
        &mut self,
        context: &StepContext<'_>,
        step: TimeStep,
        phase: &mut PhaseTeller<'_>,
    ) {
        let SlotContact { obstacles: Some(contact), just_placed, on_obstacle, config, .. } =
            &mut self.contact
        else {
            return;
        };
        phase(Phase::Contact);
        let points = &mut self.loads.points;
        let solves = self.stepping.method.stepper.solves();
        let reach = if solves { Reach::Ahead } else { Reach::Now };
        let (before, just_placed) = (points.len(), std::mem::take(just_placed));
        let StepContext { obstacles, frictions, recovery, .. } = *context;
        let turns = self.stepping.method.stepper.turns_exactly();
        let centre_velocity = turns.then(|| centre_velocity(&self.body));
        let obstacles = ObstacleContext {
            obstacles,
            frictions,
            material: config.material,
            just_placed,
            recovery,
            gravity: context.config.gravity,
            centre_velocity,
        };
        contact.gather_on(&obstacles, &self.body.state, step, reach, points);
        *on_obstacle = points.len() > before;
    }

    /// Loads the friction with obstacles.
    pub(crate) fn load_friction(&mut self, from: &mut Reader<'_>) -> Result<(), SnapshotError> {
        if from.flag()? {
            self.prepare_for_obstacles();
            return self.contact.obstacles.iter_mut().try_for_each(|contact| contact.load(from));
        }
        self.contact.obstacles.iter_mut().for_each(ObstacleContact::forget);
        Ok(())
    }
}

/// Velocity of the centre of mass, in m/s.
fn centre_velocity(body: &Body) -> DVec3 {
    let nodes = body.state.v.iter().zip(body.model().masses());
    nodes.map(|(v, mass)| *mass * *v).sum::<DVec3>() / body.model().mass()
}
