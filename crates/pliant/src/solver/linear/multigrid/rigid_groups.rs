//! Groups of unknowns that move rigidly: the level below.

use glam::DVec3;
use pliant_kernels::math::{Mat3, Vec3};
use pliant_sparse::BlockMatrix;

/// Largest number of unknowns of a group. The motion within a group is left to the smoother, which reaches over a few
/// cells.
const GROUP: usize = 48;

/// Shift of the diagonal, relative to its mean: a group of nodes on a line has a rotation without effect, and the
/// matrix would be singular.
const SHIFT: f64 = 1e-9;

/// What an unknown of a level moves.
#[derive(Debug, Clone, Copy)]
pub(super) struct Part {
    /// Its position, or the centre of its group.
    pub(super) x: DVec3,
    /// Zero for displacements; for a rotation of a group, the size ϱ of that group.
    pub(super) size: f64,
}

/// Rigid motions of groups of unknowns, and the system in them.
///
/// ```text
/// uᵢ = t + ω × (xᵢ − c)/ϱ        QᵀAQ
/// ```
///
/// with c the centre and ϱ the size of the group: two unknowns of three numbers per group, t and ω. They may be grouped in
/// turn: the rotation of a group of size ϱᵢ follows a larger one as uᵢ = ω ϱᵢ/ϱ.
#[derive(Debug, Clone)]
pub(super) struct RigidGroups {
    /// Rows of group `g` are `start[g]..start[g + 1]`.
    start: Vec<u32>,
    /// Group and motion of every row.
    rows: Vec<GroupedRow>,
    centre: Vec<DVec3>,
    size: Vec<f64>,
    matrix: BlockMatrix,
}

/// The motion of a row with its group: u = `shift` t + ω × `lever` + `turn` ω.
#[derive(Debug, Clone, Copy)]
struct GroupedRow {
    group: u32,
    shift: f64,
    turn: f64,
    lever: DVec3,
}

impl RigidGroups {
    /// Groups the unknowns of `fine`, which lie at `positions`; unknowns in runs of `unit` stay together. Also returns the
    /// unknowns group by group.
    pub(super) fn new(fine: &BlockMatrix, positions: &[DVec3], unit: usize) -> (Self, Vec<u32>) {
        let mut order: Vec<u32> = (0..positions.len() as u32).collect();
        let mut start = vec![0];
        split(positions, unit, &mut order, &mut |size| start.push(start[start.len() - 1] + size));
        let (groups, mut group_of) = (start.len() - 1, vec![0; order.len()]);
        let mut rows = Vec::with_capacity(order.len());
        for (group, range) in (0u32..).zip(start.windows(2)) {
            for unknown in &order[range[0] as usize..range[1] as usize] {
                group_of[*unknown as usize] = group;
                rows.push(GroupedRow { group, shift: 1.0, turn: 0.0, lever: DVec3::ZERO });
            }
        }
        let matrix = structure(fine, &group_of, groups);
        let (centre, size) = (vec![DVec3::ZERO; groups], vec![1.0; groups]);
        let mut made = Self { start, rows, centre, size, matrix };
        made.place(&order, &|unknown| Part { x: positions[unknown], size: 0.0 });
        (made, order)
    }

    /// The system in the motions of groups.
    pub(super) fn matrix(&self) -> &BlockMatrix {
        &self.matrix
    }

    /// What unknown `k` of that system moves.
    pub(super) fn part(&self, k: usize) -> Part {
        let (group, rotates) = (k / 2, k % 2 == 1);
        Part { x: self.centre[group], size: if rotates { self.size[group] } else { 0.0 } }
    }

    /// Updates the system; `order` and `place` are the unknown of every row and the row of every unknown.
    pub(super) fn refresh(
        &mut self,
        fine: &BlockMatrix,
        (order, place): (&[u32], &[u32]),
        part: &dyn Fn(usize) -> Part,
    ) {
        self.place(order, part);
        self.matrix.clear();
        for column in 0..fine.size() {
            for k in fine.column_start[column]..fine.column_start[column + 1] {
                let row = place[fine.rows[k] as usize] as usize;
                self.add(row, place[column] as usize, &fine.blocks[k]);
            }
        }
        let shift = SHIFT * self.matrix.mean_diagonal();
        self.matrix.shift_diagonal(shift);
    }

