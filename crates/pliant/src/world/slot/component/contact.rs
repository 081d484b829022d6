//! Contact of one body: its skin, its collider, and the friction with obstacles.

use std::sync::{Arc, OnceLock};

use glam::DVec3;

use crate::body::{Body, Skin};
use crate::contact::{
    Collider, ContactConfig, Facets, Feature, MovingPoint, Obstacle, ObstacleContact,
    ObstacleTouch, VertexLaw,
};
use crate::persist::{Persist, Writer};
use pliant_kernels::math::made_once;
use pliant_mesh::geometry::Aabb;

use super::stepper::BodyStepper;

/// Everything that contact keeps of one body.
#[derive(Debug, Clone)]
pub(crate) struct SlotContact {
    /// How the body touches others.
    pub(crate) config: ContactConfig,
    /// The skin, its contact laws, and the friction with obstacles; made on first use.
    pub(crate) obstacles: Option<ObstacleContact>,
    /// The moving surface for contact with other bodies; made on first use.
    pub(crate) collider: Option<Collider>,
    /// True if the collider has not been updated since the body moved.
    pub(crate) collider_stale: bool,
    /// The surface where it is now, for queries; made when a query finds the collider stale.
    pub(super) seen: OnceLock<Option<Collider>>,
    /// True if the box around the nodes also contains the skin.
    pub(crate) is_in_hull: bool,
    /// True if the box of the body overlaps that of another in this step.
    pub(crate) is_near: bool,
    /// True if the body has just been put in place: overlaps are then resolved slowly.
    pub(crate) just_placed: bool,
    /// True if the body touched an obstacle in the last substep.
    pub(crate) on_obstacle: bool,
    /// The bounding ball of the skin of a sleeping body, centre and radius in m; made on first use.
    bounding_ball: Option<(DVec3, f64)>,
    /// One over the mass of each node, zero for pinned ones; made on first use.
    pub(crate) inverse_masses: Vec<f64>,
    /// Positions of the skin of a kinematic body at the end of the step, in m.
    pub(crate) kinematic_end: Vec<DVec3>,
}

impl Default for SlotContact {
    fn default() -> Self {
        Self {
            config: ContactConfig::default(),
            obstacles: None,
            collider: None,
            collider_stale: false,
            seen: OnceLock::new(),
            is_in_hull: false,
            is_near: false,
            just_placed: true,
            on_obstacle: false,
            bounding_ball: None,
            inverse_masses: Vec::new(),
            kinematic_end: Vec::new(),
        }
    }
}

impl SlotContact {
    /// The collider, once it was made.
    pub(crate) fn collider(&self) -> Option<&Collider> {
        self.collider.as_ref()
    }

    /// The skin, once it was made.
    pub(crate) fn skin(&self) -> Option<&Skin> {
        self.obstacles.as_ref().map(ObstacleContact::skin)
    }

    /// Bounds of the skin over the step.
    pub(crate) fn bounds(&self) -> Aabb {
        self.collider.as_ref().map_or(Aabb::EMPTY, Collider::bounds)
    }

    /// The distance between the vertices of the skin, in m; infinite before the collider was made.
    pub(crate) fn spacing(&self) -> f64 {
        self.collider.as_ref().map_or(f64::INFINITY, |collider| collider.facets().spacing())
    }

    /// Marks the collider as stale.
    pub(crate) fn make_stale(&mut self) {
        self.collider_stale = true;
        self.seen.take();
    }

    /// Marks the collider as stale, and forgets the bounding ball.
    pub(crate) fn moved(&mut self) {
        self.make_stale();
        self.bounding_ball = None;
    }

    /// The surface where a body is now, for queries between steps of `h` seconds.
    pub(crate) fn seen(&self, body: &Body, h: f64, thickness: f64) -> Option<&Collider> {
        if let Some(collider) = self.collider.as_ref().filter(|_| !self.collider_stale) {
            return Some(collider);
        }
        let collider = made_once(&self.seen, || {
            let skin = body.model().touching_skin();
            let known = self.obstacles.as_ref().and_then(ObstacleContact::facets).cloned();
            let made = || Some(Arc::new(Facets::of_skin(body.model(), skin).ok()?));
            let mut collider = Collider::new(known.or_else(made)?);
            collider.follow(skin, &body.state.x, &body.state.v, h);
            collider.refit(thickness);
            Some(collider)
        });
        collider.as_ref()
    }

    /// Forgets the bounding ball.
    pub(crate) fn forget_ball(&mut self) {
        self.bounding_ball = None;
    }

