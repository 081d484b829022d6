//! Sparse Cholesky factorisation, by faer.

use std::fmt;
use std::sync::Arc;

use faer::dyn_stack::{MemBuffer, MemStack, StackReq};
use faer::perm::Perm;
use faer::sparse::linalg::SupernodalThreshold;
use faer::sparse::linalg::amd;
use faer::sparse::linalg::cholesky::{
    CholeskySymbolicParams, LdltRef, LltRef, SymbolicCholesky, SymmetricOrdering,
    factorize_symbolic_cholesky,
};
use faer::sparse::{SparseColMatRef, SymbolicSparseColMat, SymbolicSparseColMatRef};
use faer::{Conj, MatMut, Par, Side};
use glam::DVec3;

use crate::BlockMatrix;
use crate::ordering::nested_dissection;

/// Unknowns from which nested dissection is tried as well.
const LARGE: usize = 1000;

/// A matrix that cannot be factored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum FactorError {
    /// Some direction has no or negative stiffness.
    #[error("the matrix is not positive definite")]
    NotPositiveDefinite,
    /// The factor does not fit.
    #[error("the factor of {unknowns} unknowns does not fit in memory")]
    OutOfMemory {
        /// Size of the system.
        unknowns: usize,
    },
}

/// Which factorisation the buffers hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    /// L Lᵀ
    Positive,
    /// L D Lᵀ
    Indefinite,
}

/// A = L Lᵀ, or L D Lᵀ where A has negative directions. The structure of L is found once and kept;
/// values are refactored into the same buffers. Copies share the structure.
///
/// One thread: so that the bits do not depend on how many there are.
pub struct Cholesky {
    pattern: Arc<SymbolicSparseColMat<usize>>,
    symbolic: Arc<SymbolicCholesky<usize>>,
    values: Vec<f64>,
    factor: Vec<f64>,
    memory: MemBuffer,
    request: StackReq,
    solution: Vec<f64>,
    form: Form,
}

impl Clone for Cholesky {
    fn clone(&self) -> Self {
        Self {
            pattern: self.pattern.clone(),
            symbolic: self.symbolic.clone(),
            values: self.values.clone(),
            factor: self.factor.clone(),
            memory: MemBuffer::new(self.request),
            request: self.request,
            solution: self.solution.clone(),
            form: self.form,
        }
    }
}

impl fmt::Debug for Cholesky {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (unknowns, factor_size) = (self.solution.len() / 3, self.factor.len());
        write!(f, "Cholesky {{ unknowns: {unknowns}, factor_size: {factor_size} }}")
    }
}

impl Cholesky {
    /// Analyses the structure of `matrix`, whose unknowns lie at `positions`.
    ///
    /// Unknowns are ordered by minimum degree; large systems also by nested dissection, and the
    /// order with the smaller factor is kept. Either way the three components of one stay together.
    pub fn analyse(matrix: &BlockMatrix, positions: &[DVec3]) -> Result<Self, FactorError> {
        let unknowns = matrix.size();
        let out_of_memory = |_| FactorError::OutOfMemory { unknowns };
        let pattern = scalar_pattern(matrix);
        // Columns by threes share their rows, so that dense blocks pay at any size: left to itself faer works
        // entry by entry up to some 750 numbers, and takes three times as long.
        let params = CholeskySymbolicParams {
            supernodal_flop_ratio_threshold: SupernodalThreshold::FORCE_SUPERNODAL,
            ..Default::default()
        };
        let analyse = |order: Vec<usize>| {
            factorize_symbolic_cholesky(
                pattern.as_ref(),
                Side::Lower,
                SymmetricOrdering::Custom(by_components(&order).as_ref()),
                params,
            )
        };
        let mut symbolic =
            analyse(minimum_degree(matrix).map_err(out_of_memory)?).map_err(out_of_memory)?;
        if unknowns >= LARGE {
            let other = analyse(nested_dissection(matrix, positions)).map_err(out_of_memory)?;
            if other.len_val() < symbolic.len_val() {
                symbolic = other;
            }
        }
        let request = StackReq::any_of(&[
            symbolic.factorize_numeric_llt_scratch::<f64>(Par::Seq, Default::default()),
            symbolic.factorize_numeric_ldlt_scratch::<f64>(Par::Seq, Default::default()),
            symbolic.solve_in_place_scratch::<f64>(1, Par::Seq),
        ]);
        let memory =
            MemBuffer::try_new(request).map_err(|_| FactorError::OutOfMemory { unknowns })?;
        let mut factor = Vec::new();
        factor
            .try_reserve_exact(symbolic.len_val())
            .map_err(|_| FactorError::OutOfMemory { unknowns })?;
        factor.resize(symbolic.len_val(), 0.0);
        let values = vec![0.0; pattern.row_idx().len()];
        let solution = vec![0.0; 3 * unknowns];
        let form = Form::Positive;
        let (pattern, symbolic) = (Arc::new(pattern), Arc::new(symbolic));
        Ok(Self { pattern, symbolic, values, factor, memory, request, solution, form })
    }

    /// Factors a matrix of the structure that was analysed; an error if it has a negative direction.
    pub fn factor(&mut self, matrix: &BlockMatrix) -> Result<(), FactorError> {
        self.factor_as(Form::Positive, matrix)
    }

