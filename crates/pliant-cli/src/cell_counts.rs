//! Number of cells of each kind in a mesh.

use std::collections::BTreeMap;
use std::fmt;

use pliant::mesh::Mesh;
use serde::Serialize;

/// Cell counts by the name of their kind; displayed as `8 hex8 + 2 prism6`.
#[derive(Debug, Serialize)]
#[serde(transparent)]
pub(crate) struct CellCounts(BTreeMap<&'static str, usize>);

impl CellCounts {
    /// Counts the cells of a mesh.
    pub(crate) fn of(mesh: &Mesh) -> Self {
        Self::of_all([mesh])
    }

    /// Counts the cells of several meshes together.
    pub(crate) fn of_all<'a>(meshes: impl IntoIterator<Item = &'a Mesh>) -> Self {
        let mut counts = BTreeMap::new();
        for block in meshes.into_iter().flat_map(|mesh| &mesh.blocks) {
            *counts.entry(block.kind.name()).or_insert(0) += block.cell_count();
        }
        Self(counts)
    }
}

impl fmt::Display for CellCounts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let counts: Vec<String> =
            self.0.iter().map(|(kind, count)| format!("{count} {kind}")).collect();
        f.write_str(&counts.join(" + "))
    }
}
