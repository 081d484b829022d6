//! The rows of several touching bodies in one matrix.

use glam::DVec3;
use pliant_kernels::math::Mat3;
use pliant_sparse::BlockMatrix;

use crate::solver::matrix6::Vector6;

use super::coupling::Coupling;
use super::member::{FactorForm, Member};
use super::rigid_motions::RigidMotions;

/// Where the unknowns of a joint solve are in the matrix of a shared factor.
///
/// A body with an assembled matrix has a row for every unknown. A rigid body has two rows, for its velocity v and its angular velocity ω, whatever its number
/// of unknowns; its unknown at the arm a from its centre moves at v + ω × a.
#[derive(Debug, Clone, Default)]
pub(super) struct SharedRows {
    parts: Vec<MemberRows>,
    /// For every unknown, its row, or the first row of its rigid body; [`NONE`] for unknowns without rows.
    of_unknown: Vec<u32>,
    /// True for unknowns of rigid bodies.
    rigid: Vec<bool>,
    count: usize,
    /// Columns and rows of all blocks.
    places: Vec<(u32, u32)>,
    terms: Vec<RowWeight>,
}

/// A member with rows.
#[derive(Debug, Clone, Copy)]
struct MemberRows {
    member: usize,
    row: u32,
    /// Its unknowns.
    first: usize,
    end: usize,
    is_rigid: bool,
}

/// The weight of a row in a pair of points.
#[derive(Debug, Clone, Copy)]
struct RowWeight {
    row: u32,
    weight: f64,
    /// Σ w a for a row of angular velocity, in m.
    arm: Option<DVec3>,
}

/// Marks a missing row.
const NONE: u32 = u32::MAX;

impl SharedRows {
    /// Lists the blocks of the matrix of the listed rows.
    pub(super) fn connect<M: Member>(
        &mut self,
        members: &[M],
        coupling: &Coupling,
        motions: &RigidMotions,
    ) {
        self.places.clear();
        for part in &self.parts {
            if let FactorForm::Cells(own) = members[part.member].form() {
                let moved = |(column, row)| (part.row + column, part.row + row);
                self.places.extend(lower_triangle(own).map(moved));
            } else {
                let [v, w] = [part.row, part.row + 1];
                self.places.extend([(v, v), (v, w), (w, w)]);
            }
        }
        for (_, entries) in coupling.all() {
            self.find_terms(motions, entries);
            for (k, a) in self.terms.iter().enumerate() {
                let below = self.terms[..k].iter();
                self.places.extend(below.map(|b| (a.row.min(b.row), a.row.max(b.row))));
            }
        }
        self.places.sort_unstable();
        self.places.dedup();
    }

    /// Lists the rows of all members that can have any.
    pub(super) fn list<M: Member>(
        &mut self,
        members: &[M],
        offsets: &[usize],
        motions: &RigidMotions,
    ) {
        let Self { parts, of_unknown, rigid, count, .. } = self;
        parts.clear();
        of_unknown.clear();
        rigid.clear();
        *count = 0;
        for (member, range) in offsets.windows(2).enumerate() {
            let (first, end, row) = (range[0], range[1], *count as u32);
            let (is_rigid, rows) = match members[member].form() {
                FactorForm::Cells(_) => (false, end - first),
                FactorForm::Rigid if motions.part(member).is_some() => (true, 2),
                _ => (false, 0),
            };
            let row_of = |k: usize| match rows {
                0 => NONE,
                _ if is_rigid => row,
                _ => row + k as u32,
            };
            of_unknown.extend((0..end - first).map(row_of));
            rigid.resize(end, is_rigid);
            if rows > 0 {
                parts.push(MemberRows { member, row, first, end, is_rigid });
            }
            *count += rows;
        }
    }

    /// The number of rows.
    pub(super) fn count(&self) -> usize {
        self.count
    }

    /// True if this unknown has a row.
    pub(super) fn contain(&self, unknown: usize) -> bool {
        self.of_unknown.get(unknown).is_some_and(|row| *row != NONE)
    }

    /// True if all members with unknowns have rows.
    pub(super) fn are_whole(&self) -> bool {
        self.of_unknown.iter().all(|row| *row != NONE)
    }

    /// True if this matrix has the same blocks.
    pub(super) fn are_those_of(&self, matrix: &BlockMatrix) -> bool {
        matrix.size() == self.count
            && matrix.rows.len() == self.places.len()
            && lower_triangle(matrix).eq(self.places.iter().copied())
    }

    /// The matrix with these blocks, all zero.
    pub(super) fn zeros(&self) -> BlockMatrix {
        BlockMatrix::from_sorted(self.count, self.places.clone())
    }

