//! Motion of nodes that follows prescribed motion of points.

use glam::DVec3;
use pliant_sparse::pseudo_inverse;

use crate::body::material_point::MaterialPoint;
use pliant_mesh::geometry::Pose;

/// How prescribed motions of points determine the motion of nodes.
///
/// ```text
/// q(t) = X + H⁺ (p(t) − p(0))
/// ```
///
/// - `q`, `X` the nodes with a weight in the points, now and at rest
/// - `p` the prescribed positions of the points, `H` their weights, `H⁺` the pseudo-inverse of H
///
/// This is the smallest motion of the nodes that takes the points to their prescribed positions. If there are more
/// points than nodes and no motion does, it is the one with the least error (Nesme et al. 2006, section 4.3, with the
/// two cases exchanged; Hsu, Hughes & Kaufman 1992).
///
/// The points move as one rigid body, `p(t) = R p(0) + c`. So two values of each row h of H⁺ are enough, whatever the
/// number of points: the displacement of its node is `R Σ h p(0) + c Σ h − Σ h p(0)`.
#[derive(Debug, Clone, PartialEq)]
pub struct Spread {
    /// Σ h p(0), in m, and Σ h, without unit, of every node.
    rows: Vec<(DVec3, f64)>,
}

impl Spread {
    /// The nodes that have a share in the points, in ascending order, and how the points lead them. `rest` are the nodes of the mesh.
    pub(crate) fn of_points(points: &[MaterialPoint], rest: &[DVec3]) -> (Vec<u32>, Self) {
        let mut nodes: Vec<u32> = points.iter().flat_map(|point| point.nodes.clone()).collect();
        nodes.sort_unstable();
        nodes.dedup();
        let shares = shares(points, &nodes);
        let points: Vec<DVec3> = points.iter().map(|point| point.position(rest)).collect();
        let row = |own: &[f64]| {
            let sum = points.iter().zip(own).map(|(point, share)| *share * *point).sum();
            (sum, own.iter().sum())
        };
        let rows = shares.chunks(points.len().max(1)).map(row).collect();
        (nodes, Self { rows })
    }

    /// Position of the `k`-th node, which rests at `x_rest`, when the points have made this move.
    pub(crate) fn position(&self, k: usize, x_rest: DVec3, pose: &Pose) -> DVec3 {
        let (point, share) = self.rows[k];
        x_rest + ((pose.rotation * point - point) + share * pose.translation)
    }

    /// The same for some of the nodes, given by their indices in the list.
    pub(crate) fn rows_of(&self, places: &[usize]) -> Self {
        Self { rows: places.iter().map(|place| self.rows[*place]).collect() }
    }
}

/// H⁺, a row for each node.
fn shares(points: &[MaterialPoint], nodes: &[u32]) -> Vec<f64> {
    let entries = points.iter().enumerate().flat_map(|(row, point)| {
        point.nodes.iter().zip(&point.weights).map(move |(node, weight)| {
            (row, nodes.binary_search(node).expect("all nodes are listed"), *weight)
        })
    });
    pseudo_inverse(points.len(), nodes.len(), entries)
}
