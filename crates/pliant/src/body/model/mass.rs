//! Masses: lumped at the nodes, or consistent with the interpolation.

use glam::{DMat3, DVec3};

use crate::body::model::filling::contents_mass;
use crate::body::model::mass_matrix::MassMatrix;
use crate::body::model::model::Model;
use pliant_kernels::element::{
    CellShape, Kind, QuadraturePoint, QuadratureRule, jacobian, shape, shape_gradient,
};
use pliant_kernels::math::PointMasses;
use pliant_mesh::mesh::Mesh;

/// Relative difference of det J within a cell up to which it is constant.
const STRAIGHT: f64 = 1e-13;

/// Lumped masses of the nodes, in kg: row sums of the consistent mass, mₐ = ∫ ρ Bₐ dX. They are positive because the
/// basis is.
pub fn lumped_masses(mesh: &Mesh, density: impl Fn(usize) -> f64) -> Vec<f64> {
    let mut masses = vec![0.0; mesh.nodes.len()];
    for block in 0..mesh.blocks.len() {
        let table = MassTable::new(mesh.blocks[block].kind, false);
        for (cell, nodes) in mesh.block_range(block).zip(mesh.blocks[block].cells()) {
            for (point, volume) in table.points.iter().zip(table.volumes(mesh, nodes)) {
                for (node, value) in nodes.iter().zip(&point.values) {
                    masses[*node as usize] += density(cell) * volume * value;
                }
            }
        }
    }
    masses
}

/// The consistent mass, M_ab = ∫ ρ B_a B_b dX.
pub fn consistent_mass(mesh: &Mesh, density: impl Fn(usize) -> f64) -> MassMatrix {
    let mut entries = Vec::new();
    for block in 0..mesh.blocks.len() {
        let table = MassTable::new(mesh.blocks[block].kind, true);
        for (cell, nodes) in mesh.block_range(block).zip(mesh.blocks[block].cells()) {
            let volumes: Vec<f64> = table.volumes(mesh, nodes).collect();
            let masses = table.pairs(&volumes);
            for ((a, b), mass) in pairs(nodes.len()).zip(masses) {
                let (row, column) = (nodes[a].max(nodes[b]), nodes[a].min(nodes[b]));
                entries.push((row, column, density(cell) * mass));
            }
        }
    }
    MassMatrix::from_entries(mesh.nodes.len(), entries)
}

/// The pairs a ≥ b of nodes of a cell.
fn pairs(count: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..count).flat_map(|a| (0..=a).map(move |b| (a, b)))
}

/// A quadrature rule that is exact for the masses of a kind.
struct MassTable {
    points: Vec<MassPoint>,
    /// ∫ B_a B_b over the reference cell, for pairs a ≥ b.
    reference: Vec<f64>,
}

struct MassPoint {
    weight: f64,
    values: Vec<f64>,
    gradients: Vec<DVec3>,
}

impl MassTable {
    /// The rule for one basis function, or for pairs of them.
    fn new(kind: Kind, of_pairs: bool) -> Self {
        let rule = QuadratureRule::of_degree(kind.shape(), mass_degree(kind, of_pairs));
        let point = |point: &QuadraturePoint| MassPoint {
            weight: point.weight,
            values: shape(kind, point.xi),
            gradients: shape_gradient(kind, point.xi),
        };
        let points: Vec<MassPoint> = rule.points.iter().map(point).collect();
        let weights: Vec<f64> = points.iter().map(|point| point.weight).collect();
        let table = Self { points, reference: Vec::new() };
        let reference = if of_pairs { table.sum_pairs(&weights) } else { Vec::new() };
        Self { reference, ..table }
    }

    /// The volume of a cell that belongs to each point, in m³.
    fn volumes(&self, mesh: &Mesh, nodes: &[u32]) -> impl Iterator<Item = f64> {
        let corners = mesh.cell_points(nodes);
        self.points
            .iter()
            .map(move |point| point.weight * jacobian(&corners, &point.gradients).det())
    }

    /// ∫ B_a B_b dX for pairs a ≥ b, in m³: a multiple of the reference if det J is constant, which saves most of the work.
    fn pairs(&self, volumes: &[f64]) -> Vec<f64> {
        let dets = || volumes.iter().zip(&self.points).map(|(volume, point)| volume / point.weight);
        let (low, high) = dets().fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), det| {
            (low.min(det), high.max(det))
        });
        if high - low <= STRAIGHT * high {
            return self.reference.iter().map(|mass| high * mass).collect();
        }
        self.sum_pairs(volumes)
    }

    fn sum_pairs(&self, volumes: &[f64]) -> Vec<f64> {
        let count = self.points.first().map_or(0, |point| point.values.len());
        let mut masses = vec![0.0; count * (count + 1) / 2];
        for (MassPoint { values, .. }, volume) in self.points.iter().zip(volumes) {
            for ((a, b), mass) in pairs(count).zip(&mut masses) {
                *mass += volume * values[a] * values[b];
            }
        }
        masses
    }
}

