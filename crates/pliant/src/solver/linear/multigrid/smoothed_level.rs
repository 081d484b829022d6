//! Levels of large bodies: smoothed, and corrected by rigid motions of groups.

use glam::DVec3;
use pliant_kernels::single_rows::Single;
use pliant_sparse::{BlockMatrix, Cholesky, FactorError};

use crate::solver::linear::vectors::{LONG, chunk_count, for_chunks, for_parts, largest};

use super::chebyshev::{Chebyshev, residual};
use super::rigid_groups::{Part, RigidGroups};
use super::scaled_rows::ScaledRows;

/// Number of unknowns up to which a level is solved by Cholesky. Beyond it the cost grows faster than the number of
/// unknowns.
pub(super) const MAX_DIRECT_UNKNOWNS: usize = 1000;

/// Degree of the smoother.
const DEGREE: usize = 3;

/// Number of cycles for linear cells, and for their groups: these are few, and rigid motions of groups of groups alone correct them too little.
const CYCLES: usize = 1;
const CYCLES_OF_GROUPS: usize = 2;

/// Unknowns of groups for which one task sums.
const GROUPED_PER_TASK: usize = 64;

/// An approximate solution with a symmetric matrix: cycles of smoothing, correction by rigid motions of groups of unknowns, and smoothing.
///
/// It is only part of a preconditioner, and smooths in single precision: large bodies wait for memory. The scale of the
/// right-hand side is taken out first, so that the result is linear in it for any units.
#[derive(Debug, Clone)]
pub(super) struct SmoothedLevel {
    rows: ScaledRows,
    smoother: Chebyshev,
    cycles: usize,
    groups: RigidGroups,
    below: Below,
    b: Vec<Single>,
    z: Vec<Single>,
    before: Vec<Single>,
    partial: Vec<f64>,
    /// Right-hand side and solution of the system of groups.
    group_r: Vec<DVec3>,
    group_z: Vec<DVec3>,
}

/// The solution for groups.
#[derive(Debug, Clone)]
enum Below {
    Direct { cholesky: Box<Cholesky>, is_usable: bool },
    Smoothed(Box<SmoothedLevel>),
}

impl SmoothedLevel {
    /// Buffers for a matrix of this structure, with unknowns at `positions`.
    pub(super) fn new(matrix: &BlockMatrix, positions: &[DVec3]) -> Result<Self, FactorError> {
        Self::with_units(matrix, positions, 1, CYCLES)
    }

    /// The same, with unknowns of which runs of `unit` stay together.
    fn with_units(
        matrix: &BlockMatrix,
        positions: &[DVec3],
        unit: usize,
        cycles: usize,
    ) -> Result<Self, FactorError> {
        let (groups, order) = RigidGroups::new(matrix, positions, unit);
        let n = order.len();
        let zero = || vec![[0.0; 4]; n];
        let group_zero = vec![DVec3::ZERO; groups.matrix().size()];
        Ok(Self {
            rows: ScaledRows::new(matrix, order),
            smoother: Chebyshev::new(DEGREE),
            cycles,
            below: Below::new(&groups)?,
            b: zero(),
            z: zero(),
            before: zero(),
            partial: vec![0.0; chunk_count(n)],
            group_r: group_zero.clone(),
            group_z: group_zero,
            groups,
        })
    }

    /// Updates the matrix; `part` is what an unknown moves.
    pub(super) fn refresh(&mut self, matrix: &BlockMatrix, part: &dyn Fn(usize) -> Part) {
        let Self { rows, smoother, groups, below, b, z, before, .. } = self;
        rows.fill(matrix);
        smoother.fit(rows.rows(), [z, b, before]);
        groups.refresh(matrix, (rows.order(), rows.place()), part);
        match below {
            Below::Direct { cholesky, is_usable } => {
                *is_usable = cholesky.factor(groups.matrix()).is_ok();
            }
            Below::Smoothed(level) => level.refresh(groups.matrix(), &|k| groups.part(k)),
        }
    }

    /// Writes z ≈ A⁻¹ r.
    pub(super) fn solve(&mut self, r: &[DVec3], z: &mut [DVec3]) {
        let size = largest(r, &mut self.partial);
        if !(size.is_normal() && size.recip().is_normal()) {
            return z.fill(DVec3::ZERO);
        }
        self.start(r, size.recip());
        self.correct();
        self.smooth();
        for _ in 1..self.cycles {
            self.smooth();
            self.correct();
            self.smooth();
        }
        self.rows.store(&self.z, size, z);
    }

