//! Errors of bodies made from surfaces.

use pliant::body::{BodyError, ModelError};
use pliant_io::ReadError;
use pliant_mesher::choose::SurfaceCellsError;

/// A surface, or settings, of which no body can be made. Every message names the file and what to change.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BodyFromSurfaceError {
    /// The file cannot be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// The size is not a length.
    #[error("{surface}: its size shall be {size} m, expected a positive, finite length")]
    Size {
        /// The file or figure.
        surface: String,
        /// The wished length of its longest side, in m.
        size: f64,
    },
    /// The surface has no extent, so that it cannot be scaled to a size.
    #[error(
        "{surface}: it has no extent to scale: check that it has vertices at different places, or leave out the size"
    )]
    NoExtent {
        /// The file or figure.
        surface: String,
    },
    /// The surface cannot be filled with cells.
    #[error("{surface}: {error}")]
    Cells {
        /// The file or figure.
        surface: String,
        /// The error of the mesher.
        error: SurfaceCellsError,
    },
    /// Cells, material or touching skin are invalid.
    #[error("{surface}: {error}")]
    Model {
        /// The file or figure.
        surface: String,
        /// The error of the engine.
        error: ModelError,
    },
    /// The body is invalid.
    #[error("{surface}: {error}")]
    Body {
        /// The file or figure.
        surface: String,
        /// The error of the engine.
        error: BodyError,
    },
}
