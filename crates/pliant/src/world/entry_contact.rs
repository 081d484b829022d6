//! What of a body touches.

use std::sync::Arc;

use glam::DVec3;

use crate::body::State;
use crate::contact::{
    Carried, Collider, Facets, Feature, Ground, Interval, Moved, Obstacle, ObstacleContact, Reach,
    SafeSurface, VertexLaw,
};
use crate::geometry::Aabb;
use crate::persist::{Persist, Reader, SnapshotError};
use crate::solver::{Phase, PhaseTeller};

use super::entry::Entry;
use super::moment::Moment;

impl Entry {
    /// Readies the body for meeting obstacles.
    pub(super) fn meet_obstacles(&mut self) {
        if !self.is_there() {
            return;
        }
        let contact = self.contact.get_or_insert_with(|| ObstacleContact::new(self.body.model()));
        // Every vertex may touch the new one: no step is to wait for memory.
        let skin = contact.skin();
        let vertices = skin.vertex_count();
        let weights = (0..vertices).map(|vertex| skin.weights(vertex).len()).sum();
        self.points.reserve(vertices, weights);
    }

    /// Its skin on its way.
    pub(super) fn collider(&self) -> Option<&Collider> {
        self.collider.as_ref()
    }

    /// Where its skin may be in the step.
    pub(super) fn bounds(&self) -> Aabb {
        self.collider.as_ref().map_or(Aabb::EMPTY, Collider::bounds)
    }

    /// Readies the body for meeting others.
    pub(super) fn meet_bodies(&mut self) {
        if !self.is_there() {
            return;
        }
        if self.collider.is_none() {
            self.meet_obstacles();
            let skin = self.contact.as_ref().map(ObstacleContact::skin);
            let facets = skin.and_then(|skin| Facets::of_skin(self.body.model(), skin).ok());
            self.collider = facets.map(|facets| Collider::new(Arc::new(facets)));
        }
    }

    /// Takes its skin to where it is, for a step of `h`.
    pub(super) fn follow(&mut self, h: f64, thickness: f64) {
        self.meet_bodies();
        let (Some(collider), Some(contact)) = (&mut self.collider, &self.contact) else { return };
        let State { x, v } = &self.body.state;
        collider.follow(contact.skin(), x, v, h);
        collider.refit(thickness);
        self.astray = false;
    }

    /// Whether its skin has to be taken to where it is: who sleeps lies still.
    pub(super) fn wants_to_follow(&self) -> bool {
        !self.rest.is_asleep() || self.astray || self.collider.is_none()
    }

    /// Takes its skin to where it is if it is not there, for someone who looks at it between steps of `h`.
    pub(super) fn be_seen(&mut self, h: f64, thickness: f64) {
        if self.astray || self.collider.is_none() {
            self.follow(h, thickness);
        }
    }

    /// Whether an obstacle that moves between two times may reach it where it lies.
    pub(super) fn is_reached(&mut self, obstacles: &[Obstacle], from: f64, to: f64) -> bool {
        /// Share of its size by which it is grown.
        const MARGIN: f64 = 0.1;
        let Self { contact: Some(contact), body, ball, .. } = self else { return false };
        let mut moving = obstacles.iter().filter(|obstacle| obstacle.moves_between(from, to));
        moving.any(|obstacle| {
            let (centre, radius) = *ball.get_or_insert_with(|| contact.ball_at(&body.state));
            !obstacle.sweep(from, to).misses(centre, (1.0 + MARGIN) * radius)
        })
    }

    /// How far the vertices of its skin are apart, in m.
    pub(super) fn spacing(&self) -> f64 {
        self.collider.as_ref().map_or(f64::INFINITY, |collider| collider.facets().spacing())
    }

