//! The system of a step on nodes, in single precision.

use pliant_kernels::math::SingleNode;

use crate::body::Masses;
use crate::solver::linear::nodes::{Scales, SystemParts};

use super::single_vectors::{dot, sum_chunks};

/// The matrix of a system, divided by the mean of its diagonal, and the inverse of that diagonal.
///
/// Vectors are on all nodes. Those without an unknown of their own have an inverse of zero, so that conjugate gradients leave them at zero.
#[derive(Debug, Clone)]
pub(super) struct SingleSystem {
    /// The inverse diagonal of every node, in all components.
    pub(super) weights: Vec<SingleNode>,
    /// The lumped masses over the factor of the stiffness; empty if masses are consistent.
    masses: Vec<f32>,
    /// The factor of consistent masses in products of cells.
    inertia: f64,
    /// The factor of the stiffness.
    scale: f32,
    /// Factors of the points over that of the stiffness.
    points: [f64; 2],
    /// The mean of the inverse diagonal, by which the system is multiplied.
    pub(super) unit: f64,
}

impl SingleSystem {
    pub(super) fn new(node_count: usize) -> Self {
        Self {
            weights: vec![SingleNode::ZERO; node_count],
            masses: Vec::with_capacity(node_count),
            inertia: 0.0,
            scale: 0.0,
            points: [0.0; 2],
            unit: 1.0,
        }
    }

    /// Prepares products with this system, whose unknowns have the inverse diagonal `weights`; false if it has none in single precision.
    pub(super) fn open(
        &mut self,
        parts: &SystemParts<'_>,
        &Scales { mass, stiffness, points }: &Scales,
        weights: &[f64],
    ) -> bool {
        let nodes = parts.unknowns.nodes();
        self.unit = weights.iter().sum::<f64>() / nodes.len().max(1) as f64;
        let scale = self.unit * stiffness;
        if !(parts.elasticity.has_single() && scale > 0.0 && scale.is_normal()) {
            return false;
        }
        self.scale = scale as f32;
        self.points = points.map(|factor| factor / stiffness);
        self.weights.fill(SingleNode::ZERO);
        for (node, weight) in nodes.iter().zip(weights) {
            let own = (*weight / self.unit) as f32;
            self.weights[*node as usize] = SingleNode::new(own, own, own, 0.0);
        }
        let inertia = mass / stiffness;
        self.masses.clear();
        self.inertia = 0.0;
        match parts.masses {
            Masses::Lumped(masses) => {
                self.masses.extend(masses.iter().map(|mass| (inertia * mass) as f32));
            }
            Masses::Consistent(_) => self.inertia = inertia,
        }
        true
    }

    /// Writes A p, and returns p · A p.
    pub(super) fn apply(
        &self,
        parts: &mut SystemParts<'_>,
        p: &mut [SingleNode],
        product: &mut [SingleNode],
        partial: &mut [f64],
    ) -> f64 {
        parts.elasticity.apply_single(parts.rest, self.inertia, p, product);
        parts.add_points(self.points, p, product);
        let (scale, masses) = (self.scale, &self.masses);
        sum_chunks((product, p), partial, |first, product, p| {
            if !masses.is_empty() {
                for ((product, p), mass) in product.iter_mut().zip(&*p).zip(&masses[first..]) {
                    *product += *mass * *p;
                }
            }
            product.iter_mut().for_each(|product| *product *= scale);
            dot(p, product)
        })
    }
}
