//! Point forces on the linear level of a body.

use crate::body::Model;
use crate::force::PointForces;
use crate::persist::{Persist, Reader, SnapshotError, Writer};
use crate::solver::linear::nodes::Scales;
use pliant_kernels::math::Rows;

use super::prolongation::elevation_weights;

/// Largest number of corners of a point: those of a hexahedron.
const MAX_CORNERS: usize = 8;

/// The points of a body restricted to its corners.
///
/// ```text
/// p = Σ wₐ xₐ = Σ (Σ wₐ Pₐᵢ) Xᵢ
/// ```
///
/// with corners X and degree elevation x = P X.
#[derive(Debug, Clone)]
pub(super) struct CoarsePoints {
    /// P: the corners of every node, with weights.
    corners: Rows<(u32, f64)>,
    points: PointForces,
    /// Terms of the points on the diagonal of the level now, and when the level was built.
    diagonal: Vec<f64>,
    known: Vec<f64>,
}

impl CoarsePoints {
    /// Buffers for a body whose node `corners[i]` is node `i` of the level.
    pub(super) fn new(model: &Model, corners: &[u32]) -> Self {
        let mesh = model.mesh();
        let mut corner_of = vec![u32::MAX; mesh.nodes.len()];
        (0u32..).zip(corners).for_each(|(corner, node)| corner_of[*node as usize] = corner);
        let mut rows: Vec<Vec<(u32, f64)>> = vec![Vec::new(); mesh.nodes.len()];
        for block in &mesh.blocks {
            let weights = elevation_weights(block.kind);
            for nodes in block.cells() {
                for (node, weights) in nodes.iter().zip(&weights) {
                    let row = &mut rows[*node as usize];
                    if row.is_empty() {
                        let terms = nodes.iter().zip(weights).filter(|(_, weight)| **weight > 0.0);
                        row.extend(
                            terms.map(|(node, weight)| (corner_of[*node as usize], *weight)),
                        );
                    }
                }
            }
        }
        let mut points = PointForces::default();
        let skin = mesh.boundary_nodes().len();
        points.reserve(skin, 4 * skin);
        let zero = vec![0.0; corners.len()];
        Self { corners: rows.into_iter().collect(), points, diagonal: zero.clone(), known: zero }
    }

    /// Restricts the points of the body to the level.
    pub(super) fn restrict(&mut self, points: &PointForces, scales: &Scales) {
        self.points.clear();
        self.diagonal.fill(0.0);
        for (point, weights) in points.iter() {
            let (mut row, mut count) = ([(0, 0.0); MAX_CORNERS], 0);
            for (node, weight) in weights {
                for (corner, share) in self.corners.row(*node as usize) {
                    let place = row[..count].iter().position(|(known, _)| known == corner);
                    let place = place.unwrap_or(count);
                    row[place] = (*corner, row[place].1 + weight * share);
                    count = count.max(place + 1);
                }
            }
            let mean = point.matrix(scales.points).trace() / 3.0;
            for (corner, weight) in &row[..count] {
                self.diagonal[*corner as usize] += weight * weight * mean;
            }
            self.points.push(row[..count].iter().copied(), *point);
        }
    }

    /// The points of the level.
    pub(super) fn points(&self) -> &PointForces {
        &self.points
    }

    /// Difference between the present points and those with which the level was built, as a share of the larger.
    pub(super) fn change(&self) -> f64 {
        let pairs = || self.diagonal.iter().zip(&self.known);
        let apart: f64 = pairs().map(|(now, known)| (now - known).abs()).sum();
        let size: f64 = pairs().map(|(now, known)| now.max(*known)).sum();
        if size > 0.0 { apart / size } else { 0.0 }
    }

    /// Records that the level was built with the present points.
    pub(super) fn mark(&mut self) {
        self.known.copy_from_slice(&self.diagonal);
    }
}

/// Points are collected in every step; only the diagonal with which the level was built is saved.
impl Persist for CoarsePoints {
    fn save(&self, to: &mut Writer) {
        to.f64s(&self.known);
    }

    fn load(&mut self, from: &mut Reader<'_>) -> Result<(), SnapshotError> {
        from.f64s(&mut self.known)
    }
}
