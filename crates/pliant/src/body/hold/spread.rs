//! Pins on points of the surface.

use glam::DVec3;
use pliant_sparse::pseudo_inverse;

use crate::body::hold::motion::{Motion, Pin};
use crate::body::material_point::MaterialPoint;

/// How points of the surface that are led along lead the nodes.
///
/// ```text
/// q(t) = X + H⁺ (p(t) − p(0))
/// ```
///
/// - `q`, `X` the nodes that have a share in the points, now and at rest
/// - `p` where the points shall be, `H` their weights, `H⁺` the pseudo-inverse of H
///
/// Of all moves of the nodes that take the points where they shall be this is the smallest, and if
/// none does, because there are more points than nodes, the one that misses them least (Nesme et al.
/// 2006, section 4.3, with the two cases exchanged; Hsu, Hughes & Kaufman 1992).
///
/// The points move as one rigid body, `p(t) = R p(0) + c`. So of a row h of H⁺ two numbers are enough,
/// whatever the number of points: the move of its node is `R Σ h p(0) + c Σ h − Σ h p(0)`.
#[derive(Debug, Clone, PartialEq)]
pub struct Spread {
    /// Σ h p(0) and Σ h of every node, in m and 1.
    rows: Vec<(DVec3, f64)>,
}

impl Spread {
    /// That of some of its nodes, by their place.
    pub(crate) fn rows_of(&self, places: &[usize]) -> Self {
        Self { rows: places.iter().map(|place| self.rows[*place]).collect() }
    }
}

impl Pin {
    /// Holds points of a body, or leads them along. `rest` are the nodes of its mesh.
    ///
    /// ```
    /// use glam::DVec3;
    /// use pliant::body::{MaterialPoint, Motion, Pin};
    /// use pliant::mesh::generate::{BoxConfig, box_mesh};
    ///
    /// let mesh = box_mesh(&BoxConfig::default())?;
    /// let point = MaterialPoint::locate(&mesh, DVec3::splat(0.3)).ok_or("outside")?;
    /// let pin = Pin::on_points(&[point], &mesh.nodes, Motion::default());
    /// assert_eq!(pin.position(0, mesh.nodes[pin.nodes[0] as usize], 1.0), mesh.nodes[pin.nodes[0] as usize]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn on_points(points: &[MaterialPoint], rest: &[DVec3], motion: Motion) -> Self {
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
        Self { nodes, motion, spread: Some(Spread { rows }) }
    }

    /// Whether a node that both hold is sent the same way.
    pub(crate) fn agrees(&self, other: &Self) -> bool {
        let rests = self.motion.ramps.is_empty() && other.motion.ramps.is_empty();
        let alike = self.spread.is_none() && other.spread.is_none();
        rests || (alike && self.motion == other.motion)
    }

    /// Where its `k`-th node, which rests at `x_rest`, is at time `t`.
    pub fn position(&self, k: usize, x_rest: DVec3, t: f64) -> DVec3 {
        let Some(Spread { rows }) = &self.spread else {
            return self.motion.position(x_rest, t);
        };
        let (pose, (point, share)) = (self.motion.pose(t), rows[k]);
        x_rest + ((pose.rotation * point - point) + share * pose.translation)
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
