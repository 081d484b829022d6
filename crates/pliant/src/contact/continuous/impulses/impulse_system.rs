//! Impulses that keep surfaces apart.

use glam::{DMat3, DVec3};

use crate::contact::continuous::hits::swept_hit::SweptHit;
use crate::contact::continuous::surface::{
    ContinuousRules, ContinuousSurface, SurfaceMotion, followed,
};
use crate::contact::continuous::swept_surface::SweptSurface;

use super::impulse_row::{ImpulseRow, NodeTerm, RigidTerm};

/// All hits of a step, and the impulses between them.
#[derive(Debug, Clone, Default)]
pub(in crate::contact::continuous) struct ImpulseSystem {
    /// Sorted by key.
    pub(super) rows: Vec<ImpulseRow>,
    /// Rows with an impulse.
    pub(super) active: Vec<u32>,
    /// The terms of all rows: of rigid bodies and of nodes.
    turning: Vec<RigidTerm>,
    nodes: Vec<NodeTerm>,
    /// z: displacement of nodes by impulses, in m; of a rigid body, its centre in m and its rotation vector in rad.
    pub(super) shift: Vec<DVec3>,
    /// First vector of each surface.
    starts: Vec<u32>,
    /// Slots and weights of the row under construction.
    weights: Vec<(u32, f64)>,
}

/// The least time of a row, as a part of the step: points cannot separate at once.
const EARLIEST_TIME: f64 = 0.2;

impl ImpulseSystem {
    /// Starts without rows, for these surfaces.
    pub(in crate::contact::continuous) fn begin(&mut self, swept_surfaces: &[SweptSurface]) {
        self.rows.clear();
        self.turning.clear();
        self.nodes.clear();
        self.starts.clear();
        let mut count = 0;
        for swept in swept_surfaces {
            self.starts.push(count);
            count += swept.freedom() as u32;
        }
        self.starts.push(count);
        self.shift.clear();
        self.shift.resize(count as usize, DVec3::ZERO);
    }

    /// Displacement of a surface by impulses, in m; see [`SweptSurface::freedom`].
    pub(in crate::contact::continuous) fn shift(&self, surface: usize) -> &[DVec3] {
        &self.shift[self.starts[surface] as usize..self.starts[surface + 1] as usize]
    }

    pub(in crate::contact::continuous) fn len(&self) -> usize {
        self.rows.len()
    }

    /// Surfaces of every row and τ (λ n + λₜ), in kg m.
    pub(in crate::contact::continuous) fn impulses(
        &self,
    ) -> impl Iterator<Item = ([u32; 2], DVec3)> {
        self.rows.iter().map(|row| (row.surfaces, row.time * row.impulse()))
    }

