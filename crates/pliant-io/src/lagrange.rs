//! Converts between values at Lagrange nodes, which files contain, and Bernstein coefficients.
//!
//! The coefficients of an edge or face depend on that edge or face only, so neighbouring cells agree on them up to
//! rounding; the first cell sets them.

use glam::DVec3;
use pliant::element::Kind;
use pliant::mesh::{Block, Mesh};
use pliant_kernels::element::{DenseMatrix, bernstein_from_lagrange, lagrange_from_bernstein};

/// Returns Bernstein coefficients at the nodes of `mesh` from the values of a field at the Lagrange nodes, with
/// `components` values per node. Control points, skins and [`crate::vtu::Field`] interpolate in this form.
///
/// ```
/// use pliant::mesh::generate::{BoxConfig, box_mesh};
///
/// let mesh = box_mesh(&BoxConfig { degree: 2, ..Default::default() })?;
/// let constant = vec![7.0; mesh.nodes.len()];
/// assert_eq!(pliant_io::bernstein_values(&mesh, 1, &constant), constant);
/// # Ok::<(), pliant::mesh::MeshError>(())
/// ```
pub fn bernstein_values(mesh: &Mesh, components: usize, values: &[f64]) -> Vec<f64> {
    mapped(&mesh.blocks, bernstein_from_lagrange, components, values)
}

/// Returns values at the Lagrange nodes of all cells from coefficients at the nodes of `mesh`, with `components`
/// values per node.
pub(crate) fn lagrange_values(mesh: &Mesh, components: usize, coefficients: &[f64]) -> Vec<f64> {
    mapped(&mesh.blocks, lagrange_from_bernstein, components, coefficients)
}

/// Returns control points from the positions of the Lagrange nodes of all cells.
pub(crate) fn bernstein_points(blocks: &[Block], lagrange: &[DVec3]) -> Vec<DVec3> {
    vectors(&mapped(blocks, bernstein_from_lagrange, 3, &numbers(lagrange)))
}

/// Returns the positions of the Lagrange nodes from control points, which may differ from those of the mesh.
pub(crate) fn lagrange_points(mesh: &Mesh, control_points: &[DVec3]) -> Vec<DVec3> {
    vectors(&lagrange_values(mesh, 3, &numbers(control_points)))
}

/// Returns true if any cell has degree 2 or more, so that nodes and control points differ.
pub(crate) fn has_control_points(mesh: &Mesh) -> bool {
    mesh.blocks.iter().any(|block| block.kind.degree() > 1)
}

/// Applies the matrix of its kind to the values of every cell.
fn mapped(
    blocks: &[Block],
    matrix: impl Fn(Kind) -> DenseMatrix,
    components: usize,
    given: &[f64],
) -> Vec<f64> {
    let mut result = given.to_vec();
    let mut done = vec![false; given.len() / components];
    for block in blocks.iter().filter(|block| block.kind.degree() > 1) {
        let matrix = matrix(block.kind);
        for cell in block.cells() {
            for (node, row) in cell.iter().zip(matrix.rows()) {
                if std::mem::replace(&mut done[*node as usize], true) {
                    continue;
                }
                for component in 0..components {
                    let at = |node: u32| node as usize * components + component;
                    result[at(*node)] = blend(row, cell, |node| given[at(node)]);
                }
            }
        }
    }
    result
}

/// Returns the weighted sum over the nodes of a cell. A weight of one copies the value bit for bit.
fn blend(row: &[f64], cell: &[u32], value: impl Fn(u32) -> f64) -> f64 {
    if let Some(same) = row.iter().position(|weight| *weight == 1.0) {
        return value(cell[same]);
    }
    row.iter().zip(cell).map(|(weight, node)| weight * value(*node)).sum()
}

fn numbers(vectors: &[DVec3]) -> Vec<f64> {
    vectors.iter().flat_map(|vector| vector.to_array()).collect()
}

fn vectors(numbers: &[f64]) -> Vec<DVec3> {
    numbers.chunks_exact(3).map(DVec3::from_slice).collect()
}
