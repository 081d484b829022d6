//! Transfer of an embedded surface from a mesh to a fragment of it.

use std::collections::BTreeMap;

use glam::DVec3;

use crate::body::{CellNeighbours, Skin, outside};
use pliant_kernels::element::{face_nodes, lattice, shape};
use pliant_mesh::mesh::{Fragment, Mesh};

/// Steps from cell to cell, through closed faces, within which a cell counts as connected to another. Splinters are a
/// few cells long, and this covers their length. With fewer steps the ends of splinters would not follow the cells
/// that they lie in, and gaps would appear where the body bends. With many more, splinters would be stretched across
/// a crack whose tip is near.
const CONNECTED_RINGS: usize = 8;

/// Steps within which the cell nearest to a vertex is searched for.
const SEARCH_RINGS: usize = 3;

/// Builds the surface of a fragment from triangles of a surface in the unbroken mesh.
pub(super) struct SkinTransfer<'a> {
    /// The old surface, and the mesh that contains it.
    surface: &'a Skin,
    whole: &'a Mesh,
    /// The fragment: its cells in `whole`, its mesh, and the neighbours of its cells.
    part: &'a Fragment,
    mesh: &'a Mesh,
    neighbours: &'a CellNeighbours,
    /// The cell of the fragment with which the current triangle moves; `None` before the first.
    home: Option<u32>,
    /// Cells connected to `home`, nearest first.
    connected: Vec<u32>,
    /// The number of these within [`SEARCH_RINGS`].
    near: usize,
    /// For every cell of the fragment: true if it is in `connected`.
    is_connected: Vec<bool>,
    /// For every old vertex: the cell and the index of its first copy; copies in other cells are in `others`.
    first: Vec<Option<(u32, u32)>>,
    /// The index of every further copy, by old vertex and cell.
    others: BTreeMap<(u32, u32), u32>,
    /// The new surface so far.
    rows: VertexRows,
    triangles: Vec<[u32; 3]>,
}

/// The cell of every new vertex, and the weights of the nodes of that cell.
#[derive(Default)]
struct VertexRows {
    cells: Vec<u32>,
    weights: Vec<f64>,
}

impl VertexRows {
    fn push(&mut self, cell: u32, weights: impl IntoIterator<Item = f64>) -> u32 {
        self.cells.push(cell);
        self.weights.extend(weights);
        self.cells.len() as u32 - 1
    }
}

impl<'a> SkinTransfer<'a> {
    /// A transfer from a surface in `whole` to a fragment with this mesh and these neighbours of its cells.
    pub(super) fn new(
        surface: &'a Skin,
        whole: &'a Mesh,
        part: &'a Fragment,
        (mesh, neighbours): (&'a Mesh, &'a CellNeighbours),
    ) -> Self {
        Self {
            surface,
            whole,
            part,
            mesh,
            neighbours,
            home: None,
            connected: Vec::new(),
            near: 0,
            is_connected: vec![false; mesh.cell_count()],
            first: vec![None; surface.vertex_count()],
            others: BTreeMap::new(),
            rows: VertexRows::default(),
            triangles: Vec::new(),
        }
    }

    /// Adds a triangle that is tied to the cell `home` of the fragment.
    pub(super) fn add(&mut self, corners: [u32; 3], home: u32) {
        if self.home != Some(home) {
            self.connect(home);
        }
        let corners = corners.map(|vertex| self.copy_of(vertex));
        self.triangles.push(corners);
    }

    /// Number of triangles so far.
    pub(super) fn triangle_count(&self) -> usize {
        self.triangles.len()
    }

    /// Returns the surface.
    pub(super) fn finish(self) -> Skin {
        Skin::of_rows(self.mesh, &self.rows.cells, &self.rows.weights, self.triangles)
    }

    /// The copy of an old vertex for a triangle that moves with `home`: in its old cell, if that is still connected to `home`, or else in
    /// the nearest connected cell.
    fn copy_of(&mut self, vertex: u32) -> u32 {
        let before = self.part.cell(self.surface.cells()[vertex as usize]);
        if let Some(cell) = before.filter(|cell| self.is_connected[*cell as usize]) {
            return self.existing_copy(vertex, cell).unwrap_or_else(|| {
                let weights = self.surface.weights(vertex as usize).map(|(_, weight)| weight);
                let new = self.rows.push(cell, weights);
                self.store_copy((vertex, cell), new)
            });
        }
        let rest = self.surface.rest_of(vertex, self.whole);
        let (cell, xi) = nearest(self.mesh, &self.connected[..self.near], rest);
        self.existing_copy(vertex, cell).unwrap_or_else(|| {
            let (kind, _) = self.mesh.cell(cell as usize);
            let new = self.rows.push(cell, shape(kind, xi));
            self.store_copy((vertex, cell), new)
        })
    }

    /// The index of the copy of an old vertex in a cell, if there is one.
    fn existing_copy(&self, vertex: u32, cell: u32) -> Option<u32> {
        match self.first[vertex as usize] {
            Some((first, new)) if first == cell => Some(new),
            Some(_) => self.others.get(&(vertex, cell)).copied(),
            None => None,
        }
    }

    /// Stores the index of a new copy, and returns it.
    fn store_copy(&mut self, (vertex, cell): (u32, u32), new: u32) -> u32 {
        let first = &mut self.first[vertex as usize];
        if first.is_none() {
            *first = Some((cell, new));
        } else {
            self.others.insert((vertex, cell), new);
        }
        new
    }

    /// Finds the cells within [`CONNECTED_RINGS`] steps of a cell through closed faces, by breadth-first search.
    fn connect(&mut self, home: u32) {
        let Self { neighbours, connected, near, is_connected, .. } = self;
        connected.iter().for_each(|cell| is_connected[*cell as usize] = false);
        connected.clear();
        connected.push(home);
        is_connected[home as usize] = true;
        let mut begin = 0;
        for step in 1..=CONNECTED_RINGS {
            let ring = begin..connected.len();
            begin = ring.end;
            for place in ring {
                for next in neighbours[connected[place] as usize].iter().flatten() {
                    if !std::mem::replace(&mut is_connected[*next as usize], true) {
                        connected.push(*next);
                    }
                }
            }
            if step <= SEARCH_RINGS {
                *near = connected.len();
            }
        }
        self.home = Some(home);
    }

    /// Adds an open face of a cell as triangles between the lattice points of its nodes.
    pub(super) fn add_face(&mut self, cell: u32, face: usize) {
        let (kind, _) = self.mesh.cell(cell as usize);
        let points = lattice(kind);
        let degree = kind.degree();
        let corner = |node: &usize| DVec3::from(points[*node].map(|x| x as f64)) / degree as f64;
        let local = face_nodes(kind, face);
        let vertices: Vec<u32> =
            local.iter().map(|node| self.rows.push(cell, shape(kind, corner(node)))).collect();
        // The nodes of a face are listed row by row; the rows of a triangular face shrink by one.
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

/// Finds the cell that contains a point, or else the cell that it is least outside of, and its reference coordinates
/// there. Curved cells are taken as straight.
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
