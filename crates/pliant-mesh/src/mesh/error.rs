//! Errors of meshes and mesh generators.

use glam::DVec3;

use crate::element::Kind;

/// The reason why a mesh cannot become a body, or why a mesh operation failed.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum MeshError {
    /// The mesh has no cells.
    #[error("the mesh has no cells: a volume mesh is needed, not only points or a surface")]
    Empty,
    /// A coordinate is NaN or infinite.
    #[error("node {node} is at {position}: coordinates must be finite")]
    NotFinite {
        /// The node.
        node: usize,
        /// Its position.
        position: DVec3,
    },
    /// A cell refers to a missing node.
    #[error("cell {cell} refers to node {node}, but the mesh has {node_count} nodes (0 to {})", node_count.saturating_sub(1))]
    NodeOutOfRange {
        /// The cell.
        cell: usize,
        /// The missing node.
        node: usize,
        /// The number of nodes.
        node_count: usize,
    },
    /// A cell uses a node for two of its corners.
    #[error(
        "cell {cell} uses node {node} for two of its corners: it is collapsed, remove it or repair the mesh"
    )]
    RepeatedNode {
        /// The cell.
        cell: usize,
        /// The node.
        node: usize,
    },
    /// A cell whose map from the reference cell is not one-to-one.
    #[error(
        "cell {cell} ({kind}) is {how}: its smallest det J is {det:.3e} m³, expected > 0 by more than rounding; move its nodes or remesh there"
    )]
    InvalidCell {
        /// The cell.
        cell: usize,
        /// Its kind.
        kind: Kind,
        /// `flat`, `inverted` or `partly inverted`.
        how: &'static str,
        /// The smallest Jacobian determinant found, in m³.
        det: f64,
    },
    /// Two cells with the same corners.
    #[error("cells {first} and {second} have the same corners: remove one of them")]
    DuplicateCell {
        /// The earlier cell.
        first: usize,
        /// The later cell.
        second: usize,
    },
    /// A face shared by three or more cells.
    #[error("cells {cells:?} share one face: a face has at most two cells, remove the others")]
    OversharedFace {
        /// The cells around the face.
        cells: Vec<u32>,
    },
    /// No element of the requested degree exists.
    #[error(
        "there is no {kind} of degree {degree}: tetrahedra go up to degree 3, hexahedra to 2, prisms and pyramids to 1"
    )]
    NoSuchDegree {
        /// The kind of the cell.
        kind: Kind,
        /// The requested degree.
        degree: usize,
    },
    /// The requested degree is below that of a cell.
    #[error(
        "a {kind} cannot be elevated to degree {degree}, which is lower than its own: ask for a higher one, or for the corner mesh"
    )]
    DegreeFalls {
        /// The kind of the cell.
        kind: Kind,
        /// The requested degree.
        degree: usize,
    },
    /// The split into five tetrahedra needs nodes of two alternating colours, which this grid does not allow.
    #[error(
        "the grid cannot be split into five tetrahedra per cell: nodes {node} and {other} lie on a ring of an odd number of cells; make that number even or choose another split"
    )]
    NotAlternating {
        /// A node of the ring.
        node: usize,
        /// Its neighbour.
        other: usize,
    },
    /// A generator was given too small a number of cells.
    #[error("{what}: {count} given, at least {least} needed")]
    TooFew {
        /// The parameter.
        what: &'static str,
        /// The number given.
        count: usize,
        /// The smallest number allowed.
        least: usize,
    },
    /// A generator was given a length or angle that must be smaller than another one.
    #[error("{what} is {value}, expected less than {limit} ({limit_name})")]
    TooLarge {
        /// The parameter.
        what: &'static str,
        /// Its value.
        value: f64,
        /// The value it must stay below.
        limit: f64,
        /// A description of that limit.
        limit_name: &'static str,
    },
    /// A generator was given a number out of range.
    #[error("{what} is {value}, expected {expected}")]
    Generator {
        /// The parameter.
        what: &'static str,
        /// Its value.
        value: f64,
        /// The values allowed.
        expected: &'static str,
    },
}
