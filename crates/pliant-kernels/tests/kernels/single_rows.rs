//! Block rows in single precision.

use pliant_kernels::lanes::Width;
use pliant_kernels::single_rows::{Single, SingleRows};

use crate::random::Random;

const ROWS: usize = 40;

/// Rows with zero to six blocks.
fn rows() -> (SingleRows, Vec<Single>, Vec<Single>) {
    let mut random = Random::new(5);
    let mut number = move || random.signed() as f32;
    let (mut start, mut columns) = (vec![0], Vec::new());
    for row in 0..ROWS {
        columns.extend((0..row % 7).map(|k| ((row + 11 * k + 1) % ROWS) as u32));
        start.push(columns.len() as u32);
    }
    let mut rows = SingleRows::new(start, columns);
    for (.., block) in rows.entries_mut() {
        *block = std::array::from_fn(|_| number());
    }
    let mut vector = || (0..ROWS).map(|_| [number(), number(), number(), 0.0]).collect();
    (rows, vector(), vector())
}

/// b − z − N z of one row, in double precision.
fn expected(rows: &mut SingleRows, row: usize, z: &[Single], b: &[Single]) -> [f64; 3] {
    let mut sum = [0, 1, 2].map(|i| f64::from(b[row][i]) - f64::from(z[row][i]));
    for (_, column, block) in rows.entries_mut().filter(|(own, ..)| *own == row) {
        for (i, sum) in sum.iter_mut().enumerate() {
            let terms = (0..3).map(|j| f64::from(block[3 * j + i]) * f64::from(z[column][j]));
            *sum -= terms.sum::<f64>();
        }
    }
    sum
}

/// Residuals are those of the formula to single precision, in any part of the rows.
#[test]
fn residuals_are_those_of_the_formula() {
    let (mut rows, z, b) = rows();
    assert!(rows.len() == ROWS && !rows.is_empty());
    for first in [0, 13] {
        let mut residual = vec![[0.0; 4]; ROWS - first];
        rows.residual(first, &z, &b[first..], &mut residual);
        for (k, residual) in residual.iter().enumerate() {
            let expected = expected(&mut rows, first + k, &z, &b);
            let off = (0..3).map(|i| (f64::from(residual[i]) - expected[i]).abs());
            assert!(off.fold(0.0, f64::max) < 1e-5 && residual[3] == 0.0, "row {}", first + k);
        }
    }
}

/// A step is z + keep (z − z⁻) + take (b − A z).
#[test]
fn a_step_is_that_of_the_formula() {
    let (rows, z, b) = rows();
    let (mut residual, mut before) = (vec![[0.0; 4]; ROWS], b.clone());
    rows.residual(0, &z, &b, &mut residual);
    rows.step(0, [0.3, 0.7], &z, &b, &mut before);
    for (row, after) in before.iter().enumerate() {
        for i in 0..3 {
            let expected = z[row][i] + 0.3 * (z[row][i] - b[row][i]) + 0.7 * residual[row][i];
            assert!((after[i] - expected).abs() < 1e-5, "row {row}");
        }
    }
}

/// The bits are the same for every width.
#[test]
fn widths_do_not_change_bits() {
    let bits = |width: Width| {
        let (rows, z, b) = rows();
        let (mut residual, mut before) = (vec![[0.0; 4]; ROWS], b.clone());
        let rows = rows.with_width(width);
        rows.residual(0, &z, &b, &mut residual);
        rows.step(0, [0.3, 0.7], &z, &b, &mut before);
        residual.into_iter().chain(before).flatten().map(f32::to_bits).collect::<Vec<u32>>()
    };
    let narrow = bits(Width::One);
    assert!(Width::available().all(|width| bits(width) == narrow));
}
