//! Cutting hexahedra into other cells that match across faces.

use std::collections::VecDeque;

use crate::element::{CellShape, edges, faces};
use crate::mesh::MeshError;

/// The cells that each hexahedron of a grid is cut into.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Split {
    /// The hexahedron itself.
    Hex,
    /// Two prisms.
    Prism,
    /// Six pyramids that meet at a new centre node.
    Pyramid,
    /// Five tetrahedra, alternating from cell to cell: no direction is preferred ("unbiased" in
    /// Saillant et al. 2024).
    #[default]
    Tet5,
    /// Six tetrahedra by way of two prisms; the diagonals have the same direction in every cell ("biased").
    Tet6,
    /// Twelve tetrahedra that meet at a new centre node.
    Tet12,
}

impl Split {
    /// All splits.
    pub const ALL: [Self; 6] =
        [Self::Hex, Self::Prism, Self::Pyramid, Self::Tet5, Self::Tet6, Self::Tet12];

    /// Returns the lower-case name, as in scene files.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Hex => "hex",
            Self::Prism => "prism",
            Self::Pyramid => "pyramid",
            Self::Tet5 => "tet5",
            Self::Tet6 => "tet6",
            Self::Tet12 => "tet12",
        }
    }

    /// Returns the shape of the resulting cells.
    pub const fn shape(self) -> CellShape {
        match self {
            Self::Hex => CellShape::Hexahedron,
            Self::Prism => CellShape::Prism,
            Self::Pyramid => CellShape::Pyramid,
            Self::Tet5 | Self::Tet6 | Self::Tet12 => CellShape::Tetrahedron,
        }
    }

    /// Returns true if the split adds a node at the centre of each hexahedron.
    pub const fn has_centre(self) -> bool {
        matches!(self, Self::Pyramid | Self::Tet12)
    }

    /// Returns the number of cells per hexahedron.
    pub const fn cells_per_hex(self) -> usize {
        match self {
            Self::Hex => 1,
            Self::Prism => 2,
            Self::Pyramid | Self::Tet6 => 6,
            Self::Tet5 => 5,
            Self::Tet12 => 12,
        }
    }

    /// Returns the cells of all hexahedra as local corners (8 is the centre), all of positive volume: `cells_per_hex`
    /// cells per hexahedron, one after the other.
    pub(super) fn cut(self, hexes: &[[u32; 8]]) -> Result<Vec<u8>, MeshError> {
        Ok(match self {
            Self::Hex => (0..8).collect::<Vec<u8>>().repeat(hexes.len()),
            Self::Prism => PRISMS.concat().repeat(hexes.len()),
            Self::Pyramid => pyramids().repeat(hexes.len()),
            Self::Tet5 => {
                let colours = two_colours(hexes)?;
                hexes.iter().flat_map(|hex| tet5(colours[hex[0] as usize])).flatten().collect()
            }
            Self::Tet6 => hexes.iter().flat_map(tet6).flatten().collect(),
            Self::Tet12 => hexes.iter().flat_map(tet12).flatten().collect(),
        })
    }
}

/// Local index of the centre.
pub(super) const CENTRE: u8 = 8;

const PRISMS: [[u8; 6]; 2] = [[0, 1, 2, 4, 5, 6], [0, 2, 3, 4, 6, 7]];

/// One pyramid on each face; faces wind outward, pyramid bases inward.
fn pyramids() -> Vec<u8> {
    let base = |face: &&[usize]| face.iter().rev().map(|corner| *corner as u8).collect::<Vec<_>>();
    faces(CellShape::Hexahedron)
        .iter()
        .flat_map(|face| [base(face), vec![CENTRE]].concat())
        .collect()
}

/// Five tetrahedra, whose diagonals connect the corners of colour `false`.
const fn tet5(colour_of_first: bool) -> [[u8; 4]; 5] {
    if colour_of_first {
        [[0, 1, 3, 4], [2, 3, 1, 6], [5, 4, 6, 1], [7, 6, 4, 3], [1, 3, 4, 6]]
    } else {
        [[1, 2, 0, 5], [3, 0, 2, 7], [4, 7, 5, 0], [6, 5, 7, 2], [0, 2, 7, 5]]
    }
}