    /// Forgets the masses of nodes, after a change of the rest shape.
    pub(crate) fn forget_masses(&mut self) {
        self.inverse_masses.clear();
    }

    /// Drops skin and collider of a body that takes no part any more.
    pub(crate) fn drop_skin(&mut self) {
        (self.collider, self.obstacles) = (None, None);
        self.seen.take();
    }

    /// Forgets the friction with all obstacles.
    pub(crate) fn release_obstacles(&mut self) {
        self.obstacles.iter_mut().for_each(ObstacleContact::clear_anchors);
    }

    /// Forgets an obstacle that is removed.
    pub(crate) fn forget_obstacle(&mut self, obstacle: u32) {
        self.obstacles.iter_mut().for_each(|own| own.forget_obstacle(obstacle));
    }

    /// The impulses of obstacles in the last step in which the body was stepped.
    pub(crate) fn obstacle_touches(&self) -> impl Iterator<Item = &ObstacleTouch> {
        self.obstacles.iter().flat_map(|own| own.touches.touching())
    }

    /// True if it touched this obstacle in the last substep.
    pub(crate) fn touched(&self, obstacle: u32) -> bool {
        self.obstacles.as_ref().is_some_and(|own| own.touched(obstacle))
    }

    /// True if an obstacle that moves between two times may reach the body where it lies.
    pub(crate) fn is_reached(
        &mut self,
        body: &Body,
        obstacles: &[Obstacle],
        from: f64,
        to: f64,
    ) -> bool {
        /// The part of its radius by which the bounding ball is enlarged.
        const MARGIN: f64 = 0.1;
        let Self { obstacles: Some(own), bounding_ball, .. } = self else { return false };
        let mut moving = obstacles.iter().filter(|obstacle| obstacle.moves_between(from, to));
        moving.any(|obstacle| {
            let ball = bounding_ball.get_or_insert_with(|| own.ball_at(&body.state));
            !obstacle.sweep(from, to).misses(ball.0, (1.0 + MARGIN) * ball.1)
        })
    }

    /// The contact law at a point of the skin.
    pub(crate) fn law(&self, feature: &Feature) -> Option<VertexLaw> {
        let laws = self.obstacles.as_ref()?.laws();
        Some(VertexLaw::blend(laws, feature.vertices(), feature.weights()))
    }

    /// Position and velocity of a point of the skin at the start of the step.
    pub(crate) fn moving_point(&self, feature: &Feature) -> MovingPoint {
        let blend = |values: fn(&Collider) -> &[DVec3]| {
            self.collider.as_ref().map_or(DVec3::ZERO, |collider| feature.blend(values(collider)))
        };
        MovingPoint { point: blend(Collider::x), velocity: blend(Collider::v) }
    }

    /// Nodes and weights of a point of the skin; a node may appear more than once.
    pub(crate) fn weights(&self, feature: &Feature) -> impl Iterator<Item = (u32, f64)> {
        let vertices = feature.vertices().iter().zip(feature.weights());
        let vertices = vertices.map(|(vertex, share)| (*vertex, *share));
        self.skin().into_iter().flat_map(move |skin| {
            vertices.clone().flat_map(move |(vertex, share)| {
                skin.weights(vertex as usize).map(move |(node, weight)| (node, share * weight))
            })
        })
    }

    /// True if an overlap with an obstacle is ignored for now.
    pub(crate) fn ignores_overlap(&self) -> bool {
        self.obstacles.as_ref().is_some_and(ObstacleContact::ignores_overlap)
    }

    /// Saves the friction with obstacles, if there is any.
    pub(crate) fn save_friction(&self, to: &mut Writer) {
        let anchored = self.obstacles.as_ref().filter(|contact| contact.has_memory());
        to.flag(anchored.is_some());
        anchored.iter().for_each(|contact| contact.save(to));
    }

    /// Finds one over the masses of all nodes: once, or in every step while nodes are tied by adaptive degree.
    pub(crate) fn update_inverse_masses(&mut self, body: &Body, stepper: &BodyStepper) {
        let tied = stepper.tied();
        if tied.is_none() && !self.inverse_masses.is_empty() {
            return;
        }
        let (unknowns, masses) = tied.unwrap_or_else(|| (body.unknowns(), body.model().masses()));
        let free = |node: u32| !unknowns.is_prescribed(node) && unknowns.ends(node).is_none();
        let inverse = |(node, mass): (u32, &f64)| if free(node) { 1.0 / mass } else { 0.0 };
        self.inverse_masses.clear();
        self.inverse_masses.extend((0u32..).zip(masses).map(inverse));
    }
}
