//! A symmetric matrix of 6×6 blocks that is zero far from its diagonal.

/// A block, stored transposed: `block[column][row]`.
pub(super) type Block6 = [[f64; 6]; 6];

/// The lower triangle of a symmetric matrix, each row from its first non-zero block to the diagonal: Cholesky's factor
/// has no entries outside this envelope (Jennings 1966).
#[derive(Debug, Clone, Default)]
pub(super) struct Envelope {
    /// First column of every row.
    first: Vec<u32>,
    /// Index of the first block of every row.
    start: Vec<usize>,
    blocks: Vec<Block6>,
}

impl Envelope {
    /// Becomes the zero matrix whose rows start at these columns.
    pub(super) fn shape(&mut self, first: &[u32]) {
        self.first.clear();
        self.first.extend_from_slice(first);
        self.start.clear();
        let mut sum = 0;
        for (row, first) in (0u32..).zip(first) {
            self.start.push(sum);
            sum += (row - *first) as usize + 1;
        }
        self.blocks.clear();
        self.blocks.resize(sum, [[0.0; 6]; 6]);
    }

    /// Upper limit of the products of two blocks in [`Envelope::factor`].
    pub(super) fn work(first: &[u32]) -> usize {
        let widths = (0u32..).zip(first).map(|(row, first)| (row - *first) as usize + 1);
        widths.map(|width| width * width / 2).sum()
    }

    /// The block of a row and a column inside the envelope.
    pub(super) fn block_mut(&mut self, row: usize, column: usize) -> &mut Block6 {
        let place = self.place(row, column);
        &mut self.blocks[place]
    }

    fn place(&self, row: usize, column: usize) -> usize {
        self.start[row] + column - self.first[row] as usize
    }

    /// Replaces the matrix by its factor L; false if it is not positive definite.
    pub(super) fn factor(&mut self) -> bool {
        for row in 0..self.first.len() {
            let first = self.first[row] as usize;
            for column in first..=row {
                let mut block = self.blocks[self.place(row, column)];
                for k in first.max(self.first[column] as usize)..column {
                    subtract_product(
                        &mut block,
                        &self.blocks[self.place(row, k)],
                        &self.blocks[self.place(column, k)],
                    );
                }
                if column < row {
                    divide(&mut block, &self.blocks[self.place(column, column)]);
                } else if !take_root(&mut block) {
                    return false;
                }
                *self.block_mut(row, column) = block;
            }
        }
        true
    }

    /// L⁻ᵀ L⁻¹ b, with the factor.
    pub(super) fn solve(&self, b: &mut [[f64; 6]]) {
        for row in 0..self.first.len() {
            let first = self.first[row] as usize;
            let mut value = b[row];
            for (block, known) in self.blocks[self.start[row]..].iter().zip(&b[first..row]) {
                for (column, known) in block.iter().zip(known) {
                    value.iter_mut().zip(column).for_each(|(value, l)| *value -= l * known);
                }
            }
            let own = &self.blocks[self.place(row, row)];
            for i in 0..6 {
                value[i] /= own[i][i];
                let known = value[i];
                (i + 1..6).for_each(|j| value[j] -= own[i][j] * known);
            }
            b[row] = value;
        }
        for row in (0..self.first.len()).rev() {
            let first = self.first[row] as usize;
            let own = &self.blocks[self.place(row, row)];
            let mut value = b[row];
            for i in (0..6).rev() {
                let known: f64 = (i + 1..6).map(|j| own[i][j] * value[j]).sum();
                value[i] = (value[i] - known) / own[i][i];
            }
            b[row] = value;
            for (block, other) in self.blocks[self.start[row]..].iter().zip(&mut b[first..row]) {
                for (column, other) in block.iter().zip(other) {
                    *other -= column.iter().zip(&value).map(|(l, value)| l * value).sum::<f64>();
                }
            }
        }
    }
}

/// A −= L Mᵀ.
fn subtract_product(a: &mut Block6, l: &Block6, m: &Block6) {
    for (l, m) in l.iter().zip(m) {
        for (column, m) in a.iter_mut().zip(m) {
            column.iter_mut().zip(l).for_each(|(a, l)| *a -= m * l);
        }
    }
}

/// A ← A L⁻ᵀ.
fn divide(a: &mut Block6, l: &Block6) {
    for j in 0..6 {
        for k in 0..j {
            let known = a[k];
            a[j].iter_mut().zip(known).for_each(|(a, known)| *a -= l[k][j] * known);
        }
        a[j].iter_mut().for_each(|a| *a /= l[j][j]);
    }
}

/// A ← L of A = L Lᵀ, from its lower triangle; false if A is not positive definite.
fn take_root(a: &mut Block6) -> bool {
    for j in 0..6 {
        for k in 0..j {
            let known = a[k];
            (j..6).for_each(|i| a[j][i] -= known[i] * known[j]);
        }
        let pivot = a[j][j];
        if !(pivot > 0.0 && pivot.is_finite()) {
            return false;
        }
        let root = pivot.sqrt();
        (j..6).for_each(|i| a[j][i] /= root);
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A positive definite matrix of 4 × 4 blocks, with a zero block in its lower left corner: the solution is exact to
    /// rounding.
    #[test]
    fn the_factor_solves_the_system() {
        let first = [0, 0, 1, 1];
        let entry = |i: usize, j: usize| {
            let (row, column) = (i.max(j) / 6, i.min(j) / 6);
            let inside = column >= first[row] as usize;
            let value = ((i * j + i + j) as f64).sin();
            f64::from(u8::from(inside)) * value + if i == j { 30.0 } else { 0.0 }
        };
        let mut matrix = Envelope::default();
        matrix.shape(&first);
        for (row, from) in first.iter().enumerate() {
            for column in *from as usize..=row {
                let block = matrix.block_mut(row, column);
                for (j, own) in block.iter_mut().enumerate() {
                    for (i, value) in own.iter_mut().enumerate() {
                        *value = entry(6 * row + i, 6 * column + j);
                    }
                }
            }
        }
        assert!(matrix.factor());
        let y: Vec<f64> = (0..24).map(|k| (k as f64).cos()).collect();
        let b = |i: usize| (0..24).map(|j| entry(i, j) * y[j]).sum::<f64>();
        let mut solved: Vec<[f64; 6]> =
            (0..4).map(|row| std::array::from_fn(|i| b(6 * row + i))).collect();
        matrix.solve(&mut solved);
        for (found, y) in solved.iter().flatten().zip(&y) {
            assert!((found - y).abs() < 1e-13, "found {found}, expected {y}");
        }
    }

    /// A matrix that is zero or not finite has no factor.
    #[test]
    fn what_is_not_positive_definite_has_no_factor() {
        let mut matrix = Envelope::default();
        matrix.shape(&[0]);
        assert!(!matrix.factor());
        matrix.shape(&[0]);
        matrix.block_mut(0, 0)[0][0] = f64::NAN;
        assert!(!matrix.factor());
    }
}
