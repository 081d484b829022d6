//! Errors of the voxel mesher.

use pliant::mesh::MeshError;

use crate::SurfaceError;

/// A surface or setting that cannot be voxelised.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum VoxelError {
    /// The surface has no triangles and no lines.
    #[error("the surface has no triangles and no lines: give it at least one")]
    Empty,
    /// Every triangle and line is degenerate.
    #[error(
        "all {triangle_count} triangles and {line_count} lines of the surface have no area or length: check if all vertices are at one place, or the unit is too coarse"
    )]
    Degenerate {
        /// The number of triangles.
        triangle_count: usize,
        /// The number of lines.
        line_count: usize,
    },
    /// The vertices, or references to them, are invalid.
    #[error(transparent)]
    Surface(#[from] SurfaceError),
    /// Normals, texture coordinates, parts or colours do not match the number of triangles or vertices.
    #[error("the surface has {given} {what}, expected one for each of {expected}")]
    AttributeCount {
        /// The attribute.
        what: &'static str,
        /// The number given.
        given: usize,
        /// The number expected.
        expected: usize,
    },
    /// The size is too small for its position, or its cube is out of the range of floats.
    #[error(
        "the surface is {extent:.3e} m large and reaches {reach:.3e} m from the origin: coordinates hold too few digits of its shape; move it to the origin or choose another unit"
    )]
    Extent {
        /// The longest side of the bounding box, in m.
        extent: f64,
        /// The largest coordinate, in m.
        reach: f64,
    },
    /// A depth is too large.
    #[error("{what} is {depth}, expected at most {most}")]
    Depth {
        /// The name of the depth.
        what: &'static str,
        /// Its value.
        depth: u32,
        /// The largest value allowed.
        most: u32,
    },
    /// The length of a cell is not positive and finite.
    #[error("the length of a cell is {length} m, expected a positive, finite number")]
    Length {
        /// The length, in m.
        length: f64,
    },
    /// Leaves are larger than cells.
    #[error(
        "the leaves are at depth {leaf_depth} but the cells at depth {cell_depth}: leaves must be at least as fine; raise the leaf depth or take larger cells"
    )]
    LeavesTooCoarse {
        /// The depth of the leaves.
        leaf_depth: u32,
        /// The depth of the cells.
        cell_depth: u32,
    },
    /// Leaves are too many levels below the cells.
    #[error(
        "the leaves are at depth {leaf_depth} but the cells at depth {cell_depth}: leaves may be at most {most} levels finer; lower the leaf depth or take smaller cells"
    )]
    LeavesTooFine {
        /// The depth of the leaves.
        leaf_depth: u32,
        /// The depth of the cells.
        cell_depth: u32,
        /// The largest number of levels between them.
        most: u32,
    },
    /// The degree is not supported.
    #[error("the degree of the cells is {degree}, expected 1 or 2")]
    Degree {
        /// The degree.
        degree: usize,
    },
    /// The fill of boundary leaves is out of range.
    #[error("the fill of boundary leaves is {fill}, expected a fraction in (0, 1]")]
    Fill {
        /// The fill.
        fill: f64,
    },
    /// Leaves, or the split surface, would not fit in memory.
    #[error(
        "the voxels need {:.3} GiB of memory but {:.3} GiB are allowed: take a smaller leaf depth or larger cells, or allow more", gibibytes(*.needed), gibibytes(*.allowed as f64)
    )]
    Memory {
        /// The approximate memory needed, in bytes.
        needed: f64,
        /// The memory allowed, in bytes.
        allowed: u64,
    },
    /// The surface has no winding number.
    #[error("winding numbers cannot find the inside: {0}; use flood fill")]
    Winding(SurfaceError),
    /// A rule chooses by colour, but the surface has no colours.
    #[error("rule {rule} takes the material from painted colours, but the surface has none")]
    NoColours {
        /// The index of the rule.
        rule: usize,
    },
    /// The mesh is invalid.
    #[error(transparent)]
    Mesh(#[from] MeshError),
}

fn gibibytes(bytes: f64) -> f64 {
    bytes / (1u64 << 30) as f64
}
