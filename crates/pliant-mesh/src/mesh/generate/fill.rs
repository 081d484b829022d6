//! Conversion of a grid of hexahedra to a mesh.

use std::collections::HashMap;

use glam::DVec3;

use crate::element::{
    DenseMatrix, HEX_CORNERS, Kind, barycentric_weights, bernstein_from_lagrange, lattice,
};
use crate::mesh::{Block, Mesh, MeshError, NodeKey, NodeSet};

use super::Split;
use super::lattice_grid::{Coordinate, LatticeGrid};
use super::split::CENTRE;

/// Names of node sets, each with a predicate that selects its lattice points.
pub(super) type Sides<'a> = &'a [(&'a str, &'a dyn Fn(Coordinate) -> bool)];

/// Makes linear cells from hexahedra with corners at `positions`; centre nodes lie at the mean of the eight corners.
pub(super) fn straight_mesh(
    hexes: &[[u32; 8]],
    mut positions: Vec<DVec3>,
    split: Split,
) -> Result<Mesh, MeshError> {
    let cut = split.cut(hexes)?;
    let corner_count = positions.len() as u32;
    if split.has_centre() {
        let centre = |hex: &[u32; 8]| hex.map(|node| positions[node as usize] / 8.0).iter().sum();
        positions.extend(hexes.iter().map(centre).collect::<Vec<DVec3>>());
    }
    let nodes = corner_numbers(hexes, split, &cut, corner_count);
    let kind = Kind::of(split.shape(), 1).expect("every shape has a linear element");
    Mesh::new(positions, vec![Block { kind, nodes }])
}

/// Node indices of the corners of all cells of a cut; the centre of hexahedron h is node `first_centre + h`.
fn corner_numbers(hexes: &[[u32; 8]], split: Split, cut: &[u8], first_centre: u32) -> Vec<u32> {
    let per_hex = split.cells_per_hex() * split.shape().corner_count();
    let number = |hex: usize, local: u8| match local {
        CENTRE => first_centre + hex as u32,
        corner => hexes[hex][corner as usize],
    };
    cut.iter().enumerate().map(|(slot, local)| number(slot / per_hex, *local)).collect()
}

/// Node sets of the nodes whose lattice coordinates satisfy a condition; they contain no centre nodes.
pub(super) fn side_sets(grid: &LatticeGrid, sides: Sides<'_>) -> Vec<NodeSet> {
    let nodes_where = |inside: &dyn Fn(Coordinate) -> bool| {
        (0u32..)
            .zip(&grid.nodes)
            .filter(|(_, point)| inside(**point))
            .map(|(node, _)| node)
            .collect()
    };
    let set = |(name, inside): &(&str, &dyn Fn(Coordinate) -> bool)| NodeSet {
        name: (*name).to_owned(),
        nodes: nodes_where(inside),
    };
    sides.iter().map(set).collect()
}

/// Node sets of a curved mesh, extended by all control points of the boundary faces whose corners all belong to the
/// set.
pub(super) fn grown_sets(grid: &LatticeGrid, mesh: &Mesh, sides: Sides<'_>) -> Vec<NodeSet> {
    let mut sets = side_sets(grid, sides);
    for set in &mut sets {
        let mut inside = vec![false; mesh.nodes.len()];
        set.nodes.iter().for_each(|node| inside[*node as usize] = true);
        for face in mesh.boundary_faces() {
            if face.corners.iter().all(|corner| inside[*corner as usize]) {
                set.nodes.extend(face.nodes);
            }
        }
        set.nodes.sort_unstable();
        set.nodes.dedup();
    }
    sets
}

/// Makes curved cells, with every Lagrange node at `place` of its lattice coordinate.
///
/// Linear cells cannot follow a curved map: only their corners lie on it, and the centre of a hexahedron stays at the
/// mean of its corners, because the smooth map may put it outside the flat sides.
pub(super) fn curved_mesh(
    grid: &LatticeGrid,
    split: Split,
    kind: Kind,
    place: &dyn Fn([f64; 4]) -> DVec3,
) -> Result<Mesh, MeshError> {
    if kind.degree() == 1 {
        let corner = |point: &Coordinate| place(point.map(f64::from));
        return straight_mesh(&grid.corners, grid.nodes.iter().map(corner).collect(), split);
    }
    let cut = split.cut(&grid.corners)?;
    let corners = corner_numbers(&grid.corners, split, &cut, grid.nodes.len() as u32);
    let centre_count = if split.has_centre() { grid.cells.len() } else { 0 };
    let mut filler = Filler::new(kind, grid.nodes.len() + centre_count);
    let n = kind.corner_count();
    for (cell, (local, corners)) in cut.chunks_exact(n).zip(corners.chunks_exact(n)).enumerate() {
        let hex = grid.cells[cell / split.cells_per_hex()];
        filler.add_cell(corners, local, |xi| place(hex.at(xi)));
    }
    Mesh::new(filler.positions, vec![Block { kind, nodes: filler.nodes }])
}

/// Collects curved cells and the nodes they share.
struct Filler {
    kind: Kind,
    lattice: Vec<[usize; 3]>,
    /// Weights of the corners at each lattice point; they sum to one.
    weights: Vec<Vec<f64>>,
    control_from_lagrange: DenseMatrix,
    numbers: HashMap<NodeKey, u32>,
    positions: Vec<DVec3>,
    nodes: Vec<u32>,
}

impl Filler {
    fn new(kind: Kind, corner_count: usize) -> Self {
        let lattice = lattice(kind);
        let weights = lattice.iter().map(|point| corner_weights(kind, *point)).collect();
        Self {
            kind,
            lattice,
            weights,
            control_from_lagrange: bernstein_from_lagrange(kind),
            numbers: HashMap::new(),
            positions: vec![DVec3::ZERO; corner_count],
            nodes: Vec::new(),
        }
    }

    fn add_cell(&mut self, corners: &[u32], local: &[u8], place: impl Fn([f64; 3]) -> DVec3) {
        let lagrange: Vec<DVec3> =
            self.weights.iter().map(|weights| place(blend(weights, local))).collect();
        let control = self.control_from_lagrange.apply(&lagrange);
        for (k, position) in control.into_iter().enumerate() {
            let node = self.number(corners, k);
            self.positions[node as usize] = position;
            self.nodes.push(node);
        }
    }

    /// Index of local node `k`: corners already have one, other nodes get one on first use.
    fn number(&mut self, corners: &[u32], k: usize) -> u32 {
        if k < corners.len() {
            return corners[k];
        }
        let key = NodeKey::new(self.kind.shape(), corners, self.kind.degree(), self.lattice[k]);
        let positions = &mut self.positions;
        *self.numbers.entry(key).or_insert_with(|| {
            positions.push(DVec3::ZERO);
            positions.len() as u32 - 1
        })
    }
}

fn corner_weights(kind: Kind, point: [usize; 3]) -> Vec<f64> {
    let weights = barycentric_weights(kind.shape(), kind.degree(), point);
    let total: usize = weights.iter().sum();
    weights.into_iter().map(|weight| weight as f64 / total as f64).collect()
}

/// Reference coordinate, in the hexahedron, of a weighted mean of local corners.
fn blend(weights: &[f64], local: &[u8]) -> [f64; 3] {
    std::array::from_fn(|axis| {
        let coordinate = |local: u8| match local {
            CENTRE => 0.5,
            corner => HEX_CORNERS[corner as usize][axis] as f64,
        };
        weights.iter().zip(local).map(|(weight, local)| weight * coordinate(*local)).sum()
    })
}
