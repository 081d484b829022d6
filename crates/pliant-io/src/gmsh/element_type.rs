//! Gmsh's element type numbers.

use std::collections::BTreeMap;

use pliant_kernels::element::gmsh_order;
use pliant_kernels::element::{CellShape, Kind};

use crate::file_mesh::FileCellKind;
use crate::high_degree::{MAX_DEGREE, node_count};

/// The meaning of an element type for the reader.
#[derive(Debug, Clone)]
pub(super) enum ElementType {
    /// A cell; `order[k]` is the engine's local index of the file's node k.
    Cell { kind: FileCellKind, order: Vec<usize> },
    /// A point, curve or face; only its nodes are used, for node sets.
    Boundary { dimension: i64, node_count: usize },
    /// A volume cell that the engine has no element for.
    Unsupported { what: &'static str, instead: &'static str },
}

/// A cache of element types, so that each node order is computed once.
#[derive(Debug, Default)]
pub(super) struct ElementTypes(BTreeMap<i64, Option<ElementType>>);

impl ElementTypes {
    /// Returns the type with this number, if Gmsh has one.
    pub(super) fn of(&mut self, number: i64) -> Option<&ElementType> {
        self.0.entry(number).or_insert_with(|| element_type(number)).as_ref()
    }
}

/// Gmsh's number of a kind.
pub(super) fn number(kind: Kind) -> i32 {
    match kind {
        Kind::Tet4 => 4,
        Kind::Hex8 => 5,
        Kind::Prism6 => 6,
        Kind::Pyramid5 => 7,
        Kind::Tet10 => 11,
        Kind::Hex27 => 12,
        Kind::Tet20 => 29,
    }
}

/// Gmsh's number of a point element.
pub(super) const POINT: i32 = 15;

fn element_type(number_in_file: i64) -> Option<ElementType> {
    if let Some(kind) = Kind::ALL.into_iter().find(|k| i64::from(number(*k)) == number_in_file) {
        return Some(ElementType::Cell { kind: FileCellKind::Of(kind), order: gmsh_order(kind) });
    }
    match number_in_file {
        17 => Some(ElementType::Cell { kind: FileCellKind::Hex20, order: hex20_order() }),
        30 => Some(high_tet(4)),
        31 => Some(high_tet(5)),
        71..=75 => Some(high_tet(number_in_file as usize - 65)),
        _ => boundary(number_in_file).or_else(|| unsupported(number_in_file)),
    }
}

/// Returns the type of complete tetrahedra of a degree above 3.
fn high_tet(degree: usize) -> ElementType {
    debug_assert!((4..=MAX_DEGREE).contains(&degree), "a degree of Gmsh's tetrahedra");
    let order = (0..node_count(degree)).collect();
    ElementType::Cell { kind: FileCellKind::HighTet { degree }, order }
}

/// Returns the node order of the 20-node hexahedron: the first 20 of the 27-node one.
fn hex20_order() -> Vec<usize> {
    let mut order = gmsh_order(Kind::Hex27);
    order.truncate(CellShape::Hexahedron.corner_count() + 12);
    order
}

fn boundary(number: i64) -> Option<ElementType> {
    let curve = |node_count| Some(ElementType::Boundary { dimension: 1, node_count });
    let face = |node_count| Some(ElementType::Boundary { dimension: 2, node_count });
    match number {
        15 => Some(ElementType::Boundary { dimension: 0, node_count: 1 }),
        1 => curve(2),
        8 => curve(3),
        26..=28 => curve(number as usize - 22),
        62..=66 => curve(number as usize - 55),
        2 => face(3),
        3 => face(4),
        9 => face(6),
        10 => face(9),
        16 => face(8),
        20 => face(9),
        21 => face(10),
        22 => face(12),
        23 | 24 => face(15),
        25 => face(21),
        36 => face(16),
        37 => face(25),
        38 => face(36),
        39 => face(12),
        40 => face(16),
        41 => face(20),
        42 => face(28),
        43 => face(36),
        44 => face(45),
        45 => face(55),
        46 => face(66),
        47 => face(49),
        48 => face(64),
        49 => face(81),
        50 => face(100),
        51 => face(121),
        52..=56 => face(18 + 3 * (number as usize - 52)),
        57..=61 => face(24 + 4 * (number as usize - 57)),
        _ => None,
    }
}

fn unsupported(number: i64) -> Option<ElementType> {
    let (what, instead) = match number {
        13 | 18 | 90 | 91 | 106..=117 => (
            "a prism of degree 2 or more",
            "only linear prisms are: mesh with `-order 1`, or with tetrahedra (up to degree 3)",
        ),
        14 | 19 | 118..=131 => (
            "a pyramid of degree 2 or more",
            "only linear pyramids are: mesh with `-order 1`, or with tetrahedra (up to degree 3)",
        ),
        32 | 33 | 79..=83 | 137 => (
            "a tetrahedron of degree 3 or more without inner nodes",
            "the highest degree of tetrahedra is 3: mesh with `-order 3` and complete elements",
        ),
        92..=105 => {
            ("a hexahedron of degree 3 or more", "their highest degree is 2: mesh with `-order 2`")
        }
        34 | 35 | 67..=70 | 76..=78 | 84..=89 | 132..=136 | 138..=140 => {
            ("a polygon, polyhedron or other special cell", "mesh with plain tetrahedra")
        }
        _ => return None,
    };
    Some(ElementType::Unsupported { what, instead })
}
