//! VTK's cell type numbers.

use pliant::element::Kind;
use pliant_kernels::element::vtk_order;

use crate::file_mesh::FileCellKind;

/// VTK's number of a kind.
pub(super) fn number(kind: Kind) -> u8 {
    match kind {
        Kind::Tet4 => 10,
        Kind::Hex8 => 12,
        Kind::Prism6 => 13,
        Kind::Pyramid5 => 14,
        Kind::Tet10 => 24,
        Kind::Hex27 => 29,
        Kind::Tet20 => LAGRANGE_TETRAHEDRON,
    }
}

const LAGRANGE_TETRAHEDRON: u8 = 71;

/// The meaning of a cell type for the reader.
#[derive(Debug, Clone)]
pub(super) enum CellType {
    /// A cell; `order[k]` is the engine's local index of the file's node k.
    Cell { kind: FileCellKind, order: Vec<usize> },
    /// A point, line or face, which is skipped.
    Boundary { is_face: bool },
    /// A volume cell that the engine has no element for.
    Unsupported { what: &'static str, instead: &'static str },
}

/// Returns the type with this number and node count, if it is known.
pub(super) fn cell_type(number_in_file: i64, node_count: usize) -> Option<CellType> {
    let kind = |kind| CellType::Cell { kind: FileCellKind::Of(kind), order: vtk_order(kind) };
    Some(match (number_in_file, node_count) {
        (10 | 71, 4) => kind(Kind::Tet4),
        (24 | 71, 10) => kind(Kind::Tet10),
        (71, 20) => kind(Kind::Tet20),
        (12 | 72, 8) => kind(Kind::Hex8),
        (29, 27) => kind(Kind::Hex27),
        (13 | 73, 6) => kind(Kind::Prism6),
        (14 | 74, 5) => kind(Kind::Pyramid5),
        // A voxel lists the corners of a box by increasing x, then y, then z.
        (11, 8) => CellType::Cell {
            kind: FileCellKind::Of(Kind::Hex8),
            order: vec![0, 1, 3, 2, 4, 5, 7, 6],
        },
        (25, 20) => {
            let order = vtk_order(Kind::Hex27).into_iter().take(20).collect();
            CellType::Cell { kind: FileCellKind::Hex20, order }
        }
        (1..=4 | 21 | 35 | 68 | 75, _) => CellType::Boundary { is_face: false },
        (5..=9 | 22 | 23 | 28 | 30 | 34 | 36 | 69 | 70 | 76 | 77, _) => {
            CellType::Boundary { is_face: true }
        }
        (number, _) => return unsupported(number),
    })
}

fn unsupported(number: i64) -> Option<CellType> {
    let (what, instead) = match number {
        26 | 31 | 32 | 73 | 80 => {
            ("a wedge of degree 2 or more", "only linear wedges are: use linear ones or tetrahedra")
        }
        27 | 37 | 74 | 81 => (
            "a pyramid of degree 2 or more",
            "only linear pyramids are: use linear ones or tetrahedra",
        ),
        71 => ("a Lagrange tetrahedron of degree 4 or more", "their highest degree is 3"),
        33 | 72 => (
            "a Lagrange or biquadratic hexahedron",
            "save hexahedra of degree 2 as VTK_TRIQUADRATIC_HEXAHEDRON (type 29)",
        ),
        78 | 79 => ("a Bezier cell", "save Lagrange cells instead"),
        15 | 16 | 41 | 42 => ("a polyhedron", "cut it into tetrahedra first"),
        _ => return None,
    };
    Some(CellType::Unsupported { what, instead })
}