    /// Its skin on its way through the step that was just taken, to be corrected.
    pub(super) fn way(&mut self, h: f64) -> Option<SafeSurface<'_>> {
        self.weigh();
        let (kinematic, give) = (self.is_kinematic(), self.give(h));
        let (collider, skin) = (self.collider.as_ref()?, self.contact.as_ref()?.skin());
        let rigid = self.body.model().is_rigid();
        let State { x, v } = &mut self.body.state;
        let facets = collider.facets();
        if kinematic {
            skin.interpolate(x, &mut self.ends);
            let moved = Moved::Carried { begin: collider.x(), end: &self.ends };
            return Some(SafeSurface { facets, moved });
        }
        let (x0, inverse_masses) = (&*self.last.x, &*self.inverse_masses);
        let ties = self.stepper.tied().map(|(unknowns, _)| unknowns);
        let moved = Moved::Nodes { skin, x0, x1: x, v, inverse_masses, ties, give, rigid };
        Some(SafeSurface { facets, moved })
    }

    /// The part of an impulse that a node feels on its own in a step of h seconds; its neighbours take the rest away.
    ///
    /// ```text
    /// 1/(1 + h² ω²)        ω² = E/(ρ ℓ²)
    /// ```
    ///
    /// - `E`, `ρ` the stiffest material, in Pa and kg/m³; `ℓ` how far nodes are apart, in m, by the volume of each
    ///
    /// Masses alone would let an impulse move a node of stiff material as if nothing held it. Its neighbours
    /// pull it back in the next step, with more energy than the impact had.
    fn give(&self, h: f64) -> f64 {
        let (model, materials) = (self.body.model(), self.body.model().materials());
        let waves = materials.iter().map(|of| of.young / of.density).fold(0.0, f64::max);
        let density = materials.iter().map(|of| of.density).fold(0.0, f64::max);
        let volume = model.mass() / density / model.masses().len() as f64;
        let spacing = volume.cbrt();
        1.0 / (1.0 + h * h * waves / (spacing * spacing))
    }

    /// Finds one over the masses of its nodes: once, but for those that are tied now and then.
    fn weigh(&mut self) {
        let tied = self.stepper.tied();
        if tied.is_none() && !self.inverse_masses.is_empty() {
            return;
        }
        let (unknowns, masses) =
            tied.unwrap_or_else(|| (self.body.unknowns(), self.body.model().masses()));
        let free = |node: u32| !unknowns.is_prescribed(node) && unknowns.ends(node).is_none();
        let inverse = |(node, mass): (u32, &f64)| if free(node) { 1.0 / mass } else { 0.0 };
        self.inverse_masses.clear();
        self.inverse_masses.extend((0u32..).zip(masses).map(inverse));
    }

    /// The law of contact at a point of its skin.
    pub(super) fn law(&self, feature: &Feature) -> Option<VertexLaw> {
        let laws = self.contact.as_ref()?.laws();
        Some(VertexLaw::blend(laws, feature.vertices(), feature.weights()))
    }

    /// Where a point of its skin is, and its velocity, at the begin of the step.
    pub(super) fn carried(&self, feature: &Feature) -> Carried {
        let blend = |values: fn(&Collider) -> &[DVec3]| {
            self.collider.as_ref().map_or(DVec3::ZERO, |collider| feature.blend(values(collider)))
        };
        Carried { point: blend(Collider::x), velocity: blend(Collider::v) }
    }

    /// Nodes and weights of a point of its skin; a node may come more than once.
    pub(super) fn weights(&self, feature: &Feature) -> impl Iterator<Item = (u32, f64)> {
        let skin = self.contact.as_ref().map(ObstacleContact::skin);
        let vertices = feature.vertices().iter().zip(feature.weights());
        let vertices = vertices.map(|(vertex, share)| (*vertex, *share));
        skin.into_iter().flat_map(move |skin| {
            vertices.clone().flat_map(move |(vertex, share)| {
                skin.weights(vertex as usize).map(move |(node, weight)| (node, share * weight))
            })
        })
    }

    /// Finds what touches obstacles in a substep.
    pub(super) fn find_touches(
        &mut self,
        moment: &Moment<'_>,
        step: Interval,
        phase: &mut PhaseTeller<'_>,
    ) {
        let Some(contact) = &mut self.contact else { return };
        phase(Phase::Contact);
        let reach = if self.method.stepper.solves() { Reach::Ahead } else { Reach::Now };
        let (before, fresh) = (self.points.len(), std::mem::take(&mut self.fresh));
        let Moment { obstacles, frictions, easing, .. } = *moment;
        let material = self.touch.material;
        let ground = Ground { obstacles, frictions, material, fresh, easing };
        contact.gather_on(&ground, &self.body.state, step, reach, &mut self.points);
        self.leans = self.points.len() > before;
    }

    /// What it holds on to. Room for that is made once there is something to meet.
    pub(super) fn load_contact(&mut self, from: &mut Reader<'_>) -> Result<(), SnapshotError> {
        if from.flag()? {
            self.meet_obstacles();
            return self.contact.iter_mut().try_for_each(|contact| contact.load(from));
        }
        self.let_go();
        Ok(())
    }

    /// Lets go of all obstacles.
    pub(super) fn let_go(&mut self) {
        self.contact.iter_mut().for_each(ObstacleContact::let_go);
    }
}
