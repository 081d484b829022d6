//! Moving control points as far as cells stay valid.

use pliant::mesh::{Block, Mesh};

/// Parts of their ways that control points try to go on.
const STRIDES: [f64; 7] = [1.0, 0.5, 0.25, 0.25, 0.125, 0.125, 0.125];

/// A mesh with curved boundary.
#[derive(Debug)]
pub(super) struct Curved {
    pub(super) mesh: Mesh,
    /// Control points whose way was halved at least once.
    pub(super) held_back: usize,
}

/// Moves every control point as far along its way as all cells stay valid.
///
/// All try to go all the way; those of cells that would become unfit go back, and try again with half
/// the stride. Cells are valid at the start, so there is always a way back.
pub(super) fn advanced(start: Mesh, goal: &Mesh) -> Curved {
    let mut walk = Walk { parts: vec![0.0; start.nodes.len()], mesh: start.clone(), start, goal };
    for stride in STRIDES {
        let before = walk.parts.clone();
        let onward = |part: &f64| (part + stride).min(1.0);
        let mut moved = walk.go(walk.parts.iter().map(onward).collect());
        while !moved.is_empty() {
            let unfit = walk.unfit_cells(&moved);
            let mut parts = walk.parts.clone();
            for node in unfit.iter().flat_map(|cell| walk.mesh.cell(*cell).1) {
                parts[*node as usize] = before[*node as usize];
            }
            moved = walk.go(parts);
        }
    }
    let short =
        |node: &usize| walk.parts[*node] < 1.0 && walk.start.nodes[*node] != goal.nodes[*node];
    let held_back = (0..walk.parts.len()).filter(short).count();
    Curved { mesh: walk.mesh, held_back }
}

/// Control points on their ways.
struct Walk<'a> {
    start: Mesh,
    goal: &'a Mesh,
    /// How much of its way each has gone.
    parts: Vec<f64>,
    mesh: Mesh,
}

impl Walk<'_> {
    /// Goes to these parts of the ways; returns the cells that changed.
    fn go(&mut self, parts: Vec<f64>) -> Vec<usize> {
        let mut moved = vec![false; parts.len()];
        for (node, part) in parts.iter().enumerate() {
            let position = self.start.nodes[node].lerp(self.goal.nodes[node], *part);
            moved[node] = self.mesh.nodes[node] != position;
            self.mesh.nodes[node] = position;
        }
        self.parts = parts;
        let changed = |nodes: &[u32]| nodes.iter().any(|node| moved[*node as usize]);
        let cells = self.mesh.cells().enumerate();
        cells.filter(|(_, (_, nodes))| changed(nodes)).map(|(cell, _)| cell).collect()
    }

    /// Which of these cells are not proved valid, or shrink too much somewhere.
    fn unfit_cells(&self, cells: &[usize]) -> Vec<usize> {
        /// Least det J over largest within a cell.
        const LEAST_RATIO: f64 = 0.05;
        let kind = self.mesh.blocks[0].kind;
        let nodes = cells.iter().flat_map(|cell| self.mesh.cell(*cell).1).copied().collect();
        let part = Mesh {
            nodes: self.mesh.nodes.clone(),
            blocks: vec![Block { kind, nodes }],
            regions: Vec::new(),
            node_sets: Vec::new(),
        };
        let mut unfit = vec![false; cells.len()];
        part.invalid_cells().into_iter().for_each(|(cell, _)| unfit[cell] = true);
        for (unfit, quality) in unfit.iter_mut().zip(part.qualities()) {
            *unfit |= quality.jacobian_ratio < LEAST_RATIO;
        }
        cells.iter().zip(unfit).filter(|(_, unfit)| *unfit).map(|(cell, _)| *cell).collect()
    }
}
