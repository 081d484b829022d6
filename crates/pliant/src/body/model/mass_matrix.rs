//! The consistent mass matrix.

use glam::DVec3;
use pliant_kernels::math::Rows;
use pliant_kernels::wide_rows::multiply_scalar_rows;
use rayon::prelude::*;

/// Rows of a product that one task computes.
const ROWS_PER_TASK: usize = 512;

/// Number of rows from which a product is distributed over threads: below it a fork costs more than it saves.
const PARALLEL_ROWS: usize = 8 * ROWS_PER_TASK;

/// A symmetric sparse matrix with one value per pair of nodes, the same for x, y and z.
#[derive(Debug, Clone, PartialEq)]
pub struct MassMatrix {
    /// Columns and values, in kg, of the rows of both triangles, sorted by column.
    rows: Rows<(u32, f64)>,
    /// The entry of every node with itself, in kg.
    diagonal: Vec<f64>,
}

impl MassMatrix {
    /// The matrix of `size` nodes with these entries (row, column, kg) of its lower triangle. Adds entries of the same pair.
    pub(crate) fn from_entries(size: usize, mut entries: Vec<(u32, u32, f64)>) -> Self {
        // A stable sort keeps the order of the sums, and so their bits.
        entries.sort_by_key(|(row, column, _)| (*row, *column));
        entries.dedup_by(|later, first| {
            let same = (later.0, later.1) == (first.0, first.1);
            if same {
                first.2 += later.2;
            }
            same
        });
        // The entries of a row left of the diagonal come before those of later rows, which are right of it: columns stay sorted.
        let rows = Rows::from_visits(size, |visit| {
            for &(row, column, mass) in &entries {
                visit(row as usize, (column, mass));
                if row != column {
                    visit(column as usize, (row, mass));
                }
            }
        });
        let mut matrix = Self { rows, diagonal: vec![0.0; size] };
        matrix.note_diagonal();
        matrix
    }

    /// Copies the diagonal from the rows.
    fn note_diagonal(&mut self) {
        for (node, (slot, row)) in (0u32..).zip(self.diagonal.iter_mut().zip(self.rows.iter())) {
            let place = row.binary_search_by_key(&node, |(column, _)| *column);
            *slot = place.map_or(0.0, |place| row[place].1);
        }
    }

    /// Number of nodes.
    pub fn size(&self) -> usize {
        self.rows.len()
    }

    /// Columns and values, in kg, of a row.
    pub fn row(&self, node: usize) -> &[(u32, f64)] {
        self.rows.row(node)
    }

    /// Entries (row, column, kg) of the lower triangle, sorted; each pair occurs once.
    pub fn entries(&self) -> impl Iterator<Item = (u32, u32, f64)> {
        (0u32..).zip(self.rows.iter()).flat_map(|(row, entries)| {
            let lower = entries.iter().take_while(move |(column, _)| *column <= row);
            lower.map(move |(column, mass)| (row, *column, *mass))
        })
    }

    /// The entry of a node with itself, in kg.
    pub(crate) fn diagonal(&self, node: usize) -> f64 {
        self.diagonal[node]
    }

    /// Sets this matrix to Pᵀ M P of the `whole` matrix M, where P places every tied node in the middle of its `ends`. Rows of tied nodes
    /// are then empty. The ends of an edge share all its cells, so that no pair is new. `sums` has a zero for every node, also afterwards.
    pub(crate) fn fold(
        &mut self,
        whole: &Self,
        ends: impl Fn(u32) -> Option<[u32; 2]>,
        sums: &mut [f64],
    ) {
        self.rows.clear();
        for (node, row) in (0u32..).zip(whole.rows.iter()) {
            if ends(node).is_some() {
                self.rows.push([]);
                continue;
            }
            // The rows of a node are its own and half of those of the nodes tied to it, each with columns folded likewise.
            for (own, _) in row {
                let share = match ends(*own) {
                    None if *own == node => 1.0,
                    Some(tied_to) if tied_to.contains(&node) => 0.5,
                    None | Some(_) => continue,
                };
                for (column, mass) in whole.row(*own as usize) {
                    for target in ends(*column).unwrap_or([*column; 2]) {
                        sums[target as usize] += 0.5 * share * mass;
                    }
                }
            }
            let folded = row
                .iter()
                .map(|(column, _)| (*column, std::mem::take(&mut sums[*column as usize])));
            self.rows.push(folded.filter(|(_, sum)| *sum != 0.0));
        }
        self.note_diagonal();
    }

