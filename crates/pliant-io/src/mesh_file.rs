//! A mesh read from a file, and the changes made by the reader.

use pliant::mesh::{CellStatus, Mesh};

use crate::error::ReadError;
use crate::source::Source;

/// A mesh read from a file.
#[derive(Debug, Clone, PartialEq)]
pub struct MeshFile {
    /// The mesh, with valid references and finite numbers.
    pub mesh: Mesh,
    /// The changes made by the reader.
    pub report: ReadReport,
}

/// The changes that a reader made to a mesh.
#[derive(Debug, Clone, Default, PartialEq)]
#[non_exhaustive]
pub struct ReadReport {
    /// Format, version and encoding: `Gmsh 4.1 binary`.
    pub format: String,
    /// Number of nodes that no volume cell uses; they were removed.
    pub dropped_nodes: usize,
    /// Number of cells with inverted orientation; they were reversed.
    pub reversed_cells: usize,
    /// Number of tetrahedra of degree 4 or more that were lowered to degree 3.
    pub lowered_cells: usize,
    /// Maximum distance of a node of a lowered cell from the cell's new shape, in m; 0 if all shapes are unchanged.
    pub lowering_error: f64,
    /// Number of lowered cells with quadratic or straight edges or faces, where cubic ones would fold a cell.
    pub simplified_cells: usize,
    /// Number of 20-node hexahedra completed to 27 nodes; their shape is unchanged.
    pub completed_cells: usize,
    /// Number of repeated cells that were merged; a file can list a cell once for each of its groups.
    pub merged_cells: usize,
    /// True if the file contains exact control points that do not match its nodes.
    pub control_points_ignored: bool,
}

impl ReadReport {
    pub(crate) fn new(format: impl Into<String>) -> Self {
        Self { format: format.into(), ..Self::default() }
    }

    /// Returns notes for the user, one sentence each; empty if the mesh is unchanged.
    pub fn notes(&self) -> Vec<String> {
        let counted = [
            (self.dropped_nodes, "node", "removed (not used by any volume cell)"),
            (self.reversed_cells, "cell", "reversed (inverted orientation)"),
            (self.completed_cells, "hexahedron", "of 20 nodes completed to 27"),
            (self.merged_cells, "repeated cell", "merged"),
        ];
        let mut notes: Vec<String> = counted
            .into_iter()
            .filter(|(count, ..)| *count > 0)
            .map(|(count, one, what)| format!("{} {what}", plural(count, one)))
            .collect();
        if self.lowered_cells > 0 {
            let shape = match self.lowering_error {
                0.0 => "their shape is unchanged".into(),
                error => format!("nodes moved by up to {error:.1e} m"),
            };
            let lowered = plural(self.lowered_cells, "cell");
            notes.push(format!("{lowered} lowered to degree 3, the highest supported; {shape}"));
        }
        if self.simplified_cells > 0 {
            notes.push(format!(
                "{} of them straightened in part, because cubic edges or faces would fold a cell",
                self.simplified_cells
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

/// Returns a count with the singular or plural of a noun.
fn plural(count: usize, one: &str) -> String {
    match (count, one.strip_suffix("on")) {
        (1, _) => format!("1 {one}"),
        (_, Some(stem)) => format!("{count} {stem}a"),
        _ => format!("{count} {one}s"),
    }
}

/// The last step of every reader: checks references and numbers, and reverses inverted cells.
///
/// Flat and partly inverted cells are kept: such a mesh can be viewed and reported on, but making a body from it is
/// an error.
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
