//! Opening faces along split planes.

use glam::DVec3;

use pliant_kernels::element::faces;
use pliant_kernels::math::Rows;
use pliant_mesh::mesh::Mesh;

/// The least number of cells of a fragment, connected through faces. A smaller one would show the shape of single cells.
pub(super) const MIN_FRAGMENT_CELLS: usize = 3;

/// A mesh whose faces open one after the other. A face between two cells is closed as long as each is the neighbour of
/// the other.
pub(super) struct Cutting<'a> {
    mesh: &'a Mesh,
    node_cells: Rows,
    neighbours: Vec<Vec<Option<u32>>>,
    /// Faces opened by the current split: cell and face of both sides.
    cut: Vec<[(u32, u32); 2]>,
    sides: Vec<(u32, bool)>,
}

impl<'a> Cutting<'a> {
    pub(super) fn new(mesh: &'a Mesh) -> Self {
        let (node_cells, neighbours) = (mesh.node_cells(), mesh.cell_neighbours());
        Self { mesh, node_cells, neighbours, cut: Vec::new(), sides: Vec::new() }
    }

    /// The neighbour of every cell through each of its closed faces.
    pub(super) fn neighbours(&self) -> &[Vec<Option<u32>>] {
        &self.neighbours
    }

    /// Splits the cells around a corner by a plane through it: faces open between the cells that lie mostly on one side
    /// and those on the other (Parker & O'Brien 2009, section 5). Cells for which `holds` is true stay together.
    /// Returns true if faces were opened: not if all cells are on one side, or if a fragment of fewer than
    /// [`MIN_FRAGMENT_CELLS`] cells would separate.
    pub(super) fn split(
        &mut self,
        node: u32,
        normal: DVec3,
        x: &[DVec3],
        holds: impl Fn(u32) -> bool,
    ) -> bool {
        self.take_sides(node, normal, x, holds);
        let first = self.sides.first().map(|(_, side)| *side);
        if self.sides.iter().all(|(_, side)| Some(*side) == first) {
            return false;
        }
        self.open(node);
        // A cut that would separate too small a piece is undone.
        let apart = !self.cut.is_empty() && self.leaves_enough();
        if !apart {
            for [(a, f), (b, g)] in self.cut.drain(..) {
                self.neighbours[a as usize][f as usize] = Some(b);
                self.neighbours[b as usize][g as usize] = Some(a);
            }
        }
        apart
    }

    /// Lists the cells around a corner with their side of the plane.
    fn take_sides(&mut self, node: u32, normal: DVec3, x: &[DVec3], holds: impl Fn(u32) -> bool) {
        let Self { mesh, node_cells, sides, .. } = self;
        sides.clear();
        // Cells that must stay together go to the side on which they lie on average.
        let mut held = 0.0;
        for cell in node_cells.row(node as usize) {
            let (kind, nodes) = mesh.cell(*cell as usize);
            let corners = &nodes[..kind.corner_count()];
            if !corners.contains(&node) {
                continue;
            }
            let middle =
                corners.iter().map(|k| x[*k as usize]).sum::<DVec3>() / corners.len() as f64;
            let height = normal.dot(middle - x[node as usize]);
            held += if holds(*cell) { height } else { 0.0 };
            sides.push((*cell, height >= 0.0));
        }
        for (_, side) in sides.iter_mut().filter(|(cell, _)| holds(*cell)) {
            *side = held >= 0.0;
        }
    }

    /// Opens the faces at a corner between cells on different sides.
    fn open(&mut self, node: u32) {
        let Self { mesh, neighbours, cut, sides, .. } = self;
        cut.clear();
        for (cell, _) in sides.iter().filter(|(_, side)| *side) {
            let (kind, nodes) = mesh.cell(*cell as usize);
            for (face, corners) in (0u32..).zip(faces(kind.shape())) {
                let across = neighbours[*cell as usize][face as usize];
                let Some(other) = across else { continue };
                let here = corners.iter().any(|corner| nodes[*corner] == node);
                let side = sides.iter().find(|(cell, _)| *cell == other);
                if !here || side.is_none_or(|(_, side)| *side) {
                    continue;
                }
                let back = neighbours[other as usize].iter().position(|back| *back == Some(*cell));
                let Some(back) = back.map(|back| back as u32) else { continue };
                neighbours[*cell as usize][face as usize] = None;
                neighbours[other as usize][back as usize] = None;
                cut.push([(*cell, face), (other, back)]);
            }
        }
    }

    /// True if enough cells are connected on both sides of all faces that were just opened.
    fn leaves_enough(&self) -> bool {
        self.cut.iter().flatten().all(|(cell, _)| self.has_enough_cells(*cell))
    }

    /// True if the part that contains a cell has at least [`MIN_FRAGMENT_CELLS`] cells, connected through closed faces. A
    /// breadth-first search that stops as soon as it has found enough.
    fn has_enough_cells(&self, cell: u32) -> bool {
        let (mut cells, mut next) = ([cell; MIN_FRAGMENT_CELLS], 0);
        let mut count = 1;
        while next < count {
            for other in self.neighbours[cells[next] as usize].iter().flatten() {
                if !cells[..count].contains(other) {
                    if count + 1 == MIN_FRAGMENT_CELLS {
                        return true;
                    }
                    cells[count] = *other;
                    count += 1;
                }
            }
            next += 1;
        }
        count >= MIN_FRAGMENT_CELLS
    }
}
