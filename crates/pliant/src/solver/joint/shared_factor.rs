//! One factor of several touching bodies.

use glam::DVec3;
use pliant_sparse::{BlockMatrix, Cholesky};

use super::coupling::Coupling;
use super::member::Member;
use super::rigid_motions::RigidMotions;
use super::shared_rows::SharedRows;

/// The Cholesky factor of the system of several members, with the pairs among them.
///
/// Pairs between stiff fragments are as stiff as the fragments. A preconditioner that knows every member alone takes the motion of two
/// members together, which no pair resists, for as stiff as the pair; in a heap of fragments conjugate gradients then do not converge. The
/// factor of all members needs one iteration. It stays in use while few pairs are activated or released: each costs up to three iterations.
///
/// The order of elimination depends on the structure of the matrix alone, and is found again when that changes.
#[derive(Debug, Clone, Default)]
pub(super) struct SharedFactor {
    rows: SharedRows,
    matrix: Option<BlockMatrix>,
    cholesky: Option<Cholesky>,
    progress: SharedProgress,
    /// Pairs that were switched since the matrix was factored.
    switched: usize,
    values: Vec<DVec3>,
    /// Factorisations of the present system.
    factorisations: u32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum SharedProgress {
    /// The present system has no factor.
    #[default]
    None,
    /// The structure of the present system is known.
    Open,
    /// The matrix is factored.
    Done,
}

/// Largest number of rows of a factor.
const MAX_ROWS: usize = 4000;

/// Largest number of multiplications of a factorisation, for each block of the matrix: a product with the matrix takes 18, so this is the cost of a few hundred
/// iterations.
const MAX_WORK_PER_BLOCK: f64 = 1e4;

/// Multiplications of a factorisation that take as long as an iteration, for each value of the factor: an iteration reads the factor twice from memory, and a factorisation
/// computes in the cache.
const WORK_PER_VALUE: f64 = 20.0;

/// Iterations for each pair that was switched since the factorisation: a pair changes the matrix in three directions.
const ITERATIONS_PER_PAIR: f64 = 3.0;

impl SharedFactor {
    /// True if the present system has no factor.
    pub(super) fn is_closed(&self) -> bool {
        self.progress == SharedProgress::None
    }

    /// Begins a system without a factor.
    pub(super) fn close(&mut self) {
        (self.progress, self.factorisations) = (SharedProgress::None, 0);
    }

    /// Factorisations of the present system.
    pub(super) fn factorisations(&self) -> u32 {
        self.factorisations
    }

    /// Finds the structure of the present system. There is a factor if a member is stiff and the factor is cheap enough.
    pub(super) fn open<M: Member>(
        &mut self,
        members: &[M],
        offsets: &[usize],
        coupling: &Coupling,
        motions: &RigidMotions,
    ) {
        if !members.iter().any(Member::is_stiff) {
            return;
        }
        self.rows.list(members, offsets, motions);
        if self.rows.count() > MAX_ROWS {
            return;
        }
        self.rows.connect(members, coupling, motions);
        if self.matrix.as_ref().is_none_or(|matrix| !self.rows.are_those_of(matrix)) {
            let matrix = self.rows.zeros();
            self.cholesky = Cholesky::analyse(&matrix, &[]).ok();
            self.matrix = Some(matrix);
        }
        let blocks = self.matrix.as_ref().map_or(0, |matrix| matrix.rows.len());
        let most = MAX_WORK_PER_BLOCK * blocks as f64;
        let fits = self.cholesky.as_ref().is_some_and(|cholesky| cholesky.factor_work() <= most);
        if fits {
            self.progress = SharedProgress::Open;
        }
    }

    /// Factors the system with the pushing pairs, if `switched` more of them have changed and a new factor is worth its cost.
    pub(super) fn renew<M: Member>(
        &mut self,
        members: &[M],
        coupling: &Coupling,
        motions: &RigidMotions,
        switched: usize,
    ) {
        self.switched += switched;
        let Self {
            rows,
            matrix: Some(matrix),
            cholesky: Some(cholesky),
            progress,
            switched,
            factorisations,
            ..
        } = self
        else {
            return;
        };
        let iterations = cholesky.factor_work() / (WORK_PER_VALUE * cholesky.factor_size() as f64);
        let is_old = ITERATIONS_PER_PAIR * *switched as f64 > iterations;
        if *progress == SharedProgress::None || (*progress == SharedProgress::Done && !is_old) {
            return;
        }
        rows.fill(members, coupling, motions, matrix);
        let done = cholesky.factor(matrix).is_ok();
        *progress = if done { SharedProgress::Done } else { SharedProgress::None };
        *switched = 0;
        *factorisations += 1;
    }

    /// True if the factor contains this unknown.
    pub(super) fn contains_unknown(&self, unknown: usize) -> bool {
        self.progress == SharedProgress::Done && self.rows.contain(unknown)
    }

    /// True if the factor contains all unknowns.
    pub(super) fn is_whole(&self) -> bool {
        self.progress == SharedProgress::Done && self.rows.are_whole()
    }

    /// Solves for the members in the factor, from a residual of all members.
    pub(super) fn solve(&mut self, motions: &RigidMotions, r: &[DVec3]) {
        if let (SharedProgress::Done, Some(cholesky)) = (self.progress, &mut self.cholesky) {
            self.rows.gather(motions, r, &mut self.values);
            cholesky.solve(&mut self.values);
        }
    }

    /// Writes the solution to the unknowns of the members in the factor.
    pub(super) fn write_solution(&self, motions: &RigidMotions, z: &mut [DVec3]) {
        if self.progress == SharedProgress::Done {
            self.rows.scatter(motions, &self.values, z);
        }
    }
}
