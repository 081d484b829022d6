//! Sparse Cholesky factorisation of 3×3 blocks.

use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use glam::DVec3;
use pliant_kernels::lanes::Width;
use pliant_kernels::math::Pack;

use crate::BlockMatrix;
use crate::factorise::{FactorInput, FactorPart, Workspace};
use crate::ordering::{Neighbours, minimum_degree, nested_dissection};
use crate::panel::Pivots;
use crate::parts::Parts;
use crate::substitute::Substitution;
use crate::supernodes::Supernodes;

/// Number of unknowns from which nested dissection is tried as well.
const MIN_DISSECTED_UNKNOWNS: usize = 1000;

/// The reason why a matrix cannot be factored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum FactorError {
    /// A pivot is zero, negative or not finite.
    #[error("the matrix is not positive definite")]
    NotPositiveDefinite,
    /// The factor does not fit in memory.
    #[error("the factor of {unknowns} unknowns does not fit in memory")]
    OutOfMemory {
        /// Number of unknowns of the system.
        unknowns: usize,
    },
}

/// A sparse factorisation A = L Lᵀ, or A = L S Lᵀ with S = diag(±1) for an indefinite A.
///
/// The structure of L is computed once; values are refactored into the same buffers. Clones share the structure. The
/// bits of the result depend neither on the number of threads nor on the instruction set.
#[derive(Clone)]
pub struct Cholesky {
    structure: Arc<Supernodes>,
    parts: Arc<Parts>,
    width: Width,
    factor: Vec<Pack>,
    /// The diagonal of S.
    signs: Vec<f64>,
    /// Reciprocals of the diagonal of L.
    inverse: Vec<f64>,
    /// Working memory: one for the remaining supernodes, then one for every independent part.
    workspaces: Vec<Workspace>,
    solution: Vec<f64>,
    rows: Vec<Pack>,
}

impl fmt::Debug for Cholesky {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (unknowns, factor_size) = (self.structure.order.len(), self.factor_size());
        write!(f, "Cholesky {{ unknowns: {unknowns}, factor_size: {factor_size} }}")
    }
}

impl Cholesky {
    /// Analyses the structure of `matrix`, with unknowns located at `positions`; these may be empty.
    ///
    /// Unknowns are ordered by minimum degree, large systems with positions also by nested dissection, and the order
    /// with the smaller factor is kept. The three components of an unknown always stay together.
    pub fn analyse(matrix: &BlockMatrix, positions: &[DVec3]) -> Result<Self, FactorError> {
        let unknowns = matrix.size();
        let neighbours = Neighbours::new(matrix);
        let mut structure = Supernodes::new(matrix, &neighbours, &minimum_degree(&neighbours));
        if unknowns >= MIN_DISSECTED_UNKNOWNS && positions.len() == unknowns {
            let order = nested_dissection(&neighbours, positions);
            let other = Supernodes::new(matrix, &neighbours, &order);
            if other.size() < structure.size() {
                structure = other;
            }
        }
        let mut factor = Vec::new();
        factor
            .try_reserve_exact(structure.size())
            .map_err(|_| FactorError::OutOfMemory { unknowns })?;
        factor.resize(structure.size(), Pack::default());
        let numbers = vec![0.0; 3 * unknowns];
        let parts = Parts::new(&structure);
        let mut workspaces = vec![Workspace::new(&structure, parts.rest.iter().copied())];
        let of_run = |run: &Range<usize>| Workspace::new(&structure, run.clone());
        workspaces.extend(parts.independent.iter().map(of_run));
        Ok(Self {
            width: Width::default(),
            factor,
            signs: numbers.clone(),
            inverse: numbers.clone(),
            workspaces,
            parts: Arc::new(parts),
            solution: numbers,
            rows: vec![Pack::default(); structure.max_tiles()],
            structure: Arc::new(structure),
        })
    }

    /// Returns the same solver with another instruction set, for tests: the bits stay the same.
    pub fn with_width(self, width: Width) -> Self {
        Self { width, ..self }
    }

    /// Factors a matrix with the analysed structure; fails if it is not positive definite.
    pub fn factor(&mut self, matrix: &BlockMatrix) -> Result<(), FactorError> {
        self.factor_as(Pivots::Positive, matrix)
    }

