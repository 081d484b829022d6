//! Settings of a method.

use pliant_kernels::xpbd::Projection;

use crate::force::Rotation;

use super::choice::{AdaptiveConfig, LinearSolver, Mass, Rayleigh, Stepper};

/// Settings of the step of one body.
///
/// ```
/// use pliant::{MethodConfig, Stepper};
///
/// let method = MethodConfig { stepper: Stepper::Bdf2, ..Default::default() };
/// assert!(method.check().is_ok());
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MethodConfig {
    /// Rule of the step (default implicit Euler).
    pub stepper: Stepper,
    /// Solver of its linear systems (default by size).
    pub solver: LinearSolver,
    /// Residual, relative to the right-hand side, at which a linear solve stops (default `1e-4`).
    pub tolerance: f64,
    /// Largest number of iterations of a linear solve (default `200`): bounds the time of a step.
    pub max_iterations: u32,
    /// Newton iterations of the steppers that solve a nonlinear equation (default `20`).
    pub newton_iterations: u32,
    /// Where corotated cells measure their rotation (default once per cell).
    pub rotation: Rotation,
    /// The mass matrix (default lumped).
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
            tolerance: 1e-4,
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