    /// Adds a row for every hit. A hit of an earlier round gets its new direction and keeps its impulse as a first guess.
    pub(in crate::contact::continuous) fn add(
        &mut self,
        hits: &[SweptHit],
        surfaces: &[ContinuousSurface<'_>],
        swept_surfaces: &[SweptSurface],
        rules: &ContinuousRules<'_>,
    ) {
        let known = self.rows.len();
        for hit in hits {
            let row = self.row(hit, surfaces, swept_surfaces, rules.separation);
            let row = ImpulseRow { friction: rules.friction_of(hit.surfaces), ..row };
            match self.rows[..known].binary_search_by(|other| other.key.cmp(&hit.key)) {
                Ok(index) => {
                    let ImpulseRow { push, drag, .. } = self.rows[index];
                    self.rows[index] = ImpulseRow { push, drag: row.across(drag), ..row };
                }
                Err(_) => self.rows.push(row),
            }
        }
        self.rows.sort_unstable_by_key(|row| row.key);
        self.rows.dedup_by(|a, b| a.key == b.key);
    }

    fn row(
        &mut self,
        hit: &SweptHit,
        surfaces: &[ContinuousSurface<'_>],
        swept_surfaces: &[SweptSurface],
        separation: f64,
    ) -> ImpulseRow {
        let SweptHit { surfaces: pair, normal, distance, .. } = *hit;
        // Twice the separation, but no more than slightly above the distance at the start: contact must not push surfaces apart
        // that were at rest near each other.
        let target = (2.0 * separation).min(distance + 0.1 * separation);
        let slack = 0.25 * (target - separation.min(0.5 * distance));
        let span = |of: fn(&SweptSurface) -> &[DVec3]| {
            let [p, q] =
                [0, 1].map(|k| hit.features[k].blend(of(&swept_surfaces[pair[k] as usize])));
            p - q
        };
        let spans = [span(|swept| &swept.begin), span(|swept| &swept.end)];
        let [before, after] = spans.map(|span| normal.dot(span));
        // Points that are apart at the end came too near on the way: they have to be apart at the time of the hit.
        let time = if after < target - slack { 1.0 } else { hit.time.max(EARLIEST_TIME) };
        let start = self.start_row(hit, time, surfaces, swept_surfaces);
        let mut row = ImpulseRow { target, slack, ..start };
        // Distance and slip without impulses: those with them, less what they add.
        let added = self.moved(&row);
        row.base = before + time * (after - before) - normal.dot(added);
        row.slip = row.across(time * (spans[1] - spans[0]) - added);
        row.raise_target(distance);
        row
    }

    /// A row without distances: the terms of a hit whose points have to be apart after this part of the step.
    pub(super) fn start_row(
        &mut self,
        hit: &SweptHit,
        time: f64,
        surfaces: &[ContinuousSurface<'_>],
        swept_surfaces: &[SweptSurface],
    ) -> ImpulseRow {
        let SweptHit { key, surfaces: pair, normal, .. } = *hit;
        let turning = self.list_rigid(hit, time, swept_surfaces);
        let nodes = self.list_soft(hit, time, surfaces, swept_surfaces);
        let row = ImpulseRow {
            key,
            surfaces: pair,
            turning,
            nodes,
            normal,
            time,
            base: 0.0,
            target: 0.0,
            slack: 0.0,
            softness: 0.0,
            softness_across: 0.0,
            push: 0.0,
            friction: 0.0,
            slip: DVec3::ZERO,
            drag: DVec3::ZERO,
        };
        row.with_mobility(&self.mobility(&row))
    }

    /// Adds the terms of bodies that move as a whole.
    fn list_rigid(
        &mut self,
        hit: &SweptHit,
        time: f64,
        swept_surfaces: &[SweptSurface],
    ) -> [u32; 2] {
        let first = self.turning.len() as u32;
        for (side, sign) in [(0, time), (1, -time)] {
            let (swept, start) = of_side(hit, side, swept_surfaces, &self.starts);
            let Some((rigid, first, share)) = swept.as_whole() else { continue };
            // An impulse of a body on itself does not move the body as a whole.
            if hit.surfaces[0] == hit.surfaces[1] {
                continue;
            }
            let start = start + first;
            let arm =
                hit.features[side].blend(&swept.end) - rigid.centre - self.shift[start as usize];
            let inverse_mass = share * rigid.inverse_mass;
            let inverse_inertia = share * rigid.inverse_inertia;
            let term = RigidTerm { slot: start, weight: sign, arm, inverse_mass, inverse_inertia };
            self.turning.push(term);
        }
        [first, self.turning.len() as u32]
    }

    /// Adds the terms of nodes of soft bodies, one for each node.
    fn list_soft(
        &mut self,
        hit: &SweptHit,
        time: f64,
        surfaces: &[ContinuousSurface<'_>],
        swept_surfaces: &[SweptSurface],
    ) -> [u32; 2] {
        let first = self.nodes.len() as u32;
        self.weights.clear();
        let mut inverse_masses = [(0, &[][..], 1.0); 2];
        for (side, sign) in [(0, time), (1, -time)] {
            let (swept, start) = of_side(hit, side, swept_surfaces, &self.starts);
            let surface = &surfaces[hit.surfaces[side] as usize];
            let (SurfaceMotion::Nodes { skin, ties, .. }, None) = (&surface.motion, swept.rigid)
            else {
                continue;
            };
            inverse_masses[side] = (start, &swept.inverse_masses, swept.give);
            let feature = &hit.features[side];
            for (vertex, weight) in feature.vertices().iter().zip(feature.weights()) {
                for (node, w) in skin.weights(*vertex as usize) {
                    let nodes = followed(*ties, node);
                    let weighed =
                        nodes.map(|(node, share)| (start + node, share * sign * weight * w));
                    self.weights.extend(weighed);
                }
            }
        }
        // A node can be in both features, or at several vertices of one: its weights are added.
        self.weights.sort_unstable_by_key(|(slot, _)| *slot);
        self.weights.dedup_by(|next, kept| {
            let same = next.0 == kept.0;
            kept.1 += if same { next.1 } else { 0.0 };
            same
        });
        for (slot, weight) in &self.weights {
            let within = |(start, masses, give): &(u32, &[f64], f64)| {
                let node = slot.checked_sub(*start)?;
                masses.get(node as usize).map(|w| give * w)
            };
            let w = inverse_masses.iter().find_map(within).unwrap_or(0.0);
            self.nodes.push(NodeTerm { slot: *slot, weight: *weight, change: w * *weight });
        }
        [first, self.nodes.len() as u32]
    }

    fn turning(&self, row: &ImpulseRow) -> &[RigidTerm] {
        &self.turning[row.turning[0] as usize..row.turning[1] as usize]
    }

    fn nodes(&self, row: &ImpulseRow) -> &[NodeTerm] {
        &self.nodes[row.nodes[0] as usize..row.nodes[1] as usize]
    }

    /// τ² J M⁻¹ Jᵀ, in 1/kg.
    fn mobility(&self, row: &ImpulseRow) -> DMat3 {
        let nodes: f64 = self.nodes(row).iter().map(|of| of.weight * of.change).sum();
        let mut sum = DMat3::from_diagonal(DVec3::splat(nodes));
        self.turning(row).iter().for_each(|of| of.add_mobility(&mut sum));
        sum
    }

    /// τ J z: the way of the first point of a row relative to the second by impulses, in m.
    pub(super) fn moved(&self, row: &ImpulseRow) -> DVec3 {
        let turning = self.turning(row).iter().map(|of| of.moved(&self.shift));
        let nodes = self.nodes(row).iter().map(|of| of.weight * self.shift[of.slot as usize]);
        turning.sum::<DVec3>() + nodes.sum::<DVec3>()
    }

    /// z += τ M⁻¹ Jᵀ λ for an impulse λ of a row, in kg m.
    pub(super) fn apply(&mut self, row: usize, impulse: DVec3) {
        let Self { rows, turning, nodes, shift, .. } = self;
        let ImpulseRow { turning: [begin, end], nodes: [first, last], .. } = rows[row];
        for of in &turning[begin as usize..end as usize] {
            of.push(impulse, shift);
        }
        for of in &nodes[first as usize..last as usize] {
            shift[of.slot as usize] += of.change * impulse;
        }
    }
}

/// The surface on one side of a hit, and the index of its first vector.
fn of_side<'a>(
    hit: &SweptHit,
    side: usize,
    swept_surfaces: &'a [SweptSurface],
    starts: &[u32],
) -> (&'a SweptSurface, u32) {
    let surface = hit.surfaces[side] as usize;
    (&swept_surfaces[surface], starts[surface])
}