fn tet6(hex: &[u32; 8]) -> impl Iterator<Item = [u8; 4]> {
    PRISMS.into_iter().flat_map(|prism| prism_tets(hex, prism))
}

/// Three tetrahedra of a prism, the diagonal of each side starting at its node of smallest index.
///
/// Both cells at a side then choose the same diagonal. The prism is rotated so that its node of smallest index comes
/// first; then only the opposite side has a choice left (Dompierre et al. 1999).
fn prism_tets(hex: &[u32; 8], prism: [u8; 6]) -> [[u8; 4]; 3] {
    const TURNS: [[usize; 6]; 6] = [
        [0, 1, 2, 3, 4, 5],
        [1, 2, 0, 4, 5, 3],
        [2, 0, 1, 5, 3, 4],
        [3, 5, 4, 0, 2, 1],
        [4, 3, 5, 1, 0, 2],
        [5, 4, 3, 2, 1, 0],
    ];
    let node = |k: usize| hex[prism[k] as usize];
    let turn = TURNS[(0..6).min_by_key(|k| node(*k)).unwrap_or(0)];
    let rising = node(turn[1]).min(node(turn[5])) < node(turn[2]).min(node(turn[4]));
    let tets: [[usize; 4]; 3] = if rising {
        [[0, 1, 2, 5], [0, 1, 5, 4], [0, 4, 5, 3]]
    } else {
        [[0, 1, 2, 4], [0, 4, 2, 5], [0, 4, 5, 3]]
    };
    tets.map(|tet| tet.map(|k| prism[turn[k]]))
}

/// Two tetrahedra on each face, cut along the diagonal through the node of smallest index.
fn tet12(hex: &[u32; 8]) -> impl Iterator<Item = [u8; 4]> {
    faces(CellShape::Hexahedron).iter().flat_map(|face| {
        let first = (0..4).min_by_key(|k| hex[face[*k]]).unwrap_or(0);
        let corner = |k: usize| face[(first + k) % 4] as u8;
        [[corner(0), corner(2), corner(1), CENTRE], [corner(0), corner(3), corner(2), CENTRE]]
    })
}

/// Colours the nodes so that the ends of every edge differ. The first node of each connected part gets `true`, so
/// that no diagonal starts at the first corner of a box.
fn two_colours(hexes: &[[u32; 8]]) -> Result<Vec<bool>, MeshError> {
    let neighbours = edge_neighbours(hexes);
    let mut colours: Vec<Option<bool>> = vec![None; neighbours.len()];
    for start in 0..neighbours.len() {
        if colours[start].is_none() {
            colours[start] = Some(true);
            spread_colours(start, &neighbours, &mut colours)?;
        }
    }
    Ok(colours.into_iter().map(Option::unwrap_or_default).collect())
}

fn spread_colours(
    start: usize,
    neighbours: &[Vec<u32>],
    colours: &mut [Option<bool>],
) -> Result<(), MeshError> {
    let mut queue = VecDeque::from([start]);
    while let Some(node) = queue.pop_front() {
        let other = colours[node].map(|colour| !colour);
        for &next in &neighbours[node] {
            let next = next as usize;
            if colours[next].is_none() {
                colours[next] = other;
                queue.push_back(next);
            } else if colours[next] != other {
                return Err(MeshError::NotAlternating { node, other: next });
            }
        }
    }
    Ok(())
}

fn edge_neighbours(hexes: &[[u32; 8]]) -> Vec<Vec<u32>> {
    let node_count = hexes.iter().flatten().max().map_or(0, |node| *node as usize + 1);
    let mut neighbours = vec![Vec::new(); node_count];
    for hex in hexes {
        for [a, b] in edges(CellShape::Hexahedron) {
            neighbours[hex[*a] as usize].push(hex[*b]);
            neighbours[hex[*b] as usize].push(hex[*a]);
        }
    }
    neighbours
}
