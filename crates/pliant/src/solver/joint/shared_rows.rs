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
    /// Terms of pair `i` are `pair_start[i]..pair_start[i + 1]`.
    terms: Vec<RowWeight>,
    pair_start: Vec<u32>,
    /// Indices of the terms of row `r` are `row_terms[row_start[r]..row_start[r + 1]]`, with the pair of each, in ascending order.
    row_terms: Vec<(u32, u32)>,
    row_start: Vec<u32>,
    /// For every row, the last column that lists it, or its block in the present column.
    marks: Vec<u32>,
    /// The rows of a column.
    column: Vec<u32>,
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
        self.terms.clear();
        self.pair_start.clear();
        self.pair_start.push(0);
        for (_, entries) in coupling.all() {
            self.push_terms(motions, entries);
            self.pair_start.push(self.terms.len() as u32);
        }
        self.sort_terms_by_row();
        self.list_places(members);
    }

    /// Lists the terms of every row.
    fn sort_terms_by_row(&mut self) {
        let Self { terms, pair_start, row_terms, row_start, count, .. } = self;
        row_start.clear();
        row_start.resize(*count + 2, 0);
        terms.iter().for_each(|term| row_start[term.row as usize + 2] += 1);
        for row in 2..row_start.len() {
            row_start[row] += row_start[row - 1];
        }
        row_terms.clear();
        row_terms.resize(terms.len(), (0, 0));
        for (pair, range) in (0u32..).zip(pair_start.windows(2)) {
            for term in range[0]..range[1] {
                let place = &mut row_start[terms[term as usize].row as usize + 1];
                row_terms[*place as usize] = (pair, term);
                *place += 1;
            }
        }
        row_start.pop();
    }

    /// Lists the columns and rows of all blocks, column by column: a vertex of a detailed skin hangs on many nodes, so that pairs have far more blocks than the matrix.
    fn list_places<M: Member>(&mut self, members: &[M]) {
        let Self { parts, places, terms, pair_start, row_terms, row_start, marks, column, .. } =
            self;
        places.clear();
        marks.clear();
        marks.resize(self.count, NONE);
        for part in parts {
            let own = match members[part.member].form() {
                FactorForm::Cells(own) => Some(own),
                _ => None,
            };
            let rows = own.map_or(2, BlockMatrix::size);
            for local in 0..rows {
                let first = part.row + local as u32;
                column.clear();
                match own {
                    Some(own) => {
                        let range = own.column_start[local]..own.column_start[local + 1];
                        column.extend(own.rows[range].iter().map(|row| part.row + row));
                    }
                    None => column.extend(first..part.row + 2),
                }
                column.iter().for_each(|row| marks[*row as usize] = first);
                let range = row_start[first as usize]..row_start[first as usize + 1];
                for (pair, _) in &row_terms[range.start as usize..range.end as usize] {
                    let pair = *pair as usize;
                    for other in &terms[pair_start[pair] as usize..pair_start[pair + 1] as usize] {
                        if other.row > first && marks[other.row as usize] != first {
                            marks[other.row as usize] = first;
                            column.push(other.row);
                        }
                    }
                }
                column.sort_unstable();
                places.extend(column.iter().map(|row| (first, *row)));
            }
        }
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
                add_part(matrix, part.row as usize, own);
            } else if let Some(own) = motions.part(part.member) {
                let entry = |i: usize, j: usize| own.matrix.0[i.max(j)][i.min(j)];
                for (row, column) in [(0, 0), (1, 0), (1, 1)] {
                    let block = Mat3::from_fn(|i, j| entry(3 * row + i, 3 * column + j));
                    matrix.add(part.row + row as u32, part.row + column as u32, block);
                }
            }
        }
        self.add_pairs(coupling, matrix);
    }

    /// Adds the pushing pairs, column by column, so that no block has to be searched for.
    fn add_pairs(&mut self, coupling: &Coupling, matrix: &mut BlockMatrix) {
        let Self { terms, pair_start, row_terms, row_start, marks, .. } = self;
        for column in 0..matrix.size() {
            let own = &row_terms[row_start[column] as usize..row_start[column + 1] as usize];
            if own.is_empty() {
                continue;
            }
            let range = matrix.column_start[column]..matrix.column_start[column + 1];
            for place in range {
                marks[matrix.rows[place] as usize] = place as u32;
            }
            for (pair, term) in own.iter().filter(|(pair, _)| coupling.is_active(*pair as usize)) {
                let (pair, low) = (*pair as usize, &terms[*term as usize]);
                let pushed = low.times(coupling.matrix(pair));
                let all = &terms[pair_start[pair] as usize..pair_start[pair + 1] as usize];
                for high in all.iter().filter(|high| high.row >= low.row) {
                    let place = marks[high.row as usize] as usize;
                    matrix.blocks[place] += high.transposed(&pushed);
                }
            }
        }
    }

    /// Adds the weights of rows for the entries of a pair to the terms.
    fn push_terms(&mut self, motions: &RigidMotions, entries: &[(u32, f64)]) {
        let Self { terms, of_unknown, rigid, .. } = self;
        let begin = terms.len();
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
            match terms[begin..].iter().position(|term| term.row == row) {
                Some(place) => {
                    let place = begin + place;
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

/// Adds a matrix from this row and column on. Its blocks are among those of the sum, in the same order.
fn add_part(sum: &mut BlockMatrix, first: usize, part: &BlockMatrix) {
    for column in 0..part.size() {
        let mut place = sum.column_start[first + column];
        for own in part.column_start[column]..part.column_start[column + 1] {
            let row = first as u32 + part.rows[own];
            while sum.rows[place] != row {
                place += 1;
            }
            sum.blocks[place] += part.blocks[own];
        }
    }
}

/// Columns and rows of all blocks of a matrix.
pub(super) fn lower_triangle(matrix: &BlockMatrix) -> impl Iterator<Item = (u32, u32)> {
    let column = |column: usize| {
        let range = matrix.column_start[column]..matrix.column_start[column + 1];
        matrix.rows[range].iter().map(move |row| (column as u32, *row))
    };
    (0..matrix.size()).flat_map(column)
}
