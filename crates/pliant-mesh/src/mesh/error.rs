//! What can be wrong with a mesh.

use glam::DVec3;

use crate::element::Kind;

/// A mesh that cannot become a body.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum MeshError {
    /// No cells at all.
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
    /// A cell names a node that is not there.
    #[error("cell {cell} refers to node {node}, but the mesh has {node_count} nodes (0 to {})", node_count.saturating_sub(1))]
    NodeOutOfRange {
        /// The cell.
        cell: usize,
        /// The missing node.
        node: usize,
        /// How many there are.
        node_count: usize,
    },
    /// A cell names a corner twice.
    #[error(
        "cell {cell} uses node {node} for two of its corners: it is collapsed, remove it or repair the mesh"
    )]
    RepeatedNode {
        /// The cell.
        cell: usize,
        /// The node.
        node: usize,
    },
    /// A cell whose map is not one-to-one somewhere.
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
        /// The worst Jacobian determinant found.
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
    /// A face with cells on three or more of its sides.
    #[error("cells {cells:?} share one face: a face has at most two cells, remove the others")]
    OversharedFace {
        /// The cells around the face.
        cells: Vec<u32>,
    },
    /// No element of the wanted degree.
    #[error(
        "there is no {kind} of degree {degree}: tetrahedra go up to degree 3, hexahedra to 2, prisms and pyramids to 1"
    )]
    NoSuchDegree {
        /// The kind at hand.
        kind: Kind,
        /// The degree asked for.
        degree: usize,
    },
    /// A degree below the one at hand.
    #[error(
        "a {kind} cannot be elevated to degree {degree}, which is lower than its own: ask for a higher one, or for the corner mesh"
    )]
    DegreeFalls {
        /// The kind at hand.
        kind: Kind,
        /// The degree asked for.
        degree: usize,
    },
    /// Five tetrahedra a hexahedron need nodes of two alternating colours.
    #[error(
        "the grid cannot be split into five tetrahedra a cell: nodes {node} and {other} lie on a ring of an odd number of cells; make that number even or take another split"
    )]
    NotAlternating {
        /// A node of the ring.
        node: usize,
        /// Its neighbour.
        other: usize,
    },
    /// A generator was asked for too few cells.
    #[error("{what}: {count} given, at least {least} needed")]
    TooFew {
        /// Which cells.
        what: &'static str,
        /// How many were asked for.
        count: usize,
        /// How many it takes.
        least: usize,
    },
    /// A generator was given a length or angle that does not fit another.
    #[error("{what} is {value}, expected less than {limit} ({limit_name})")]
    TooLarge {
        /// The parameter.
        what: &'static str,
        /// Its value.
        value: f64,
        /// What it must stay below.
        limit: f64,
        /// What that is.
        limit_name: &'static str,
    },
    /// A generator was given a number out of range.
    #[error("{what} is {value}, expected {expected}")]
    Generator {
        /// The parameter.
        what: &'static str,
        /// Its value.
        value: f64,
        /// What would do.
        expected: &'static str,
    },
}
