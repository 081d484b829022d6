//! Plastic deformation while dragging: Table 1 of Mezger et al. 2007, savings of lazy corotation, and worst-case frame
//! times.

mod drag;
mod limits;
mod table;

use anyhow::Result;

use super::Progress;

/// Table 1.
pub(super) fn tables(progress: Progress<'_>) -> Result<String> {
    table::tables(progress)
}

/// 1,500 cells, and fast random dragging.
pub(super) fn limits(progress: Progress<'_>) -> Result<String> {
    Ok([limits::large(progress)?, limits::random_dragging(progress)?].join("\n"))
}
