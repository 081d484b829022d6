//! The rigid motions of touching bodies.

use std::ops::Range;

use glam::{DMat3, DVec3};

use crate::force::{PairForces, PairSide};
use crate::solver::matrix6::{Vector6, columns};

use super::coupling::Coupling;
use super::envelope::{Block6, Envelope};
use super::member::{Member, RigidPart};

/// A coarse level of the joint system: the six rigid motions of every member.
///
/// ```text
/// z = M⁻¹ r + Z E⁻¹ Zᵀ r        E ≈ Zᵀ A Z
/// ```
///
/// The columns of Z are the rigid motions of all members. No cell resists them, so that E contains only masses, point
/// forces and pairs, and is small. The preconditioners of the members are slow for the motion of a whole stack, in
/// which the pressure of the top body has to pass through every body to the ground; E contains that motion. (A coarse
/// space of rigid motions: Mandel 1993.)
#[derive(Debug, Clone, Default)]
pub(super) struct RigidMotions {
    /// For every member, its block of E; `None` for a held body.
    parts: Vec<Option<RigidPart>>,
    rows: Vec<u32>,
    /// For every unknown, the row of its body in E; [`NONE`] for a held body.
    row_of: Vec<u32>,
    /// Vectors from the centre of its body to every unknown, in m.
    arms: Vec<DVec3>,
    order: Vec<u32>,
    first: Vec<u32>,
    matrix: Envelope,
    values: Vec<[f64; 6]>,
    usable: bool,
}

/// Largest cost of factoring E, in products of two blocks; beyond it E is not used.
const MAX_WORK: usize = 400_000;

/// Marks a missing row.
const NONE: u32 = u32::MAX;

impl RigidMotions {
    /// Reads the members before pairs add to their matrices.
    pub(super) fn open<M: Member>(&mut self, members: &[M], offsets: &[usize]) {
        self.arms.clear();
        self.arms.resize(offsets[members.len()], DVec3::ZERO);
        self.parts.clear();
        for (member, range) in members.iter().zip(offsets.windows(2)) {
            self.parts.push(member.rigid_part(&mut self.arms[range[0]..range[1]]));
        }
        self.sort();
        self.row_of.clear();
        self.row_of.resize(self.arms.len(), NONE);
        for (row, range) in (0u32..).zip(ranges(&self.order, offsets)) {
            self.row_of[range].fill(row);
        }
    }

    /// Orders the rows of E by position along the axis of largest extent, so that touching bodies are close in E.
    fn sort(&mut self) {
        let Self { parts, order, rows, .. } = self;
        let centre = |member: u32| parts[member as usize].map_or(DVec3::ZERO, |part| part.centre);
        order.clear();
        order.extend((0..parts.len() as u32).filter(|member| parts[*member as usize].is_some()));
        let (low, high) = order
            .iter()
            .map(|member| centre(*member))
            .fold((DVec3::INFINITY, DVec3::NEG_INFINITY), |(low, high), centre| {
                (low.min(centre), high.max(centre))
            });
        let axis = (high - low).max_position();
        order.sort_unstable_by(|a, b| centre(*a)[axis].total_cmp(&centre(*b)[axis]).then(a.cmp(b)));
        rows.clear();
        rows.resize(parts.len(), 0);
        (0u32..).zip(order.iter()).for_each(|(row, member)| rows[*member as usize] = row);
    }

    /// A member in its rigid motions; `None` if it is held.
    pub(super) fn part(&self, member: usize) -> Option<&RigidPart> {
        self.parts[member].as_ref()
    }

    /// The vector from the centre of its body to an unknown, in m.
    pub(super) fn arm(&self, unknown: usize) -> DVec3 {
        self.arms[unknown]
    }

