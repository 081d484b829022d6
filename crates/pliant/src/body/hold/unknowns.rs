//! The map from the unknowns of a solver to the nodes.

use glam::DVec3;

use crate::body::hold::pin::Pin;

/// The sparse map `q = C y + c` from free unknowns y to nodes q.
///
/// A free node is a row with a single 1. A pinned node is an empty row; its position is in c. Forces on unknowns are
/// Cᵀ f and their stiffness is Cᵀ K C, so momentum is conserved by construction.
///
/// A node may be *tied* to the midpoint of two others while bodies move (adaptive degree, Bargteil & Cohen 2014,
/// section 3.4): its row becomes ½ of each free end. Its own unknown keeps its index but is inactive, a zero column
/// of C, so that data made for this numbering stays valid. No change allocates.
#[derive(Debug, Clone, PartialEq)]
pub struct Unknowns {
    rows: Vec<NodeRow>,
    /// Node of every unknown, in ascending order.
    nodes: Vec<u32>,
    /// Pinned nodes, in ascending order.
    pinned: Vec<u32>,
    active: Vec<bool>,
    tied_count: usize,
    version: u64,
}

/// The row of C of one node.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
struct NodeRow {
    /// Unknowns and weights; only the first `len` are valid.
    entries: [(u32, f64); 2],
    len: usize,
    /// The own unknown of a node that is not pinned.
    own: Option<u32>,
    /// The two nodes to whose midpoint it is tied.
    ends: Option<[u32; 2]>,
}

impl NodeRow {
    fn of(own: Option<u32>) -> Self {
        let entries = [(own.unwrap_or(0), 1.0), (0, 0.0)];
        Self { entries, len: usize::from(own.is_some()), own, ends: None }
    }

    fn entries(&self) -> &[(u32, f64)] {
        &self.entries[..self.len]
    }
}

impl Unknowns {
    /// One unknown for every node that is not pinned.
    pub fn with_pins(node_count: usize, pins: &[Pin]) -> Self {
        let mut held = vec![false; node_count];
        pins.iter().flat_map(|pin| &pin.nodes).for_each(|node| held[*node as usize] = true);
        let (pinned, nodes): (Vec<u32>, Vec<u32>) =
            (0..node_count as u32).partition(|node| held[*node as usize]);
        let mut rows = vec![NodeRow::default(); node_count];
        for (unknown, node) in (0u32..).zip(&nodes) {
            rows[*node as usize] = NodeRow::of(Some(unknown));
        }
        Self { rows, active: vec![true; nodes.len()], nodes, pinned, tied_count: 0, version: 0 }
    }

    /// No unknowns: every node is prescribed.
    pub fn none(node_count: usize) -> Self {
        let (rows, pinned) =
            (vec![NodeRow::default(); node_count], (0..node_count as u32).collect());
        Self { rows, active: Vec::new(), nodes: Vec::new(), pinned, tied_count: 0, version: 0 }
    }

    /// Number of unknowns, each a point in space; inactive ones are included.
    pub fn count(&self) -> usize {
        self.nodes.len()
    }

    /// Number of active unknowns.
    pub fn active_count(&self) -> usize {
        self.nodes.len() - self.tied_count
    }

    /// Number of nodes.
    pub fn node_count(&self) -> usize {
        self.rows.len()
    }

    /// Increases with every change of the map.
    pub fn version(&self) -> u64 {
        self.version
    }

    /// Restores the version of an earlier map with the same ties. Data that is cached by version has to be dropped.
    pub(crate) fn set_version(&mut self, version: u64) {
        self.version = version;
    }

    /// The unknowns of the row of a node, with their weights; empty if its position is prescribed.
    pub fn row(&self, node: u32) -> &[(u32, f64)] {
        self.rows[node as usize].entries()
    }

    /// True if the position of a node is prescribed.
    pub fn is_prescribed(&self, node: u32) -> bool {
        self.row(node).is_empty()
    }

    /// The own unknown of a node, also while it is tied; none if it is pinned.
    pub fn own(&self, node: u32) -> Option<u32> {
        self.rows[node as usize].own
    }

