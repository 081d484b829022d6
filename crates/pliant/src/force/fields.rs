//! Stress and strain as fields over the body, smooth at the nodes.

use glam::{DMat4, DVec3, DVec4};

use crate::body::{Batch, Model};
use crate::element::{Kind, jacobian, lattice, shape_gradient};
use crate::material::{Lame, Material};
use crate::math::{LANES, Mat3, svd};

/// Values at the points of the body that belong to its nodes (the Lagrange points: on the shape,
/// also where a control point is not).
pub type NodeField = Vec<f64>;

/// Von Mises stress of Cauchy's stress σ = P Fᵀ/J, in Pa.
///
/// ```text
/// σ_vM = √(3/2 s : s)        s = σ − tr(σ)/3 I
/// ```
///
/// Where matter has flowed, only quadrature points know how it rests: there σ is extrapolated from them.
pub fn von_mises(model: &Model, x: &[DVec3]) -> NodeField {
    let equivalent = |cell: usize, f: &Mat3| {
        let material = model.material(cell);
        if material.rigid {
            return 0.0;
        }
        let stress = cauchy_stress(material, f).symmetric();
        let deviator = stress.add_diagonal(-stress.trace() / 3.0);
        (1.5 * deviator.norm_squared()).sqrt()
    };
    if !model.is_plastic() {
        return averaged(model, x, equivalent);
    }
    let everywhere = |_: usize| true;
    let values = extrapolated(model, everywhere, |batch, place| {
        let [pack, lane, point] = place;
        let f = batch.jacobian_now(x, place) * batch.rest_point(pack, lane, point).inverse;
        equivalent(batch.pack_cells(pack)[lane] as usize, &f)
    });
    values.into_iter().map(|stress| stress.max(0.0)).collect()
}

/// A field known at quadrature points, given by pack, lane and point of a batch: of every cell the linear function nearest
/// to them, taken at its nodes and averaged over the cells that meet there (Mezger et al. 2007, section 6.2). Cells that do not
/// count have no part in it; where none does, it is zero.
pub fn extrapolated(
    model: &Model,
    counts: impl Fn(usize) -> bool,
    value: impl Fn(&Batch, [usize; 3]) -> f64,
) -> NodeField {
    let mut sums = vec![(0.0, 0.0); model.mesh().nodes.len()];
    for batch in model.batches() {
        let rows = extrapolation(batch);
        for pack in 0..batch.pack_count() {
            for lane in 0..batch.lanes_used(pack) {
                if !counts(batch.pack_cells(pack)[lane] as usize) {
                    continue;
                }
                let points = 0..batch.point_count();
                let values: Vec<f64> = points.map(|q| value(batch, [pack, lane, q])).collect();
                for (lanes, row) in batch.pack_nodes(pack).iter().zip(&rows) {
                    let (sum, count) = &mut sums[lanes[lane] as usize];
                    *sum += row.iter().zip(&values).map(|(w, value)| w * value).sum::<f64>();
                    *count += 1.0;
                }
            }
        }
    }
    means(sums)
}

/// For every node of a cell, the weights of its quadrature points: those of the linear function nearest to them, or of the
/// mean if they are too few to tell.
fn extrapolation(batch: &Batch) -> Vec<Vec<f64>> {
    let terms = |xi: &DVec3| DVec4::new(1.0, xi.x, xi.y, xi.z);
    let mut normal = DMat4::ZERO;
    for point in batch.points.iter().map(terms) {
        normal +=
            DMat4::from_cols(point * point.x, point * point.y, point * point.z, point * point.w);
    }
    let inverse = (normal.determinant().abs() > 1e-12).then(|| normal.inverse());
    let p = batch.kind.degree() as f64;
    let nodes = lattice(batch.kind).into_iter();
    let row = |node: DVec3| -> Vec<f64> {
        let weights = batch.points.iter().map(|point| match &inverse {
            Some(inverse) => terms(&node).dot(*inverse * terms(point)),
            None => 1.0 / batch.points.len() as f64,
        });
        weights.collect()
    };
    nodes.map(|node| row(DVec3::from(node.map(|x| x as f64)) / p)).collect()
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
    (batch.jacobian_now(x, [pack, lane, point]) * rest.inverse, rest.volume)
}

/// Cauchy's stress P Fᵀ/J, in Pa.
fn cauchy_stress(material: &Material, f: &Mat3) -> Mat3 {
    let Lame { mu, lambda } = material.constants();
    let (p, j) = (material.law.stress(mu, lambda, f), f.det());
    // A flat cell has no Cauchy stress: the limit keeps the number finite.
    let j = if j.abs() < 1e-12 { 1e-12_f64.copysign(j) } else { j };
    p * f.transpose() * (1.0 / j)
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
    means(sums)
}

/// Sums over their counts.
fn means(sums: Vec<(f64, f64)>) -> NodeField {
    sums.into_iter().map(|(sum, count)| if count > 0.0 { sum / count } else { 0.0 }).collect()
}

/// Basis gradients at the lattice points of a kind.
fn lattice_gradients(kind: Kind) -> Vec<Vec<DVec3>> {
    let p = kind.degree() as f64;
    let points = lattice(kind).into_iter();
    points.map(|point| shape_gradient(kind, DVec3::from(point.map(|x| x as f64)) / p)).collect()
}
