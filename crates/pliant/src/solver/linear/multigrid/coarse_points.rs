//! Forces on points, as the linear level of a body feels them.

use crate::body::Model;
use crate::force::PointForces;
use crate::persist::{Persist, Reader, SnapshotError, Writer};
use crate::solver::linear::nodes::Scales;

use super::prolongation::{elevation_weights, packed};

/// Corners that a point can follow at most: those of a hexahedron.
const MOST_CORNERS: usize = 8;

/// The points of a body restricted to its corners.
///
/// ```text
/// p = Σ wₐ xₐ = Σ (Σ wₐ Pₐᵢ) Xᵢ
/// ```
///
/// Where X are corners and x = P X is degree elevation: what the linear level can move of a point.
#[derive(Debug, Clone)]
pub(super) struct CoarsePoints {
    /// P, the entries of node `n` being `start[n]..start[n + 1]`.
    start: Vec<u32>,
    entries: Vec<(u32, f64)>,
    points: PointForces,
    /// What they add to the diagonal of the level now, and what they added when it was made.
    diagonal: Vec<f64>,
    known: Vec<f64>,
}

impl CoarsePoints {
    /// Room for a body whose node `corners[i]` is node `i` of the level.
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
        let (start, entries) = packed(&rows);
        let mut points = PointForces::default();
        let skin = mesh.boundary_nodes().len();
        points.reserve(skin, 4 * skin);
        let zero = vec![0.0; corners.len()];
        Self { start, entries, points, diagonal: zero.clone(), known: zero }
    }

    /// Takes over the points of the body.
    pub(super) fn restrict(&mut self, points: &PointForces, scales: &Scales) {
        self.points.clear();
        self.diagonal.fill(0.0);
        for (point, weights) in points.iter() {
            let (mut row, mut count) = ([(0, 0.0); MOST_CORNERS], 0);
            for (node, weight) in weights {
                let range =
                    self.start[*node as usize] as usize..self.start[*node as usize + 1] as usize;
                for (corner, share) in &self.entries[range] {
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

    /// How much they differ from those with which the level was made, as a share of either.
    pub(super) fn change(&self) -> f64 {
        let pairs = || self.diagonal.iter().zip(&self.known);
        let apart: f64 = pairs().map(|(now, known)| (now - known).abs()).sum();
        let size: f64 = pairs().map(|(now, known)| now.max(*known)).sum();
        if size > 0.0 { apart / size } else { 0.0 }
    }

    /// Notes that the level is made with the points of now.
    pub(super) fn mark(&mut self) {
        self.known.copy_from_slice(&self.diagonal);
    }
}

/// Points are gathered in every step; what the level was made with is not.
impl Persist for CoarsePoints {
    fn save(&self, to: &mut Writer) {
        to.f64s(&self.known);
    }

    fn load(&mut self, from: &mut Reader<'_>) -> Result<(), SnapshotError> {
        from.f64s(&mut self.known)
    }
}
