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
    /// What rows depend on, one after the other.
    entries: Vec<Entry>,
    /// z: by how much impulses move nodes, in m; of a rigid body, its centre and, as a vector in rad, its turn.
    shift: Vec<DVec3>,
    /// Where those of each surface start.
    starts: Vec<u32>,
    /// Slots and weights of a row in the making.
    weights: Vec<(u32, f64)>,
}

/// Two points that have to be apart: `base + τ n · J z ≥ target`.
#[derive(Debug, Clone, Copy)]
struct Row {
    key: [u32; 7],
    surfaces: [u32; 2],
    /// What it depends on, among the entries.
    start: u32,
    end: u32,
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

/// How a row depends on a vector of z.
#[derive(Debug, Clone, Copy)]
struct Entry {
    slot: u32,
    /// τ Jᵀ n of it, and M⁻¹ times that.
    gradient: DVec3,
    change: DVec3,
}

/// A row is not asked earlier than at this part of the step: nothing gets apart at once.
const EARLIEST: f64 = 0.2;

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
    /// Starts anew between these.
    pub(super) fn begin(&mut self, shells: &[Shell]) {
        self.rows.clear();
        self.entries.clear();
        self.starts.clear();
        let mut count = 0;
        for shell in shells {
            self.starts.push(count);
            count += shell.freedom() as u32;
        }
        self.starts.push(count);
        self.shift.clear();
        self.shift.resize(count as usize, DVec3::ZERO);
    }

    /// By how much impulses move a surface, in m; see [`Shell::freedom`].
    pub(super) fn shift(&self, surface: usize) -> &[DVec3] {
        &self.shift[self.starts[surface] as usize..self.starts[surface + 1] as usize]
    }

    pub(super) fn len(&self) -> usize {
        self.rows.len()
    }

    /// Surfaces of every row and τ λ n, in kg m.
    pub(super) fn impulses(&self) -> impl Iterator<Item = ([u32; 2], DVec3)> {
        self.rows.iter().map(|row| (row.surfaces, row.time * row.push * row.normal))
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
        let Hit { key, surfaces: pair, normal, distance, .. } = *hit;
        let target = (2.0 * separation).min(distance + 0.1 * separation);
        let slack = 0.25 * (target - separation.min(0.5 * distance));
        let gap = |of: fn(&Shell) -> &[DVec3]| {
            let [p, q] = [0, 1].map(|k| hit.features[k].blend(of(&shells[pair[k] as usize])));
            normal.dot(p - q)
        };
        let (before, after) = (gap(|shell| &shell.begin), gap(|shell| &shell.end));
        let time = if after < target - slack { 1.0 } else { hit.time.max(EARLIEST) };
        let start = self.entries.len() as u32;
        self.list_rigid(hit, time, shells);
        self.list_soft(hit, time, surfaces, shells);
        let end = self.entries.len() as u32;
        let softness =
            self.entries[start as usize..].iter().map(|e| e.gradient.dot(e.change)).sum();
        let mut row = Row {
            key,
            surfaces: pair,
            start,
            end,
            normal,
            time,
            base: 0.0,
            target,
            slack,
            softness,
            push: 0.0,
        };
        row.base = before + time * (after - before) - self.opened(&row);
        row.leave_room(distance);
        row
    }

    /// Adds what a row does to rigid bodies: n at their centres, and r × n about them.
    fn list_rigid(&mut self, hit: &Hit, time: f64, shells: &[Shell]) {
        for (side, sign) in [(0, time), (1, -time)] {
            let (shell, start) = of_side(hit, side, shells, &self.starts);
            let Some(rigid) = &shell.rigid else { continue };
            let arm =
                hit.features[side].blend(&shell.end) - rigid.centre - self.shift[start as usize];
            let (push, turn) = (sign * hit.normal, sign * arm.cross(hit.normal));
            let (moved, turned) = (rigid.inverse_mass * push, rigid.inverse_inertia * turn);
            self.entries.push(Entry { slot: start, gradient: push, change: moved });
            self.entries.push(Entry { slot: start + 1, gradient: turn, change: turned });
        }
    }

    /// Adds what a row does to nodes of soft bodies, once for each.
    fn list_soft(&mut self, hit: &Hit, time: f64, surfaces: &[SafeSurface<'_>], shells: &[Shell]) {
        self.weights.clear();
        let mut inverse_masses = [(0, &[][..]); 2];
        for (side, sign) in [(0, time), (1, -time)] {
            let (shell, start) = of_side(hit, side, shells, &self.starts);
            let surface = &surfaces[hit.surfaces[side] as usize];
            let (Moved::Nodes { skin, .. }, None) = (&surface.moved, shell.rigid) else { continue };
            inverse_masses[side] = (start, &shell.inverse_masses);
            let feature = &hit.features[side];
            for (vertex, weight) in feature.vertices().iter().zip(feature.weights()) {
                let nodes = skin.weights(*vertex as usize);
                self.weights.extend(nodes.map(|(node, w)| (start + node, sign * weight * w)));
            }
        }
        self.weights.sort_unstable_by_key(|(slot, _)| *slot);
        self.weights.dedup_by(|next, kept| {
            let same = next.0 == kept.0;
            kept.1 += if same { next.1 } else { 0.0 };
            same
        });
        for (slot, weight) in &self.weights {
            let within = |(start, masses): &(u32, &[f64])| {
                slot.checked_sub(*start).and_then(|node| masses.get(node as usize).copied())
            };
            let w = inverse_masses.iter().find_map(within).unwrap_or(0.0);
            let gradient = *weight * hit.normal;
            self.entries.push(Entry { slot: *slot, gradient, change: w * gradient });
        }
    }

    fn entries(&self, row: &Row) -> &[Entry] {
        &self.entries[row.start as usize..row.end as usize]
    }

    /// τ n · J z: by how much the impulses open a row, in m.
    fn opened(&self, row: &Row) -> f64 {
        let mut opened = 0.0;
        for entry in self.entries(row) {
            opened += entry.gradient.dot(self.shift[entry.slot as usize]);
        }
        opened
    }

    /// z += τ M⁻¹ Jᵀ n λ.
    fn apply(&mut self, row: &Row, push: f64) {
        for entry in &self.entries[row.start as usize..row.end as usize] {
            self.shift[entry.slot as usize] += push * entry.change;
        }
    }

    /// Finds impulses by passing over the rows (projected Gauss–Seidel): each in turn pushes as much as it
    /// lacks, or takes back what it pushed too much.
    pub(super) fn solve(&mut self) {
        self.shift.fill(DVec3::ZERO);
        for index in 0..self.rows.len() {
            let row = self.rows[index];
            self.apply(&row, row.push);
        }
        for _ in 0..PASSES {
            let mut settled = true;
            for index in 0..self.rows.len() {
                settled &= self.relax(index);
            }
            if settled {
                break;
            }
        }
    }

    /// Lets one row push as much as it lacks; tells whether that was little.
    fn relax(&mut self, index: usize) -> bool {
        let row = self.rows[index];
        if row.softness <= 0.0 {
            return true;
        }
        let lack = row.target - row.base - self.opened(&row);
        let push = (row.push + lack / row.softness).max(0.0);
        if push != row.push {
            self.apply(&row, push - row.push);
            self.rows[index].push = push;
        }
        lack <= row.slack
    }
}

/// The surface on one side of a hit, and where its vectors start.
fn of_side<'a>(hit: &Hit, side: usize, shells: &'a [Shell], starts: &[u32]) -> (&'a Shell, u32) {
    let surface = hit.surfaces[side] as usize;
    (&shells[surface], starts[surface])
}
