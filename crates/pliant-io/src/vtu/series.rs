//! Writes PVD time series.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use crate::error::WriteError;
use crate::write::write_atomic;

use super::write::{Frame, write};

/// A `.pvd` file and the `.vtu` files that it lists, one per time.
///
/// The list is rewritten with every frame, so that it is always complete: ParaView can open a run in progress, or one
/// that was stopped.
#[derive(Debug, Clone)]
pub struct Series {
    path: PathBuf,
    list: String,
    frame_count: usize,
}

impl Series {
    /// Creates an empty series; nothing is written yet. The frames of `beam.pvd` are written next to it, as
    /// `beam_0000.vtu`, `beam_0001.vtu` and so on.
    pub fn new(path: impl Into<PathBuf>) -> Self {
        Self { path: path.into(), list: String::new(), frame_count: 0 }
    }

    /// The `.pvd` file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Number of frames written so far.
    pub fn frame_count(&self) -> usize {
        self.frame_count
    }

    /// Writes the next frame, at `time` in s, and the list; returns the path of the frame.
    pub fn push(&mut self, time: f64, frame: &Frame<'_>) -> Result<PathBuf, WriteError> {
        let stem = self.path.file_stem().unwrap_or_default().to_string_lossy();
        let name = format!("{stem}_{:04}.vtu", self.frame_count);
        let file = self.path.with_file_name(&name);
        write(&file, frame)?;
        let name = quick_xml::escape::escape(name.as_str());
        let entry = writeln!(
            self.list,
            "<DataSet timestep=\"{time:?}\" group=\"\" part=\"0\" file=\"{name}\"/>"
        );
        entry.expect("writing to a string cannot fail");
        self.frame_count += 1;
        write_atomic(&self.path, |writer| {
            writeln!(writer, "<?xml version=\"1.0\"?>")?;
            writeln!(
                writer,
                "<VTKFile type=\"Collection\" version=\"1.0\" byte_order=\"LittleEndian\">"
            )?;
            write!(writer, "<Collection>\n{}</Collection>\n</VTKFile>\n", self.list)
        })?;
        Ok(file)
    }
}
