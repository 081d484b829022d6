//! Impulses that hold things apart.

use glam::DVec3;

use super::hit::Hit;
use super::shell::Shell;
use super::{Moved, SafeSurface};

/// All that met in a step, and the impulses between them.
#[derive(Debug, Clone, Default)]
pub(super) struct Rows {
    /// Sorted by key.
    rows: Vec<Row>,
    /// Nodes and weights of all rows; those of the second surface are negative.
    entries: Vec<(u32, f64)>,
}

/// Two points that have to be apart: `base + τ n · J z ≥ target`.
#[derive(Debug, Clone, Copy)]
struct Row {
    key: [u32; 7],
    sides: [Side; 2],
    normal: DVec3,
    /// τ: the part of the step after which they have to be apart. At the end; if they are apart there anyway, when they meet.
    time: f64,
    /// Their distance then without any impulse, in m.
    base: f64,
    /// The distance asked for, in m.
    target: f64,
    /// So much less is near enough, in m.
    slack: f64,
    /// τ² n · J M⁻¹ Jᵀ n, in 1/kg.
    softness: f64,
    /// λ, in kg m.
    push: f64,
}

/// What one surface has to do with a row.
#[derive(Debug, Clone, Copy)]
struct Side {
    surface: u32,
    /// Its nodes among the entries; none if it is rigid or carried.
    start: u32,
    end: u32,
    /// Where the point is, seen from the centre of a rigid body, and its sign in the row.
    arm: DVec3,
    sign: f64,
}

/// A row is not asked earlier than at this part of the step: nothing gets apart at once.
const EARLIEST: f64 = 0.05;

/// Passes over all rows in a round.
const PASSES: usize = 200;

impl Row {
    /// Asks for a little more of what comes fast from afar, and is content with less: a hundredth of the way is found
    /// much sooner than a hundredth of the separation, and the next step closes the rest.
    fn leave_room(&mut self, distance: f64) {
        let room = ROOM * (self.target - self.base).max(0.0);
        let target = (self.target + room).min(0.5 * distance).max(self.target);
        self.slack += target - self.target;
        self.target = target;
    }
}

/// Part of what is lacking that fast things may stay farther apart.
const ROOM: f64 = 0.05;

impl Rows {
    pub(super) fn clear(&mut self) {
        self.rows.clear();
        self.entries.clear();
    }

    pub(super) fn len(&self) -> usize {
        self.rows.len()
    }

    /// Surfaces of every row and τ λ n, in kg m.
    pub(super) fn impulses(&self) -> impl Iterator<Item = ([u32; 2], DVec3)> {
        self.rows
            .iter()
            .map(|row| (row.sides.map(|side| side.surface), row.time * row.push * row.normal))
    }

