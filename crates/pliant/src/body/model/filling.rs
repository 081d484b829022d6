//! Masses and quadrature weights of cells with contents.

use crate::body::model::contents::{Contents, Leaf};
use crate::body::model::mass_matrix::MassMatrix;
use pliant_kernels::element::{Kind, Moments, PairProducts, PartIntegrals, QuadratureRule};
use pliant_kernels::material::{Lame, Material};
use pliant_mesh::mesh::Mesh;

/// The matter of one cell, for its quadrature rule.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct QuadratureMatter {
    /// μ and λ of the law, in Pa.
    pub(crate) constants: Lame,
    /// The share of the reference cell that belongs to each quadrature point; none for the weights of the rule, if
    /// the cell is full.
    pub(crate) weights: Option<Vec<f64>>,
}

impl From<&Material> for QuadratureMatter {
    fn from(material: &Material) -> Self {
        Self { constants: material.constants(), weights: None }
    }
}

/// Distributes the leaves of cells to the points of a Gauss rule, so that every law works on cells with contents.
///
/// Polynomials up to the degree of the points are integrated exactly if that leaves all weights positive. Otherwise
/// the weights move as far as needed towards those of hat functions between the points, which are never negative.
/// Leaves of different stiffness count in proportion to their μ.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct PointShares {
    /// Index of every quadrature point along the three axes.
    points: Vec<[usize; 3]>,
    /// For every leaf along a side: integrals of the Lagrange polynomials of the points over it.
    exact: Vec<Vec<f64>>,
    /// The same for the hat functions, evaluated at the middle of the leaf.
    positive: Vec<Vec<f64>>,
}

impl PointShares {
    /// The shares for cells with `resolution` leaves along every side.
    pub(crate) fn new(rule: &QuadratureRule, resolution: u32) -> Self {
        let mut line: Vec<f64> = rule.points.iter().map(|point| point.xi.x).collect();
        line.sort_by(f64::total_cmp);
        line.dedup_by(|a, b| (*a - *b).abs() < 1e-12);
        let nearest = |x: f64| {
            let closer =
                |a: &usize, b: &usize| (line[*a] - x).abs().total_cmp(&(line[*b] - x).abs());
            (0..line.len()).min_by(closer).unwrap_or(0)
        };
        let points = rule.points.iter().map(|point| point.xi.to_array().map(nearest)).collect();
        let length = 1.0 / f64::from(resolution);
        let parts = || (0..resolution).map(|part| f64::from(part) * length);
        let exact = parts().map(|low| lagrange_integrals(&line, low, length)).collect();
        let hats = |low: f64| hats(&line, low + 0.5 * length).into_iter().map(|hat| hat * length);
        let positive = parts().map(|low| hats(low).collect()).collect();
        Self { points, exact, positive }
    }

    /// The matter of a cell.
    pub(crate) fn matter(
        &self,
        contents: &Contents,
        materials: &[Material],
        cell: usize,
    ) -> QuadratureMatter {
        let constants = mean_constants(contents, materials, cell);
        let scales: Vec<f64> = contents
            .cell(cell)
            .iter()
            .map(|leaf| {
                let mu = materials[leaf.material as usize].constants().mu;
                leaf.fill * mu / constants.mu
            })
            .collect();
        let weights = |table| self.at_points(&sums(table, contents.cell(cell), &scales));
        let (mut exact, positive) = (weights(&self.exact), weights(&self.positive));
        make_positive(&mut exact, &positive);
        QuadratureMatter { constants, weights: Some(exact) }
    }

    /// The value of every quadrature point, from the values by index along the three axes.
    fn at_points(&self, values: &[f64]) -> Vec<f64> {
        let count = self.exact.first().map_or(0, Vec::len);
        let value = |[x, y, z]: &[usize; 3]| values[(x * count + y) * count + z];
        self.points.iter().map(value).collect()
    }
}

/// The sums of `scale` tx ty tz over all leaves, for every three points along the axes.
fn sums(table: &[Vec<f64>], leaves: &[Leaf], scales: &[f64]) -> Vec<f64> {
    let count = table.first().map_or(0, Vec::len);
    let mut sums = vec![0.0; count.pow(3)];
    for (leaf, scale) in leaves.iter().zip(scales) {
        let [x, y, z] = leaf.place.map(|part| &table[usize::from(part)]);
        let planes = x.iter().flat_map(|x| y.iter().map(move |y| x * y));
        for (row, plane) in sums.chunks_mut(count).zip(planes) {
            row.iter_mut().zip(z).for_each(|(sum, z)| *sum += plane * z * scale);
        }
    }
    sums
}