    /// Row sums, in kg.
    pub(crate) fn lumped(&self) -> Vec<f64> {
        self.rows.iter().map(|row| row.iter().map(|(_, mass)| mass).sum()).collect()
    }

    /// Writes (M v)ₐ for some nodes a, in their order: the fast product of solvers. The fourth numbers of `v` are ignored.
    pub(crate) fn rows_product(&self, nodes: &[u32], v: &[[f64; 4]], product: &mut [DVec3]) {
        let row_of = |k: usize| nodes[k] as usize;
        multiply_scalar_rows(&self.rows, row_of, v, &mut product[..nodes.len()]);
    }

    /// Writes M v, as fast. The fourth numbers of `v` are ignored. Every row is one sum, so that the result does not depend on threads.
    pub(crate) fn product(&self, v: &[[f64; 4]], product: &mut [DVec3]) {
        let task = |(task, rows): (usize, &mut [DVec3])| {
            multiply_scalar_rows(&self.rows, |k| task * ROWS_PER_TASK + k, v, rows);
        };
        if product.len() < PARALLEL_ROWS {
            product.chunks_mut(ROWS_PER_TASK).enumerate().for_each(task);
        } else {
            product.par_chunks_mut(ROWS_PER_TASK).enumerate().for_each(task);
        }
    }

    /// (M v)ₐ for a node a.
    fn row_product(&self, node: usize, v: &[DVec3]) -> DVec3 {
        let terms = self.row(node).iter();
        terms.fold(DVec3::ZERO, |sum, (column, mass)| sum + *mass * v[*column as usize])
    }

    /// M v.
    pub fn apply(&self, v: &[DVec3]) -> Vec<DVec3> {
        let mut product = vec![DVec3::ZERO; v.len()];
        self.add_product(1.0, v, &mut product);
        product
    }

    /// Adds scale · M v. Every row is one sum, so that the result does not depend on threads.
    pub fn add_product(&self, scale: f64, v: &[DVec3], product: &mut [DVec3]) {
        let task = |(task, rows): (usize, &mut [DVec3])| {
            for (node, row) in (task * ROWS_PER_TASK..).zip(rows) {
                *row += scale * self.row_product(node, v);
            }
        };
        if product.len() < PARALLEL_ROWS {
            product.chunks_mut(ROWS_PER_TASK).enumerate().for_each(task);
        } else {
            product.par_chunks_mut(ROWS_PER_TASK).enumerate().for_each(task);
        }
    }

    /// Replaces b by the solution y of (M y)ₐ = bₐ at free nodes, with y = 0 at the others, to `tolerance` relative to b: by
    /// conjugate gradients with the diagonal as preconditioner. The condition number of the scaled matrix does not depend on the
    /// size of the cells (Wathen 1987), so that a few dozen iterations suffice.
    pub(crate) fn solve(&self, tolerance: f64, is_free: impl Fn(usize) -> bool, b: &mut [DVec3]) {
        /// More than the worst valid cells need; cells with contents may be ill-conditioned.
        const MAX_ITERATIONS: usize = 200;
        let mut r = b.to_vec();
        b.fill(DVec3::ZERO);
        // A weight of zero keeps a node out of every direction.
        let weight = |node: usize| if is_free(node) { 1.0 / self.diagonal(node) } else { 0.0 };
        let weights: Vec<f64> = (0..r.len()).map(weight).collect();
        let scaled = |r: &[DVec3]| -> Vec<DVec3> {
            r.iter().zip(&weights).map(|(r, weight)| *weight * *r).collect()
        };
        let mut p = scaled(&r);
        let mut size = dot(&r, &p);
        let enough = tolerance * tolerance * size;
        for _ in 0..MAX_ITERATIONS {
            if size <= enough || size.is_nan() {
                return;
            }
            let product = self.apply(&p);
            let length = size / dot(&p, &product);
            b.iter_mut().zip(&p).for_each(|(b, p)| *b += length * *p);
            r.iter_mut().zip(&product).for_each(|(r, product)| *r -= length * *product);
            let z = scaled(&r);
            let next = dot(&r, &z);
            let share = next / size;
            p.iter_mut().zip(&z).for_each(|(p, z)| *p = *z + share * *p);
            size = next;
        }
    }
}

fn dot(a: &[DVec3], b: &[DVec3]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a.dot(*b)).sum()
}
