//! Moves control points towards their targets as far as cells stay within their bounds of quality.

use glam::DVec3;
use pliant::mesh::Mesh;
use pliant_kernels::math::{Rows, parallel_map};

use super::curved_quality::CurvedGauge;

/// The steps that all control points try together, as fractions of their displacements.
const STRIDES: [f64; 7] = [1.0, 0.5, 0.25, 0.25, 0.125, 0.125, 0.125];
/// The steps that the remaining control points try one by one, as fractions of their displacements.
const LONE_STRIDES: [f64; 4] = [1.0, 0.5, 0.25, 0.125];
/// The number of such attempts: other control points may have made room.
const LONE_SWEEPS: usize = 1;

/// A mesh with a curved boundary.
#[derive(Debug)]
pub(super) struct Curved {
    pub(super) mesh: Mesh,
    /// The control points that did not reach their targets.
    pub(super) held_back: Vec<usize>,
}

/// Moves every control point towards its position in `goal` as far as all cells stay within their
/// bounds.
///
/// All control points try the full displacement. Those of cells that would become unfit go back and try again with
/// smaller steps, at last one by one. Cells are fit at the start, so going back is always possible.
pub(super) fn advanced(start: Mesh, goal: &Mesh, gauge: &CurvedGauge) -> Curved {
    let mut advance = NodeAdvance {
        parts: vec![0.0; start.nodes.len()],
        mesh: start.clone(),
        start,
        goal,
        gauge,
    };
    for stride in STRIDES {
        advance.stride_together(stride);
    }
    let around = advance.mesh.node_cells();
    for _ in 0..LONE_SWEEPS {
        for nodes in independent_groups(&advance.mesh, &advance.held_back(), &around) {
            LONE_STRIDES.iter().for_each(|stride| advance.stride_alone(&nodes, *stride, &around));
        }
    }
    let held_back = advance.held_back();
    Curved { mesh: advance.mesh, held_back }
}

/// Groups these nodes so that no two nodes of a group share a cell.
pub(super) fn independent_groups(mesh: &Mesh, nodes: &[usize], around: &Rows) -> Vec<Vec<usize>> {
    let mut groups: Vec<Vec<usize>> = Vec::new();
    // The groups that have a node in each cell.
    let mut groups_of = vec![Vec::<usize>::new(); mesh.cell_count()];
    for node in nodes {
        let cells = around.row(*node);
        let is_free =
            |group: &usize| cells.iter().all(|cell| !groups_of[*cell as usize].contains(group));
        let group = (0..groups.len()).find(is_free).unwrap_or(groups.len());
        if group == groups.len() {
            groups.push(Vec::new());
        }
        groups[group].push(*node);
        cells.iter().for_each(|cell| groups_of[*cell as usize].push(group));
    }
    groups
}

/// Control points on their way from `start` to `goal`.
struct NodeAdvance<'a> {
    start: Mesh,
    goal: &'a Mesh,
    /// The fraction of its displacement that each control point has made.
    parts: Vec<f64>,
    mesh: Mesh,
    gauge: &'a CurvedGauge,
}

impl NodeAdvance<'_> {
    /// The control points that have not reached their targets.
    fn held_back(&self) -> Vec<usize> {
        let short = |node: &usize| {
            self.parts[*node] < 1.0 && self.start.nodes[*node] != self.goal.nodes[*node]
        };
        (0..self.parts.len()).filter(short).collect()
    }

    /// Moves all control points on; those of unfit cells go back, until no cell is unfit.
    fn stride_together(&mut self, stride: f64) {
        let before = self.parts.clone();
        let onward = |part: &f64| (part + stride).min(1.0);
        let mut moved = self.go(self.parts.iter().map(onward).collect());
        while !moved.is_empty() {
            let unfit = self.unfit_cells(&moved);
            let mut parts = self.parts.clone();
            for node in unfit.iter().flat_map(|cell| self.mesh.cell(*cell).1) {
                parts[*node as usize] = before[*node as usize];
            }
            moved = self.go(parts);
        }
    }

    /// Moves nodes that share no cell; those with an unfit cell go back.
    fn stride_alone(&mut self, nodes: &[usize], stride: f64, around: &Rows) {
        let short = |node: &&usize| self.parts[**node] < 1.0;
        let nodes: Vec<usize> = nodes.iter().filter(short).copied().collect();
        let before: Vec<f64> = nodes.iter().map(|node| self.parts[*node]).collect();
        nodes.iter().for_each(|node| self.place(*node, (self.parts[*node] + stride).min(1.0)));
        let cells_of = |node: &usize| around.row(*node).iter().map(|cell| *cell as usize);
        let mut cells: Vec<usize> = nodes.iter().flat_map(cells_of).collect();
        cells.sort_unstable();
        let unfit = self.unfit_cells(&cells);
        for (node, part) in nodes.iter().zip(before) {
            if cells_of(node).any(|cell| unfit.binary_search(&cell).is_ok()) {
                self.place(*node, part);
            }
        }
    }

    fn place(&mut self, node: usize, part: f64) {
        self.parts[node] = part;
        self.mesh.nodes[node] = self.start.nodes[node].lerp(self.goal.nodes[node], part);
    }

    /// Sets these fractions of the displacements, and returns the cells that changed.
    fn go(&mut self, parts: Vec<f64>) -> Vec<usize> {
        let mut moved = vec![false; parts.len()];
        for (node, part) in parts.into_iter().enumerate() {
            let position = self.mesh.nodes[node];
            self.place(node, part);
            moved[node] = self.mesh.nodes[node] != position;
        }
        let changed = |nodes: &[u32]| nodes.iter().any(|node| moved[*node as usize]);
        let cells = self.mesh.cells().enumerate();
        cells.filter(|(_, (_, nodes))| changed(nodes)).map(|(cell, _)| cell).collect()
    }

    /// The cells among these whose quality is out of bounds.
    fn unfit_cells(&self, cells: &[usize]) -> Vec<usize> {
        let is_fit = |cell: &usize| {
            let (_, nodes) = self.mesh.cell(*cell);
            let mut points = [DVec3::ZERO; 20];
            for (slot, node) in points.iter_mut().zip(nodes) {
                *slot = self.mesh.nodes[*node as usize];
            }
            self.gauge.is_fit(&points[..nodes.len()])
        };
        let fit = parallel_map(cells, is_fit);
        cells.iter().zip(fit).filter(|(_, fit)| !fit).map(|(cell, _)| *cell).collect()
    }
}
