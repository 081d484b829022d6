//! A mesh read from a file, and what was done to it on the way.

use pliant::mesh::{CellStatus, Mesh};

use crate::error::ReadError;
use crate::source::Source;

/// A mesh read from a file.
#[derive(Debug, Clone, PartialEq)]
pub struct MeshFile {
    /// The mesh, its references and numbers checked.
    pub mesh: Mesh,
    /// What was done to it while reading.
    pub report: ReadReport,
}

/// What a reader did to a mesh besides reading it.
#[derive(Debug, Clone, Default, PartialEq)]
#[non_exhaustive]
pub struct ReadReport {
    /// Format, version and encoding: `Gmsh 4.1 binary`.
    pub format: String,
    /// Nodes of the file that no volume cell uses; they were left out.
    pub dropped_nodes: usize,
    /// Cells whose nodes wound the wrong way; they were turned round.
    pub reversed_cells: usize,
    /// Cells of degree 4, written in degree 3.
    pub lowered_cells: usize,
    /// Farthest that a node of a lowered cell lay from the cell's new shape, in m.
    pub lowering_error: f64,
    /// Hexahedra of 20 nodes, given the 7 that are missing; their shape is the same.
    pub completed_cells: usize,
    /// Cells that stood several times in the file, once for each of their groups.
    pub merged_cells: usize,
    /// Whether the file held exact control points that no longer fit its nodes.
    pub control_points_ignored: bool,
}

impl ReadReport {
    pub(crate) fn new(format: impl Into<String>) -> Self {
        Self { format: format.into(), ..Self::default() }
    }

    /// What a person should know, one sentence each; empty if the mesh is as in the file.
    pub fn notes(&self) -> Vec<String> {
        let counted = [
            (self.dropped_nodes, "node", "that no volume cell uses left out"),
            (self.reversed_cells, "cell", "wound the wrong way and turned round"),
            (self.completed_cells, "hexahedron", "of 20 nodes completed to 27"),
            (self.merged_cells, "repeated cell", "merged"),
        ];
        let mut notes: Vec<String> = counted
            .into_iter()
            .filter(|(count, ..)| *count > 0)
            .map(|(count, one, what)| format!("{} {what}", plural(count, one)))
            .collect();
        if self.lowered_cells > 0 {
            notes.push(format!(
                "{} lowered from degree 4 to 3, the highest there is; nodes moved by up to {:.1e} m",
                plural(self.lowered_cells, "cell"),
                self.lowering_error
            ));
        }
        if self.control_points_ignored {
            notes.push(
                "the control points in the file do not fit its nodes; the nodes were used".into(),
            );
        }
        notes
    }
}

/// A count and what is counted.
fn plural(count: usize, one: &str) -> String {
    match (count, one.strip_suffix("on")) {
        (1, _) => format!("1 {one}"),
        (_, Some(stem)) => format!("{count} {stem}a"),
        _ => format!("{count} {one}s"),
    }
}

/// The last step of every reader: checks references and numbers and turns reversed cells round.
///
/// Flat and partly inverted cells are left as they are: a mesh with such cells can be looked at
/// and reported on, and is refused when a body is made of it.
pub(crate) fn finish(
    source: &Source<'_>,
    mut mesh: Mesh,
    mut report: ReadReport,
) -> Result<MeshFile, ReadError> {
    mesh.check()
        .map_err(|error| ReadError::Mesh { path: source.path.to_owned(), source: error })?;
    for (cell, validity) in mesh.invalid_cells() {
        if validity.status == CellStatus::Inverted {
            mesh.reverse(cell);
            report.reversed_cells += 1;
        }
    }
    Ok(MeshFile { mesh, report })
}
