//! Stress and strain as fields over the body, smooth at the nodes.

use glam::DVec3;

use crate::body::{Batch, Model};
use crate::element::{Kind, lattice, shape_gradient};
use crate::material::{Law, LawFamily, LawVisitor};
use crate::math::{LANES, Mat3, Vec3, svd};
use crate::mesh::jacobian;

/// Values at the points of the body that belong to its nodes (the Lagrange points: on the shape,
/// also where a control point is not).
pub type NodeField = Vec<f64>;

/// Von Mises stress of Cauchy's stress σ = P Fᵀ/J, in Pa.
///
/// ```text
/// σ_vM = √(3/2 s : s)        s = σ − tr(σ)/3 I
/// ```
pub fn von_mises(model: &Model, x: &[DVec3]) -> NodeField {
    averaged(model, x, |cell, f| {
        let material = model.material(cell);
        let constants = material.constants();
        let visitor = CauchyStress { mu: constants.mu, lambda: constants.lambda, f: *f };
        let stress = material.law.visit(visitor).symmetric();
        let deviator = stress.add_diagonal(-stress.trace() / 3.0);
        (1.5 * deviator.norm_squared()).sqrt()
    })
}

/// det F: how much the volume has changed at a point.
pub fn det_f(model: &Model, x: &[DVec3]) -> NodeField {
    averaged(model, x, |_, f| f.det())
}

/// The largest principal stretch σ₁ of F: how many times as long the matter at a point has become along the
/// direction in which it has grown most.
pub fn principal_stretch(model: &Model, x: &[DVec3]) -> NodeField {
    averaged(model, x, |_, f| svd(f).sigma[0])
}

/// Cells in which det F is not positive at some quadrature point; of cells that are filled in part, at one
/// with matter.
pub fn inverted_cells(model: &Model, x: &[DVec3]) -> usize {
    /// Points with less than this part of the matter of the fullest point count as empty.
    const EMPTY: f64 = 0.05;
    let is_inverted = |batch: &Batch, cell: usize| {
        let points = || (0..batch.point_count()).map(|point| point_state(batch, cell, point, x));
        let most = points().map(|(_, volume)| volume).fold(0.0, f64::max);
        let counts = |volume: f64| model.contents().is_none() || volume > EMPTY * most;
        points().any(|(f, volume)| f.det() <= 0.0 && counts(volume))
    };
    let count =
        |batch: &Batch| (0..batch.cells.len()).filter(|cell| is_inverted(batch, *cell)).count();
    model.batches().iter().map(count).sum()
}

/// Volume of the matter of a body now and at rest, in m³, where its cells are filled in part; parts of
/// other stiffness count in proportion to it.
pub fn matter_volumes(model: &Model, x: &[DVec3]) -> [f64; 2] {
    let mut volumes = [0.0; 2];
    for batch in model.batches() {
        for (cell, point) in
            (0..batch.cells.len()).flat_map(|cell| (0..batch.point_count()).map(move |p| (cell, p)))
        {
            let (f, volume) = point_state(batch, cell, point, x);
            volumes[0] += f.det() * volume;
            volumes[1] += volume;
        }
    }
    volumes
}

/// F and rest volume of a quadrature point of a cell of a batch.
fn point_state(batch: &Batch, cell: usize, point: usize, x: &[DVec3]) -> (Mat3, f64) {
    let (pack, lane) = (cell / LANES, cell % LANES);
    let rest = batch.rest_point(pack, lane, point);
    let gradients = batch.point_gradients(point).iter();
    let now = batch.pack_nodes(pack).iter().map(|lanes| x[lanes[lane] as usize]);
    let j = now
        .zip(gradients)
        .fold(Mat3::ZERO, |sum, (x, gradient)| sum + Mat3::outer(x.into(), Vec3(*gradient)));
    (j * rest.inverse, rest.volume)
}

struct CauchyStress {
    mu: f64,
    lambda: f64,
    f: Mat3,
}

impl LawVisitor for CauchyStress {
    type Output = Mat3;

    fn visit<F: LawFamily>(self) -> Mat3 {
        let p = F::law(self.mu, self.lambda).stress(&self.f);
        let j = self.f.det();
        // A flat cell has no Cauchy stress: the limit keeps the number finite.
        let j = if j.abs() < 1e-12 { 1e-12_f64.copysign(j) } else { j };
        p * self.f.transpose() * (1.0 / j)
    }
}

/// The mean, over the cells that meet at a node, of a function of F there.
fn averaged(model: &Model, x: &[DVec3], value: impl Fn(usize, &Mat3) -> f64) -> NodeField {
    let mesh = model.mesh();
    let mut sums = vec![(0.0, 0.0); mesh.nodes.len()];
    for block in 0..mesh.blocks.len() {
        let tables = lattice_gradients(mesh.blocks[block].kind);
        for (cell, nodes) in mesh.block_range(block).zip(mesh.blocks[block].cells()) {
            let rest = mesh.cell_points(nodes);
            let now: Vec<DVec3> = nodes.iter().map(|node| x[*node as usize]).collect();
            for (node, gradients) in nodes.iter().zip(&tables) {
                let f = jacobian(&now, gradients) * jacobian(&rest, gradients).inverse();
                let (sum, count) = &mut sums[*node as usize];
                *sum += value(cell, &f);
                *count += 1.0;
            }
        }
    }
    sums.into_iter().map(|(sum, count)| if count > 0.0 { sum / count } else { 0.0 }).collect()
}

/// Basis gradients at the lattice points of a kind.
fn lattice_gradients(kind: Kind) -> Vec<Vec<DVec3>> {
    let p = kind.degree() as f64;
    let points = lattice(kind).into_iter();
    points.map(|point| shape_gradient(kind, DVec3::from(point.map(|x| x as f64)) / p)).collect()
}
