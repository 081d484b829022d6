//! Faces of cells: boundary faces, and faces shared by too many cells.

use rayon::prelude::*;

use crate::element::{FaceShape, Kind, face_nodes, faces};

use super::{Mesh, MeshError, NodeSet};

/// One face of one cell.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Face {
    /// The cell.
    pub cell: u32,
    /// Index of the face in its cell, as in [`crate::element::faces`].
    pub face: u32,
    /// Shape of its polygon.
    pub shape: FaceShape,
    /// Its corners, anticlockwise seen from outside.
    pub corners: Vec<u32>,
    /// All its control points, in the rows of [`crate::element::face_nodes`].
    pub nodes: Vec<u32>,
}

/// The sorted corners of a face, a triangle padded with a fourth entry: equal for the two cells that share the face.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct FaceKey([u32; 4]);

impl FaceKey {
    /// Key of a face with three or four corners.
    fn new(corners: impl IntoIterator<Item = u32>) -> Self {
        let mut key = [u32::MAX; 4];
        key.iter_mut().zip(corners).for_each(|(slot, corner)| *slot = corner);
        key.sort_unstable();
        Self(key)
    }
}

/// A face of a cell with its key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct KeyedFace {
    pub(super) key: FaceKey,
    pub(super) cell: u32,
    pub(super) face: u32,
}

/// All faces of all cells, sorted by key, so that shared faces are adjacent.
pub(super) fn sorted_faces(mesh: &Mesh) -> Vec<KeyedFace> {
    let mut keyed = Vec::new();
    for (cell, (kind, nodes)) in (0u32..).zip(mesh.cells()) {
        for (face, corners) in (0u32..).zip(faces(kind.shape())) {
            let key = FaceKey::new(corners.iter().map(|corner| nodes[*corner]));
            keyed.push(KeyedFace { key, cell, face });
        }
    }
    keyed.par_sort_unstable();
    keyed
}

/// Local nodes of every face of a cell kind.
fn face_tables(kind: Kind) -> Vec<Vec<usize>> {
    (0..faces(kind.shape()).len()).map(|face| face_nodes(kind, face)).collect()
}

impl Mesh {
    /// Returns a face of a cell with its nodes.
    pub fn face(&self, cell: usize, face: usize) -> Face {
        let (kind, _) = self.cell(cell);
        self.face_with(cell, face, &face_nodes(kind, face))
    }

    /// Returns a face, given its local nodes.
    fn face_with(&self, cell: usize, face: usize, local: &[usize]) -> Face {
        let (kind, nodes) = self.cell(cell);
        let corners = faces(kind.shape())[face];
        Face {
            cell: cell as u32,
            face: face as u32,
            shape: FaceShape::of_corners(corners.len()),
            corners: corners.iter().map(|corner| nodes[*corner]).collect(),
            nodes: local.iter().map(|node| nodes[*node]).collect(),
        }
    }

    /// Returns the faces that belong to only one cell, ordered by cell and by face within the cell.
    pub fn boundary_faces(&self) -> Vec<Face> {
        let faces = sorted_faces(self);
        let runs = faces.chunk_by(|a, b| a.key == b.key);
        let mut single: Vec<_> =
            runs.filter(|run| run.len() == 1).map(|run| (run[0].cell, run[0].face)).collect();
        single.sort_unstable();
        let tables: Vec<_> = self.blocks.iter().map(|block| face_tables(block.kind)).collect();
        let face = |(cell, face): (u32, u32)| {
            let (block, _) = self.locate(cell as usize);
            self.face_with(cell as usize, face as usize, &tables[block][face as usize])
        };
        single.into_iter().map(face).collect()
    }

    /// Returns all control points of the boundary in ascending order.
    pub fn boundary_nodes(&self) -> Vec<u32> {
        let mut nodes: Vec<u32> =
            self.boundary_faces().into_iter().flat_map(|face| face.nodes).collect();
        nodes.sort_unstable();
        nodes.dedup();
        nodes
    }

    /// Returns the faces shared by three or more cells, each as the cells around it. A valid mesh has none.
    pub fn overshared_faces(&self) -> Vec<Vec<u32>> {
        let faces = sorted_faces(self);
        let runs = faces.chunk_by(|a, b| a.key == b.key).filter(|run| run.len() > 2);
        runs.map(|run| run.iter().map(|face| face.cell).collect()).collect()
    }

    /// Checks that no face is shared by three or more cells.
    pub fn check_faces(&self) -> Result<(), MeshError> {
        match self.overshared_faces().into_iter().next() {
            Some(cells) => Err(MeshError::OversharedFace { cells }),
            None => Ok(()),
        }
    }

    /// Adds a node set with the control points of the boundary.
    pub(super) fn with_boundary_set(mut self, name: &str) -> Self {
        let set = NodeSet { name: name.to_owned(), nodes: self.boundary_nodes() };
        self.node_sets.push(set);
        self
    }
}