    /// Assembles E with the pushing pairs, for a step of `h`.
    pub(super) fn compile<M: Member>(
        &mut self,
        members: &[M],
        coupling: &Coupling,
        pairs: &PairForces,
        h: f64,
    ) {
        self.shape(pairs);
        if !self.usable {
            return;
        }
        let Self { parts, rows, order, matrix, .. } = self;
        for (row, member) in order.iter().enumerate() {
            if let Some(part) = &parts[*member as usize] {
                add_symmetric(matrix.block_mut(row, row), &part.matrix.0);
            }
        }
        let pushing = pairs.iter().enumerate().filter(|(pair, _)| coupling.is_active(*pair));
        for (_, (force, sides)) in pushing {
            let block: DMat3 = force.matrix([h * h, h]).into();
            let place = |side: &PairSide<'_>| {
                let part = parts[side.member as usize]?;
                let point = side.blend(members[side.member as usize].positions());
                Some((rows[side.member as usize] as usize, columns(point - part.centre)))
            };
            let sides = [place(&sides[0]), place(&sides[1])];
            for (row, columns) in sides.iter().flatten() {
                add_product(matrix.block_mut(*row, *row), columns, block, columns);
            }
            if let [Some((a, first)), Some((b, second))] = &sides {
                match a.cmp(b) {
                    std::cmp::Ordering::Greater => {
                        add_product(matrix.block_mut(*a, *b), first, -block, second);
                    }
                    std::cmp::Ordering::Less => {
                        add_product(matrix.block_mut(*b, *a), second, -block, first);
                    }
                    std::cmp::Ordering::Equal => {
                        add_product(matrix.block_mut(*a, *a), first, -block, second);
                        add_product(matrix.block_mut(*a, *a), second, -block, first);
                    }
                }
            }
        }
        self.usable = self.matrix.factor();
    }

    /// Allocates E with its pairs, if its cost is within the limit.
    fn shape(&mut self, pairs: &PairForces) {
        let Self { parts, rows, order, first, .. } = self;
        first.clear();
        first.extend(0..order.len() as u32);
        for (_, sides) in pairs.iter() {
            let [a, b] = sides.map(|side| side.member as usize);
            if parts[a].is_some() && parts[b].is_some() {
                let (low, high) = (rows[a].min(rows[b]), rows[a].max(rows[b]));
                first[high as usize] = first[high as usize].min(low);
            }
        }
        self.usable = first.len() > 1 && Envelope::work(first) <= MAX_WORK;
        if self.usable {
            self.matrix.shape(first);
        }
    }

    /// Computes E⁻¹ Zᵀ r.
    pub(super) fn solve(&mut self, offsets: &[usize], r: &[DVec3]) {
        if !self.usable {
            return;
        }
        let Self { order, arms, matrix, values, .. } = self;
        values.clear();
        values.extend(ranges(order, offsets).map(|range| {
            let mut sum = Vector6::default();
            let own = arms[range.clone()].iter().zip(&r[range]);
            own.for_each(|(arm, r)| sum.add(*arm, *r));
            <[f64; 6]>::from(sum)
        }));
        matrix.solve(values);
    }

    /// z += Z E⁻¹ Zᵀ r for the unknowns of one member.
    pub(super) fn add_solution(&self, unknowns: Range<usize>, z: &mut [DVec3]) {
        let row = self.row_of.get(unknowns.start).filter(|row| self.usable && **row != NONE);
        if let Some(row) = row {
            let motion = Vector6::from(self.values[*row as usize]);
            let own = self.arms[unknowns].iter().zip(z);
            own.for_each(|(arm, z)| *z += motion.at(*arm));
        }
    }
}

/// The unknowns of every member of E, in the order of its rows.
fn ranges(order: &[u32], offsets: &[usize]) -> impl Iterator<Item = Range<usize>> {
    order.iter().map(|member| offsets[*member as usize]..offsets[*member as usize + 1])
}

/// Adds a symmetric matrix to the lower triangle.
fn add_symmetric(block: &mut Block6, matrix: &[[f64; 6]; 6]) {
    for (j, column) in block.iter_mut().enumerate() {
        (j..6).for_each(|i| column[i] += matrix[i][j]);
    }
}

/// Adds Jᵀ B K of two points with the columns of J and K.
fn add_product(block: &mut Block6, rows: &[DVec3; 6], b: DMat3, columns: &[DVec3; 6]) {
    for (own, column) in block.iter_mut().zip(columns) {
        let pushed = b * *column;
        own.iter_mut().zip(rows).for_each(|(entry, row)| *entry += row.dot(pushed));
    }
}
