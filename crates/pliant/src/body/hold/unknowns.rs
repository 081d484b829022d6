//! The map from the unknowns a solver solves for to the nodes.

use glam::DVec3;

use crate::body::hold::pin::Pin;

/// `q = C y + c`: nodes q follow from free unknowns y by a sparse map.
///
/// A free node is a row with a single 1, a pinned one an empty row whose position stands in c.
/// Forces reach the unknowns as Cᵀ f and stiffness as Cᵀ K C, so momentum is kept by construction.
///
/// A node may be *tied* to the middle of two others while bodies move (adaptive degree, Bargteil &
/// Cohen 2014, section 3.4): its row becomes ½ of each end that is free. Its own unknown keeps its
/// number but is then inactive, a zero column of C, so that whatever was made for the numbering
/// stays good. No change allocates.
#[derive(Debug, Clone, PartialEq)]
pub struct Unknowns {
    rows: Vec<Row>,
    /// Node of every unknown, rising.
    nodes: Vec<u32>,
    /// Nodes that pins hold, rising.
    pinned: Vec<u32>,
    active: Vec<bool>,
    tied_count: usize,
    version: u64,
}

/// What one node follows.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
struct Row {
    /// Unknowns and weights, of which `len` count.
    entries: [(u32, f64); 2],
    len: usize,
    /// The unknown of a node that no pin holds.
    own: Option<u32>,
    /// The nodes between which it is tied.
    ends: Option<[u32; 2]>,
}

impl Row {
    fn of(own: Option<u32>) -> Self {
        let entries = [(own.unwrap_or(0), 1.0), (0, 0.0)];
        Self { entries, len: usize::from(own.is_some()), own, ends: None }
    }

    fn entries(&self) -> &[(u32, f64)] {
        &self.entries[..self.len]
    }
}

impl Unknowns {
    /// One unknown for every node that no pin holds.
    pub fn with_pins(node_count: usize, pins: &[Pin]) -> Self {
        let mut held = vec![false; node_count];
        pins.iter().flat_map(|pin| &pin.nodes).for_each(|node| held[*node as usize] = true);
        let (pinned, nodes): (Vec<u32>, Vec<u32>) =
            (0..node_count as u32).partition(|node| held[*node as usize]);
        let mut rows = vec![Row::default(); node_count];
        for (unknown, node) in (0u32..).zip(&nodes) {
            rows[*node as usize] = Row::of(Some(unknown));
        }
        Self { rows, active: vec![true; nodes.len()], nodes, pinned, tied_count: 0, version: 0 }
    }

    /// No unknowns: every node is prescribed.
    pub fn none(node_count: usize) -> Self {
        let (rows, pinned) = (vec![Row::default(); node_count], (0..node_count as u32).collect());
        Self { rows, active: Vec::new(), nodes: Vec::new(), pinned, tied_count: 0, version: 0 }
    }

    /// Number of unknowns, each a point in space, those of tied nodes included.
    pub fn count(&self) -> usize {
        self.nodes.len()
    }

    /// Number of unknowns that some node follows.
    pub fn active_count(&self) -> usize {
        self.nodes.len() - self.tied_count
    }

    /// Number of nodes.
    pub fn node_count(&self) -> usize {
        self.rows.len()
    }

    /// Rises with every change of the map.
    pub fn version(&self) -> u64 {
        self.version
    }

    /// Takes up the version of an earlier map, whose ties it has again. Who keeps things by version has
    /// to forget them.
    pub(crate) fn set_version(&mut self, version: u64) {
        self.version = version;
    }

    /// The unknowns a node follows, with their weights; none if it is prescribed.
    pub fn row(&self, node: u32) -> &[(u32, f64)] {
        self.rows[node as usize].entries()
    }

    /// Whether a node follows no unknown.
    pub fn is_prescribed(&self, node: u32) -> bool {
        self.row(node).is_empty()
    }

    /// The unknown that a node has of its own, even while it is tied; none if a pin holds it.
    pub fn own(&self, node: u32) -> Option<u32> {
        self.rows[node as usize].own
    }

    /// The nodes that have an unknown of their own, in the order of the unknowns.
    pub fn nodes(&self) -> &[u32] {
        &self.nodes
    }

    /// Where the unknowns are when the nodes are at `x`.
    pub fn positions(&self, x: &[DVec3]) -> Vec<DVec3> {
        self.nodes.iter().map(|node| x[*node as usize]).collect()
    }

    /// Whether some node follows an unknown.
    pub fn is_active(&self, unknown: usize) -> bool {
        self.active[unknown]
    }

    /// The nodes between which a node is tied.
    pub fn ends(&self, node: u32) -> Option<[u32; 2]> {
        self.rows[node as usize].ends
    }

    /// Whether any node is tied.
    pub fn has_ties(&self) -> bool {
        self.tied_count > 0
    }

    /// Ties a node to the middle of two others, which are not tied themselves and stay so; tells
    /// whether that changes anything. A pinned node stays pinned.
    pub fn tie(&mut self, node: u32, ends: [u32; 2]) -> bool {
        let Row { own: Some(own), ends: None, .. } = self.rows[node as usize] else {
            return false;
        };
        let mut row = Row { own: Some(own), ends: Some(ends), ..Row::default() };
        for end in ends {
            let Row { own, ends, .. } = self.rows[end as usize];
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

    /// Gives a tied node its own unknown back; tells whether that changes anything.
    pub fn untie(&mut self, node: u32) -> bool {
        let Row { own: Some(own), ends: Some(_), .. } = self.rows[node as usize] else {
            return false;
        };
        self.rows[node as usize] = Row::of(Some(own));
        self.set_active(own, true);
        true
    }

    fn set_active(&mut self, unknown: u32, active: bool) {
        self.active[unknown as usize] = active;
        self.tied_count = if active { self.tied_count - 1 } else { self.tied_count + 1 };
        self.version += 1;
    }

    /// Puts every tied node in the middle of its ends: positions or velocities of all nodes, pinned
    /// ends included.
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

    /// Sets what stands for unknowns that are not active to zero.
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

    /// C dy: a change of the unknowns spread to the nodes; zero where they are prescribed.
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
