//! Settings of a method.

use pliant_kernels::xpbd::Projection;

use crate::body::{Batch, Model};
use crate::force::Rotation;

use super::choice::{AdaptiveConfig, LinearSolver, Mass, Rayleigh, Stepper};

/// Settings of the step of one body.
///
/// ```
/// use pliant::{MethodConfig, Stepper};
///
/// let method = MethodConfig { stepper: Stepper::Variational, ..Default::default() };
/// assert!(method.check().is_ok());
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MethodConfig {
    /// Rule of the step (default BDF2).
    pub stepper: Stepper,
    /// Solver of its linear systems (default by size).
    pub solver: LinearSolver,
    /// Residual at which a solve stops, relative to the impulse that changes the motion in the step and to that of gravity (default
    /// `1e-3`).
    pub tolerance: f64,
    /// Largest number of iterations of a linear solve (default `200`): bounds the time of a step.
    pub max_iterations: u32,
    /// Newton iterations of the steppers that solve a nonlinear equation (default `20`).
    pub newton_iterations: u32,
    /// Where corotated cells measure their rotation (default once per cell).
    pub rotation: Rotation,
    /// The mass matrix (default by degree and stepper, [`Mass::Auto`]).
    pub mass: Mass,
    /// Damping (default none).
    pub rayleigh: Rayleigh,
    /// Change of a rotation, or of a deformation gradient for laws without rotations, up to which Cholesky always keeps
    /// its factor (default `0.1`). Up to three times this value the factor is replaced once it has cost as many extra
    /// iterations as a new one is worth; beyond that, always. Scene files call it `lazy`.
    pub refactor_threshold: f64,
    /// Adaptive degree of quadratic tetrahedra (default none: the degree of the mesh).
    pub adaptive: Option<AdaptiveConfig>,
    /// Substeps of this body in a step (default `None`: those of the world). The cost grows in proportion; an XPBD body
    /// becomes stiffer, up to the stiffness of its material.
    pub substeps: Option<u32>,
    /// Sweeps of XPBD over all constraints in a substep (default `1`). More substeps improve the result more.
    pub sweeps: u32,
    /// How XPBD solves the two constraints of a cell (default together).
    pub projection: Projection,
}

impl Default for MethodConfig {
    fn default() -> Self {
        Self {
            stepper: Stepper::default(),
            solver: LinearSolver::default(),
            tolerance: 1e-3,
            max_iterations: 200,
            newton_iterations: 20,
            rotation: Rotation::default(),
            mass: Mass::default(),
            rayleigh: Rayleigh::default(),
            refactor_threshold: 0.1,
            adaptive: None,
            substeps: None,
            sweeps: 1,
            projection: Projection::default(),
        }
    }
}

impl MethodConfig {
    /// True if this method steps a body of this model with the consistent mass: the meaning of [`Mass::Auto`].
    ///
    /// Row sums make cells of degree 2 and 3 too inert: frequencies of coarse bars fall by 20 to 40 %, where the consistent mass
    /// keeps them within a few per cent. Cells of degree 1 gain less than their stiffness is in error, and their
    /// lumped masses err to the other side. Explicit elastic forces would need three times as many steps, and a body that is crumpled
    /// beyond its stable step would explode where lumped masses keep it finite (Newmark's rule in a storm of 100 km/s).
    ///
    /// Breakable bodies keep lumped masses: fragments of a die of quadratic tetrahedra that a strike of 60 m/s shatters
    /// flew a kilometre away in half a second with the consistent mass. The cause is not known yet.
    pub(crate) fn has_consistent_mass(&self, model: &Model) -> bool {
        match self.mass {
            Mass::Auto => {
                let curved = |batch: &Batch| batch.kind.degree() > 1;
                let implicit = self.stepper.solves() && !self.stepper.is_explicit();
                let deforms = !model.is_rigid() && !model.is_breakable();
                implicit && deforms && model.batches().iter().any(curved)
            }
            Mass::Lumped => false,
            Mass::Consistent => true,
        }
    }
}
