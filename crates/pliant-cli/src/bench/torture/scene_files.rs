//! The scenes as files, to look at a run that fails.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};

use super::engine::{Engine, Job};
use crate::terminal::print;

/// Writes the scene file of each run of Pliant to a folder, and prints their paths.
pub(super) fn write(jobs: &[Job<'_>], folder: &Path) -> Result<()> {
    fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
    for job in jobs.iter().filter(|job| job.engine != Engine::Rapier) {
        let path = folder.join(file_name(job));
        fs::write(&path, job.scene_text())
            .with_context(|| format!("cannot write {}", path.display()))?;
        print(&format!("{}\n", path.display()))?;
    }
    Ok(())
}

/// The name of a run with `-` for everything but letters, digits, `-` and `.`.
fn file_name(job: &Job<'_>) -> String {
    let name = job.name().replace(" | ", " ");
    let plain = |c: char| if c.is_ascii_alphanumeric() || c == '.' { c } else { '-' };
    format!("{}.toml", name.chars().map(plain).collect::<String>())
}
