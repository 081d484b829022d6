//! The method of a body, its stepper, and the length of its substeps.

use crate::body::Body;
use crate::solver::{MethodConfig, MethodError, stable_step};

use super::followed_energy::FollowedEnergy;
use super::stepper::BodyStepper;
use crate::world::config::WorldConfig;

/// The part of the stable step that is used: stiffness grows in compressed regions.
const SAFETY: f64 = 0.5;

/// The most substeps in one step.
const MAX_SUBSTEPS: u32 = 100_000;

/// The method of a body and its stepper.
#[derive(Debug, Clone)]
pub(crate) struct Stepping {
    pub(crate) method: MethodConfig,
    pub(crate) stepper: BodyStepper,
    /// The longest stable step at rest, in s; `None` for a stepper without a limit.
    pub(crate) stable_step: Option<f64>,
    /// The energy that the body can have; followed for steppers without linear solves.
    pub(crate) energy: FollowedEnergy,
}

impl Stepping {
    /// The stepper of a method that was checked for `body`.
    pub(crate) fn new(body: &Body, method: MethodConfig) -> Result<Self, MethodError> {
        let stepper = BodyStepper::new(body, &method).map_err(MethodError::Factor)?;
        // The stable step costs as much as a hundred steps, so implicit bodies do without it.
        let explicit = method.stepper.is_explicit();
        let stable_step =
            explicit.then(|| stable_step(body.model(), stepper.mass_matrix(body.model())));
        Ok(Self { method, stepper, stable_step, energy: FollowedEnergy::default() })
    }

    /// Refuses an explicit stepper that would need more substeps than [`MAX_SUBSTEPS`].
    pub(crate) fn check_substeps(&self, config: &WorldConfig) -> Result<(), MethodError> {
        let given = self.method.substeps.or(config.substeps);
        let (Some(stable), None) = (self.stable_step, given) else { return Ok(()) };
        let substeps = (config.dt / (SAFETY * stable)).ceil();
        if self.method.stepper.is_explicit() && substeps > f64::from(MAX_SUBSTEPS) {
            let (dt, most) = (config.dt, MAX_SUBSTEPS);
            return Err(MethodError::TooStiff { stable, dt, substeps, most });
        }
        Ok(())
    }

    /// The number of substeps in a step, and their length in s.
    pub(crate) fn substeps(&self, config: &WorldConfig) -> (u32, f64) {
        let WorldConfig { dt, substeps, .. } = *config;
        let substeps = self.method.substeps.or(substeps);
        let (None, Some(stable)) = (substeps, self.stable_step) else {
            let count = substeps.unwrap_or(self.method.stepper.default_substeps());
            return (count, dt / f64::from(count));
        };
        let longest = SAFETY * stable;
        // A NaN (a body without stiffness) becomes one substep: `as` maps it to zero.
        let count = ((dt / longest).ceil().clamp(1.0, f64::from(MAX_SUBSTEPS)) as u32).max(1);
        (count, (dt / f64::from(count)).min(longest))
    }
}
