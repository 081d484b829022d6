//! Converts cells without an element in the engine to kinds that have one.
//!
//! A quartic tetrahedron is sampled at the nodes of a cubic one. A hexahedron with nodes only on its edges gets the
//! missing ones from its own interpolation, so its shape does not change. A new node on an edge or face depends only
//! on the nodes of that edge or face, so neighbours agree on it.

use std::cell::LazyCell;
use std::collections::BTreeMap;

use glam::DVec3;
use pliant::element::Kind;
use pliant_kernels::element::{DenseMatrix, lattice};
use pliant_mesh::mesh::NodeKey;

use crate::file_mesh::{FileCellKind, FileMesh};
use crate::mesh_file::ReadReport;
use crate::quartic::Lowering;

/// Number of nodes on the corners and edges of a hexahedron.
const HEX20: usize = 20;

/// Replaces every cell of [`FileCellKind::Tet35`] and [`FileCellKind::Hex20`].
pub(crate) fn resample(file_mesh: &mut FileMesh, report: &mut ReadReport) {
    let mut new_nodes = NewNodes::default();
    let lowering = LazyCell::new(Lowering::new);
    let completion = LazyCell::new(completion);
    for (kind, nodes) in std::mem::take(&mut file_mesh.blocks) {
        let cell_count = nodes.len() / kind.node_count();
        let matrix = match kind {
            FileCellKind::Of(_) => {
                file_mesh.blocks.push((kind, nodes));
                continue;
            }
            FileCellKind::Tet35 => {
                report.lowered_cells += cell_count;
                let error = lowering.error(&file_mesh.points, &nodes);
                report.lowering_error = report.lowering_error.max(error);
                &lowering.cubic_from_quartic
            }
            FileCellKind::Hex20 => {
                report.completed_cells += cell_count;
                &completion
            }
        };
        let target = kind.engine_kind();
        let cells = new_nodes.resampled(&mut file_mesh.points, target, matrix, &nodes);
        file_mesh.blocks.push((FileCellKind::Of(target), cells));
    }
    new_nodes.join_sets(file_mesh);
}

/// The nodes created so far.
#[derive(Default)]
struct NewNodes {
    by_place: BTreeMap<(usize, NodeKey), u32>,
    /// Each new node with the nodes of the file that it depends on.
    supports: Vec<(u32, Vec<u32>)>,
}

impl NewNodes {
    /// Returns cells of kind `target`, with nodes in lattice order; each row of `matrix` gives a node from those of a
    /// cell of the file.
    fn resampled(
        &mut self,
        points: &mut Vec<DVec3>,
        target: Kind,
        matrix: &DenseMatrix,
        nodes: &[u32],
    ) -> Vec<u32> {
        let places = lattice(target);
        let mut cells = Vec::new();
        for cell in nodes.chunks_exact(matrix.columns) {
            for (row, place) in matrix.rows().zip(&places) {
                cells.push(self.node(points, target, cell, row, *place));
            }
        }
        cells
    }

    fn node(
        &mut self,
        points: &mut Vec<DVec3>,
        target: Kind,
        cell: &[u32],
        row: &[f64],
        place: [usize; 3],
    ) -> u32 {
        if let Some(same) = row.iter().position(|weight| *weight == 1.0) {
            return cell[same];
        }
        let corners = &cell[..target.corner_count()];
        let key = NodeKey::new(target.shape(), corners, target.degree(), place);
        *self.by_place.entry((target.degree(), key)).or_insert_with(|| {
            let terms: Vec<(u32, f64)> = cell
                .iter()
                .copied()
                .zip(row.iter().copied())
                .filter(|term| term.1 != 0.0)
                .collect();
            points.push(terms.iter().map(|(node, weight)| points[*node as usize] * *weight).sum());
            let node = (points.len() - 1) as u32;
            self.supports.push((node, terms.into_iter().map(|term| term.0).collect()));
            node
        })
    }

    /// Adds a new node to a node set if all nodes that it depends on are in the set.
    fn join_sets(&self, file_mesh: &mut FileMesh) {
        if self.supports.is_empty() {
            return;
        }
        for (_, members) in &mut file_mesh.node_sets {
            members.sort_unstable();
            let inside = |node: &u32| members.binary_search(node).is_ok();
            let joining = self.supports.iter().filter(|(_, support)| support.iter().all(inside));
            let joining: Vec<u32> = joining.map(|(node, _)| *node).collect();
            members.extend(joining);
        }
    }
}

/// Returns the matrix from the nodes of the 20-node hexahedron to those of the 27-node one.
///
/// ```text
/// face centre = −¼ Σ (its 4 corners) + ½ Σ (its 4 edge nodes)
/// cell centre = −¼ Σ (8 corners)     + ¼ Σ (12 edge nodes)
/// ```
///
/// Derived here: the values of the 20-node serendipity basis at these points. The basis lies in the triquadratic
/// space, so the shape does not change.
fn completion() -> DenseMatrix {
    let nodes = lattice(Kind::Hex27);
    let mut entries = Vec::new();
    for (k, node) in nodes.iter().enumerate() {
        entries.extend((0..HEX20).map(|column| match k {
            _ if k < HEX20 => f64::from(u8::from(k == column)),
            _ => completion_weight(*node, nodes[column], column < 8),
        }));
    }
    DenseMatrix { columns: HEX20, entries }
}

/// Weight of a corner or edge node at a face or cell centre; both positions are in units of half an edge.
fn completion_weight(centre: [usize; 3], node: [usize; 3], is_corner: bool) -> f64 {
    // The coordinate that is 0 or 2 gives the face of the centre.
    let on_face = (0..3).find(|axis| centre[*axis] != 1);
    match on_face {
        Some(axis) if node[axis] != centre[axis] => 0.0,
        _ if is_corner => -0.25,
        Some(_) => 0.5,
        None => 0.25,
    }
}