    /// Computes the motion of every row.
    fn place(&mut self, order: &[u32], part: &dyn Fn(usize) -> Part) {
        for (group, range) in self.start.windows(2).enumerate() {
            let range = range[0] as usize..range[1] as usize;
            let parts = || order[range.clone()].iter().map(|unknown| part(*unknown as usize));
            let centre = parts().map(|part| part.x).sum::<DVec3>() / range.len() as f64;
            let reach = parts().map(|part| (part.x - centre).length().max(part.size));
            let size = reach.fold(f64::MIN_POSITIVE, f64::max);
            for (row, part) in self.rows[range.clone()].iter_mut().zip(parts()) {
                let rotates = part.size > 0.0;
                row.shift = if rotates { 0.0 } else { 1.0 };
                row.turn = part.size / size;
                row.lever = if rotates { DVec3::ZERO } else { (part.x - centre) / size };
            }
            (self.centre[group], self.size[group]) = (centre, size);
        }
    }

    /// Adds QᵀAQ of one block of the lower triangle, and of its transpose.
    fn add(&mut self, row: usize, column: usize, block: &Mat3) {
        let (left, right) = (self.rows[row], self.rows[column]);
        let (turn_left, turn_right) = (left.turning().transpose(), right.turning());
        let turned = *block * turn_right;
        let parts = [
            [*block * (left.shift * right.shift), turned * left.shift],
            [turn_left * *block * right.shift, turn_left * turned],
        ];
        for (i, parts) in (0u32..).zip(&parts) {
            for (j, part) in (0u32..).zip(parts) {
                let (to, from) = (2 * left.group + i, 2 * right.group + j);
                if to >= from {
                    self.matrix.add(to, from, *part);
                }
                if row != column && from >= to {
                    self.matrix.add(from, to, part.transpose());
                }
            }
        }
    }

    /// Qᵀ r of unknown `k` of the groups: the sum of a force, or of its moment, over the rows of a group.
    pub(super) fn restricted(&self, k: usize, r: impl Fn(usize) -> DVec3) -> DVec3 {
        let (group, rotates) = (k / 2, k % 2 == 1);
        let range = self.start[group] as usize..self.start[group + 1] as usize;
        let term = |(row, own): (usize, &GroupedRow)| {
            let r = r(row);
            if rotates { own.lever.cross(r) + own.turn * r } else { own.shift * r }
        };
        range.clone().zip(&self.rows[range]).map(term).sum()
    }

    /// Q c of a row.
    #[inline]
    pub(super) fn motion(&self, row: usize, c: &[DVec3]) -> DVec3 {
        let GroupedRow { group, shift, turn, lever } = self.rows[row];
        let [t, omega] = [c[2 * group as usize], c[2 * group as usize + 1]];
        shift * t + omega.cross(lever) + turn * omega
    }
}

impl GroupedRow {
    /// The matrix of ω × `lever` + `turn` ω.
    fn turning(&self) -> Mat3 {
        let [x, y, z] = self.lever.to_array();
        Mat3([Vec3([self.turn, -z, y]), Vec3([z, self.turn, -x]), Vec3([-y, x, self.turn])])
    }
}

/// Halves the points along their longest extent until the parts are small enough, and calls `done` with the size of each.
fn split(positions: &[DVec3], unit: usize, part: &mut [u32], done: &mut dyn FnMut(u32)) {
    if part.len() <= GROUP {
        if !part.is_empty() {
            done(part.len() as u32);
        }
        return;
    }
    let at = |unknown: &u32| positions[*unknown as usize];
    let low = part.iter().map(at).fold(DVec3::INFINITY, DVec3::min);
    let high = part.iter().map(at).fold(DVec3::NEG_INFINITY, DVec3::max);
    let extent = (high - low).to_array();
    let axis = (0..3).fold(0, |best, axis| if extent[axis] > extent[best] { axis } else { best });
    part.sort_by(|a, b| at(a)[axis].total_cmp(&at(b)[axis]).then(a.cmp(b)));
    let (left, right) = part.split_at_mut(part.len() / 2 / unit * unit);
    split(positions, unit, left, done);
    split(positions, unit, right, done);
}

/// Blocks between all groups that the fine matrix connects.
fn structure(fine: &BlockMatrix, group: &[u32], groups: usize) -> BlockMatrix {
    let mut pairs: Vec<(u32, u32)> = Vec::new();
    for column in 0..fine.size() {
        for row in &fine.rows[fine.column_start[column]..fine.column_start[column + 1]] {
            let (a, b) = (group[*row as usize], group[column]);
            pairs.push((a.min(b), a.max(b)));
        }
    }
    pairs.sort_unstable();
    pairs.dedup();
    let mut blocks: Vec<(u32, u32)> = Vec::new();
    for (column, row) in pairs {
        for i in 0..2 {
            for j in 0..2 {
                let (to, from) = (2 * row + i, 2 * column + j);
                if to >= from {
                    blocks.push((from, to));
                }
            }
        }
    }
    blocks.sort_unstable();
    BlockMatrix::from_sorted(2 * groups, blocks)
}