/// Moves weights towards `fallback`, which has no negative value, until none of them is negative.
fn make_positive(weights: &mut [f64], fallback: &[f64]) {
    let needed = |(w, f): (&f64, &f64)| if *w < 0.0 { -w / (f - w) } else { 0.0 };
    let t = weights.iter().zip(fallback).map(needed).fold(0.0, f64::max);
    if t > 0.0 {
        let blended = |(w, f): (&mut f64, &f64)| *w = (*w + t * (f - *w)).max(0.0);
        weights.iter_mut().zip(fallback).for_each(blended);
    }
}

/// μ and λ averaged over the matter of a cell.
fn mean_constants(contents: &Contents, materials: &[Material], cell: usize) -> Lame {
    let (mut mean, mut total) = (Lame { mu: 0.0, lambda: 0.0 }, 0.0);
    for leaf in contents.cell(cell) {
        let constants = materials[leaf.material as usize].constants();
        mean.mu += leaf.fill * constants.mu;
        mean.lambda += leaf.fill * constants.lambda;
        total += leaf.fill;
    }
    Lame { mu: mean.mu / total, lambda: mean.lambda / total }
}

/// Integrals of the Lagrange polynomials of `points` from `low` to `low + length`, by a rule that is exact for them.
fn lagrange_integrals(points: &[f64], low: f64, length: f64) -> Vec<f64> {
    let rule = pliant_kernels::element::gauss_line(points.len());
    let integral = |k: usize| {
        let term =
            |(x, weight): &(f64, f64)| weight * length * lagrange(points, k, low + x * length);
        rule.iter().map(term).sum()
    };
    (0..points.len()).map(integral).collect()
}

fn lagrange(points: &[f64], k: usize, x: f64) -> f64 {
    let others = points.iter().enumerate().filter(|(j, _)| *j != k);
    others.map(|(_, other)| (x - other) / (points[k] - other)).product()
}

/// Values of the hat functions of `points` at x; constant beyond the first and the last point.
fn hats(points: &[f64], x: f64) -> Vec<f64> {
    let mut hats = vec![0.0; points.len()];
    let above = points.partition_point(|point| *point <= x);
    if above == 0 || above == points.len() {
        hats[above.min(points.len() - 1)] = 1.0;
    } else {
        let (low, high) = (points[above - 1], points[above]);
        hats[above] = (x - low) / (high - low);
        hats[above - 1] = 1.0 - hats[above];
    }
    hats
}

/// The consistent mass of cells with contents: masses of the leaves carried to the nodes, M = Σ Lᵀ m L (Nesme et al.
/// 2006, section 5.3).
pub(crate) fn contents_mass(
    mesh: &Mesh,
    contents: &Contents,
    materials: &[Material],
) -> MassMatrix {
    let mut entries = Vec::new();
    for block in 0..mesh.blocks.len() {
        let kind = mesh.blocks[block].kind;
        let products = PairProducts::new(kind);
        let parts = PartIntegrals::new(kind, contents.resolution as usize);
        let volumes = mesh.block_volumes(block);
        let cells = mesh.block_range(block).zip(mesh.blocks[block].cells());
        for ((cell, nodes), volume) in cells.zip(volumes) {
            let density = |material: u32| materials[material as usize].density * volume;
            let moments = contents.moments(&parts, cell, density);
            push_mass(&products, &moments, kind, nodes, &mut entries);
        }
    }
    MassMatrix::from_entries(mesh.nodes.len(), entries)
}

fn push_mass(
    products: &PairProducts,
    moments: &Moments,
    kind: Kind,
    nodes: &[u32],
    entries: &mut Vec<(u32, u32, f64)>,
) {
    for (a, node_a) in nodes.iter().enumerate().take(kind.node_count()) {
        for (b, node_b) in nodes.iter().enumerate().filter(|(_, node_b)| *node_b <= node_a) {
            entries.push((*node_a, *node_b, products.values(moments, a, b)));
        }
    }
}