    /// Factors a matrix that may have negative directions, without pivoting: check the solution.
    pub fn factor_indefinite(&mut self, matrix: &BlockMatrix) -> Result<(), FactorError> {
        self.factor_as(Form::Indefinite, matrix)
    }

    fn factor_as(&mut self, form: Form, matrix: &BlockMatrix) -> Result<(), FactorError> {
        self.form = form;
        copy_values(matrix, &mut self.values);
        let a = SparseColMatRef::new((*self.pattern).as_ref(), &self.values[..]);
        let (l, stack) = (&mut self.factor[..], MemStack::new(&mut self.memory));
        let (side, par) = (Side::Lower, Par::Seq);
        let (plain, usual) = (Default::default(), Default::default());
        let done = match form {
            Form::Positive => {
                self.symbolic.factorize_numeric_llt(l, a, side, plain, par, stack, usual).is_ok()
            }
            Form::Indefinite => self
                .symbolic
                .factorize_numeric_ldlt(
                    l,
                    a,
                    side,
                    Default::default(),
                    par,
                    stack,
                    Default::default(),
                )
                .is_ok(),
        };
        if done { Ok(()) } else { Err(FactorError::NotPositiveDefinite) }
    }

    /// Replaces `b` by A⁻¹ b.
    pub fn solve(&mut self, b: &mut [DVec3]) {
        for (slot, value) in self.solution.iter_mut().zip(b.iter().flat_map(|b| b.to_array())) {
            *slot = value;
        }
        let n = self.solution.len();
        let rhs = MatMut::from_column_major_slice_mut(&mut self.solution, n, 1);
        let stack = MemStack::new(&mut self.memory);
        match self.form {
            Form::Positive => LltRef::new(&self.symbolic, &self.factor).solve_in_place_with_conj(
                Conj::No,
                rhs,
                Par::Seq,
                stack,
            ),
            Form::Indefinite => LdltRef::new(&self.symbolic, &self.factor)
                .solve_in_place_with_conj(Conj::No, rhs, Par::Seq, stack),
        }
        for (b, value) in b.iter_mut().zip(self.solution.as_chunks::<3>().0) {
            *b = DVec3::from_array(*value);
        }
    }

    /// Numbers in the factor L.
    pub fn factor_size(&self) -> usize {
        self.factor.len()
    }
}

/// The lower triangle by scalars: column 3c + k of blocks (r, c).
fn scalar_pattern(matrix: &BlockMatrix) -> SymbolicSparseColMat<usize> {
    let n = matrix.size();
    let (mut starts, mut rows) = (vec![0], Vec::new());
    for column in 0..n {
        let range = matrix.column_start[column]..matrix.column_start[column + 1];
        for k in 0..3 {
            rows.extend((k..3).map(|i| 3 * column + i));
            for row in &matrix.rows[range.start + 1..range.end] {
                rows.extend((0..3).map(|i| 3 * *row as usize + i));
            }
            starts.push(rows.len());
        }
    }
    SymbolicSparseColMat::new_checked(3 * n, 3 * n, starts, None, rows)
}

/// Values in the order of [`scalar_pattern`].
fn copy_values(matrix: &BlockMatrix, values: &mut [f64]) {
    let mut slots = values.iter_mut();
    let mut push = |value: f64| {
        if let Some(slot) = slots.next() {
            *slot = value;
        }
    };
    for column in 0..matrix.size() {
        let range = matrix.column_start[column]..matrix.column_start[column + 1];
        for k in 0..3 {
            (k..3).for_each(|i| push(matrix.blocks[range.start].at(i, k)));
            for block in &matrix.blocks[range.start + 1..range.end] {
                (0..3).for_each(|i| push(block.at(i, k)));
            }
        }
    }
}

/// An order of minimum degree of the unknowns.
fn minimum_degree(matrix: &BlockMatrix) -> Result<Vec<usize>, faer::sparse::FaerError> {
    let n = matrix.size();
    let rows: Vec<usize> = matrix.rows.iter().map(|row| *row as usize).collect();
    let lower = SymbolicSparseColMatRef::new_checked(n, n, &matrix.column_start, None, &rows);
    let upper = lower.transpose().to_col_major()?;
    let (mut forward, mut inverse) = (vec![0_usize; n], vec![0_usize; n]);
    let request = amd::order_maybe_unsorted_scratch::<usize>(n, rows.len());
    let mut memory =
        MemBuffer::try_new(request).map_err(|_| faer::sparse::FaerError::OutOfMemory)?;
    amd::order_maybe_unsorted(
        &mut forward,
        &mut inverse,
        upper.as_ref(),
        amd::Control::default(),
        MemStack::new(&mut memory),
    )?;
    Ok(forward)
}

/// An order of unknowns written out for their components.
fn by_components(order: &[usize]) -> Perm<usize> {
    let forward: Box<[usize]> =
        order.iter().flat_map(|unknown| (0..3).map(move |k| 3 * unknown + k)).collect();
    let mut inverse = vec![0; forward.len()].into_boxed_slice();
    forward.iter().enumerate().for_each(|(place, index)| inverse[*index] = place);
    let n = forward.len();
    Perm::new_checked(forward, inverse, n)
}