    /// Factors a matrix that may be indefinite, without pivoting: check the solution.
    pub fn factor_indefinite(&mut self, matrix: &BlockMatrix) -> Result<(), FactorError> {
        self.factor_as(Pivots::AnySign, matrix)
    }

    fn factor_as(&mut self, allowed: Pivots, matrix: &BlockMatrix) -> Result<(), FactorError> {
        let input = FactorInput { structure: &self.structure, matrix, width: self.width, allowed };
        let mut whole = FactorPart {
            input: &input,
            first: 0,
            panels: &mut self.factor,
            signs: &mut self.signs,
            inverse: &mut self.inverse,
        };
        let Parts { independent, rest, .. } = &*self.parts;
        let (rest_workspace, workspaces) =
            self.workspaces.split_first_mut().expect("one more than parts");
        let done = whole
            .factor_independent(independent, workspaces)
            .and_then(|()| rest.iter().try_for_each(|k| whole.factor(*k, rest_workspace)));
        done.ok_or(FactorError::NotPositiveDefinite)
    }

    /// Number of supernodes, the parts of a factor in the order in which they are computed.
    pub fn supernode_count(&self) -> usize {
        self.structure.all.len()
    }

    /// Returns the end of a run of supernodes from `first` on that costs about this number of multiplications: at least one supernode, while
    /// there are some.
    pub fn run_end(&self, first: usize, work: f64) -> usize {
        let (count, before) = (self.supernode_count(), &self.parts.work);
        let limit = before[first] + work;
        let end = before.partition_point(|sum| *sum <= limit) - 1;
        end.clamp(count.min(first + 1), count)
    }

    /// Factors a run of supernodes of a positive definite matrix, after all those before it: a factorisation in several parts, with the
    /// bits of [`Cholesky::factor`].
    pub fn factor_run(
        &mut self,
        matrix: &BlockMatrix,
        run: Range<usize>,
    ) -> Result<(), FactorError> {
        let (structure, allowed) = (&*self.structure, Pivots::Positive);
        let input = FactorInput { structure, matrix, width: self.width, allowed };
        let mut whole = FactorPart {
            input: &input,
            first: 0,
            panels: &mut self.factor,
            signs: &mut self.signs,
            inverse: &mut self.inverse,
        };
        for k in run {
            let workspace = self.parts.run_of(k).map_or(0, |run| run + 1);
            let done = whole.factor(k, &mut self.workspaces[workspace]);
            done.ok_or(FactorError::NotPositiveDefinite)?;
        }
        Ok(())
    }

    /// Replaces `b` by A⁻¹ b.
    pub fn solve(&mut self, b: &mut [DVec3]) {
        let order = &self.structure.order;
        for (slot, unknown) in self.solution.as_chunks_mut::<3>().0.iter_mut().zip(order) {
            *slot = b[*unknown as usize].to_array();
        }
        let mut substitution = Substitution {
            structure: &self.structure,
            width: self.width,
            panels: &self.factor,
            inverse: &self.inverse,
            x: &mut self.solution,
            rows: &mut self.rows,
        };
        substitution.forward();
        substitution.x.iter_mut().zip(&self.signs).for_each(|(x, sign)| *x *= sign);
        substitution.backward();
        for (value, unknown) in self.solution.as_chunks::<3>().0.iter().zip(order) {
            b[*unknown as usize] = DVec3::from_array(*value);
        }
    }

    /// The structure of the factor.
    pub(crate) fn structure(&self) -> &Arc<Supernodes> {
        &self.structure
    }

    /// The panels of the factor.
    pub(crate) fn panels(&self) -> &[Pack] {
        &self.factor
    }

    /// Reciprocals of the diagonal of L.
    pub(crate) fn inverse_diagonal(&self) -> &[f64] {
        &self.inverse
    }

    /// Returns the number of multiplications of a factorisation.
    pub fn factor_work(&self) -> f64 {
        self.parts.total_work()
    }

    /// Returns the number of values stored for the factor L.
    pub fn factor_size(&self) -> usize {
        self.factor.len() * Pack::default().len()
    }
}
