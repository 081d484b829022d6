//! Meshes of the bars.

use anyhow::Result;
use pliant::mesh::Mesh;
use pliant::mesh::generate::{BoxConfig, Split, box_mesh};

/// The cells of a bar.
#[derive(Debug, Clone, Copy)]
pub(in crate::bench) struct Grid {
    pub(in crate::bench) split: Split,
    pub(in crate::bench) degree: usize,
    /// Boxes along and across the bar, before they are split.
    pub(in crate::bench) boxes: [usize; 2],
}

impl Grid {
    /// The mesh of a bar of this size, in m, from the origin along x.
    pub(super) fn mesh(&self, size: [f64; 3]) -> Result<Mesh> {
        let Self { split, degree, boxes: [along, across] } = *self;
        let cells = [along, across, across];
        Ok(box_mesh(&BoxConfig { size, cells, split, degree, ..Default::default() })?)
    }

    /// The numbers of cells and nodes.
    pub(in crate::bench) fn size(&self) -> Result<[usize; 2]> {
        let mesh = self.mesh([1.0; 3])?;
        Ok([mesh.cell_count(), mesh.nodes.len()])
    }
}
