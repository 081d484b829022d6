//! Stiffness of single cells, ∂²E/∂x², for the solvers that need a matrix.

use glam::DVec3;

use crate::body::{Batch, Dilation, RestBatch};
use pliant_kernels::material::PointStiffness;
use pliant_kernels::math::{LANES, Mat3, Vec3};

/// The second derivative that a solver uses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Definiteness {
    /// The exact one: Newton converges quadratically with it, but it may be indefinite.
    Exact,
    /// The nearest positive semidefinite one at every quadrature point.
    Positive,
}

/// The stiffness of one cell as 3×3 blocks.
#[derive(Debug, Clone, PartialEq)]
pub struct CellStiffness {
    /// Nodes of the cell.
    pub nodes: Vec<u32>,
    /// Block of local nodes (a, b) at `a · n + b`: minus the derivative of the force on a with respect to the position
    /// of b.
    pub blocks: Vec<Mat3>,
}

impl CellStiffness {
    /// The stiffness of cell `cell` of a batch at node positions `x`.
    ///
    /// ```text
    /// K_ab = Σ V gₐ · ∂P/∂F · g_b        gₐ = J⁻ᵀ ∂Bₐ/∂ξ
    /// ```
    pub fn new(batch: RestBatch<'_>, cell: usize, x: &[DVec3], which: Definiteness) -> Self {
        let (pack, lane) = (cell / LANES, cell % LANES);
        let nodes: Vec<u32> = batch.pack_nodes(pack).iter().map(|lanes| lanes[lane]).collect();
        let [mu, lambda] = batch.pack_constants(pack).each_ref().map(|pack| pack[lane]);
        let n = nodes.len();
        let mut blocks = vec![Mat3::ZERO; n * n];
        let points: Vec<StiffnessPoint> = (0..batch.point_count())
            .map(|point| StiffnessPoint::new(batch, cell, point, x))
            .collect();
        let volume_term = VolumeTerm::new(&batch, [mu, lambda], &points);
        // λ₀ at every point, and the pressure of the mean.
        let least = volume_term.as_ref().map_or(lambda, |term| lambda - term.lambda);
        let pressure = volume_term.as_ref().map_or(0.0, |term| term.lambda * (term.mean - 1.0));
        for point in &points {
            let h = match which {
                Definiteness::Exact => {
                    let mut h = batch.law.stiffness(mu, least, &point.f);
                    add_pressure(point, pressure, &mut h);
                    h
                }
                Definiteness::Positive => {
                    batch.law.stiffness_psd_with(mu, least, pressure, &point.f)
                }
            };
            add_point(&mut blocks, &point.gradients, &h, point.volume);
        }
        if let Some(term) = &volume_term {
            term.add_mean(&points, &mut blocks);
        }
        mirror(&mut blocks, n);
        Self { nodes, blocks }
    }

    /// K d, for the displacements `d` of all nodes of the body.
    pub fn apply(&self, d: &[DVec3], product: &mut [DVec3]) {
        let n = self.nodes.len();
        for (a, node) in self.nodes.iter().enumerate() {
            let mut sum = Vec3([0.0; 3]);
            for (block, other) in self.blocks[a * n..(a + 1) * n].iter().zip(&self.nodes) {
                sum += block.mul_vec(d[*other as usize].into());
            }
            product[*node as usize] += DVec3::from(sum);
        }
    }
}

/// A quadrature point of a cell in its present state.
struct StiffnessPoint {
    f: Mat3,
    /// ∂Bₐ/∂X.
    gradients: Vec<Vec3>,
    volume: f64,
}

