//! Values on the shape itself, as files hold them, from Bernstein coefficients.

use glam::DVec3;
use pliant::element::lagrange_from_bernstein;
use pliant::mesh::Mesh;

/// Values at the Lagrange nodes of all cells, from coefficients at the nodes of `mesh`,
/// `components` for each node. Where cells meet they agree, and the first cell decides.
pub(crate) fn lagrange_values(mesh: &Mesh, components: usize, coefficients: &[f64]) -> Vec<f64> {
    let mut values = coefficients.to_vec();
    let mut done = vec![false; mesh.nodes.len()];
    for block in mesh.blocks.iter().filter(|block| block.kind.degree() > 1) {
        let matrix = lagrange_from_bernstein(block.kind);
        for cell in block.cells() {
            for (node, row) in cell.iter().zip(matrix.rows()) {
                if std::mem::replace(&mut done[*node as usize], true) {
                    continue;
                }
                for component in 0..components {
                    let at = |node: u32| node as usize * components + component;
                    values[at(*node)] = blend(row, cell, |node| coefficients[at(node)]);
                }
            }
        }
    }
    values
}

/// Weighted sum over the nodes of a cell. A weight of one copies the value bit by bit.
fn blend(row: &[f64], cell: &[u32], value: impl Fn(u32) -> f64) -> f64 {
    if let Some(same) = row.iter().position(|weight| *weight == 1.0) {
        return value(cell[same]);
    }
    row.iter().zip(cell).map(|(weight, node)| weight * value(*node)).sum()
}

/// Positions of the Lagrange nodes, from control points that need not be the mesh's own.
pub(crate) fn lagrange_points(mesh: &Mesh, control_points: &[DVec3]) -> Vec<DVec3> {
    let flat: Vec<f64> = control_points.iter().flat_map(|point| point.to_array()).collect();
    lagrange_values(mesh, 3, &flat).chunks_exact(3).map(DVec3::from_slice).collect()
}

/// Whether any cell is of degree 2 or more, so that nodes and control points differ.
pub(crate) fn has_control_points(mesh: &Mesh) -> bool {
    mesh.blocks.iter().any(|block| block.kind.degree() > 1)
}
