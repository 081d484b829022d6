//! Edges of cells.

use rayon::prelude::*;

use crate::element::{edge_nodes, edges};

use super::Mesh;

/// An edge of the mesh, directed from its corner of smaller index to that of larger index.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Edge {
    /// Its end nodes, ascending.
    pub corners: [u32; 2],
    /// All its control points, from the first end to the second.
    pub nodes: Vec<u32>,
}

impl Mesh {
    /// Returns every edge once, ordered by its corners.
    ///
    /// An edge where cells of different degrees meet is listed once per degree.
    pub fn edges(&self) -> Vec<Edge> {
        let mut found = Vec::new();
        for block in &self.blocks {
            let count = edges(block.kind.shape()).len();
            let local: Vec<_> = (0..count).map(|edge| edge_nodes(block.kind, edge)).collect();
            for cell in block.cells() {
                found.extend(local.iter().map(|edge| rising_edge(cell, edge)));
            }
        }
        found.par_sort_unstable();
        found.dedup();
        found
    }
}

fn rising_edge(cell: &[u32], local: &[usize]) -> Edge {
    let mut nodes: Vec<u32> = local.iter().map(|node| cell[*node]).collect();
    let (first, last) = (nodes[0], nodes[nodes.len() - 1]);
    if first > last {
        nodes.reverse();
    }
    Edge { corners: [first.min(last), first.max(last)], nodes }
}
