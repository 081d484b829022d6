//! The boundary of a mesh as a skin.

use std::collections::BTreeMap;

use glam::DVec3;

use crate::body::skin::skin::Skin;
use pliant_kernels::element::{FaceShape, faces, reference_corners, shape};
use pliant_mesh::mesh::{Face, Mesh, NodeKey};

impl Skin {
    /// The boundary of a mesh, with the edges of each face divided into `subdivisions` segments. One is enough for
    /// straight faces; curved faces need about twice their degree.
    pub fn of_mesh(mesh: &Mesh, subdivisions: usize) -> Self {
        let subdivisions = subdivisions.max(1);
        let mut builder = BoundaryBuilder { mesh, subdivisions, ..BoundaryBuilder::new(mesh) };
        let faces = mesh.boundary_faces();
        if subdivisions == 1 {
            builder.add_plain_faces(&faces);
        } else {
            faces.iter().for_each(|face| builder.add_face(face));
        }
        builder.finish()
    }

    /// The number of subdivisions at which the curved faces of a mesh look smooth: the fewer faces, the more
    /// subdivisions.
    pub fn subdivisions_for(mesh: &Mesh) -> usize {
        /// Edge segments across a body at which it looks round.
        const EDGE_PIECES: f64 = 64.0;
        let degree = mesh.blocks.iter().map(|block| block.kind.degree()).max().unwrap_or(1);
        if degree == 1 {
            return 1;
        }
        // The number of faces across a body is about the square root of their total.
        let across = (mesh.boundary_faces().len() as f64).sqrt();
        ((EDGE_PIECES / across) as usize).clamp(2 * degree - 1, 8)
    }
}

/// Builds a skin face by face; faces that share a vertex get the same index for it.
struct BoundaryBuilder<'a> {
    mesh: &'a Mesh,
    subdivisions: usize,
    vertices: BTreeMap<NodeKey, u32>,
    edges: BTreeMap<[u32; 2], Vec<u32>>,
    skin: Skin,
}

impl<'a> BoundaryBuilder<'a> {
    fn new(mesh: &'a Mesh) -> Self {
        let (vertices, edges) = (BTreeMap::new(), BTreeMap::new());
        Self { mesh, subdivisions: 1, vertices, edges, skin: Skin::default() }
    }

    /// Adds faces that are not divided, whose vertices are corners of cells. Numbers the vertices as
    /// [`BoundaryBuilder::add_face`] does, but without a search for each, because every break makes new skins for its
    /// fragments.
    fn add_plain_faces(&mut self, faces: &[Face]) {
        let mut of_node = vec![None; self.mesh.nodes.len()];
        for face in faces {
            let mut vertex = |node: &u32| {
                *of_node[*node as usize].get_or_insert_with(|| {
                    let first = self.skin.combinations.add_list(&[*node]);
                    self.skin.combinations.push(first, &[1.0]);
                    self.skin.combinations.len() as u32 - 1
                })
            };
            let mut add = |corners: [u32; 3]| self.skin.triangles.push(corners);
            // Row by row, which is the order of the vertices of divided faces.
            let outline = match face.corners[..] {
                [a, b, c] => {
                    let [a, b, c] = [a, b, c].map(|node| vertex(&node));
                    add([a, b, c]);
                    vec![[a, b], [a, c], [b, c]]
                }
                [a, b, c, d] => {
                    let [a, b, d, c] = [a, b, d, c].map(|node| vertex(&node));
                    add([a, b, d]);
                    add([b, c, d]);
                    vec![[a, b], [a, d], [b, c], [d, c]]
                }
                _ => Vec::new(),
            };
            for [a, b] in outline {
                self.edges.entry([a.min(b), a.max(b)]).or_insert_with(|| vec![a, b]);
            }
        }
    }

    /// Adds a face as a grid of vertices, and triangles between neighbouring rows.
    fn add_face(&mut self, face: &Face) {
        let n = self.subdivisions;
        let rows: Vec<Vec<u32>> = (0..=n)
            .map(|j| (0..=row_end(face.shape, n, j)).map(|i| self.vertex(face, i, j)).collect())
            .collect();
        for (below, above) in rows.iter().zip(&rows[1..]) {
            for i in 0..below.len() - 1 {
                match (above.get(i), above.get(i + 1)) {
                    (Some(c), Some(d)) => {
                        self.skin.triangles.push([below[i], below[i + 1], *c]);
                        self.skin.triangles.push([below[i + 1], *d, *c]);
                    }
                    (Some(c), None) => {
                        self.skin.triangles.push([below[i], below[i + 1], *c]);
                    }
                    (None, _) => {}
                }
            }
        }
        self.add_edges(face.shape, &rows);
    }

    /// Adds the sides of a face to the edges, each side once for both faces that share it.
    fn add_edges(&mut self, shape: FaceShape, rows: &[Vec<u32>]) {
        let first = |row: &Vec<u32>| row.first().copied();
        let last = |row: &Vec<u32>| row.last().copied();
        let mut sides: Vec<Vec<u32>> = vec![
            rows[0].clone(),
            rows.iter().filter_map(first).collect(),
            rows.iter().filter_map(last).collect(),
        ];
        if shape == FaceShape::Quadrilateral {
            sides.extend(rows.last().cloned());
        }
        for side in sides {
            let (a, b) = (side[0], side[side.len() - 1]);
            self.edges.entry([a.min(b), a.max(b)]).or_insert(side);
        }
    }

    /// The index of the vertex at step `i` along the first side of a face and step `j` across it; new if no earlier
    /// face has it.
    fn vertex(&mut self, face: &Face, i: usize, j: usize) -> u32 {
        let n = self.subdivisions;
        let (kind, nodes) = self.mesh.cell(face.cell as usize);
        let corners = faces(kind.shape())[face.face as usize];
        let (weights, total) = match face.shape {
            FaceShape::Triangle => (vec![n - i - j, i, j], n),
            FaceShape::Quadrilateral => {
                (vec![(n - i) * (n - j), i * (n - j), i * j, (n - i) * j], n * n)
            }
        };
        // In integers, in steps of 1/n of the reference cell: the key must be exact to agree between neighbouring
        // faces.
        let reference = reference_corners(kind.shape());
        let point: [usize; 3] = std::array::from_fn(|axis| {
            let sum: usize =
                corners.iter().zip(&weights).map(|(corner, w)| w * reference[*corner][axis]).sum();
            sum * n / total
        });
        let key = NodeKey::new(kind.shape(), &nodes[..kind.corner_count()], n, point);
        if let Some(vertex) = self.vertices.get(&key) {
            return *vertex;
        }
        let xi = DVec3::from(point.map(|x| x as f64)) / n as f64;
        // Nodes that are not on the face have zero weights, up to rounding.
        let terms =
            nodes.iter().copied().zip(shape(kind, xi)).filter(|(_, weight)| *weight > 1e-12);
        let (nodes, weights): (Vec<u32>, Vec<f64>) = terms.unzip();
        let first = self.skin.combinations.add_list(&nodes);
        self.skin.combinations.push(first, &weights);
        let vertex = self.vertices.len() as u32;
        self.vertices.insert(key, vertex);
        vertex
    }

    fn finish(self) -> Skin {
        Skin { edges: self.edges.into_values().collect(), ..self.skin }
    }
}

/// The last step along row `j` of a face.
fn row_end(shape: FaceShape, n: usize, j: usize) -> usize {
    match shape {
        FaceShape::Triangle => n - j,
        FaceShape::Quadrilateral => n,
    }
}
