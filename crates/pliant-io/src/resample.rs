//! Converts cells without an element in the engine to kinds that have one.
//!
//! A tetrahedron of degree 4 or more is sampled at the nodes of a cubic one. A hexahedron with nodes only on its edges gets the
//! missing ones from its own interpolation, so its shape does not change. A new node on an edge or face depends only
//! on the nodes of that edge or face, so neighbours agree on it.

use std::cell::LazyCell;
use std::collections::BTreeMap;

use glam::DVec3;
use pliant::element::Kind;
use pliant_kernels::element::{DenseMatrix, lattice};
use pliant_mesh::mesh::NodeKey;

use crate::error::ReadError;
use crate::file_mesh::{FileCellKind, FileMesh};
use crate::high_degree::{Lowering, simplify};
use crate::mesh_file::ReadReport;
use crate::source::Source;

/// Number of nodes on the corners and edges of a hexahedron.
const HEX20: usize = 20;

/// Replaces every cell of [`FileCellKind::HighTet`] and [`FileCellKind::Hex20`].
pub(crate) fn resample(
    file_mesh: &mut FileMesh,
    source: &Source<'_>,
    report: &mut ReadReport,
) -> Result<(), ReadError> {
    let mut new_nodes = NewNodes::default();
    let completion = LazyCell::new(completion);
    // The cells of one high degree may be in several blocks; a shape is chosen for all of them together.
    let mut high = BTreeMap::new();
    let mut first_cell = 0;
    for (kind, nodes) in std::mem::take(&mut file_mesh.blocks) {
        let cell_count = nodes.len() / kind.node_count();
        let target = kind.engine_kind();
        let points = &mut file_mesh.points;
        let block = match kind {
            FileCellKind::Of(_) => nodes,
            FileCellKind::HighTet { degree } => {
                let high = high.entry(degree).or_insert_with(|| HighCells::new(degree));
                let cells = new_nodes.resampled(points, target, &high.lowering.cubic, &nodes);
                high.push(first_cell..first_cell + cell_count, &nodes, &cells);
                cells
            }
            FileCellKind::Hex20 => {
                report.completed_cells += cell_count;
                new_nodes.resampled(points, target, &completion, &nodes)
            }
        };
        first_cell += cell_count;
        file_mesh.blocks.push((FileCellKind::Of(target), block));
    }
    for (degree, cells) in high {
        cells.finish(degree, file_mesh, source, report)?;
    }
    new_nodes.join_sets(file_mesh);
    Ok(())
}

/// The tetrahedra of one high degree.
struct HighCells {
    lowering: Lowering,
    /// Their numbers in the file.
    numbers: Vec<usize>,
    given: Vec<u32>,
    cubic: Vec<u32>,
}

impl HighCells {
    fn new(degree: usize) -> Self {
        let lowering = Lowering::new(degree);
        Self { lowering, numbers: Vec::new(), given: Vec::new(), cubic: Vec::new() }
    }

    fn push(&mut self, numbers: std::ops::Range<usize>, given: &[u32], cubic: &[u32]) {
        self.numbers.extend(numbers);
        self.given.extend_from_slice(given);
        self.cubic.extend_from_slice(cubic);
    }

    /// Makes the cubic cells valid, and adds them to the report.
    fn finish(
        &self,
        degree: usize,
        file_mesh: &mut FileMesh,
        source: &Source<'_>,
        report: &mut ReadReport,
    ) -> Result<(), ReadError> {
        let done = simplify(&mut file_mesh.points, &self.lowering, &self.given, &self.cubic);
        if !done.invalid.is_empty() {
            let invalid = done.invalid.iter().map(|cell| self.numbers[*cell]);
            return Err(ReadError::NotLowered {
                path: source.path.to_owned(),
                degree,
                cell_count: self.numbers.len(),
                invalid: invalid.collect(),
            });
        }
        report.lowered_cells += self.numbers.len();
        report.simplified_cells += done.cell_count;
        report.lowering_error = report.lowering_error.max(done.error);
        Ok(())
    }
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
