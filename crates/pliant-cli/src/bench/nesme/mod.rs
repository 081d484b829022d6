//! Bodies made from surfaces: tests of Nesme et al. 2006 and Mezger et al. 2007.

mod bending;
mod figures;
mod paper;
mod stiffness;

use anyhow::Result;

use super::Progress;

/// Non-uniform stiffness, and degree 2 against degree 1.
pub(super) fn tables(progress: Progress<'_>) -> Result<String> {
    Ok([stiffness::table(progress)?, bending::table(progress)?].join("\n"))
}

/// Table 1 of Nesme et al. 2006, and the update of large surfaces.
pub(super) fn speed_tables(progress: Progress<'_>) -> Result<String> {
    Ok([paper::table(progress)?, paper::surface_update(progress)?].join("\n"))
}
