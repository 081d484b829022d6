//! Reasons why a body cannot be built from its model.

/// A body that cannot be built from its model.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum BodyError {
    /// A body is to rest in the shape of another mesh.
    #[error(
        "this model has another mesh than the body: it can only rest in a shape of its own cells"
    )]
    OtherMesh,
    /// A pin names a node that is not there.
    #[error("pin {pin} holds node {node}, but the body has {node_count} nodes")]
    NoSuchNode {
        /// Place of the pin in the list.
        pin: usize,
        /// The node.
        node: usize,
        /// How many there are.
        node_count: usize,
    },
    /// A pin holds nothing.
    #[error("pin {pin} holds no nodes: its selection misses the body")]
    EmptyPin {
        /// Place of the pin in the list.
        pin: usize,
    },
    /// A ramp with a NaN, an infinity, a length beyond 1e9 m, an axis of no direction, or an end
    /// before its start.
    #[error(
        "pin {pin} moves by {ramp}, expected finite numbers, lengths of at most 1e9 m, end ≥ start and an axis with a direction"
    )]
    BadRamp {
        /// Place of the pin in the list.
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
    /// A pin at some of the nodes of a rigid body.
    #[error(
        "pin {pin} holds {held} of the 4 nodes of a rigid body, which are no points of it: hold all four with one pin, or one point of it with a pull"
    )]
    PartOfRigid {
        /// Place of the pin in the list.
        pin: usize,
        /// How many nodes it holds.
        held: usize,
    },
    /// A pull of no sensible strength.
    #[error("the {field} of this pull is {value}, expected a number from 0 to {most:.0e}")]
    PullStrength {
        /// `stiffness`, in N/m, or `damping`, in N·s/m.
        field: &'static str,
        /// The value.
        value: f64,
        /// Most that is allowed.
        most: f64,
    },
    /// A pull whose target moves by something that is no motion.
    #[error(
        "this pull moves by {ramp}, expected finite numbers, lengths of at most {most:.0e} m, end ≥ start and an axis with a direction"
    )]
    PullRamp {
        /// The ramp as given.
        ramp: String,
        /// Longest length, in m.
        most: f64,
    },
    /// A pull at a point of another body.
    #[error(
        "this pull holds a point of cell {cell} that is not one of this body, which has {cell_count} cells; take the point from its own model with `locate`"
    )]
    ForeignPoint {
        /// The cell that the point names.
        cell: u32,
        /// How many the body has.
        cell_count: usize,
    },
    /// A pull that is not there.
    #[error("there is no pull {index}: the body has {count}")]
    NoSuchPull {
        /// The place asked for.
        index: usize,
        /// How many there are.
        count: usize,
    },
}