    /// Loads the right-hand side, and smooths from zero.
    fn start(&mut self, r: &[DVec3], factor: f64) {
        let Self { rows, smoother, b, z, before, .. } = self;
        for_chunks(b, |first, b| {
            b.iter_mut().enumerate().for_each(|(k, b)| *b = rows.load(first + k, r, factor));
        });
        let share = smoother.first();
        for_chunks(z, |first, z| {
            z.iter_mut().zip(&b[first..]).for_each(|(z, b)| *z = b.map(|b| share * b));
        });
        for_chunks(before, |_, before| before.fill([0.0; 4]));
        smoother.go_on(rows.rows(), b, z, before);
    }

    fn smooth(&mut self) {
        let Self { rows, smoother, b, z, before, .. } = self;
        smoother.smooth(rows.rows(), b, z, before);
    }

    /// Adds the rigid motions of groups.
    fn correct(&mut self) {
        let Self { rows, groups, below, b, z, before, group_r, group_z, .. } = self;
        residual(rows.rows(), z, b, before);
        for_parts(group_r, GROUPED_PER_TASK, z.len() >= LONG, |first, r| {
            let of_row = |row: usize| rows.residual(row, &before[row]);
            r.iter_mut().enumerate().for_each(|(k, r)| *r = groups.restricted(first + k, of_row));
        });
        below.solve(group_r, group_z);
        for_chunks(z, |first, z| {
            for (row, z) in (first..).zip(z) {
                let motion = rows.motion(row, groups.motion(row, group_z));
                z.iter_mut().zip(motion).for_each(|(z, motion)| *z += motion);
            }
        });
    }
}

impl Below {
    fn new(groups: &RigidGroups) -> Result<Self, FactorError> {
        let matrix = groups.matrix();
        let positions: Vec<DVec3> = (0..matrix.size()).map(|k| groups.part(k).x).collect();
        Ok(if matrix.size() <= MAX_DIRECT_UNKNOWNS {
            let cholesky = Box::new(Cholesky::analyse(matrix, &positions)?);
            Self::Direct { cholesky, is_usable: false }
        } else {
            // Displacement and rotation of a group stay together.
            let level = SmoothedLevel::with_units(matrix, &positions, 2, CYCLES_OF_GROUPS)?;
            Self::Smoothed(Box::new(level))
        })
    }

    fn solve(&mut self, r: &[DVec3], z: &mut [DVec3]) {
        match self {
            Self::Direct { cholesky, is_usable: true } => {
                z.copy_from_slice(r);
                cholesky.solve(z);
            }
            Self::Direct { .. } => z.fill(DVec3::ZERO),
            Self::Smoothed(level) => level.solve(r, z),
        }
    }
}

#[cfg(test)]
mod tests {
    use pliant_kernels::math::Mat3;

    use super::super::uneven::uneven;
    use super::*;
    use crate::solver::linear::conjugate_gradient::{
        ConjugateGradient, Operator, Outcome, Preconditioner, Stop,
    };

    impl Operator for &BlockMatrix {
        fn apply(&mut self, p: &[DVec3], product: &mut [DVec3]) {
            product.copy_from_slice(&BlockMatrix::apply(self, p));
        }
    }

    impl Preconditioner for SmoothedLevel {
        fn apply(&mut self, r: &[DVec3], z: &mut [DVec3]) {
            self.solve(r, z);
        }
    }

