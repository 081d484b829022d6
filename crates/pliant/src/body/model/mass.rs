//! Masses: lumped at the nodes, or consistent with the interpolation.

use crate::body::model::filling::contents_mass;
use crate::body::model::mass_matrix::MassMatrix;
use crate::body::model::model::Model;
use pliant_kernels::element::{CellShape, Kind, QuadratureRule, jacobian, shape, shape_gradient};
use pliant_mesh::mesh::Mesh;

/// Lumped masses of the nodes, in kg: row sums of the consistent mass, mₐ = ∫ ρ Bₐ dX. They are positive because the
/// basis is.
pub fn lumped_masses(mesh: &Mesh, density: impl Fn(usize) -> f64) -> Vec<f64> {
    let mut masses = vec![0.0; mesh.nodes.len()];
    for_each_point(mesh, false, |cell, nodes, values, volume| {
        for (node, value) in nodes.iter().zip(values) {
            masses[*node as usize] += density(cell) * volume * value;
        }
    });
    masses
}

/// The consistent mass, M_ab = ∫ ρ B_a B_b dX.
pub fn consistent_mass(mesh: &Mesh, density: impl Fn(usize) -> f64) -> MassMatrix {
    let mut entries = Vec::new();
    for_each_point(mesh, true, |cell, nodes, values, volume| {
        for (a, node_a) in nodes.iter().enumerate() {
            for (b, node_b) in nodes.iter().enumerate().filter(|(_, b)| *b <= node_a) {
                entries.push((*node_a, *node_b, density(cell) * volume * values[a] * values[b]));
            }
        }
    });
    MassMatrix::from_entries(entries)
}

impl Model {
    /// The consistent mass matrix.
    #[doc(hidden)]
    pub fn consistent_mass(&self) -> MassMatrix {
        if self.is_rigid() {
            let nodes = (0u32..).zip(&self.masses);
            return MassMatrix::from_entries(nodes.map(|(node, m)| (node, node, *m)).collect());
        }
        match &self.contents {
            Some(contents) => contents_mass(self.boxes(), contents, &self.materials),
            None => consistent_mass(&self.mesh, |cell| self.material(cell).density),
        }
    }

    /// Lumped mass of every node, in kg.
    pub(crate) fn lumped_masses(&self) -> Vec<f64> {
        match self.contents {
            Some(_) => self.consistent_mass().lumped(self.mesh.nodes.len()),
            None => lumped_masses(&self.mesh, |cell| self.material(cell).density),
        }
    }
}

/// Calls `visit(cell, nodes, basis values, volume)` at every quadrature point of every cell.
fn for_each_point(mesh: &Mesh, pairs: bool, mut visit: impl FnMut(usize, &[u32], &[f64], f64)) {
    for block in 0..mesh.blocks.len() {
        let kind = mesh.blocks[block].kind;
        let rule = QuadratureRule::of_degree(kind.shape(), mass_degree(kind, pairs));
        let tables: Vec<_> = rule
            .points
            .iter()
            .map(|point| (point.weight, shape(kind, point.xi), shape_gradient(kind, point.xi)))
            .collect();
        for (cell, nodes) in mesh.block_range(block).zip(mesh.blocks[block].cells()) {
            let points = mesh.cell_points(nodes);
            for (weight, values, gradients) in &tables {
                visit(cell, nodes, values, weight * jacobian(&points, gradients).det());
            }
        }
    }
}

/// Degree of the integrand: one or two basis functions times det J.
fn mass_degree(kind: Kind, pairs: bool) -> usize {
    let p = kind.degree();
    let basis = if pairs { 2 * p } else { p };
    match kind.shape() {
        CellShape::Tetrahedron => basis + 3 * (p - 1),
        CellShape::Hexahedron | CellShape::Prism => basis + 3 * p - 1,
        // In collapsed coordinates det J has degree 2, and z enters through the basis alone.
        CellShape::Pyramid => basis + 2,
    }
}
