//! The matrix Cᵀ K C of a body.

use pliant_sparse::BlockMatrix;

use crate::body::{Model, Unknowns};
use crate::force::CellStiffness;

/// Assembly of Cᵀ K C from the stiffness K of a body.
pub trait Assembly {
    /// The structure of Cᵀ K C for the stiffness K of a model, with room for any ties.
    fn structure(model: &Model, unknowns: &Unknowns) -> Self;

    /// Adds Cᵀ K C of one cell.
    fn add_cell(&mut self, cell: &CellStiffness, unknowns: &Unknowns);

    /// Replaces the zero rows of inactive unknowns by those of the unit matrix, times the scale of the others.
    fn close_inactive(&mut self, unknowns: &Unknowns);
}

impl Assembly for BlockMatrix {
    fn structure(model: &Model, unknowns: &Unknowns) -> Self {
        Self::connecting(unknowns.count(), &|visit| {
            let mut own = Vec::new();
            for (_, nodes) in model.mesh().cells() {
                own.clear();
                own.extend(nodes.iter().filter_map(|node| unknowns.own(*node)));
                visit(&own);
            }
        })
    }

    fn add_cell(&mut self, cell: &CellStiffness, unknowns: &Unknowns) {
        let n = cell.nodes.len();
        for (a, node_a) in cell.nodes.iter().enumerate() {
            for (row, weight_a) in unknowns.row(*node_a) {
                for (b, node_b) in cell.nodes.iter().enumerate() {
                    for (column, weight_b) in unknowns.row(*node_b) {
                        if row >= column {
                            let block = cell.blocks[a * n + b] * (weight_a * weight_b);
                            self.add(*row, *column, block);
                        }
                    }
                }
            }
        }
    }

    fn close_inactive(&mut self, unknowns: &Unknowns) {
        if unknowns.has_ties() {
            self.set_identity_rows(
                (0..self.size()).filter(|unknown| !unknowns.is_active(*unknown)),
            );
        }
    }
}
