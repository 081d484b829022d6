//! Reasons why contents do not fit the cells.

use pliant_kernels::element::Kind;

/// Contents that do not fit the cells.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ContentsError {
    /// A resolution that is zero or too high.
    #[error("cells are cut into {resolution} leaves along a side, expected 1 to {most}")]
    Resolution {
        /// Leaves along a side.
        resolution: u32,
        /// The largest resolution.
        most: u32,
    },
    /// The number of cells is wrong.
    #[error("the contents are those of {given} cells, but the mesh has {cell_count}")]
    Count {
        /// Cells with contents.
        given: usize,
        /// Cells of the mesh.
        cell_count: usize,
    },
    /// A cell without matter.
    #[error("cell {cell} holds no matter and would have no mass: leave it out")]
    Empty {
        /// The cell.
        cell: usize,
    },
    /// A leaf outside its cell.
    #[error("cell {cell} has a leaf at {place:?}, expected places below {resolution}")]
    Outside {
        /// The cell.
        cell: usize,
        /// The index of the leaf.
        place: [u16; 3],
        /// Leaves along a side.
        resolution: u32,
    },
    /// An invalid filled fraction.
    #[error("cell {cell} has a leaf filled to {fill}, expected more than 0 and at most 1")]
    Fill {
        /// The cell.
        cell: usize,
        /// The filled fraction.
        fill: f64,
    },
    /// A missing material.
    #[error("cell {cell} has a leaf of material {material}, but there are {count}")]
    Material {
        /// The cell.
        cell: usize,
        /// The index of the material.
        material: usize,
        /// Number of materials.
        count: usize,
    },
    /// A cell that is not a hexahedron with straight, parallel sides.
    #[error("cell {cell} is a {kind}: only hexahedra with straight, parallel sides have contents")]
    NotABox {
        /// The cell.
        cell: usize,
        /// The kind of the cell.
        kind: Kind,
    },
}
