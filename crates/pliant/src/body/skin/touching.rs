//! The surface through which a body touches.

use std::sync::Arc;

use glam::DVec3;

use crate::body::skin::skin::Skin;
use pliant_mesh::geometry::{CoarseLimits, Surface};
use pliant_mesh::mesh::Mesh;

/// The surface through which a body touches other things.
///
/// A drawn skin has as many vertices as it takes to look smooth. Contact needs about as many as the body has nodes, because nothing finer
/// can move. So a body with a drawn skin touches through a coarser one, by default.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Touch {
    /// The drawn skin with fewer triangles, on some of its vertices. No vertex of the drawn skin is farther from it, at rest, than this share
    /// of the diagonal of the body; and its edges are at most one and a half times as long as the distance between nodes, so that it bends
    /// with the body. Without a drawn skin it is the boundary.
    Coarse(f64),
    /// The drawn skin itself.
    Drawn,
    /// The boundary of the mesh. That of voxels has steps.
    Boundary,
}

impl Default for Touch {
    fn default() -> Self {
        Self::Coarse(0.01)
    }
}

impl Touch {
    /// The largest share of the diagonal: beyond, a coarse skin is another shape.
    pub(in crate::body) const MOST: f64 = 0.5;

    /// The share of the diagonal, if it is out of range.
    pub(in crate::body) fn wrong_share(&self) -> Option<f64> {
        match *self {
            Self::Coarse(within) => (!(0.0..=Self::MOST).contains(&within)).then_some(within),
            Self::Drawn | Self::Boundary => None,
        }
    }
}

/// The skin that touches, and how far the drawn one is from it.
#[derive(Debug, Clone)]
pub(in crate::body) struct TouchingSkin {
    pub(in crate::body) skin: Arc<Skin>,
    pub(in crate::body) distance: f64,
}

impl TouchingSkin {
    /// The skin that touches, for a body with this mesh and this drawn skin.
    pub(in crate::body) fn new(mesh: &Mesh, drawn: Option<&Skin>, touch: Touch) -> Self {
        let (skin, distance) = match (drawn, touch) {
            (Some(skin), Touch::Coarse(within)) => skin.coarse(mesh, within),
            (Some(skin), Touch::Drawn) => (skin.clone(), 0.0),
            (None, _) | (_, Touch::Boundary) => (Skin::of_mesh(mesh, degree(mesh)), 0.0),
        };
        Self { skin: Arc::new(skin), distance }
    }
}

impl Skin {
    /// The same skin with fewer triangles, on some of its vertices, and the distance of the farthest vertex from it, in m.
    fn coarse(&self, mesh: &Mesh, within: f64) -> (Self, f64) {
        let mut vertices = Vec::new();
        self.interpolate(&mesh.nodes, &mut vertices);
        let surface = Surface::new(vertices, self.triangles.clone());
        let (low, high) = surface.bounds();
        let limits = CoarseLimits {
            within: within * (high - low).length(),
            longest_edge: LONGEST_EDGE * node_distance(mesh),
        };
        let coarse = surface.coarse(&limits);
        (self.on_vertices(&coarse.kept, coarse.triangles), coarse.distance)
    }

    /// A skin on some of the vertices of this one.
    fn on_vertices(&self, kept: &[u32], triangles: Vec<[u32; 3]>) -> Self {
        let mut combinations = self.combinations.clone();
        combinations.keep(kept);
        let cells = kept.iter().filter_map(|vertex| self.cells.get(*vertex as usize).copied());
        Self { combinations, triangles, edges: Vec::new(), cells: cells.collect() }
    }
}

/// The longest edge of a coarse skin, in distances between nodes.
const LONGEST_EDGE: f64 = 1.5;

/// The mean distance between the nodes along the edges of a mesh, in m.
fn node_distance(mesh: &Mesh) -> f64 {
    let (mut sum, mut count) = (0.0, 0);
    for edge in mesh.edges() {
        let [a, b]: [DVec3; 2] = edge.corners.map(|node| mesh.nodes[node as usize]);
        (sum, count) = (sum + a.distance(b), count + edge.nodes.len() - 1);
    }
    sum / count.max(1) as f64
}

/// The highest degree of the cells.
fn degree(mesh: &Mesh) -> usize {
    mesh.blocks.iter().map(|block| block.kind.degree()).max().unwrap_or(1)
}
