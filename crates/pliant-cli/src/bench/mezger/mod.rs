//! Editing that stays: Table 1 of Mezger et al. 2007, what lazy corotation saves, and frames that must not be late.

mod drag;
mod limits;
mod table;

use anyhow::Result;

use super::Progress;

/// Table 1.
pub(super) fn tables(progress: Progress<'_>) -> Result<String> {
    table::tables(progress)
}

/// 1,500 cells, and a violent session.
pub(super) fn limits(progress: Progress<'_>) -> Result<String> {
    Ok([limits::large(progress)?, limits::violent(progress)?].join("\n"))
}
