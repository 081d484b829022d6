//! Errors of the tetrahedral mesher.

use pliant::mesh::MeshError;

use crate::SurfaceError;

/// A surface or settings that cannot be meshed with tetrahedra.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum TetError {
    /// The surface is invalid.
    #[error(transparent)]
    Surface(#[from] SurfaceError),
    /// A setting is out of range.
    #[error("{field} is {value}, expected {expected}")]
    Setting {
        /// The name of the setting.
        field: &'static str,
        /// Its value.
        value: f64,
        /// The valid values.
        expected: &'static str,
    },
    /// The surface has no inside.
    #[error(
        "the surface encloses nothing: {open_edges} of its edges are open; close it, or give its sheets a thickness"
    )]
    EnclosesNothing {
        /// Edges with one triangle; [`crate::open_edges`] lists them.
        open_edges: usize,
    },
    /// Every part of the solid is too thin for the lattice.
    #[error(
        "cells of {size:.3e} m are too large for this surface, which is {extent:.3e} m across: nothing of it is thick enough; ask for smaller ones"
    )]
    TooCoarse {
        /// Length of the cells, in m.
        size: f64,
        /// Longest side of the surface's bounding box, in m.
        extent: f64,
    },
    /// The mesh would have more cells than allowed.
    #[error(
        "about {cells:.2e} cells would be made, which take about {:.1} GB of memory, and at most {max_cells} are allowed: ask for larger cells or allow more", *cells * super::BYTES_PER_CELL * 1e-9
    )]
    TooManyCells {
        /// The approximate number of cells.
        cells: f64,
        /// The largest number allowed.
        max_cells: usize,
    },
    /// A rule asks for finer cells where the surface has a colour, but no triangle has that colour.
    #[error(
        "rule {rule} asks for finer cells where the surface has the colour {colour:?}, but no triangle has it at all three corners: paint some, or choose another colour"
    )]
    NotPainted {
        /// The index of the rule.
        rule: usize,
        /// Red, green and blue, 0 to 1.
        colour: [f32; 3],
    },
    /// A rule asks for finer cells where the mesh has no cells.
    #[error(
        "rule {rule} asks for finer cells where the body has none: move the place, or make it wider than a quarter of a cell"
    )]
    NothingThere {
        /// The index of the rule.
        rule: usize,
    },
    /// The resulting mesh is invalid.
    #[error("the mesh made of the surface is invalid: {0}")]
    Mesh(#[from] MeshError),
}
