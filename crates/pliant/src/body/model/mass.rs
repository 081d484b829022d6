//! Masses: lumped at the nodes, or consistent with the interpolation.

use glam::DVec3;

use crate::element::{CellShape, Kind, QuadratureRule, jacobian, shape, shape_gradient};
use crate::mesh::Mesh;

/// A symmetric sparse matrix with one number per pair of nodes; the mass acts alike on x, y and z.
#[derive(Debug, Clone, PartialEq)]
pub struct MassMatrix {
    /// Entries (row, column, kg) of the lower triangle, sorted, each pair once.
    pub entries: Vec<(u32, u32, f64)>,
}

impl MassMatrix {
    /// The sum of entries, of which several may be of one pair.
    pub(crate) fn from_entries(mut entries: Vec<(u32, u32, f64)>) -> Self {
        // A stable sort keeps the order of the sums, and so their bits.
        entries.sort_by_key(|(row, column, _)| (*row, *column));
        entries.dedup_by(|later, first| {
            let same = (later.0, later.1) == (first.0, first.1);
            if same {
                first.2 += later.2;
            }
            same
        });
        Self { entries }
    }

    /// Row sums, in kg.
    pub(crate) fn lumped(&self, node_count: usize) -> Vec<f64> {
        let mut masses = vec![0.0; node_count];
        for &(row, column, mass) in &self.entries {
            masses[row as usize] += mass;
            if row != column {
                masses[column as usize] += mass;
            }
        }
        masses
    }

    /// M v.
    pub fn apply(&self, v: &[DVec3]) -> Vec<DVec3> {
        let mut product = vec![DVec3::ZERO; v.len()];
        self.add_product(1.0, v, &mut product);
        product
    }

    /// Adds scale · M v.
    pub fn add_product(&self, scale: f64, v: &[DVec3], product: &mut [DVec3]) {
        for &(row, column, mass) in &self.entries {
            let mass = scale * mass;
            product[row as usize] += mass * v[column as usize];
            if row != column {
                product[column as usize] += mass * v[row as usize];
            }
        }
    }
}

/// Row sums of the consistent mass, mₐ = ∫ ρ Bₐ dX, in kg: positive, since the basis is.
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

/// Degree of (one or two basis functions) · det J.
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
