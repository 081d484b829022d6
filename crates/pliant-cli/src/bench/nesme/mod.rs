//! Bodies made of surfaces: what Nesme et al. 2006 and Mezger et al. 2007 show of theirs.

mod bending;
mod figures;
mod paper;
mod stiffness;

use anyhow::Result;

use super::Progress;

/// Stiffness by contents, Table 1, the update of large surfaces, and degree 2 against degree 1.
pub(super) fn tables(progress: Progress<'_>) -> Result<String> {
    let parts = [
        stiffness::table(progress)?,
        paper::table(progress)?,
        paper::surface_update(progress)?,
        bending::table(progress)?,
    ];
    Ok(parts.join("\n"))
}
