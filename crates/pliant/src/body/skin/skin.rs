//! The surface of a body, used for drawing, contact and dragging.

use glam::DVec3;

use crate::body::mesh_point::MeshPoint;
use crate::body::skin::interpolation::Combinations;
use pliant_mesh::mesh::Mesh;

/// Vertices that are fixed combinations of nodes, `p = H q`, and triangles on them.
///
/// A force f on the vertices acts on the nodes as Hᵀ f ([`Skin::spread`]). The weights of a vertex sum to 1. They are
/// non-negative for vertices inside cells; vertices outside the cells, as those of a rigid body may be, have some
/// negative weights.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Skin {
    /// The matrix H.
    pub(super) combinations: Combinations,
    pub(super) triangles: Vec<[u32; 3]>,
    pub(super) edges: Vec<Vec<u32>>,
    /// The cell that each vertex follows; empty for the boundary of a mesh.
    pub(super) cells: Vec<u32>,
}

impl Skin {
    /// The skin of a surface whose vertices are at these points of a mesh (Nesme et al. 2006, section
    /// 3.2; Mezger et al. 2007, section 6.2).
    ///
    /// # Panics
    /// If a point refers to a missing cell.
    pub fn embedded(mesh: &Mesh, places: &[MeshPoint], triangles: Vec<[u32; 3]>) -> Self {
        let mut skin = Self { triangles, ..Self::default() };
        let mut lists = vec![None; mesh.cell_count()];
        for place in places {
            let (kind, nodes) = mesh.cell(place.cell as usize);
            let list = &mut lists[place.cell as usize];
            let first = *list.get_or_insert_with(|| skin.combinations.add_list(nodes));
            skin.combinations.push(first, &place.weights(kind));
            skin.cells.push(place.cell);
        }
        skin
    }

    /// A skin from the rows of H: the cell of each vertex, and the weights of the nodes of that cell, all in one list.
    pub(crate) fn of_rows(
        mesh: &Mesh,
        cells: &[u32],
        mut weights: &[f64],
        triangles: Vec<[u32; 3]>,
    ) -> Self {
        let mut skin = Self { triangles, ..Self::default() };
        let mut lists = vec![None; mesh.cell_count()];
        for cell in cells {
            let (_, nodes) = mesh.cell(*cell as usize);
            let list = &mut lists[*cell as usize];
            let first = *list.get_or_insert_with(|| skin.combinations.add_list(nodes));
            let (own, rest) = weights.split_at(nodes.len());
            skin.combinations.push(first, own);
            weights = rest;
        }
        skin.cells.extend_from_slice(cells);
        skin
    }

    /// The cell that each vertex follows; empty for the boundary of a mesh.
    pub(crate) fn cells(&self) -> &[u32] {
        &self.cells
    }

    /// The rest position of a vertex, in m.
    pub(crate) fn rest_of(&self, vertex: u32, mesh: &Mesh) -> DVec3 {
        let weights = self.weights(vertex as usize);
        weights.map(|(node, weight)| weight * mesh.nodes[node as usize]).sum()
    }

    /// The same skin with lines to be drawn on it.
    #[must_use]
    pub fn with_lines(self, lines: Vec<Vec<u32>>) -> Self {
        Self { edges: lines, ..self }
    }

    /// True if all its node indices are below `count`.
    pub(crate) fn nodes_below(&self, count: usize) -> bool {
        self.combinations.nodes_below(count)
    }

    /// Number of vertices.
    pub fn vertex_count(&self) -> usize {
        self.combinations.len()
    }

    /// The triangles, anticlockwise as seen from outside.
    pub fn triangles(&self) -> &[[u32; 3]] {
        &self.triangles
    }

    /// Polylines of vertices: the edges of the cells on the boundary of a mesh, or the lines of [`Skin::with_lines`].
    pub fn edges(&self) -> &[Vec<u32>] {
        &self.edges
    }

    /// Nodes and weights of a vertex.
    pub fn weights(&self, vertex: usize) -> impl ExactSizeIterator<Item = (u32, f64)> + Clone {
        let (nodes, weights) = self.combinations.row(vertex);
        nodes.iter().copied().zip(weights.iter().copied())
    }

    /// True if every vertex is in the convex hull of its nodes, wherever they are: if no weight is negative.
    pub(crate) fn is_in_hull(&self) -> bool {
        (0..self.vertex_count()).all(|vertex| self.weights(vertex).all(|(_, weight)| weight >= 0.0))
    }

    /// Computes H q: interpolates nodal values (positions, displacements) at the vertices.
    pub fn interpolate(&self, nodes: &[DVec3], vertices: &mut Vec<DVec3>) {
        self.combinations.interpolate(nodes, vertices);
    }

    /// Adds Hᵀ f: distributes forces on the vertices to the nodes.
    pub fn spread(&self, forces: &[DVec3], nodes: &mut [DVec3]) {
        for (vertex, force) in forces.iter().enumerate() {
            for (node, weight) in self.weights(vertex) {
                nodes[node as usize] += weight * *force;
            }
        }
    }
}
