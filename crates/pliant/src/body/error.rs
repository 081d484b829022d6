//! Reasons why a body cannot be built or changed.

use glam::DVec3;

/// A body that cannot be built from its model, or a change that does not fit it.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum BodyError {
    /// A replaced model has another mesh.
    #[error(
        "this model has another mesh than the body: it can only rest in a shape of its own cells"
    )]
    OtherMesh,
    /// A pin holds a missing node.
    #[error("pin {pin} holds node {node}, but the body has {node_count} nodes")]
    NoSuchNode {
        /// Index of the pin.
        pin: usize,
        /// The node.
        node: usize,
        /// The number of them.
        node_count: usize,
    },
    /// A pin without nodes.
    #[error("pin {pin} holds no nodes: its selection misses the body")]
    EmptyPin {
        /// Index of the pin.
        pin: usize,
    },
    /// A ramp with a value that is not finite, a length beyond 1e9 m, a zero axis, or an end before its start.
    #[error(
        "pin {pin} moves by {ramp}, expected finite numbers, lengths of at most 1e9 m, end ≥ start and an axis with a direction"
    )]
    BadRamp {
        /// Index of the pin.
        pin: usize,
        /// The ramp as given.
        ramp: String,
    },
    /// Two pins hold the same node and move it differently.
    #[error("pins {first} and {second} both hold node {node} and move it differently")]
    Contradiction {
        /// The earlier pin.
        first: usize,
        /// The later pin.
        second: usize,
        /// The node.
        node: usize,
    },
    /// A pin on only some of the nodes of a rigid body.
    #[error(
        "pin {pin} holds {held} of the 4 nodes of a rigid body, which are no points of it: hold all four with one pin, or one point of it with a pull"
    )]
    PartOfRigid {
        /// Index of the pin.
        pin: usize,
        /// Number of nodes that it holds.
        held: usize,
    },
    /// A pull whose stiffness or damping is out of range.
    #[error("the {field} of this pull is {value}, expected a number from 0 to {most:.0e}")]
    PullStrength {
        /// `stiffness`, in N/m, or `damping`, in N·s/m.
        field: &'static str,
        /// The value.
        value: f64,
        /// The largest value allowed.
        most: f64,
    },
    /// A pull whose target has an invalid motion.
    #[error(
        "this pull moves by {ramp}, expected finite numbers, lengths of at most {most:.0e} m, end ≥ start and an axis with a direction"
    )]
    PullRamp {
        /// The ramp as given.
        ramp: String,
        /// Longest length, in m.
        most: f64,
    },
    /// A pull at a point that is not of this body.
    #[error(
        "this pull holds a point of cell {cell} that is not one of this body, which has {cell_count} cells; take the point from its own model with `locate`"
    )]
    ForeignPoint {
        /// The cell that the point names.
        cell: u32,
        /// Number of cells of the body.
        cell_count: usize,
    },
    /// An initial motion that is not finite, or too fast.
    #[error(
        "a body cannot move with a velocity of {velocity} m/s and a spin of {spin} rad/s, expected finite numbers that move no node faster than 1e12 m/s"
    )]
    BadMotion {
        /// The velocity of the centre of mass, in m/s.
        velocity: DVec3,
        /// The angular velocity, in rad/s.
        spin: DVec3,
    },
    /// A place or a direction that a body cannot have.
    #[error(
        "the body would get {what}, expected finite numbers, positions within 1e12 m, and a rotation of unit length"
    )]
    BadPlace {
        /// What it would get.
        what: String,
    },
    /// A missing pull.
    #[error(
        "there is no pull {number}: it was removed from the body, or is that of another one; the body has {count}"
    )]
    NoSuchPull {
        /// The pull that was asked for, counted in the order in which they were added.
        number: u32,
        /// How many there are.
        count: usize,
    },
}
