//! Chooses cells for a surface: tetrahedra where they follow it, voxels where they do not.
//!
//! ```text
//! method.rs          what is wished          misfit.rs   why tetrahedra do not serve a surface
//! parts.rs           its connected parts     chosen.rs   the choice, with its reason
//! voxel_count.rs     voxels of about a number
//! surface_cells.rs   the cells, and the model they make    error.rs   surfaces that neither mesher takes
//! ```

mod chosen;
mod error;
mod method;
mod misfit;
mod parts;
mod surface_cells;
mod voxel_count;

pub use chosen::ChosenCells;
pub use error::SurfaceCellsError;
pub use method::CellMethod;
pub use misfit::Misfit;
pub use surface_cells::SurfaceCells;
