//! Why an equilibrium was not found.

use glam::DVec3;
use pliant_sparse::FactorError;

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
        /// The valid range.
        expected: &'static str,
    },
    /// The body has a rigid region.
    #[error(
        "body `{body}` has a rigid region, and a balance of forces is found for bodies that deform all over; let it run in time, or give the region a stiff material, such as a thousand times the Young's modulus"
    )]
    RigidRegion {
        /// The body.
        body: String,
    },
    /// The number of forces is not the number of nodes.
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
    /// A load that is not finite.
    #[error("the load on node {node} of body `{body}` is {load}, expected finite numbers in N")]
    LoadNotFinite {
        /// The body.
        body: String,
        /// The node.
        node: usize,
        /// Gravity and force on the node.
        load: DVec3,
    },
    /// A part of the body that is not supported.
    #[error(
        "body `{body}` is free to move: the piece around node {node} is held at {held} nodes, expected three that are not in a line; add a pin, or run it with mode = \"dynamic\""
    )]
    FreeToMove {
        /// The body.
        body: String,
        /// A node of the unsupported part.
        node: usize,
        /// Number of held nodes of that part.
        held: usize,
    },
    /// Newton's method did not converge.
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
        /// The cause.
        source: FactorError,
    },
}
