//! The hexahedra of the mechanical level, one for each piece of matter.

use std::collections::BTreeMap;

use glam::DVec3;
use pliant::element::{CellShape, Kind, reference_corners};
use pliant::mesh::{Block, Mesh, MeshError};

use super::grid::Grid;
use super::pieces::{Link, Pieces};
use crate::union_find::UnionFind;

/// Corners of a hexahedron.
const CORNERS: usize = 8;

/// Cells of the mesh: where they are in the grid and which pieces they hold.
///
/// Every piece of matter gets a cell of its own at the same place. Cells have common corners only
/// if their pieces touch across the face between them, directly or through other cells
/// around the corner: so two legs move apart although they share a cell of the grid, and yet
/// hang together at the hip.
///
/// Two pieces of one grid cell that are joined at all eight corners, as both sides of a small hole
/// are, would be the same cell twice: they become one.
#[derive(Debug, Clone)]
pub(super) struct Cells {
    /// Grid cell of each cell, rising.
    pub(super) grid_cells: Vec<u32>,
    /// Cell of each piece.
    pub(super) of_piece: Vec<u32>,
    /// Nodes of each cell.
    corners: Vec<[u32; CORNERS]>,
    /// Position of each node, in cells of the grid.
    nodes: Vec<[u32; 3]>,
    /// Parts of the body that do not touch at all.
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

    /// Number of cells.
    pub(super) fn count(&self) -> usize {
        self.grid_cells.len()
    }

    /// The mesh of these cells. Cells of degree 2 share all nodes of the edges and faces whose
    /// corners they share.
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
        shared: &mut UnionFind,
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

    /// Numbers of the nodes of a cell; new ones get the next numbers.
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

/// A corner of the cell of a piece, before it is known which of them are the same.
fn slot(piece: u32, corner: usize) -> u32 {
    CORNERS as u32 * piece + corner as u32
}

/// Joins the four corners of every face across which two pieces touch.
fn shared_corners(piece_count: usize, links: &[Link]) -> UnionFind {
    let mut shared = UnionFind::new(CORNERS * piece_count);
    let pairs: [Vec<[usize; 2]>; 3] = std::array::from_fn(face_corners);
    for link in links {
        for [above, below] in &pairs[link.axis] {
            shared.join(slot(link.lower, *above), slot(link.upper, *below));
        }
    }
    shared
}

/// Corners on the upper face of a cell along an axis, each with the corner of the next cell there.
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

/// Number of parts of the body that do not touch.
fn part_count(piece_count: usize, links: &[Link]) -> usize {
    let mut parts = UnionFind::new(piece_count);
    links.iter().for_each(|link| parts.join(link.lower, link.upper));
    parts.set_count()
}
