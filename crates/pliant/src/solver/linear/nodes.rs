//! The system on nodes, without a matrix.

use glam::DVec3;

use crate::body::{MassMatrix, Model, Unknowns};
use crate::force::{Elasticity, PointForces};

use super::Operator;
use super::vectors::for_chunks;

/// Where mass sits. It may change only together with the unknowns, as their version tells.
#[derive(Debug, Clone, Copy)]
pub enum Masses<'a> {
    /// On every node, in kg.
    Lumped(&'a [f64]),
    /// As the interpolation has it.
    Consistent(&'a MassMatrix),
}

/// What a system is made of.
#[derive(Debug)]
pub struct Parts<'a> {
    /// The body's model.
    pub model: &'a Model,
    /// Its unknowns.
    pub unknowns: &'a Unknowns,
    /// Its cells, linearised where the system is wanted.
    pub elasticity: &'a mut dyn Elasticity,
    /// Its masses.
    pub masses: Masses<'a>,
    /// What acts on points of it.
    pub points: &'a PointForces,
    /// Where its nodes are.
    pub x: &'a [DVec3],
}

/// How much of each part a system has:
///
/// ```text
/// A = mass · M + stiffness · K + Σ points w (points[0] · S + points[1] · B) wᵀ
/// ```
///
/// with S the stiffness and B the damping of a point.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Scales {
    /// Of the mass.
    pub mass: f64,
    /// Of the stiffness of the cells.
    pub stiffness: f64,
    /// Of the stiffness and of the damping of points.
    pub points: [f64; 2],
}

impl Parts<'_> {
    /// Writes A d, on nodes.
    pub(in crate::solver) fn product(
        &mut self,
        scales: &Scales,
        d: &[DVec3],
        product: &mut [DVec3],
    ) {
        let Scales { mass, stiffness, points } = *scales;
        self.elastic_product(stiffness, d, product);
        match self.masses {
            Masses::Lumped(masses) => for_chunks(product, |first, product| {
                let moved = masses[first..].iter().zip(&d[first..]);
                for (product, (m, d)) in product.iter_mut().zip(moved) {
                    *product = stiffness * *product + (mass * *m) * *d;
                }
            }),
            Masses::Consistent(matrix) => {
                product.iter_mut().for_each(|product| *product *= stiffness);
                matrix.add_product(mass, d, product);
            }
        }
        self.points.add_product(points, d, product);
    }

    /// Writes K d, or zero where nobody wants it.
    fn elastic_product(&mut self, stiffness: f64, d: &[DVec3], product: &mut [DVec3]) {
        if stiffness == 0.0 {
            product.fill(DVec3::ZERO);
        } else {
            self.elasticity.apply(self.model, d, product);
        }
    }

    /// Writes about the diagonal of A, on nodes.
    pub(super) fn diagonal(&mut self, scales: &Scales, diagonal: &mut [f64]) {
        let Scales { mass, stiffness, points } = *scales;
        diagonal.fill(0.0);
        if stiffness != 0.0 {
            self.elasticity.diagonal(self.model, diagonal);
            diagonal.iter_mut().for_each(|d| *d *= stiffness);
        }
        match self.masses {
            Masses::Lumped(masses) => {
                diagonal.iter_mut().zip(masses).for_each(|(d, m)| *d += mass * *m);
            }
            Masses::Consistent(matrix) => {
                for (row, _, m) in matrix.entries.iter().filter(|(row, column, _)| row == column) {
                    diagonal[*row as usize] += mass * *m;
                }
            }
        }
        for (point, weights) in self.points.iter() {
            let mean = point.matrix(points).trace() / 3.0;
            weights.iter().for_each(|(node, w)| diagonal[*node as usize] += w * w * mean);
        }
    }
}

/// Vectors on nodes.
#[derive(Debug, Clone)]
pub(super) struct NodeBuffers {
    d: Vec<DVec3>,
    product: Vec<DVec3>,
}

impl NodeBuffers {
    pub(super) fn new(node_count: usize) -> Self {
        let zero = vec![DVec3::ZERO; node_count];
        Self { d: zero.clone(), product: zero }
    }
}

/// CᵀAC, by going to the nodes and back.
pub(super) struct MatrixFree<'a, 'p> {
    pub(super) parts: &'a mut Parts<'p>,
    pub(super) scales: &'a Scales,
    pub(super) buffers: &'a mut NodeBuffers,
}

impl Operator for MatrixFree<'_, '_> {
    fn apply(&mut self, p: &[DVec3], product: &mut [DVec3]) {
        let NodeBuffers { d, product: on_nodes } = &mut *self.buffers;
        let parts = &mut *self.parts;
        let unknowns = parts.unknowns;
        unknowns.expand(p, d);
        match parts.masses {
            // The usual case in one pass less: masses are added on the way to the unknowns.
            Masses::Lumped(masses) if parts.points.is_empty() && !unknowns.has_ties() => {
                let Scales { mass, stiffness, .. } = *self.scales;
                parts.elastic_product(stiffness, d, on_nodes);
                for_chunks(product, |first, product| {
                    let sources = unknowns.nodes()[first..].iter().zip(&p[first..]);
                    for (product, (node, p)) in product.iter_mut().zip(sources) {
                        let (m, f) = (masses[*node as usize], on_nodes[*node as usize]);
                        *product = stiffness * f + (mass * m) * *p;
                    }
                });
            }
            _ => {
                parts.product(self.scales, d, on_nodes);
                unknowns.reduce(on_nodes, product);
            }
        }
    }
}
