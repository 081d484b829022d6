//! Numerical factorisation.

use std::ops::Range;

use pliant_kernels::lanes::Width;
use pliant_kernels::math::{LANES, Pack};

use crate::BlockMatrix;
use crate::panel::{PanelProduct, Pivots, SolveBelow, Triangle, at_mut, pack_rows};
use crate::parts::MIN_WORK_PER_THREAD;
use crate::supernodes::{Supernode, Supernodes, Update};

/// The buffers of a run of supernodes, which are factored one after the other.
///
/// A supernode first subtracts the products of all earlier supernodes with rows among its columns, then its panel is
/// factored ("left-looking": Ng & Peyton 1993). All of these supernodes belong to its own subtree.
pub(crate) struct FactorPart<'a> {
    pub(crate) input: &'a FactorInput<'a>,
    /// The first supernode.
    pub(crate) first: usize,
    /// Panels from the first supernode on.
    pub(crate) panels: &'a mut [Pack],
    /// Signs and reciprocal diagonals of the columns from the first supernode on.
    pub(crate) signs: &'a mut [f64],
    pub(crate) inverse: &'a mut [f64],
}

/// The input shared by all parts.
pub(crate) struct FactorInput<'a> {
    pub(crate) structure: &'a Supernodes,
    pub(crate) matrix: &'a BlockMatrix,
    pub(crate) width: Width,
    pub(crate) allowed: Pivots,
}

/// Working memory for one supernode.
#[derive(Clone, Debug)]
pub(crate) struct Workspace {
    packed: Vec<f64>,
    product: Vec<Pack>,
    triangle: Triangle,
}

impl Workspace {
    /// Allocates enough memory for each of these supernodes.
    pub(crate) fn new(structure: &Supernodes, supernodes: impl Iterator<Item = usize>) -> Self {
        let (mut packed, mut product, mut width) = (0, 0, 0);
        for own in supernodes.map(|k| &structure.all[k]) {
            width = width.max(own.width());
            for update in &structure.updates[own.updates.clone()] {
                let source = &structure.all[update.source as usize];
                let columns = 3 * update.rows.len();
                packed = packed.max(columns * source.width());
                product = product.max(columns * (source.tiles() - first_tile(update)));
            }
        }
        Self {
            packed: Vec::with_capacity(packed),
            product: vec![Pack::default(); product],
            triangle: Triangle::with_capacity(width),
        }
    }
}

/// The tile that contains the first row of an update.
fn first_tile(update: &Update) -> usize {
    3 * update.rows.start as usize / LANES
}

impl FactorPart<'_> {
    /// Factors independent runs of supernodes in parallel, with a workspace for each; `None` if a pivot is not
    /// allowed.
    pub(crate) fn factor_independent(
        &mut self,
        runs: &[Range<usize>],
        workspaces: &mut [Workspace],
    ) -> Option<()> {
        match runs {
            [] => Some(()),
            [run] => {
                let (_, mut own) = self.split(run.start);
                run.clone().try_for_each(|k| own.factor(k, &mut workspaces[0]))
            }
            _ => {
                let half = runs.len() / 2;
                let (first_runs, last_runs) = runs.split_at(half);
                let (first_workspaces, last_workspaces) = workspaces.split_at_mut(half);
                let (mut first, mut last) = self.split(last_runs[0].start);
                let (a, b) = rayon::join(
                    || first.factor_independent(first_runs, first_workspaces),
                    || last.factor_independent(last_runs, last_workspaces),
                );
                a.and(b)
            }
        }
    }

    /// Splits the buffers at a supernode.
    fn split(&mut self, at: usize) -> (FactorPart<'_>, FactorPart<'_>) {
        let all = &self.input.structure.all;
        let (first, at_node) = (&all[self.first], &all[at]);
        let numbers = 3 * (at_node.columns.start - first.columns.start);
        let (panels, panels_rest) =
            self.panels.split_at_mut(at_node.panel.start - first.panel.start);
        let (signs, signs_rest) = self.signs.split_at_mut(numbers);
        let (inverse, inverse_rest) = self.inverse.split_at_mut(numbers);
        let input = self.input;
        (
            FactorPart { input, first: self.first, panels, signs, inverse },
            FactorPart {
                input,
                first: at,
                panels: panels_rest,
                signs: signs_rest,
                inverse: inverse_rest,
            },
        )
    }

    /// Factors one supernode, after all supernodes that it depends on; `None` if a pivot is not allowed.
    pub(crate) fn factor(&mut self, k: usize, workspace: &mut Workspace) -> Option<()> {
        let FactorInput { structure, matrix, width: run, allowed } = *self.input;
        let (own, first) = (&structure.all[k], &structure.all[self.first]);
        let (earlier, rest) = self.panels.split_at_mut(own.panel.start - first.panel.start);
        let panel = &mut rest[..own.panel.len()];
        load(structure, own, matrix, panel);
        let offset = 3 * first.columns.start;
        for update in &structure.updates[own.updates.clone()] {
            let source = &structure.all[update.source as usize];
            let begin = source.panel.start - first.panel.start;
            let signs = &self.signs[3 * source.columns.start - offset..][..source.width()];
            let source_panel = &earlier[begin..begin + source.panel.len()];
            multiply(run, source, update, source_panel, signs, workspace);
            subtract(structure, own, source, update, &workspace.product, panel);
        }
        let numbers = 3 * own.columns.start - offset..3 * own.columns.end - offset;
        let (signs, inverse) = (&mut self.signs[numbers.clone()], &mut self.inverse[numbers]);
        let width = own.width();
        let (diagonal, below) = panel.split_at_mut(width.div_ceil(LANES) * width);
        workspace.triangle.factor(run, diagonal, width, allowed, signs)?;
        inverse.iter_mut().zip(workspace.triangle.inverse()).for_each(|(to, from)| *to = from);
        solve_below(run, below, width, &workspace.triangle);
        Some(())
    }
}

