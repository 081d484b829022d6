//! Impulses that keep surfaces apart.

use glam::DVec3;

use crate::contact::continuous::hits::swept_hit::SweptHit;
use crate::contact::continuous::surface::{ContinuousSurface, SurfaceMotion, followed};
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

    /// Surfaces of every row and τ λ n, in kg m.
    pub(in crate::contact::continuous) fn impulses(
        &self,
    ) -> impl Iterator<Item = ([u32; 2], DVec3)> {
        self.rows.iter().map(|row| (row.surfaces, row.time * row.push * row.normal))
    }

    /// Adds a row for every hit. A hit of an earlier round gets its new direction and keeps its impulse as a first guess.
    pub(in crate::contact::continuous) fn add(
        &mut self,
        hits: &[SweptHit],
        surfaces: &[ContinuousSurface<'_>],
        swept_surfaces: &[SweptSurface],
        separation: f64,
    ) {
        let known = self.rows.len();
        for hit in hits {
            let row = self.row(hit, surfaces, swept_surfaces, separation);
            match self.rows[..known].binary_search_by(|other| other.key.cmp(&hit.key)) {
                Ok(index) => self.rows[index] = ImpulseRow { push: self.rows[index].push, ..row },
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
        let gap = |of: fn(&SweptSurface) -> &[DVec3]| {
            let [p, q] =
                [0, 1].map(|k| hit.features[k].blend(of(&swept_surfaces[pair[k] as usize])));
            normal.dot(p - q)
        };
        let (before, after) = (gap(|swept| &swept.begin), gap(|swept| &swept.end));
        // Points that are apart at the end came too near on the way: they have to be apart at the time of the hit.
        let time = if after < target - slack { 1.0 } else { hit.time.max(EARLIEST_TIME) };
        let start = self.start_row(hit, time, surfaces, swept_surfaces);
        let mut row = ImpulseRow { target, slack, ..start };
        // The distance without impulses: that with them, less what they add.
        row.base = before + time * (after - before) - self.opened(&row);
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
        let (base, target, slack, softness, push) = (0.0, 0.0, 0.0, 0.0, 0.0);
        let surfaces = pair;
        let row = ImpulseRow {
            key,
            surfaces,
            turning,
            nodes,
            normal,
            time,
            base,
            target,
            slack,
            softness,
            push,
        };
        ImpulseRow { softness: self.softness(&row), ..row }
    }

    /// Adds the terms of bodies that move as a whole: n at their centres, and r × n about them.
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
            let (push, turn) = (sign * hit.normal, sign * arm.cross(hit.normal));
            let moved = share * rigid.inverse_mass * push;
            let turned = share * (rigid.inverse_inertia * turn);
            self.turning.push(RigidTerm { slot: start, gradient: push, change: moved });
            self.turning.push(RigidTerm { slot: start + 1, gradient: turn, change: turned });
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

    fn softness(&self, row: &ImpulseRow) -> f64 {
        let turning: f64 = self.turning(row).iter().map(|of| of.gradient.dot(of.change)).sum();
        turning + self.nodes(row).iter().map(|of| of.weight * of.change).sum::<f64>()
    }

    /// τ n · J z: the distance that the impulses add to a row, in m.
    pub(super) fn opened(&self, row: &ImpulseRow) -> f64 {
        let mut opened = 0.0;
        for of in self.turning(row) {
            opened += of.gradient.dot(self.shift[of.slot as usize]);
        }
        let mut moved = DVec3::ZERO;
        for of in self.nodes(row) {
            moved += of.weight * self.shift[of.slot as usize];
        }
        opened + row.normal.dot(moved)
    }

    /// z += τ M⁻¹ Jᵀ n λ.
    pub(super) fn apply(&mut self, row: &ImpulseRow, push: f64) {
        for of in &self.turning[row.turning[0] as usize..row.turning[1] as usize] {
            self.shift[of.slot as usize] += push * of.change;
        }
        let push = push * row.normal;
        for of in &self.nodes[row.nodes[0] as usize..row.nodes[1] as usize] {
            self.shift[of.slot as usize] += of.change * push;
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
