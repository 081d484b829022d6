//! A system in the active unknowns only.

use glam::DVec3;

use crate::body::{Masses, Unknowns};

use super::conjugate_gradient::{ConjugateGradient, Outcome, Stop};
use super::diagonal::ScalarDiagonal;
use super::nodes::MatrixFree;

/// Buffers for the active part of a system.
///
/// Unknowns of tied nodes keep their numbers, so that vectors contain zeros for them. Conjugate gradients mostly stream
/// vectors, and are faster without these entries.
#[derive(Debug, Clone, Default)]
pub(super) struct Active {
    version: Option<u64>,
    /// True if no tied node has a mass.
    complete: bool,
    unknowns: Vec<u32>,
    nodes: Vec<u32>,
    weights: Vec<f64>,
    b: Vec<DVec3>,
    y: Vec<DVec3>,
}

impl Active {
    /// Buffers for up to `count` unknowns.
    pub(super) fn new(count: usize) -> Self {
        Self {
            version: None,
            complete: false,
            unknowns: Vec::with_capacity(count),
            nodes: Vec::with_capacity(count),
            weights: Vec::with_capacity(count),
            b: Vec::with_capacity(count),
            y: Vec::with_capacity(count),
        }
    }

    /// Discards the list of active unknowns.
    pub(super) fn forget(&mut self) {
        self.version = None;
    }

    /// Conjugate gradients with the diagonal as preconditioner, in active unknowns if the elasticity supports it.
    pub(super) fn solve(
        &mut self,
        gradient: &mut ConjugateGradient,
        free: &mut MatrixFree<'_, '_>,
        b: &[DVec3],
        y: &mut [DVec3],
        stop: &Stop<'_>,
    ) -> Outcome {
        if !(free.parts.unknowns.has_ties() && self.folds(free)) {
            return gradient.solve(free, &mut ScalarDiagonal(stop.weights), b, y, stop);
        }
        select(&self.unknowns, stop.weights, &mut self.weights);
        select(&self.unknowns, b, &mut self.b);
        select(&self.unknowns, y, &mut self.y);
        let mut active = MatrixFree {
            parts: &mut *free.parts,
            scales: free.scales,
            buffers: &mut *free.buffers,
            active: Some(&self.nodes),
        };
        let stop = Stop { weights: &self.weights, ..*stop };
        let scalars = &mut ScalarDiagonal(&self.weights);
        let outcome = gradient.solve(&mut active, scalars, &self.b, &mut self.y, &stop);
        for (unknown, own) in self.unknowns.iter().zip(&self.y) {
            y[*unknown as usize] = *own;
        }
        outcome
    }

    /// True if products with cells contain the ties, so that tied nodes can be left out.
    pub(super) fn folds(&mut self, free: &MatrixFree<'_, '_>) -> bool {
        let unknowns = free.parts.unknowns;
        free.parts.elasticity.folds_ties(unknowns) && self.list(unknowns, free.parts.masses)
    }

    /// Lists the active unknowns; true if only active nodes have mass.
    fn list(&mut self, unknowns: &Unknowns, masses: Masses<'_>) -> bool {
        let is_massless = |node: usize| match masses {
            Masses::Lumped(masses) => masses[node] == 0.0,
            Masses::Consistent(matrix) => matrix.row(node).is_empty(),
        };
        if self.version.replace(unknowns.version()) != Some(unknowns.version()) {
            let is_active = |unknown: &u32| unknowns.is_active(*unknown as usize);
            self.unknowns.clear();
            self.unknowns.extend((0..unknowns.count() as u32).filter(is_active));
            select(&self.unknowns, unknowns.nodes(), &mut self.nodes);
            let mut nodes = (0..).zip(unknowns.nodes());
            self.complete =
                nodes.all(|(unknown, node)| is_active(&unknown) || is_massless(*node as usize));
        }
        self.complete
    }
}

fn select<T: Copy>(which: &[u32], from: &[T], to: &mut Vec<T>) {
    to.clear();
    to.extend(which.iter().map(|index| from[*index as usize]));
}
