//! Why a surface did not become voxels.

use pliant::mesh::MeshError;

use crate::SurfaceError;

/// A surface or setting that voxels cannot be made of.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum VoxelError {
    /// Nothing to bound.
    #[error("the surface has no triangles and no lines: give it at least one")]
    Empty,
    /// Nothing with an extent.
    #[error(
        "all {triangle_count} triangles and {line_count} lines of the surface have no area or length: are the vertices all at one place, or the unit too coarse?"
    )]
    Degenerate {
        /// Number of triangles.
        triangle_count: usize,
        /// Number of lines.
        line_count: usize,
    },
    /// Its vertices, or what names them, are wrong.
    #[error(transparent)]
    Surface(#[from] SurfaceError),
    /// Normals, texture coordinates or colours that are not one for each.
    #[error("the surface has {given} {what}, expected one for each of {expected}")]
    AttributeCount {
        /// Which attribute, and of what.
        what: &'static str,
        /// How many there are.
        given: usize,
        /// How many there should be.
        expected: usize,
    },
    /// A size that the numbers of a computer do not resolve.
    #[error(
        "the surface is {extent:.3e} m large and reaches {reach:.3e} m from the origin: coordinates hold too few digits of its shape; move it to the origin or choose another unit"
    )]
    Extent {
        /// Longest side of its box, in m.
        extent: f64,
        /// Largest coordinate, in m.
        reach: f64,
    },
    /// A depth that nothing could hold.
    #[error("{what} is {depth}, expected at most {most}")]
    Depth {
        /// Which depth.
        what: &'static str,
        /// Its value.
        depth: u32,
        /// The greatest.
        most: u32,
    },
    /// Cells without a size.
    #[error("the length of a cell is {length} m, expected a positive, finite number")]
    Length {
        /// The length, in m.
        length: f64,
    },
    /// Leaves that are larger than the cells they are in.
    #[error(
        "the leaves are at depth {leaf_depth} but the cells at depth {cell_depth}: leaves must be at least as fine; raise the leaf depth or take larger cells"
    )]
    LeavesTooCoarse {
        /// Depth of the leaves.
        leaf_depth: u32,
        /// Depth of the cells.
        cell_depth: u32,
    },
    /// More leaves along a cell than contents can have.
    #[error(
        "the leaves are at depth {leaf_depth} but the cells at depth {cell_depth}: leaves may be at most {most} levels finer; lower the leaf depth or take smaller cells"
    )]
    LeavesTooFine {
        /// Depth of the leaves.
        leaf_depth: u32,
        /// Depth of the cells.
        cell_depth: u32,
        /// Most levels between them.
        most: u32,
    },
    /// A degree there are no hexahedra of.
    #[error("the degree of the cells is {degree}, expected 1 or 2")]
    Degree {
        /// The degree.
        degree: usize,
    },
    /// A part that is none.
    #[error("the fill of boundary leaves is {fill}, expected a part in (0, 1]")]
    Fill {
        /// The part.
        fill: f64,
    },
    /// Leaves, or parts of triangles, that would not fit into memory.
    #[error(
        "the voxels need {:.3} GiB of memory but {:.3} GiB are allowed: take a smaller leaf depth or larger cells, or allow more", gibibytes(*.needed), gibibytes(*.allowed as f64)
    )]
    Memory {
        /// What they would take, about, in bytes.
        needed: f64,
        /// What they may take, in bytes.
        allowed: u64,
    },
    /// No winding numbers for lines.
    #[error("inside is to be told by winding numbers: {0}; let flood fill decide")]
    Winding(SurfaceError),
    /// Materials by colour on a surface without colours.
    #[error("rule {rule} takes the material from painted colours, but the surface has none")]
    NoColours {
        /// The rule, by its number in the list.
        rule: usize,
    },
    /// The mesh could not be made.
    #[error(transparent)]
    Mesh(#[from] MeshError),
}

fn gibibytes(bytes: f64) -> f64 {
    bytes / (1u64 << 30) as f64
}
