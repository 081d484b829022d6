//! Progress and result of the static solver.

use glam::DVec3;

/// Progress of the solver.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct StaticProgress {
    /// Share of the load being solved for, up to 1.
    pub load: f64,
    /// Newton iteration in this load step.
    pub iteration: u32,
    /// Unbalanced force over acting force.
    pub residual: f64,
}

/// Result and statistics of the solver.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct StaticReport {
    /// Load steps taken.
    pub load_steps: u32,
    /// Newton iterations in all.
    pub iterations: u32,
    /// Iterations in which the stiffness was indefinite.
    pub indefinite: u32,
    /// True if the equilibrium is a minimum of energy. An unstable one (a straight column under a load at which it
    /// buckles) is balanced too, but a small disturbance moves the body away from it.
    pub stable: bool,
    /// Unbalanced force over acting force at the end.
    pub residual: f64,
    /// Elastic energy at the end, in J.
    pub energy: f64,
    /// The reaction of each pin.
    pub reactions: Vec<Reaction>,
}

/// Force and torque of a pin on the body.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Reaction {
    /// Force, in N.
    pub force: DVec3,
    /// Torque about the mean of the pin's nodes, in N·m.
    pub torque: DVec3,
}
