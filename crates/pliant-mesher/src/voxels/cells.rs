//! The hexahedra of the mechanical level, one for each piece of matter.

use std::collections::BTreeMap;

use glam::DVec3;
use pliant::mesh::{Block, Mesh, MeshError};
use pliant_kernels::element::reference_corners;
use pliant_kernels::element::{CellShape, Kind};
use pliant_kernels::math::DisjointSets;

use super::grid::Grid;
use super::pieces::{Link, Pieces};

/// The number of corners of a hexahedron.
const CORNERS: usize = 8;

/// The cells of the mesh: their grid cells and their pieces of matter.
///
/// Every piece of matter gets its own cell, even if pieces share a grid cell. Two cells share corners only if their
/// pieces touch across the face between them, directly or through other cells around the corner. So two legs can move
/// apart although they share a cell of the grid, and are still connected at the hip.
///
/// Two pieces of one grid cell that are joined at all eight corners, as on both sides of a small hole, would give the
/// same cell twice: they become one cell.
#[derive(Debug, Clone)]
pub(super) struct Cells {
    /// The grid cell of each cell, ascending.
    pub(super) grid_cells: Vec<u32>,
    /// The cell of each piece.
    pub(super) of_piece: Vec<u32>,
    /// The nodes of each cell.
    corners: Vec<[u32; CORNERS]>,
    /// The position of each node, in cells of the grid.
    nodes: Vec<[u32; 3]>,
    /// The number of connected parts of the body.
    pub(super) part_count: usize,
}

impl Cells {
    pub(super) fn new(grid: &Grid, pieces: &Pieces) -> Self {
        let links = pieces.links(grid);
        let mut shared = shared_corners(pieces.count(), &links);
        let mut cells = Self {
            grid_cells: Vec::new(),
            of_piece: Vec::with_capacity(pieces.count()),
            corners: Vec::new(),
            nodes: Vec::new(),
            part_count: part_count(pieces.count(), &links),
        };
        let mut numbers = vec![None; CORNERS * pieces.count()];
        for grid_cell in 0..grid.cell_count() {
            cells.add(grid, grid_cell, pieces, &mut shared, &mut numbers);
        }
        cells
    }

    /// The number of cells.
    pub(super) fn count(&self) -> usize {
        self.grid_cells.len()
    }

    /// The mesh of these cells.
    ///
    /// Cells of degree 2 share all nodes of the edges and faces whose corners they share.
    pub(super) fn mesh(&self, grid: &Grid, degree: usize) -> Result<Mesh, MeshError> {
        let position =
            |node: &[u32; 3]| grid.origin + grid.cell_size * DVec3::from(node.map(f64::from));
        let nodes = self.nodes.iter().map(position).collect();
        let block = Block { kind: Kind::Hex8, nodes: self.corners.as_flattened().to_vec() };
        let mesh = Mesh::new(nodes, vec![block])?;
        if degree == 1 { Ok(mesh) } else { mesh.elevated(degree) }
    }

    /// Adds the cells of the pieces of one grid cell.
    fn add(
        &mut self,
        grid: &Grid,
        grid_cell: usize,
        pieces: &Pieces,
        shared: &mut DisjointSets,
        numbers: &mut [Option<u32>],
    ) {
        let mut known = BTreeMap::new();
        for piece in pieces.of_cell(grid_cell) {
            let slots: [u32; CORNERS] =
                std::array::from_fn(|corner| shared.find(slot(piece, corner)));
            let cell = *known.entry(slots).or_insert_with(|| {
                self.grid_cells.push(grid_cell as u32);
                let corners = self.number_corners(grid.cell(grid_cell), slots, numbers);
                self.corners.push(corners);
                self.corners.len() as u32 - 1
            });
            self.of_piece.push(cell);
        }
    }

    /// The nodes of a cell; new ones get the next indices.
    fn number_corners(
        &mut self,
        place: [u32; 3],
        slots: [u32; CORNERS],
        numbers: &mut [Option<u32>],
    ) -> [u32; CORNERS] {
        let reference = reference_corners(CellShape::Hexahedron);
        std::array::from_fn(|corner| {
            *numbers[slots[corner] as usize].get_or_insert_with(|| {
                let offset = reference[corner];
                self.nodes.push(std::array::from_fn(|axis| place[axis] + offset[axis] as u32));
                self.nodes.len() as u32 - 1
            })
        })
    }
}

/// The slot of a corner of a piece's cell, before equal corners are joined.
fn slot(piece: u32, corner: usize) -> u32 {
    CORNERS as u32 * piece + corner as u32
}

/// Joins the four corners of every face across which two pieces touch.
fn shared_corners(piece_count: usize, links: &[Link]) -> DisjointSets {
    let mut shared = DisjointSets::new(CORNERS * piece_count);
    let pairs: [Vec<[usize; 2]>; 3] = std::array::from_fn(face_corners);
    for link in links {
        for [above, below] in &pairs[link.axis] {
            shared.join(slot(link.lower, *above), slot(link.upper, *below));
        }
    }
    shared
}

/// The corners on the upper face of a cell along an axis, each with the corner of the next cell at the same point.
fn face_corners(axis: usize) -> Vec<[usize; 2]> {
    let reference = reference_corners(CellShape::Hexahedron);
    let below = |upper: [usize; 3]| {
        let mut lower = upper;
        lower[axis] = 0;
        reference.iter().position(|corner| *corner == lower)
    };
    let upper = (0..CORNERS).filter(|corner| reference[*corner][axis] == 1);
    upper.filter_map(|corner| Some([corner, below(reference[corner])?])).collect()
}

/// The number of connected parts of the body.
fn part_count(piece_count: usize, links: &[Link]) -> usize {
    let mut parts = DisjointSets::new(piece_count);
    links.iter().for_each(|link| parts.join(link.lower, link.upper));
    parts.set_count()
}