/// Solves for the rows below a triangle, on several threads if there are many rows.
fn solve_below(run: Width, tiles: &mut [Pack], width: usize, triangle: &Triangle) {
    let count = tiles.len() / width;
    if count > 1 && (tiles.len() * LANES * width / 2) as f64 > MIN_WORK_PER_THREAD {
        let (first, last) = tiles.split_at_mut(count / 2 * width);
        rayon::join(
            || solve_below(run, first, width, triangle),
            || solve_below(run, last, width, triangle),
        );
    } else {
        run.run(&mut SolveBelow { tiles, width, triangle });
    }
}

/// Fills a panel with its blocks of the matrix.
fn load(structure: &Supernodes, own: &Supernode, matrix: &BlockMatrix, panel: &mut [Pack]) {
    panel.fill(Pack::default());
    let width = own.width();
    for entry in &structure.entries[own.entries.clone()] {
        let block = &matrix.blocks[entry.block as usize];
        let (row, column) = (3 * entry.row as usize, 3 * entry.column as usize);
        for i in 0..3 {
            for j in 0..3 {
                let value = if entry.is_transposed { block.at(j, i) } else { block.at(i, j) };
                *at_mut(panel, width, row + i, column + j) = value;
            }
        }
    }
}

/// Multiplies the rows of a source, starting at those of the update, by the rows of the update.
fn multiply(
    run: Width,
    source: &Supernode,
    update: &Update,
    panel: &[Pack],
    signs: &[f64],
    workspace: &mut Workspace,
) {
    let (width, columns) = (source.width(), 3 * update.rows.len());
    let first = first_tile(update);
    let out = &mut workspace.product[..(source.tiles() - first) * columns];
    workspace.packed.clear();
    pack_rows(panel, width, 3 * update.rows.start as usize, columns, signs, &mut workspace.packed);
    let tiles = &panel[first * width..];
    multiply_tiles(run, PanelProduct { tiles, width, packed: &workspace.packed, columns, out });
}

/// Runs a product, on several threads if it is large.
fn multiply_tiles(run: Width, mut product: PanelProduct<'_>) {
    let PanelProduct { tiles, width, packed, columns, .. } = product;
    let count = tiles.len() / width;
    if count > 1 && (tiles.len() * LANES * columns) as f64 > MIN_WORK_PER_THREAD {
        let (first, last) = tiles.split_at(count / 2 * width);
        let (first_out, last_out) = product.out.split_at_mut(count / 2 * columns);
        let part = |tiles, out| PanelProduct { tiles, width, packed, columns, out };
        rayon::join(
            || multiply_tiles(run, part(first, first_out)),
            || multiply_tiles(run, part(last, last_out)),
        );
    } else {
        run.run(&mut product);
    }
}

/// Subtracts such a product from the corresponding rows and columns of a panel.
fn subtract(
    structure: &Supernodes,
    own: &Supernode,
    source: &Supernode,
    update: &Update,
    product: &[Pack],
    panel: &mut [Pack],
) {
    let rows = &structure.rows[source.rows.clone()][update.rows.start as usize..];
    let own_rows = &structure.rows[own.rows.clone()];
    let (columns, width) = (update.rows.len(), own.width());
    let mut place = 0;
    for (k, row) in rows.iter().enumerate() {
        // Both lists are ascending, and every row of the source is also a row of this panel.
        while own_rows[place] != *row {
            place += 1;
        }
        for i in 0..3 {
            let from = 3 * (update.rows.start as usize + k) + i;
            let tile = from / LANES - first_tile(update);
            let from_row = &product[tile * 3 * columns..][..3 * columns];
            let to = 3 * place + i;
            let to_row = &mut panel[to / LANES * width..][..width];
            let (from_lane, to_lane) = (from % LANES, to % LANES);
            let to_row = to_row.as_chunks_mut::<3>().0;
            for (blocks, row) in from_row.as_chunks::<3>().0.iter().zip(rows) {
                let target = &mut to_row[*row as usize - own.columns.start];
                for (target, value) in target.iter_mut().zip(blocks) {
                    target[to_lane] -= value[from_lane];
                }
            }
        }
    }
}
