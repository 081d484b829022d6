//! Fields over a body, smooth at the nodes.

use glam::{DMat4, DVec3, DVec4};

use crate::body::{Batch, Model, RestBatch, RestShape};
use pliant_kernels::element::{Kind, jacobian, lattice, shape_gradient};
use pliant_kernels::math::Mat3;

/// Extrapolates values at quadrature points, given by pack, lane and point of a batch: for every cell the least-squares
/// linear function, evaluated at the nodes and averaged over the cells that meet there (Mezger et al. 2007, section
/// 6.2). Cells for which `counts` is false are left out; a node without cells gets zero.
pub(crate) fn extrapolated(
    rest: RestShape<'_>,
    counts: impl Fn(usize) -> bool,
    value: impl Fn(&RestBatch<'_>, [usize; 3]) -> f64,
) -> Vec<f64> {
    let mut sums = vec![(0.0, 0.0); rest.mesh().nodes.len()];
    for batch in rest.rest_batches() {
        let rows = extrapolation(&batch);
        for pack in 0..batch.pack_count() {
            for lane in 0..batch.lanes_used(pack) {
                if !counts(batch.pack_cells(pack)[lane] as usize) {
                    continue;
                }
                let points = 0..batch.point_count();
                let values: Vec<f64> = points.map(|q| value(&batch, [pack, lane, q])).collect();
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

/// For every node of a cell, the weights of its quadrature points: those of the least-squares linear function, or of
/// the mean if there are too few points.
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

/// The mean of a function of F over the cells that meet at each node.
pub(super) fn averaged(
    model: &Model,
    x: &[DVec3],
    value: impl Fn(usize, &Mat3) -> f64,
) -> Vec<f64> {
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

/// Divides sums by their counts.
fn means(sums: Vec<(f64, f64)>) -> Vec<f64> {
    sums.into_iter().map(|(sum, count)| if count > 0.0 { sum / count } else { 0.0 }).collect()
}

/// Basis gradients at the lattice points of a kind.
fn lattice_gradients(kind: Kind) -> Vec<Vec<DVec3>> {
    let p = kind.degree() as f64;
    let points = lattice(kind).into_iter();
    points.map(|point| shape_gradient(kind, DVec3::from(point.map(|x| x as f64)) / p)).collect()
}