    /// Adds a row for every hit. What met before gets its new direction and keeps its impulse as a first guess.
    pub(super) fn add(
        &mut self,
        hits: &[Hit],
        surfaces: &[SafeSurface<'_>],
        shells: &[Shell],
        separation: f64,
    ) {
        let known = self.rows.len();
        for hit in hits {
            let row = self.row(hit, surfaces, shells, separation);
            match self.rows[..known].binary_search_by(|other| other.key.cmp(&hit.key)) {
                Ok(index) => self.rows[index] = Row { push: self.rows[index].push, ..row },
                Err(_) => self.rows.push(row),
            }
        }
        self.rows.sort_unstable_by_key(|row| row.key);
        self.rows.dedup_by(|a, b| a.key == b.key);
    }

    fn row(
        &mut self,
        hit: &Hit,
        surfaces: &[SafeSurface<'_>],
        shells: &[Shell],
        separation: f64,
    ) -> Row {
        let Hit { key, normal, distance, .. } = *hit;
        let mut sides = [0, 1].map(|side| self.side(hit, side, surfaces, shells));
        if sides[0].surface == sides[1].surface {
            (sides[0].end, sides[1].start) = (sides[1].end, sides[1].end);
        }
        sides.iter_mut().for_each(|side| self.merge(side));
        let target = (2.0 * separation).min(distance + 0.1 * separation);
        let slack = 0.25 * (target - separation.min(0.5 * distance));
        let mut row = Row {
            key,
            sides,
            normal,
            time: 1.0,
            base: 0.0,
            target,
            slack,
            softness: 0.0,
            push: 0.0,
        };
        let gap = |of: fn(&Shell) -> &[DVec3]| {
            let [p, q] =
                [0, 1].map(|k| hit.features[k].blend(of(&shells[hit.surfaces[k] as usize])));
            normal.dot(p - q)
        };
        let (before, after) = (gap(|shell| &shell.begin), gap(|shell| &shell.end));
        row.time = if after < target - slack { 1.0 } else { hit.time.max(EARLIEST) };
        row.base = before + row.time * (after - before) - self.opened(&row, shells);
        row.leave_room(distance);
        let softness: f64 = sides.iter().map(|side| self.softness(side, normal, shells)).sum();
        row.softness = row.time * row.time * softness;
        row
    }

    fn side(
        &mut self,
        hit: &Hit,
        side: usize,
        surfaces: &[SafeSurface<'_>],
        shells: &[Shell],
    ) -> Side {
        let (surface, feature) = (hit.surfaces[side], &hit.features[side]);
        let sign = if side == 0 { 1.0 } else { -1.0 };
        let start = self.entries.len() as u32;
        let shell = &shells[surface as usize];
        let arm =
            shell.rigid.map(|rigid| feature.blend(&shell.end) - rigid.centre - shell.shift[0]);
        if let (Moved::Nodes { skin, .. }, None) = (&surfaces[surface as usize].moved, arm) {
            for (vertex, weight) in feature.vertices().iter().zip(feature.weights()) {
                let nodes = skin.weights(*vertex as usize);
                self.entries.extend(nodes.map(|(node, w)| (node, sign * weight * w)));
            }
        }
        let end = self.entries.len() as u32;
        Side { surface, start, end, arm: arm.unwrap_or(DVec3::ZERO), sign }
    }

    /// Puts entries of the same node together. What becomes free is left unused.
    fn merge(&mut self, side: &mut Side) {
        let entries = &mut self.entries[side.start as usize..side.end as usize];
        entries.sort_unstable_by_key(|(node, _)| *node);
        let mut kept = 0;
        for k in 0..entries.len() {
            if kept > 0 && entries[kept - 1].0 == entries[k].0 {
                entries[kept - 1].1 += entries[k].1;
            } else {
                entries[kept] = entries[k];
                kept += 1;
            }
        }
        side.end = side.start + kept as u32;
    }

    fn entries(&self, side: &Side) -> &[(u32, f64)] {
        &self.entries[side.start as usize..side.end as usize]
    }

    fn softness(&self, side: &Side, normal: DVec3, shells: &[Shell]) -> f64 {
        let shell = &shells[side.surface as usize];
        if let Some(rigid) = &shell.rigid {
            let turn = side.arm.cross(normal);
            return rigid.inverse_mass + turn.dot(rigid.inverse_inertia * turn);
        }
        let masses = &shell.inverse_masses;
        self.entries(side).iter().map(|(node, c)| c * c * masses[*node as usize]).sum()
    }

    /// τ n · J z: by how much the impulses open a row, in m.
    fn opened(&self, row: &Row, shells: &[Shell]) -> f64 {
        let of = |side: &Side| {
            let shell = &shells[side.surface as usize];
            match (&shell.rigid, &shell.shift[..]) {
                (Some(_), [way, turn]) => side.sign * (*way + turn.cross(side.arm)),
                (_, shift) => self.entries(side).iter().map(|(k, c)| *c * shift[*k as usize]).sum(),
            }
        };
        row.time * row.normal.dot(row.sides.iter().map(of).sum())
    }

    /// z += τ M⁻¹ Jᵀ n λ.
    fn apply(&self, row: &Row, push: f64, shells: &mut [Shell]) {
        for side in &row.sides {
            let shell = &mut shells[side.surface as usize];
            let force = row.time * push * row.normal;
            if let Some(rigid) = &shell.rigid {
                shell.shift[0] += side.sign * rigid.inverse_mass * force;
                shell.shift[1] += side.sign * (rigid.inverse_inertia * side.arm.cross(force));
                continue;
            }
            for (node, c) in self.entries(side) {
                shell.shift[*node as usize] += c * shell.inverse_masses[*node as usize] * force;
            }
        }
    }

    /// Finds impulses by passing over the rows (projected Gauss–Seidel): each in turn pushes as much as it lacks, or takes
    /// back what it pushed too much.
    pub(super) fn solve(&mut self, shells: &mut [Shell]) {
        shells.iter_mut().for_each(|shell| shell.shift.fill(DVec3::ZERO));
        self.rows.iter().for_each(|row| self.apply(row, row.push, shells));
        for _ in 0..PASSES {
            let mut settled = true;
            for index in 0..self.rows.len() {
                let row = self.rows[index];
                if row.softness <= 0.0 {
                    continue;
                }
                let lack = row.target - row.base - self.opened(&row, shells);
                let push = (row.push + lack / row.softness).max(0.0);
                settled = settled && (lack <= row.slack);
                self.apply(&row, push - row.push, shells);
                self.rows[index].push = push;
            }
            if settled {
                break;
            }
        }
    }
}