    /// Sums the matrices of the members and the pushing pairs among them.
    pub(super) fn fill<M: Member>(
        &mut self,
        members: &[M],
        coupling: &Coupling,
        motions: &RigidMotions,
        matrix: &mut BlockMatrix,
    ) {
        matrix.clear();
        for part in &self.parts {
            if let FactorForm::Cells(own) = members[part.member].form() {
                for ((column, row), block) in lower_triangle(own).zip(&own.blocks) {
                    matrix.add(part.row + row, part.row + column, *block);
                }
            } else if let Some(own) = motions.part(part.member) {
                let entry = |i: usize, j: usize| own.matrix.0[i.max(j)][i.min(j)];
                for (row, column) in [(0, 0), (1, 0), (1, 1)] {
                    let block = Mat3::from_fn(|i, j| entry(3 * row + i, 3 * column + j));
                    matrix.add(part.row + row as u32, part.row + column as u32, block);
                }
            }
        }
        for (block, entries) in coupling.iter() {
            self.find_terms(motions, entries);
            for (k, a) in self.terms.iter().enumerate() {
                for b in &self.terms[..=k] {
                    let (low, high) = if a.row < b.row { (a, b) } else { (b, a) };
                    matrix.add(high.row, low.row, high.transposed(&low.times(block)));
                }
            }
        }
    }

    /// Lists the weights of rows for the entries of a pair.
    fn find_terms(&mut self, motions: &RigidMotions, entries: &[(u32, f64)]) {
        let Self { terms, of_unknown, rigid, .. } = self;
        terms.clear();
        for (unknown, weight) in entries {
            let (unknown, weight) = (*unknown as usize, *weight);
            let row = of_unknown[unknown];
            if row == NONE {
                continue;
            }
            if !rigid[unknown] {
                terms.push(RowWeight { row, weight, arm: None });
                continue;
            }
            let arm = weight * motions.arm(unknown);
            match terms.iter().position(|term| term.row == row) {
                Some(place) => {
                    terms[place].weight += weight;
                    let sum = &mut terms[place + 1].arm;
                    *sum = sum.map(|sum| sum + arm);
                }
                None => {
                    terms.push(RowWeight { row, weight, arm: None });
                    terms.push(RowWeight { row: row + 1, weight, arm: Some(arm) });
                }
            }
        }
    }

    /// The values of all rows for a vector of forces on the unknowns.
    pub(super) fn gather(&self, motions: &RigidMotions, r: &[DVec3], values: &mut Vec<DVec3>) {
        values.clear();
        for part in &self.parts {
            let own = &r[part.first..part.end];
            if part.is_rigid {
                let mut sum = Vector6::default();
                (part.first..).zip(own).for_each(|(unknown, r)| sum.add(motions.arm(unknown), *r));
                values.extend([sum.linear, sum.angular]);
            } else {
                values.extend_from_slice(own);
            }
        }
    }

    /// Writes the velocities of all unknowns with rows.
    pub(super) fn scatter(&self, motions: &RigidMotions, values: &[DVec3], z: &mut [DVec3]) {
        for part in &self.parts {
            let own = &mut z[part.first..part.end];
            let row = part.row as usize;
            if part.is_rigid {
                let motion = Vector6 { linear: values[row], angular: values[row + 1] };
                let places = (part.first..).zip(own);
                places.for_each(|(unknown, z)| *z = motion.at(motions.arm(unknown)));
            } else {
                own.copy_from_slice(&values[row..row + own.len()]);
            }
        }
    }
}

impl RowWeight {
    /// K G, with G = w, or G ω = ω × Σ w a.
    fn times(&self, block: &Mat3) -> Mat3 {
        self.arm.map_or_else(|| *block * self.weight, |arm| *block * turning(arm))
    }

    /// Gᵀ B.
    fn transposed(&self, block: &Mat3) -> Mat3 {
        self.arm.map_or_else(|| *block * self.weight, |arm| turning(arm).transpose() * *block)
    }
}

/// The matrix of ω × a as a product with ω.
fn turning(arm: DVec3) -> Mat3 {
    let columns = DVec3::AXES.map(|axis| axis.cross(arm));
    Mat3::from_fn(|i, j| columns[j][i])
}

/// Columns and rows of all blocks of a matrix.
pub(super) fn lower_triangle(matrix: &BlockMatrix) -> impl Iterator<Item = (u32, u32)> {
    let column = |column: usize| {
        let range = matrix.column_start[column]..matrix.column_start[column + 1];
        matrix.rows[range].iter().map(move |row| (column as u32, *row))
    };
    (0..matrix.size()).flat_map(column)
}
