//! Progress and result of the static solver.

use glam::DVec3;

/// How far the solver has come.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct StaticProgress {
    /// Share of the load being solved for, up to 1.
    pub load: f64,
    /// Newton iteration in this load step.
    pub iteration: u32,
    /// Unbalanced force over acting force.
    pub residual: f64,
}

/// What the solver did.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct StaticReport {
    /// Load steps taken.
    pub load_steps: u32,
    /// Newton iterations in all.
    pub iterations: u32,
    /// Iterations in which the stiffness had a negative direction.
    pub indefinite: u32,
    /// Whether the equilibrium is a minimum of energy. An unstable one (a column that would
    /// rather buckle) balances too, but a body would leave it at a touch.
    pub stable: bool,
    /// Unbalanced force over acting force at the end.
    pub residual: f64,
    /// Elastic energy at the end, in J.
    pub energy: f64,
    /// What each pin exerts on the body.
    pub reactions: Vec<Reaction>,
}

/// What a pin exerts on the body.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Reaction {
    /// Force, in N.
    pub force: DVec3,
    /// Torque about the mean of the pin's nodes, in N·m.
    pub torque: DVec3,
}
