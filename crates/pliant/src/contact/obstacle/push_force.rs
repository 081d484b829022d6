//! The force and the memory of one contact with an obstacle.

use glam::DVec3;

use crate::force::{PointForce, PointForces};

use super::feature_contacts::KEPT_REACH;
use super::features::anchors::{FeatureAnchor, remembered_edge};
use super::friction_anchors::FrictionAnchor;
use super::obstacle_contact::ObstacleContact;
use super::point_contact::PointContact;
use super::sweep::ObstacleSweep;

impl ObstacleContact {
    /// The anchor of a contact with an obstacle in the last substep. If another point of the skin touched then, it is moved along by the way
    /// between the two, so that it pulls as it would pull that point.
    pub(super) fn anchor_of(
        &self,
        contact: &PointContact,
        sweep: &ObstacleSweep<'_>,
    ) -> Option<FrictionAnchor> {
        let PointContact { obstacle, point, part, plane, .. } = contact;
        let Some(part) = *part else {
            return self.anchors[point.vertices()[0] as usize].anchor(*obstacle).copied();
        };
        let place = sweep.before.local_point(point.blend(&self.x));
        let normal = sweep.after.rotation.inverse() * plane.normal;
        let reach = KEPT_REACH * self.law_at(point).spacing;
        let key = (*obstacle, part, remembered_edge(part, point));
        let FeatureAnchor { point: held, anchor, .. } =
            self.feature_anchors.find(key, (place, normal), reach)?;
        let held = sweep.before.local_point(held.blend(&self.x));
        Some(FrictionAnchor { point: anchor.point + (place - held), ..*anchor })
    }

    /// Remembers a contact, with its normal in the frame of the obstacle.
    pub(super) fn remember(
        &mut self,
        contact: &PointContact,
        anchor: FrictionAnchor,
        normal: DVec3,
    ) {
        let PointContact { point, part, .. } = *contact;
        match part {
            None => self.anchors[point.vertices()[0] as usize].set(anchor),
            Some(part) => {
                let edge = remembered_edge(part, &point);
                self.feature_anchors.set(FeatureAnchor { part, edge, normal, point, anchor });
            }
        }
    }

    /// Adds the force on a point of the skin.
    ///
    /// Matrices have blocks for nodes of one cell only. A point between vertices that follow different cells is therefore pushed
    /// through its vertices, each with its weight as share of the force; a turn about the point then meets some resistance within
    /// the step.
    pub(super) fn push_force(
        &mut self,
        contact: &PointContact,
        force: &PointForce,
        points: &mut PointForces,
    ) {
        let PointContact { obstacle, point, plane, .. } = contact;
        let Self { skin, weights: nodes, touches, x, .. } = self;
        let normal = plane.normal;
        if let [vertex] = point.vertices() {
            touches.push(*obstacle, x[*vertex as usize]);
            return points.push_one_sided(skin.weights(*vertex as usize), *force, normal);
        }
        let cells = skin.cells();
        let cell = |vertex: &u32| cells.get(*vertex as usize);
        let one_cell = point.vertices().windows(2).all(|pair| cell(&pair[0]) == cell(&pair[1]));
        if one_cell || self.is_rigid {
            nodes.clear();
            let shares = point.vertices().iter().zip(point.weights());
            for (node, weight) in shares.flat_map(|(vertex, share)| {
                skin.weights(*vertex as usize).map(move |(node, weight)| (node, share * weight))
            }) {
                add_weight(nodes, node, weight);
            }
            touches.push(*obstacle, point.blend(x));
            return points.push_one_sided(nodes.iter().copied(), *force, normal);
        }
        for (vertex, share) in point.vertices().iter().zip(point.weights()) {
            let part = force.scaled(*share);
            touches.push(*obstacle, x[*vertex as usize]);
            points.push_one_sided(skin.weights(*vertex as usize), part, normal);
        }
    }
}

/// Adds a weight to that of the same node, if there is one.
fn add_weight(nodes: &mut Vec<(u32, f64)>, node: u32, weight: f64) {
    match nodes.iter_mut().find(|(known, _)| *known == node) {
        Some((_, known)) => *known += weight,
        None if weight != 0.0 => nodes.push((node, weight)),
        None => {}
    }
}
