//! The surface of a breakable body, as triangles that share no vertices.

use glam::DVec3;
use pliant::body::{Body, Skin, Splinters};
use pliant::mesh::Mesh;
use pliant::world::{BodyHandle, World};
use pliant_kernels::element::faces;

/// All triangles of a breakable body that can ever be visible, so that every frame of a file has the same ones: the
/// triangles of its surface if it was made from one, otherwise the faces of all its cells.
pub(super) struct LooseTriangles {
    count: usize,
    /// The first triangle of every cell, if cell faces are drawn.
    cells: Option<Vec<u32>>,
    /// Corners in the last frame. Triangles of removed fragments collapse to a point.
    corners: Vec<DVec3>,
}

impl LooseTriangles {
    /// The triangles of an unbroken body.
    pub(super) fn of(body: &Body) -> Self {
        let (count, cells) = match body.drawn() {
            Some(skin) => (skin.triangles().len(), None),
            None => {
                let mut start = vec![0];
                for (kind, _) in body.model().mesh().cells() {
                    let own: usize = faces(kind.shape()).iter().map(|face| face.len() - 2).sum();
                    start.push(start[start.len() - 1] + own as u32);
                }
                (start[start.len() - 1] as usize, Some(start))
            }
        };
        Self { count, cells, corners: vec![DVec3::ZERO; 3 * count] }
    }

    /// Vertex indices of the triangles, three separate vertices each.
    pub(super) fn triangles(&self) -> Vec<[u32; 3]> {
        (0..self.count as u32).map(|k| [3 * k, 3 * k + 1, 3 * k + 2]).collect()
    }

    /// Returns the current corners of all triangles.
    pub(super) fn update(&mut self, world: &World, origin: BodyHandle) -> Vec<DVec3> {
        for (points, _) in self.corners.as_chunks_mut::<3>().0.iter_mut().zip(0..) {
            points[1] = points[0];
            points[2] = points[0];
        }
        for piece in world.pieces(origin).filter(|piece| world.is_gone(*piece) == Some(false)) {
            let Some(body) = world.get(piece) else { continue };
            match &self.cells {
                Some(start) => cell_faces(body, start, &mut self.corners),
                None => drawn_triangles(body, &mut self.corners),
            }
        }
        self.corners.clone()
    }
}

/// Moves the triangles of the original surface that belong to this fragment. Cut faces are skipped.
fn drawn_triangles(body: &Body, corners: &mut [DVec3]) {
    let Some(skin): Option<&Skin> = body.drawn() else { return };
    let mut vertices = Vec::new();
    skin.interpolate(&body.state.x, &mut vertices);
    for (k, triangle) in skin.triangles().iter().enumerate() {
        let source = body.splinters().map_or(k as u32, |splinters| splinters.sources()[k]);
        if source != Splinters::FRESH_FACE {
            for (corner, vertex) in triangle.iter().enumerate() {
                corners[3 * source as usize + corner] = vertices[*vertex as usize];
            }
        }
    }
}

/// Moves the faces of all cells, drawn flat between their corners.
fn cell_faces(body: &Body, start: &[u32], corners: &mut [DVec3]) {
    let mesh: &Mesh = body.model().mesh();
    for (cell, (kind, nodes)) in mesh.cells().enumerate() {
        let of_whole = body.cells_of_whole().map_or(cell, |cells| cells[cell] as usize);
        let mut at = 3 * start[of_whole] as usize;
        for face in faces(kind.shape()) {
            for k in 1..face.len() - 1 {
                for corner in [face[0], face[k], face[k + 1]] {
                    corners[at] = body.state.x[nodes[corner] as usize];
                    at += 1;
                }
            }
        }
    }
}
