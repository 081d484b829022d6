//! The map from the unknowns a solver solves for to the nodes.

use glam::DVec3;

use super::Pin;

/// `q = C y + c`: nodes q follow from free unknowns y by a sparse map.
///
/// A free node is a row with a single 1, a pinned one an empty row whose position stands in c.
/// Forces reach the unknowns as Cᵀ f and stiffness as Cᵀ K C, so momentum is kept by construction.
#[derive(Debug, Clone, PartialEq)]
pub struct Unknowns {
    /// Entries of row `node` are `row_start[node]..row_start[node + 1]`.
    row_start: Vec<u32>,
    /// Unknown and weight of every entry.
    entries: Vec<(u32, f64)>,
    /// Number of unknowns y.
    count: usize,
}

impl Unknowns {
    /// One unknown for every node that no pin holds.
    pub fn with_pins(node_count: usize, pins: &[Pin]) -> Self {
        let mut held = vec![false; node_count];
        pins.iter().flat_map(|pin| &pin.nodes).for_each(|node| held[*node as usize] = true);
        let mut map = Self { row_start: vec![0], entries: Vec::new(), count: 0 };
        for is_held in held {
            if !is_held {
                map.entries.push((map.count as u32, 1.0));
                map.count += 1;
            }
            map.row_start.push(map.entries.len() as u32);
        }
        map
    }

    /// Number of unknowns, each a point in space.
    pub fn count(&self) -> usize {
        self.count
    }

    /// Number of nodes.
    pub fn node_count(&self) -> usize {
        self.row_start.len() - 1
    }

    /// The unknowns a node follows, with their weights; none if it is prescribed.
    pub fn row(&self, node: u32) -> &[(u32, f64)] {
        let node = node as usize;
        &self.entries[self.row_start[node] as usize..self.row_start[node + 1] as usize]
    }

    /// Whether a node follows no unknown.
    pub fn is_prescribed(&self, node: u32) -> bool {
        self.row(node).is_empty()
    }

    /// Cᵀ f: forces on nodes gathered to the unknowns.
    pub fn reduce(&self, forces: &[DVec3], reduced: &mut Vec<DVec3>) {
        reduced.clear();
        reduced.resize(self.count, DVec3::ZERO);
        for (node, force) in forces.iter().enumerate() {
            for (unknown, weight) in self.row(node as u32) {
                reduced[*unknown as usize] += *weight * *force;
            }
        }
    }

    /// C dy: a change of the unknowns spread to the nodes; zero where they are prescribed.
    pub fn expand(&self, change: &[DVec3], nodes: &mut Vec<DVec3>) {
        nodes.clear();
        for node in 0..self.node_count() {
            let terms = self.row(node as u32).iter();
            nodes.push(terms.map(|(unknown, weight)| *weight * change[*unknown as usize]).sum());
        }
    }
}
