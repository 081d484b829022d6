//! The level below linear cells: groups of nodes that move rigidly.

use glam::DVec3;
use pliant_sparse::{BlockMatrix, Cholesky, FactorError};

use pliant_kernels::math::{Mat3, Vec3};

/// Largest number of nodes of a group. The motion within a group is left to the smoother, which reaches over a few
/// cells.
const GROUP: usize = 48;

/// Shift of the diagonal, relative to its mean: a group of nodes on a line has a rotation without effect, and the
/// matrix would be singular.
const SHIFT: f64 = 1e-9;

/// Rigid motions of groups of unknowns, and the system in them.
///
/// ```text
/// uᵢ = t + ω × (xᵢ − c)/ϱ        QᵀAQ by Cholesky
/// ```
///
/// with c the centre and ϱ the size of the group: two blocks of three numbers per group, t and ω.
#[derive(Debug, Clone)]
pub(super) struct Aggregates {
    group: Vec<u32>,
    /// (xᵢ − c)/ϱ.
    lever: Vec<DVec3>,
    centre: Vec<DVec3>,
    size: Vec<f64>,
    count: Vec<u32>,
    matrix: BlockMatrix,
    cholesky: Cholesky,
    usable: bool,
    solution: Vec<DVec3>,
}

impl Aggregates {
    /// Groups the unknowns of `fine`, which lie at `positions`.
    pub(super) fn new(fine: &BlockMatrix, positions: &[DVec3]) -> Result<Self, FactorError> {
        let group = groups(positions);
        let groups = group.iter().max().map_or(0, |last| *last as usize + 1);
        let matrix = structure(fine, &group, groups);
        let mut centres = vec![DVec3::ZERO; groups];
        let mut count = vec![0; groups];
        for (group, x) in group.iter().zip(positions) {
            centres[*group as usize] += *x;
            count[*group as usize] += 1;
        }
        centres.iter_mut().zip(&count).for_each(|(c, n)| *c /= f64::from((*n).max(1)));
        let doubled: Vec<DVec3> = centres.iter().flat_map(|c| [*c, *c]).collect();
        Ok(Self {
            cholesky: Cholesky::analyse(&matrix, &doubled)?,
            lever: vec![DVec3::ZERO; positions.len()],
            size: vec![1.0; groups],
            solution: vec![DVec3::ZERO; 2 * groups],
            centre: centres,
            group,
            count,
            matrix,
            usable: false,
        })
    }

    /// Updates the system and the positions of its unknowns.
    pub(super) fn refresh(&mut self, fine: &BlockMatrix, x: impl Fn(usize) -> DVec3) {
        self.centre.fill(DVec3::ZERO);
        self.size.fill(0.0);
        for (unknown, group) in self.group.iter().enumerate() {
            self.centre[*group as usize] += x(unknown) / f64::from(self.count[*group as usize]);
        }
        for (unknown, group) in self.group.iter().enumerate() {
            let group = *group as usize;
            self.lever[unknown] = x(unknown) - self.centre[group];
            self.size[group] = self.size[group].max(self.lever[unknown].length());
        }
        for (lever, group) in self.lever.iter_mut().zip(&self.group) {
            *lever /= self.size[*group as usize].max(f64::MIN_POSITIVE);
        }
        self.matrix.clear();
        for column in 0..fine.size() {
            for k in fine.column_start[column]..fine.column_start[column + 1] {
                self.add(fine.rows[k] as usize, column, &fine.blocks[k]);
            }
        }
        let shift = SHIFT * self.matrix.mean_diagonal();
        self.matrix.shift_diagonal(shift);
        self.usable = self.cholesky.factor(&self.matrix).is_ok();
    }

    /// Adds QᵀAQ of one block of the lower triangle, and of its transpose.
    fn add(&mut self, row: usize, column: usize, block: &Mat3) {
        let (left, right) = (turn(self.lever[row]), turn(self.lever[column]));
        let back = left.transpose();
        let parts = [[*block, *block * right], [back * *block, back * *block * right]];
        let (a, b) = (self.group[row], self.group[column]);
        for (i, parts) in parts.iter().enumerate() {
            for (j, part) in parts.iter().enumerate() {
                let (to, from) = (2 * a + i as u32, 2 * b + j as u32);
                if to >= from {
                    self.matrix.add(to, from, *part);
                }
                if row != column && from >= to {
                    self.matrix.add(from, to, part.transpose());
                }
            }
        }
    }

    /// z += Q (QᵀAQ)⁻¹ Qᵀ r.
    pub(super) fn correct(&mut self, r: &[DVec3], z: &mut [DVec3]) {
        if !self.usable {
            return;
        }
        self.solution.fill(DVec3::ZERO);
        for ((r, lever), group) in r.iter().zip(&self.lever).zip(&self.group) {
            let group = 2 * *group as usize;
            self.solution[group] += *r;
            self.solution[group + 1] += lever.cross(*r);
        }
        self.cholesky.solve(&mut self.solution);
        for ((z, lever), group) in z.iter_mut().zip(&self.lever).zip(&self.group) {
            let group = 2 * *group as usize;
            *z += self.solution[group] + self.solution[group + 1].cross(*lever);
        }
    }
}

/// The matrix of ω × lever.
fn turn(lever: DVec3) -> Mat3 {
    let [x, y, z] = lever.to_array();
    Mat3([Vec3([0.0, -z, y]), Vec3([z, 0.0, -x]), Vec3([-y, x, 0.0])])
}

/// Halves the points along their longest extent until the parts are small enough.
fn groups(positions: &[DVec3]) -> Vec<u32> {
    let mut group = vec![0; positions.len()];
    let mut order: Vec<u32> = (0..positions.len() as u32).collect();
    let mut next = 0;
    split(positions, &mut order, &mut |part| {
        part.iter().for_each(|unknown| group[*unknown as usize] = next);
        next += 1;
    });
    group
}

fn split(positions: &[DVec3], part: &mut [u32], done: &mut dyn FnMut(&[u32])) {
    if part.len() <= GROUP {
        if !part.is_empty() {
            done(part);
        }
        return;
    }
    let at = |unknown: &u32| positions[*unknown as usize];
    let low = part.iter().map(at).fold(DVec3::INFINITY, DVec3::min);
    let high = part.iter().map(at).fold(DVec3::NEG_INFINITY, DVec3::max);
    let extent = (high - low).to_array();
    let axis = (0..3).fold(0, |best, axis| if extent[axis] > extent[best] { axis } else { best });
    part.sort_by(|a, b| at(a)[axis].total_cmp(&at(b)[axis]).then(a.cmp(b)));
    let (left, right) = part.split_at_mut(part.len() / 2);
    split(positions, left, done);
    split(positions, right, done);
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
