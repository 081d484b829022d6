//! Reasons why contents do not fit the cells.

use crate::element::Kind;

/// Contents that do not fit the cells.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ContentsError {
    /// Leaves that are none, or too many to be counted.
    #[error("cells are cut into {resolution} leaves along a side, expected 1 to {most}")]
    Resolution {
        /// Leaves along a side.
        resolution: u32,
        /// The most there may be.
        most: u32,
    },
    /// Not one list of leaves per cell.
    #[error("the contents are those of {given} cells, but the mesh has {cell_count}")]
    Count {
        /// Cells that have contents.
        given: usize,
        /// Cells there are.
        cell_count: usize,
    },
    /// A cell without matter.
    #[error("cell {cell} holds no matter and would have no mass: leave it out")]
    Empty {
        /// The cell.
        cell: usize,
    },
    /// A leaf beyond its cell.
    #[error("cell {cell} has a leaf at {place:?}, expected places below {resolution}")]
    Outside {
        /// The cell.
        cell: usize,
        /// Where the leaf is said to be.
        place: [u16; 3],
        /// Leaves along a side.
        resolution: u32,
    },
    /// A part that is none.
    #[error("cell {cell} has a leaf filled to {fill}, expected more than 0 and at most 1")]
    Fill {
        /// The cell.
        cell: usize,
        /// The part that is matter.
        fill: f64,
    },
    /// A material that is not in the list.
    #[error("cell {cell} has a leaf of material {material}, but there are {count}")]
    Material {
        /// The cell.
        cell: usize,
        /// The number of the material.
        material: usize,
        /// Materials there are.
        count: usize,
    },
    /// Cells other than hexahedra.
    #[error("cell {cell} is a {kind}: only hexahedra with straight, parallel sides have contents")]
    NotABox {
        /// The cell.
        cell: usize,
        /// What it is.
        kind: Kind,
    },
}