impl Model {
    /// The consistent mass matrix.
    #[doc(hidden)]
    pub fn consistent_mass(&self) -> MassMatrix {
        let size = self.mesh.nodes.len();
        if self.is_rigid() {
            let nodes = (0u32..).zip(&self.masses);
            let entries = nodes.map(|(node, m)| (node, node, *m)).collect();
            return MassMatrix::from_entries(size, entries);
        }
        match &self.contents {
            Some(contents) => contents_mass(self.boxes(), contents, &self.materials),
            None => consistent_mass(&self.mesh, |cell| self.material(cell).density),
        }
    }

    /// The consistent masses of the pairs of nodes of some cells of one kind, in kg: for each cell those of (a, b), a ≥ b.
    pub(crate) fn pair_masses(&self, kind: Kind, cells: &[u32]) -> Vec<f64> {
        let table = MassTable::new(kind, true);
        let of_cell = |cell: &u32| {
            let (_, nodes) = self.mesh.cell(*cell as usize);
            let volumes: Vec<f64> = table.volumes(&self.mesh, nodes).collect();
            let density = self.material(*cell as usize).density;
            table.pairs(&volumes).into_iter().map(move |mass| density * mass)
        };
        cells.iter().flat_map(of_cell).collect()
    }

    /// Lumped mass of every node, in kg.
    pub(crate) fn lumped_masses(&self) -> Vec<f64> {
        match self.contents {
            Some(_) => self.consistent_mass().lumped(),
            None => lumped_masses(&self.mesh, |cell| self.material(cell).density),
        }
    }
}

/// The mass matrix in use.
#[derive(Debug, Clone, Copy)]
pub enum Masses<'a> {
    /// Masses of the nodes, in kg.
    Lumped(&'a [f64]),
    /// Consistent with the interpolation.
    Consistent(&'a MassMatrix),
}

impl Masses<'_> {
    /// The diagonal entry of a node, in kg.
    pub(crate) fn diagonal(&self, node: usize) -> f64 {
        match self {
            Self::Lumped(masses) => masses[node],
            Self::Consistent(matrix) => matrix.diagonal(node),
        }
    }

    /// The sum over all nodes a of `term(a, (M u)ₐ)`, for vectors uₐ = `value(a)`.
    fn sum<T: std::ops::Add<Output = T>>(
        &self,
        zero: T,
        value: impl Fn(usize) -> DVec3,
        term: impl Fn(usize, DVec3) -> T,
    ) -> T {
        match self {
            Self::Lumped(masses) => {
                let nodes = masses.iter().enumerate();
                nodes.fold(zero, |sum, (node, mass)| sum + term(node, *mass * value(node)))
            }
            Self::Consistent(matrix) => (0..matrix.size()).fold(zero, |sum, node| {
                let row = matrix.row(node).iter();
                let product = row.fold(DVec3::ZERO, |sum, (b, m)| sum + *m * value(*b as usize));
                sum + term(node, product)
            }),
        }
    }

    /// Writes M v. The fourth numbers of `v` are ignored.
    pub(crate) fn product(&self, v: &[[f64; 4]], product: &mut [DVec3]) {
        match self {
            Self::Consistent(matrix) => matrix.product(v, product),
            Self::Lumped(masses) => {
                for (product, (mass, [x, y, z, _])) in product.iter_mut().zip(masses.iter().zip(v))
                {
                    *product = *mass * DVec3::new(*x, *y, *z);
                }
            }
        }
    }

    /// Total mass, centre of mass and inertia tensor with nodes at `x`, in m.
    pub fn moments(&self, x: &[DVec3]) -> PointMasses {
        match self {
            Self::Lumped(masses) => PointMasses::of(x.iter().copied().zip(masses.iter().copied())),
            Self::Consistent(_) => {
                let mass = self.sum(0.0, |_| DVec3::X, |_, row| row.x);
                let centre = self.sum(DVec3::ZERO, |node| x[node], |_, row| row) / mass;
                // Σ r (M r)ᵀ; symmetric but for rounding.
                let second = self.sum(
                    DMat3::ZERO,
                    |node| x[node] - centre,
                    |node, row| {
                        let r = x[node] - centre;
                        DMat3::from_cols(r * row.x, r * row.y, r * row.z)
                    },
                );
                let second = 0.5 * (second + second.transpose());
                let trace = second.x_axis.x + second.y_axis.y + second.z_axis.z;
                let inertia = DMat3::from_diagonal(DVec3::splat(trace)) - second;
                PointMasses { mass, centre, inertia }
            }
        }
    }

    /// Momentum, in N s, and angular momentum about `centre`, in N m s, of nodes at `x` with velocities `v`.
    pub fn momenta(&self, x: &[DVec3], v: &[DVec3], centre: DVec3) -> [DVec3; 2] {
        let momentum = self.sum(DVec3::ZERO, |node| v[node], |_, row| row);
        let turning =
            self.sum(DVec3::ZERO, |node| v[node], |node, row| (x[node] - centre).cross(row));
        [momentum, turning]
    }

    /// ½ vᵀ M v, in J.
    pub fn kinetic_energy(&self, v: &[DVec3]) -> f64 {
        0.5 * self.sum(0.0, |node| v[node], |node, row| v[node].dot(row))
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