impl StiffnessPoint {
    fn new(batch: RestBatch<'_>, cell: usize, point: usize, x: &[DVec3]) -> Self {
        let (pack, lane) = (cell / LANES, cell % LANES);
        let rest = batch.rest_point([pack, lane, point]);
        let reference = batch.point_gradients(point).iter();
        let gradients: Vec<Vec3> =
            reference.map(|gradient| rest.inverse.transpose_mul_vec(Vec3(*gradient))).collect();
        let nodes = batch.pack_nodes(pack).iter().map(|lanes| x[lanes[lane] as usize]);
        let f = nodes
            .zip(&gradients)
            .fold(Mat3::ZERO, |sum, (x, gradient)| sum + Mat3::outer(x.into(), *gradient));
        Self { f, gradients, volume: rest.volume }
    }
}

/// The term of [`Dilation::Mean`] with the stiffness λ − λ₀, here λ:
///
/// ```text
/// λ/2 V̂ (Ĵ − 1)²        K = λ V̂ ∂Ĵ ∂Ĵᵀ + λ (Ĵ − 1) Σ V ∂²J
/// ```
struct VolumeTerm {
    lambda: f64,
    mean: f64,
}

impl VolumeTerm {
    /// The term of a cell; `None` for pointwise dilation.
    fn new(batch: &Batch, [mu, lambda]: [f64; 2], points: &[StiffnessPoint]) -> Option<Self> {
        if batch.dilation == Dilation::Pointwise {
            return None;
        }
        let lambda = batch.dilation.of_mean_only(batch.law, mu, lambda);
        let volume: f64 = points.iter().map(|point| point.volume).sum();
        let mean = points.iter().map(|point| point.volume * point.f.det()).sum::<f64>() / volume;
        Some(Self { lambda, mean })
    }

    /// Adds λ V̂ ∂Ĵ ∂Ĵᵀ to the blocks with a ≤ b.
    fn add_mean(&self, points: &[StiffnessPoint], blocks: &mut [Mat3]) {
        let volume: f64 = points.iter().map(|point| point.volume).sum();
        let n = points.first().map_or(0, |point| point.gradients.len());
        let slopes: Vec<Vec3> = (0..n)
            .map(|a| {
                points.iter().fold(Vec3([0.0; 3]), |sum, point| {
                    let slope = point.f.cofactor().mul_vec(point.gradients[a]);
                    sum + slope * (point.volume / volume)
                })
            })
            .collect();
        for b in 0..n {
            for a in 0..=b {
                blocks[a * n + b] += Mat3::outer(slopes[a], slopes[b]) * (self.lambda * volume);
            }
        }
    }
}

/// Adds q ∂²J to the stiffness of a point.
fn add_pressure(point: &StiffnessPoint, q: f64, h: &mut PointStiffness) {
    if q == 0.0 {
        return;
    }
    for column in 0..9 {
        let mut unit = Mat3::ZERO;
        unit.0[column / 3].0[column % 3] = 1.0;
        let change = point.f.cofactor_differential(&unit) * q;
        for (row, entries) in h.iter_mut().enumerate() {
            entries[column] += change.at(row % 3, row / 3);
        }
    }
}

/// Adds one quadrature point to the blocks with a ≤ b.
fn add_point(blocks: &mut [Mat3], gradients: &[Vec3], h: &PointStiffness, volume: f64) {
    let n = gradients.len();
    for (b, gradient_b) in gradients.iter().enumerate() {
        // t[j] = V Σ_l H[(·,j),(·,l)] g_b[l]: the derivative of column j of P with respect to the position of b.
        let t: [Mat3; 3] = std::array::from_fn(|j| {
            let g = gradient_b.0;
            Mat3::from_fn(|i, k| {
                volume * (0..3).map(|l| h[i + 3 * j][k + 3 * l] * g[l]).sum::<f64>()
            })
        });
        for (a, gradient_a) in gradients[..=b].iter().enumerate() {
            let [x, y, z] = gradient_a.0;
            blocks[a * n + b] += t[0] * x + t[1] * y + t[2] * z;
        }
    }
}

/// Fills the blocks with a > b from their transposes.
fn mirror(blocks: &mut [Mat3], n: usize) {
    for b in 0..n {
        for a in b + 1..n {
            blocks[a * n + b] = blocks[b * n + a].transpose();
        }
    }
}
