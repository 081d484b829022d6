//! The largest stable step of an explicit stepper.

use glam::DVec3;

use crate::body::{Masses, Model};
use crate::force::{Elastic, Width};

/// The largest stable step of explicit elastic forces at rest with this mass matrix, 2/ω, in s; infinite without stiffness.
///
/// ω² is the largest eigenvalue of M⁻¹K, by power iteration on differences of the elastic force. A compressed body is
/// stiffer, so use only a fraction of this step. With the consistent mass it is shorter than with row sums, because xᵀ M x ≤ Σ m x²
/// for every x if all entries are positive.
pub fn stable_step(model: &Model, masses: Masses<'_>) -> f64 {
    const ITERATIONS: usize = 60;
    let mut stiffness = StiffnessAtRest::new(model);
    let mut direction: Vec<DVec3> = (0..model.masses().len()).map(alternating).collect();
    let mut squared_frequency = 0.0;
    for _ in 0..ITERATIONS {
        normalise(&mut direction);
        stiffness.apply(&mut direction);
        divide(&mut direction, masses);
        squared_frequency = root_mean_square(&direction);
    }
    2.0 / squared_frequency.sqrt()
}

/// Replaces d by M⁻¹ d. The tolerance is far below the accuracy that a stable step needs.
fn divide(direction: &mut [DVec3], masses: Masses<'_>) {
    match masses {
        Masses::Lumped(masses) => {
            direction.iter_mut().zip(masses).for_each(|(value, mass)| *value /= *mass);
        }
        Masses::Consistent(matrix) => matrix.solve(1e-4, |_| true, direction),
    }
}

/// K of a model at rest, by differences of the elastic force.
struct StiffnessAtRest<'a> {
    model: &'a Model,
    elastic: Elastic,
    /// Displacement of the nodes for the differences, in m.
    nudge: f64,
    x: Vec<DVec3>,
    forces: Vec<DVec3>,
}

impl<'a> StiffnessAtRest<'a> {
    fn new(model: &'a Model) -> Self {
        let (low, high) = model.mesh().bounds();
        let nudge = 1e-6 * (high - low).length() / model.masses().len() as f64;
        let forces = vec![DVec3::ZERO; model.masses().len()];
        let elastic = Elastic::new(model, Width::default());
        Self { model, elastic, nudge, x: forces.clone(), forces }
    }

    /// Replaces d by K d = −(f(X + ε d) − f(X − ε d))/2ε.
    fn apply(&mut self, direction: &mut [DVec3]) {
        let mut product = vec![DVec3::ZERO; direction.len()];
        for sign in [1.0, -1.0] {
            let moves = direction.iter().map(|d| sign * self.nudge * *d);
            let moved = self.model.mesh().nodes.iter().zip(moves).map(|(rest, step)| *rest + step);
            self.x.iter_mut().zip(moved).for_each(|(x, moved)| *x = moved);
            self.elastic.forces(self.model.rest_shape(), &self.x, &mut self.forces);
            product.iter_mut().zip(&self.forces).for_each(|(sum, f)| *sum -= sign * *f);
        }
        let scale = 1.0 / (2.0 * self.nudge);
        direction.iter_mut().zip(product).for_each(|(d, product)| *d = scale * product);
    }
}

/// Scales to a root mean square of 1, so that no power of the frequency overflows.
fn normalise(values: &mut [DVec3]) {
    let size = root_mean_square(values).max(f64::MIN_POSITIVE);
    values.iter_mut().for_each(|value| *value /= size);
}

/// A vector with a component in every mode, the same on every machine.
fn alternating(node: usize) -> DVec3 {
    let mix = |k: usize| {
        let hash = (3 * node + k) as u64 + 1;
        let hash = (hash ^ (hash >> 7)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        (hash >> 40) as f64 / f64::from(1 << 23) - 1.0
    };
    DVec3::new(mix(0), mix(1), mix(2))
}

fn root_mean_square(values: &[DVec3]) -> f64 {
    (values.iter().map(|value| value.length_squared()).sum::<f64>() / values.len() as f64).sqrt()
}
