//! Breaking bodies: the glass cell and the twisted pole of Parker & O'Brien 2009, figures 5 to 8 and 11.

mod budget;
mod energy;
mod figures;
mod frames;
mod memory;
mod pole;
mod recording;
mod run;
mod workload;

use anyhow::Result;

use super::Progress;
use recording::Recording;

/// The scene of figures 5 to 8 of the paper.
const CELL: &str = "parker/glass-cell";

/// The scene of figure 11 of the paper.
const POLE: &str = "parker/pole";

/// All sections.
pub(super) fn tables(progress: Progress<'_>) -> Result<String> {
    let cell = Recording::of(CELL, progress)?;
    let mut text = String::new();
    text += &frames::table(&cell)?;
    text += &frames::asleep(&cell)?;
    text += &frames::threads(&cell)?;
    text += &figures::phases(&cell)?;
    text += &figures::workload(&cell)?;
    text += &memory::table(&cell)?;
    text += &budget::table(&cell, progress)?;
    text += &energy::table(progress)?;
    text += &pole::table(progress)?;
    Ok(text)
}
