//! Repair of cells whose nodes are listed with the wrong winding.

use crate::element::{Kind, lattice};

use super::{CellStatus, Mesh, MeshError};

impl Mesh {
    /// Reverses the cells with the wrong winding (det J < 0 everywhere) and returns their number.
    ///
    /// Flat and partly inverted cells are errors; the mesh is then unchanged.
    pub fn repair_winding(&mut self) -> Result<usize, MeshError> {
        let mut inverted = Vec::new();
        for (cell, validity) in self.validities().iter().enumerate() {
            if validity.status == CellStatus::Inverted {
                inverted.push(cell);
            } else {
                self.check_status(cell, validity)?;
            }
        }
        inverted.iter().for_each(|cell| self.reverse(*cell));
        Ok(inverted.len())
    }

    /// Lists the nodes of a cell with the other winding: the same points, but det J changes its sign.
    pub fn reverse(&mut self, cell: usize) {
        let (block, local) = self.locate(cell);
        let kind = self.blocks[block].kind;
        let n = kind.node_count();
        let nodes = &mut self.blocks[block].nodes[local * n..(local + 1) * n];
        let mirrored: Vec<u32> = mirror(kind).into_iter().map(|node| nodes[node]).collect();
        nodes.copy_from_slice(&mirrored);
    }
}

/// Permutation of the local nodes that mirrors the reference cell in the plane x = y, which maps each shape to
/// itself.
fn mirror(kind: Kind) -> Vec<usize> {
    let nodes = lattice(kind);
    let find = |point: [usize; 3]| nodes.iter().position(|node| *node == point);
    let swapped = |[x, y, z]: &[usize; 3]| find([*y, *x, *z]).expect("cells are symmetric in x, y");
    nodes.iter().map(swapped).collect()
}
