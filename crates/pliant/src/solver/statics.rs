//! What is asked of the static solver, and what it answers.

use glam::DVec3;

use super::FactorError;
use super::support::Reaction;

/// Settings of the static solver.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct StaticConfig {
    /// Unbalanced force over acting force at which a load step is done (default `1e-8`).
    pub tolerance: f64,
    /// Newton iterations before a load step is halved (default `30`).
    pub max_iterations: u32,
    /// Load steps to begin with (default `1`). They are halved where Newton fails and grow where
    /// it is easy; more cost time, but keep large turns and crushes on the path from rest.
    pub load_steps: u32,
    /// Time at full load, in s (default `1`): the motion of pins runs from 0 to it while gravity
    /// grows from nothing to its full strength.
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

/// What acts on the body at full load.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Loads<'a> {
    /// Acceleration of gravity, in m/s².
    pub gravity: DVec3,
    /// Further forces on the nodes, in N; empty for none.
    pub forces: &'a [DVec3],
}

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

/// An equilibrium that was not found.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum SolveError {
    /// A setting out of range.
    #[error("{field} is {value}, expected {expected}")]
    Config {
        /// The setting.
        field: &'static str,
        /// Its value.
        value: f64,
        /// What would do.
        expected: &'static str,
    },
    /// A region that does not deform.
    #[error(
        "body `{body}` has a rigid region, and a balance of forces is found for bodies that deform all over; let it run in time, or give the region a stiff material, such as a thousand times the Young's modulus"
    )]
    RigidRegion {
        /// The body.
        body: String,
    },
    /// Not one force per node.
    #[error(
        "{given} forces were given to body `{body}`, which has {node_count} nodes; give none, or one for each"
    )]
    ForceCount {
        /// The body.
        body: String,
        /// Forces given.
        given: usize,
        /// Forces needed.
        node_count: usize,
    },
    /// A force that is NaN or infinite.
    #[error("the load on node {node} of body `{body}` is {load}, expected finite numbers in N")]
    LoadNotFinite {
        /// The body.
        body: String,
        /// The node.
        node: usize,
        /// Gravity and force on it.
        load: DVec3,
    },
    /// Nothing holds a piece of the body.
    #[error(
        "body `{body}` is free to move: the piece around node {node} is held at {held} nodes, expected three that are not in a line; add a pin, or run it with mode = \"dynamic\""
    )]
    FreeToMove {
        /// The body.
        body: String,
        /// A node of the loose piece.
        node: usize,
        /// Nodes of it that are held.
        held: usize,
    },
    /// Newton gave up.
    #[error("body `{body}` has no equilibrium in reach beyond {percent:.1} % of the load (unbalanced force {residual:.1e} of the acting force); use more load_steps, less load, or a finer mesh", percent = 100.0 * load)]
    NotConverged {
        /// The body.
        body: String,
        /// Share of the load reached.
        load: f64,
        /// Residual at the failed step.
        residual: f64,
    },
    /// The system is too large.
    #[error("body `{body}`: {source}")]
    Factor {
        /// The body.
        body: String,
        /// What went wrong.
        source: FactorError,
    },
}
