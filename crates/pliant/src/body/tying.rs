//! Tying a surface to a part of the cells that it was in.

use std::collections::BTreeMap;

use glam::DVec3;

use crate::element::{CellShape, Kind, face_nodes, lattice, shape};
use crate::mesh::{Mesh, Part};

use super::Skin;

/// Steps from cell to cell, through faces that hold, within which a cell counts as connected to another.
const RINGS: usize = 3;

/// Triangles that are taken over from a surface in a whole to one in a part of it.
pub(super) struct Tying<'a> {
    surface: &'a Skin,
    whole: &'a Mesh,
    part: &'a Part,
    mesh: &'a Mesh,
    neighbours: Vec<Vec<Option<u32>>>,
    /// Cells that are connected to those that were asked for, nearest first.
    connected: BTreeMap<u32, Vec<u32>>,
    /// The new vertex of an old one that follows a cell.
    vertices: BTreeMap<(u32, u32), u32>,
    /// Cell and weights of the new vertices.
    rows: Vec<(u32, Vec<f64>)>,
    triangles: Vec<[u32; 3]>,
}

impl<'a> Tying<'a> {
    /// From a surface in `whole` to one in a part of it, whose mesh is `mesh`.
    pub(super) fn new(surface: &'a Skin, whole: &'a Mesh, part: &'a Part, mesh: &'a Mesh) -> Self {
        let neighbours = mesh.cell_neighbours();
        let (connected, vertices) = (BTreeMap::new(), BTreeMap::new());
        let (rows, triangles) = (Vec::new(), Vec::new());
        Self { surface, whole, part, mesh, neighbours, connected, vertices, rows, triangles }
    }

    /// Takes a triangle over that goes with a cell of the part.
    pub(super) fn add(&mut self, corners: [u32; 3], home: u32) {
        let corners = corners.map(|vertex| self.tied(vertex, home));
        self.triangles.push(corners);
    }

    /// Number of triangles so far.
    pub(super) fn triangle_count(&self) -> usize {
        self.triangles.len()
    }

    /// The surface.
    pub(super) fn finish(self) -> Skin {
        Skin::of_rows(&self.rows, |cell| self.mesh.cell(cell as usize).1, self.triangles)
    }

    /// A vertex in the cell where it was, if that is still connected to the one that it goes with, or else in the nearest that is.
    fn tied(&mut self, vertex: u32, home: u32) -> u32 {
        let before = self.part.cell(self.surface.cells()[vertex as usize]);
        let connected = self.connected_to(home);
        if let Some(cell) = before.filter(|cell| connected.contains(cell)) {
            let weights = self.surface.weights(vertex as usize).map(|(_, weight)| weight);
            return self.vertex((vertex, cell), |_| weights.collect());
        }
        let rest = self.surface.rest_of(vertex, self.whole);
        let nearest = nearest(self.mesh, &self.connected[&home], rest);
        self.vertex((vertex, nearest.0), |kind| shape(kind, nearest.1))
    }

    fn vertex(&mut self, key: (u32, u32), weights: impl FnOnce(Kind) -> Vec<f64>) -> u32 {
        if let Some(vertex) = self.vertices.get(&key) {
            return *vertex;
        }
        let (kind, _) = self.mesh.cell(key.1 as usize);
        let vertex = self.push(key.1, weights(kind));
        self.vertices.insert(key, vertex);
        vertex
    }

    fn push(&mut self, cell: u32, weights: Vec<f64>) -> u32 {
        self.rows.push((cell, weights));
        self.rows.len() as u32 - 1
    }

    /// Cells within a few steps through faces that hold.
    fn connected_to(&mut self, home: u32) -> &[u32] {
        let Self { connected, neighbours, .. } = self;
        connected.entry(home).or_insert_with(|| {
            let (mut cells, mut begin) = (vec![home], 0);
            for _ in 0..RINGS {
                let ring = begin..cells.len();
                begin = ring.end;
                for place in ring {
                    for next in neighbours[cells[place] as usize].iter().flatten() {
                        if !cells.contains(next) {
                            cells.push(*next);
                        }
                    }
                }
            }
            cells
        })
    }

    /// Adds an open face of a cell, in flat pieces that follow its control points.
    pub(super) fn add_face(&mut self, cell: u32, face: usize) {
        let (kind, _) = self.mesh.cell(cell as usize);
        let points = lattice(kind);
        let degree = kind.degree();
        let corner = |node: &usize| DVec3::from(points[*node].map(|x| x as f64)) / degree as f64;
        let local = face_nodes(kind, face);
        let vertices: Vec<u32> =
            local.iter().map(|node| self.push(cell, shape(kind, corner(node)))).collect();
        let triangular = local.len() == (degree + 1) * (degree + 2) / 2;
        let start = |row: usize| match triangular {
            true => row * (degree + 1) - row * row.saturating_sub(1) / 2,
            false => row * (degree + 1),
        };
        for row in 0..degree {
            let width = if triangular { degree - row } else { degree };
            for k in 0..width {
                let (below, above) = (start(row) + k, start(row + 1) + k);
                let [a, b, c] = [below, below + 1, above].map(|at| vertices[at]);
                self.triangles.push([a, b, c]);
                if !triangular || k + 1 < width {
                    self.triangles.push([b, vertices[above + 1], c]);
                }
            }
        }
    }
}

/// The cell of some that a point is in, or outside of by least, and where it is in that.
fn nearest(mesh: &Mesh, cells: &[u32], point: DVec3) -> (u32, DVec3) {
    let place = |cell: &u32| {
        let (kind, nodes) = mesh.cell(*cell as usize);
        let inverse = mesh.straight_jacobian(*cell as usize).inverse();
        let xi = inverse.mul_vec((point - mesh.nodes[nodes[0] as usize]).into());
        (*cell, DVec3::from(xi), outside(kind, xi.into()))
    };
    let places = cells.iter().map(place);
    let best = places.min_by(|a, b| a.2.total_cmp(&b.2));
    best.map_or((0, DVec3::ZERO), |(cell, xi, _)| (cell, xi))
}

/// How far ξ is outside of a reference cell, in sides of it.
fn outside(kind: Kind, xi: DVec3) -> f64 {
    let below = (-xi.min_element()).max(0.0);
    let above = match kind.shape() {
        CellShape::Tetrahedron => xi.element_sum() - 1.0,
        CellShape::Hexahedron => xi.max_element() - 1.0,
        CellShape::Prism => (xi.x + xi.y - 1.0).max(xi.z - 1.0),
        CellShape::Pyramid => (xi.x.max(xi.y) + xi.z - 1.0).max(xi.z - 1.0),
    };
    below.max(above)
}
