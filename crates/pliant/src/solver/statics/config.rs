//! Settings and loads of the static solver.

use glam::DVec3;

use super::error::SolveError;

/// Settings of the static solver.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct StaticConfig {
    /// Unbalanced force over acting force at which a load step is done (default `1e-8`).
    pub tolerance: f64,
    /// Newton iterations before a load step is halved (default `30`).
    pub max_iterations: u32,
    /// Load steps at the start (default `1`). They are halved where Newton fails and grow where it converges fast. More
    /// of them cost time, but keep large rotations and compressions on the path from rest.
    pub load_steps: u32,
    /// Time at full load, in s (default `1`): the motion of pins runs from 0 to this time while gravity grows from zero
    /// to its full value.
    pub duration: f64,
}

impl Default for StaticConfig {
    fn default() -> Self {
        Self { tolerance: 1e-8, max_iterations: 30, load_steps: 1, duration: 1.0 }
    }
}

impl StaticConfig {
    /// Checks every field once, so that the solver need not.
    pub fn check(&self) -> Result<(), SolveError> {
        let Self { tolerance, max_iterations, load_steps, duration } = *self;
        let bad = |field, value, expected| Err(SolveError::Config { field, value, expected });
        if !(tolerance > 0.0 && tolerance < 1.0) {
            return bad("tolerance", tolerance, "a number between 0 and 1, such as 1e-8");
        }
        if max_iterations == 0 {
            return bad("max_iterations", 0.0, "at least 1");
        }
        if load_steps == 0 {
            return bad("load_steps", 0.0, "at least 1");
        }
        if !(duration.is_finite() && duration > 0.0) {
            return bad("duration", duration, "a positive time in s");
        }
        Ok(())
    }
}

/// Loads on the body at full load.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Loads<'a> {
    /// Acceleration of gravity, in m/s².
    pub gravity: DVec3,
    /// Further forces on the nodes, in N; empty for none.
    pub forces: &'a [DVec3],
}