    /// Springs between the points of a lattice and along its diagonals in planes, of stiffness `k`, and masses of 0.01 `k`.
    fn springs(counts: [usize; 3], k: f64) -> (BlockMatrix, Vec<DVec3>) {
        let [nx, ny, nz] = counts;
        let at = |x: usize, y: usize, z: usize| (x + nx * (y + ny * z)) as u32;
        let mut positions = Vec::new();
        let mut pairs = Vec::new();
        for (z, y, x) in (0..nx * ny * nz).map(|i| (i / (nx * ny), i / nx % ny, i % nx)) {
            positions.push(DVec3::new(x as f64, y as f64, z as f64));
            let ends = [(1, 0, 0), (0, 1, 0), (0, 0, 1), (1, 1, 0), (0, 1, 1), (1, 0, 1)];
            for (dx, dy, dz) in ends {
                if x + dx < nx && y + dy < ny && z + dz < nz {
                    pairs.push([at(x, y, z), at(x + dx, y + dy, z + dz)]);
                }
            }
        }
        let mut matrix = BlockMatrix::connecting(positions.len(), &|visit| {
            pairs.iter().for_each(|pair| visit(pair));
        });
        for pair in &pairs {
            let along = (positions[pair[1] as usize] - positions[pair[0] as usize]).normalize();
            let block = Mat3::outer(along.into(), along.into()) * k;
            pair.iter().for_each(|end| matrix.add(*end, *end, block));
            matrix.add(pair[1], pair[0], block * -1.0);
        }
        matrix.shift_diagonal(0.01 * k);
        (matrix, positions)
    }

    fn level(matrix: &BlockMatrix, positions: &[DVec3]) -> SmoothedLevel {
        let mut level = SmoothedLevel::new(matrix, positions).expect("it fits in memory");
        level.refresh(matrix, &|k| Part { x: positions[k], size: 0.0 });
        level
    }

    /// Solves for a load with this factor, to a residual of 1e-10.
    fn solve(counts: [usize; 3], k: f64, load: f64) -> Outcome {
        let (matrix, positions) = springs(counts, k);
        let b: Vec<DVec3> = (0..positions.len()).map(|node| load * uneven(node)).collect();
        let weights = vec![1.0; b.len()];
        let stop =
            Stop { tolerance: 1e-10, max_iterations: 100, reference: None, weights: &weights };
        let mut y = vec![DVec3::ZERO; b.len()];
        let mut m = level(&matrix, &positions);
        ConjugateGradient::new(b.len()).solve(&mut &matrix, &mut m, &b, &mut y, &stop)
    }

    /// Smoothing in single precision does not limit the accuracy of a solve, and iterations hardly grow with the body: with
    /// eight times the points, and a level more, there are at most three more.
    #[test]
    fn iterations_hardly_grow_with_the_body() {
        let (small, large) = (solve([20, 12, 12], 1.0, 1.0), solve([40, 24, 24], 1.0, 1.0));
        assert!(small.converged && large.converged, "{small:?}, {large:?}");
        assert!(large.iterations <= small.iterations + 3, "{small:?}, {large:?}");
    }

    /// Units do not matter: stiffness and load far outside the range of single precision take as many iterations.
    #[test]
    fn units_do_not_matter() {
        let usual = solve([20, 12, 12], 1.0, 1.0).iterations;
        for (k, load) in [(1e120, 1.0), (1e-120, 1.0), (1.0, 1e120), (1.0, 1e-120), (1e60, 1e-60)] {
            let other = solve([20, 12, 12], k, load);
            assert!(other.converged && other.iterations.abs_diff(usual) <= 1, "{other:?}");
        }
    }

    /// The operator is symmetric and positive to single precision.
    #[test]
    fn the_operator_is_symmetric_and_positive() {
        let (matrix, positions) = springs([40, 24, 24], 3.0);
        let mut m = level(&matrix, &positions);
        let n = positions.len();
        let [a, b]: [Vec<DVec3>; 2] = [0, n].map(|from| (from..from + n).map(uneven).collect());
        let dot = |a: &[DVec3], b: &[DVec3]| a.iter().zip(b).map(|(a, b)| a.dot(*b)).sum::<f64>();
        let (mut of_a, mut of_b) = (a.clone(), b.clone());
        m.solve(&a, &mut of_a);
        m.solve(&b, &mut of_b);
        let size = (dot(&a, &of_a) * dot(&b, &of_b)).sqrt();
        assert!(size > 0.0 && (dot(&a, &of_b) - dot(&b, &of_a)).abs() < 1e-5 * size);
    }

    /// Loads that are zero or not finite give zero.
    #[test]
    fn invalid_loads_give_zero() {
        let (matrix, positions) = springs([12, 10, 10], 1.0);
        let mut m = level(&matrix, &positions);
        for number in [0.0, 1e-310, f64::NAN, f64::INFINITY] {
            let (r, mut z) = (vec![DVec3::splat(number); 1200], vec![DVec3::ONE; 1200]);
            m.solve(&r, &mut z);
            assert!(z.iter().all(|z| *z == DVec3::ZERO));
        }
    }
}
