//! Why a surface did not become tetrahedra.

use pliant::mesh::MeshError;

use crate::SurfaceError;

/// A surface, or settings, of which no tetrahedra can be made.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum TetError {
    /// The surface itself is wrong.
    #[error(transparent)]
    Surface(#[from] SurfaceError),
    /// A setting is out of range.
    #[error("{field} is {value}, expected {expected}")]
    Setting {
        /// Which one.
        field: &'static str,
        /// Its value.
        value: f64,
        /// What would do.
        expected: &'static str,
    },
    /// Nothing is inside the surface.
    #[error(
        "the surface encloses nothing: {open_edges} of its edges are open; close it, or give its sheets a thickness"
    )]
    EnclosesNothing {
        /// Edges with one triangle; [`crate::open_edges`] lists them.
        open_edges: usize,
    },
    /// The solid slips through the lattice.
    #[error(
        "cells of {size:.3e} m are too large for this surface, which is {extent:.3e} m across: nothing of it is thick enough; ask for smaller ones"
    )]
    TooCoarse {
        /// Length of the cells, in m.
        size: f64,
        /// Longest side of the surface's bounding box, in m.
        extent: f64,
    },
    /// More cells than allowed.
    #[error(
        "about {cells:.2e} cells would be made, which take about {:.1} GB of memory, and at most {most_cells} are allowed: ask for larger cells or allow more", *cells * super::BYTES_PER_CELL * 1e-9
    )]
    TooManyCells {
        /// How many, roughly.
        cells: f64,
        /// How many may be.
        most_cells: usize,
    },
    /// Finer cells where the surface has a colour that it does not have.
    #[error(
        "rule {rule} wants finer cells where the surface has the colour {colour:?}, but no triangle has it at all three corners: paint some, or choose another colour"
    )]
    NotPainted {
        /// The rule, by its number in the list.
        rule: usize,
        /// Red, green and blue, 0 to 1.
        colour: [f32; 3],
    },
    /// Finer cells where there are none.
    #[error(
        "rule {rule} wants finer cells where nothing of the body is: move the place, or make it wider than a quarter of a cell"
    )]
    NothingThere {
        /// The rule, by its number in the list.
        rule: usize,
    },
    /// The mesh that was made is none.
    #[error("the mesh made of the surface is unsound: {0}")]
    Mesh(#[from] MeshError),
}
