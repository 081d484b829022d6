//! Meshes: counts, conformity, adjacency, colours.
#![allow(clippy::unwrap_used, reason = "tests may panic")]

use std::collections::BTreeSet;

use pliant::mesh::Mesh;
use pliant::mesh::generate::{BoxConfig, Split, box_mesh};

/// A box of 3 × 2 × 4 cells.
fn block(split: Split, degree: usize) -> Mesh {
    let config = BoxConfig { size: [3.0, 1.0, 2.0], cells: [3, 2, 4], ..BoxConfig::default() };
    box_mesh(&BoxConfig { split, degree, ..config }).unwrap()
}

/// All splits with the degrees they have.
fn all_splits() -> Vec<(Split, usize)> {
    let degrees = |split: Split| match split {
        Split::Hex => 1..=2,
        Split::Prism | Split::Pyramid => 1..=1,
        Split::Tet5 | Split::Tet6 | Split::Tet12 => 1..=3,
    };
    Split::ALL.into_iter().flat_map(|split| degrees(split).map(move |p| (split, p))).collect()
}

#[test]
fn the_papers_bars_have_their_counts() {
    let counts = |cells, degree| {
        let size = [4.0, 1.0, 1.0];
        let mesh = box_mesh(&BoxConfig { size, cells, degree, ..BoxConfig::default() }).unwrap();
        (mesh.cell_count(), mesh.nodes.len())
    };
    assert_eq!(counts([8, 2, 2], 2), (160, 393));
    assert_eq!(counts([4, 2, 2], 3), (80, 573));
    assert_eq!(counts([16, 4, 4], 1), (1280, 425));
    assert_eq!(counts([16, 4, 4], 2), (1280, 2417));
}

#[test]
fn every_split_fills_the_box_and_fits_together() {
    for (split, degree) in all_splits() {
        let mesh = block(split, degree);
        assert_eq!(mesh.cell_count(), 24 * split.cells_per_hex());
        // Gradients of the cubic basis cancel to rounding at every point, alike in all cells.
        assert!((mesh.volume() - 6.0).abs() < 1e-12, "{split:?} {degree}: {}", mesh.volume());
        assert!(mesh.check_faces().is_ok());
        // A face between cells that did not fit would be left over as boundary inside the box.
        let (low, high) = mesh.bounds();
        for face in mesh.boundary_faces() {
            let on_side = (0..3).any(|axis| {
                let at = |x: f64| face.nodes.iter().all(|n| mesh.nodes[*n as usize][axis] == x);
                at(low[axis]) || at(high[axis])
            });
            assert!(on_side, "{split:?} {degree}: face of cell {} lies inside", face.cell);
        }
    }
}

#[test]
fn sides_hold_exactly_the_control_points_on_them() {
    for (split, degree) in all_splits() {
        let mesh = block(split, degree);
        let sides = [("x-", 0, 0.0), ("x+", 0, 3.0), ("y-", 1, 0.0), ("y+", 1, 1.0)];
        for (name, axis, plane) in sides.into_iter().chain([("z-", 2, 0.0), ("z+", 2, 2.0)]) {
            let on_plane = |node: &u32| mesh.nodes[*node as usize][axis] == plane;
            let expected: Vec<u32> = (0..mesh.nodes.len() as u32).filter(on_plane).collect();
            assert_eq!(mesh.node_set(name).unwrap().nodes, expected, "{split:?} {degree} {name}");
        }
    }
}

#[test]
fn no_two_cells_of_a_colour_share_a_node() {
    for (split, degree) in all_splits() {
        let mesh = block(split, degree);
        let colouring = mesh.coloured();
        println!("{split:?} of degree {degree}: {} colours", colouring.colour_count());
        assert_eq!(colouring.cells.iter().map(Vec::len).sum::<usize>(), mesh.cell_count());
        for cells in &colouring.cells {
            let nodes: Vec<u32> =
                cells.iter().flat_map(|cell| mesh.cell(*cell as usize).1.to_vec()).collect();
            let distinct: BTreeSet<_> = nodes.iter().collect();
            assert_eq!(distinct.len(), nodes.len(), "{split:?} {degree}");
        }
    }
}