    /// Nodes with an unknown of their own, in the order of the unknowns.
    pub fn nodes(&self) -> &[u32] {
        &self.nodes
    }

    /// Positions of the unknowns when the nodes are at `x`.
    pub fn positions(&self, x: &[DVec3]) -> Vec<DVec3> {
        self.nodes.iter().map(|node| x[*node as usize]).collect()
    }

    /// True if an unknown is active.
    pub fn is_active(&self, unknown: usize) -> bool {
        self.active[unknown]
    }

    /// The two nodes to whose midpoint a node is tied.
    pub fn ends(&self, node: u32) -> Option<[u32; 2]> {
        self.rows[node as usize].ends
    }

    /// True if any node is tied.
    pub fn has_ties(&self) -> bool {
        self.tied_count > 0
    }

    /// Ties a node to the midpoint of two others, which must not be tied themselves. Returns true if this changes
    /// anything. A pinned node stays pinned.
    pub fn tie(&mut self, node: u32, ends: [u32; 2]) -> bool {
        let NodeRow { own: Some(own), ends: None, .. } = self.rows[node as usize] else {
            return false;
        };
        let mut row = NodeRow { own: Some(own), ends: Some(ends), ..NodeRow::default() };
        for end in ends {
            let NodeRow { own, ends, .. } = self.rows[end as usize];
            assert!(ends.is_none() && end != node, "node {node} is tied to the tied node {end}");
            if let Some(unknown) = own {
                row.entries[row.len] = (unknown, 0.5);
                row.len += 1;
            }
        }
        self.rows[node as usize] = row;
        self.set_active(own, false);
        true
    }

    /// Gives a tied node its own unknown back. Returns true if this changes anything.
    pub fn untie(&mut self, node: u32) -> bool {
        let NodeRow { own: Some(own), ends: Some(_), .. } = self.rows[node as usize] else {
            return false;
        };
        self.rows[node as usize] = NodeRow::of(Some(own));
        self.set_active(own, true);
        true
    }

    fn set_active(&mut self, unknown: u32, active: bool) {
        self.active[unknown as usize] = active;
        self.tied_count = if active { self.tied_count - 1 } else { self.tied_count + 1 };
        self.version += 1;
    }

    /// Sets the value of every tied node to the mean of its two ends, pinned ends included. Values are positions or
    /// velocities of all nodes.
    pub fn place_tied(&self, values: &mut [DVec3]) {
        if !self.has_ties() {
            return;
        }
        for (node, row) in self.rows.iter().enumerate() {
            if let Some([a, b]) = row.ends {
                values[node] = 0.5 * (values[a as usize] + values[b as usize]);
            }
        }
    }

    /// Sets the values of inactive unknowns to zero.
    pub fn clear_inactive(&self, values: &mut [DVec3]) {
        if self.has_ties() {
            let inactive = values.iter_mut().zip(&self.active).filter(|(_, active)| !**active);
            inactive.for_each(|(value, _)| *value = DVec3::ZERO);
        }
    }

    /// Cᵀ f: forces on nodes gathered to the unknowns.
    pub fn reduce(&self, forces: &[DVec3], reduced: &mut [DVec3]) {
        if !self.has_ties() {
            for (reduced, node) in reduced.iter_mut().zip(&self.nodes) {
                *reduced = forces[*node as usize];
            }
            return;
        }
        reduced.fill(DVec3::ZERO);
        for (row, force) in self.rows.iter().zip(forces) {
            for (unknown, weight) in row.entries() {
                reduced[*unknown as usize] += *weight * *force;
            }
        }
    }

    /// C dy: a change of the unknowns expanded to the nodes; zero at prescribed nodes.
    pub fn expand(&self, change: &[DVec3], nodes: &mut [DVec3]) {
        if !self.has_ties() {
            self.nodes.iter().zip(change).for_each(|(node, y)| nodes[*node as usize] = *y);
            self.pinned.iter().for_each(|node| nodes[*node as usize] = DVec3::ZERO);
            return;
        }
        for (value, row) in nodes.iter_mut().zip(&self.rows) {
            let terms = row.entries().iter();
            *value = terms.map(|(unknown, weight)| *weight * change[*unknown as usize]).sum();
        }
    }
}
