//! Meshes: counts, conformity, adjacency and colouring.

use std::collections::BTreeSet;

use glam::DVec3;
use pliant_kernels::element::{CellShape, Kind, faces};
use pliant_mesh::mesh::generate::{
    BallConfig, BoxConfig, Split, TorusConfig, ball, box_mesh, torus,
};
use pliant_mesh::mesh::{Block, Mesh, MeshError, NodeKey, Region};

use crate::random::{Random, for_cases};

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

/// The bars of Saillant et al. 2024 have the published numbers of cells and nodes.
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

/// Every split fills the box, to rounding, and is conforming.
#[test]
fn every_split_fills_the_box_and_fits_together() {
    for (split, degree) in all_splits() {
        let mesh = block(split, degree);
        assert_eq!(mesh.cell_count(), 24 * split.cells_per_hex());
        // Rounding: gradients of the cubic basis cancel only to rounding, in the same way in all cells.
        assert!((mesh.volume() - 6.0).abs() < 1e-12, "{split:?} {degree}: {}", mesh.volume());
        assert!(mesh.check_faces().is_ok());
        // A face between cells that do not fit would be a boundary face inside the box.
        let (low, high) = mesh.bounds();
        for face in mesh.boundary_faces() {
            let on_side = (0..3).any(|axis| {
                let at = |x: f64| face.nodes.iter().all(|n| mesh.nodes[*n as usize][axis] == x);
                at(low[axis]) || at(high[axis])
            });
            assert!(
                on_side,
                "{split:?} {degree}: a boundary face of cell {} is inside the box",
                face.cell
            );
        }
    }
}

/// The node sets of the sides are exactly the control points on them.
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

/// Every cell has one colour, and cells of the same colour share no node.
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

/// A box with a region of every third cell.
fn with_region(split: Split, degree: usize) -> Mesh {
    let mut mesh = block(split, degree);
    let cells = (0..mesh.cell_count() as u32).filter(|cell| cell % 3 == 0).collect();
    mesh.regions.push(Region { name: "third".into(), cells });
    mesh
}

/// Volume of the cells of a region.
fn region_volume(mesh: &Mesh, name: &str) -> f64 {
    let volumes = mesh.cell_volumes();
    mesh.region(name).unwrap().cells.iter().map(|cell| volumes[*cell as usize]).sum()
}

/// Checks that the node sets of the sides are exactly the control points on them.
fn assert_sides(mesh: &Mesh) {
    let (_, high) = mesh.bounds();
    for (axis, letter) in ["x", "y", "z"].into_iter().enumerate() {
        for (sign, plane) in [("-", 0.0), ("+", high[axis])] {
            // Control points of refined cells are means, so they are on the plane up to rounding.
            let on_plane = |node: &u32| (mesh.nodes[*node as usize][axis] - plane).abs() < 1e-14;
            let expected: Vec<u32> = (0..mesh.nodes.len() as u32).filter(on_plane).collect();
            assert_eq!(mesh.node_set(&format!("{letter}{sign}")).unwrap().nodes, expected);
        }
    }
}

/// Nodes and cells of the mesh of degree 1 with the same corners.
fn corners(mesh: &Mesh) -> (Vec<DVec3>, Vec<Block>) {
    let linear = mesh.linear_level().map_or_else(|| mesh.clone(), |(linear, _)| linear);
    (linear.nodes, linear.blocks)
}

/// Elevation keeps volume, regions, sides and corners; a degree that does not exist, or is lower, is an error.
#[test]
fn elevation_keeps_shape_regions_and_sides() {
    for (split, degree) in all_splits() {
        let mesh = with_region(split, degree);
        for higher in degree..=3 {
            let Ok(elevated) = mesh.elevated(higher) else { continue };
            assert!((elevated.volume() - mesh.volume()).abs() < 1e-12);
            assert!(
                (region_volume(&elevated, "third") - region_volume(&mesh, "third")).abs() < 1e-12
            );
            assert_sides(&elevated);
            assert_eq!(corners(&elevated), corners(&mesh));
        }
    }
    let error = block(Split::Prism, 1).elevated(2).unwrap_err();
    assert!(matches!(error, MeshError::NoSuchDegree { degree: 2, .. }));
    let error = block(Split::Tet5, 3).elevated(2).unwrap_err();
    assert!(matches!(error, MeshError::DegreeFalls { kind: Kind::Tet20, degree: 2 }));
}

/// Elevated boxes have one node per point of the refined lattice.
#[test]
fn elevated_boxes_have_the_nodes_of_their_lattice() {
    // The control points of Kuhn's split are the points of the finer box.
    for degree in 1..=3 {
        let expected = (3 * degree + 1) * (2 * degree + 1) * (4 * degree + 1);
        assert_eq!(block(Split::Tet6, degree).nodes.len(), expected);
    }
    assert_eq!(block(Split::Hex, 2).nodes.len(), 7 * 5 * 9);
}

/// Refinement keeps the volume of curved shapes, to rounding, their validity and their surface.
#[test]
fn refinement_keeps_curved_shapes_exactly() {
    for (split, degree) in all_splits() {
        let mesh = ball(&BallConfig { split, degree, ..BallConfig::default() }).unwrap();
        let refined = mesh.refined().unwrap();
        let error = (refined.volume() / mesh.volume() - 1.0).abs();
        assert!(error < 1e-13, "{split:?} {degree}: {error:.1e}");
        refined.certify().unwrap();
        refined.check_faces().unwrap();
        let faces = mesh.boundary_faces().len();
        assert_eq!(refined.boundary_faces().len(), 4 * faces);
        assert_eq!(refined.node_set("surface").unwrap().nodes, refined.boundary_nodes());
        let (corners, _) = corners(&mesh);
        assert_eq!(refined.nodes[..corners.len()], corners);
    }
}

/// Refinement keeps volume, regions and sides, and has the right number of cells.
#[test]
fn refinement_keeps_regions_and_sides() {
    for (split, degree) in all_splits() {
        let mesh = with_region(split, degree);
        let refined = mesh.refined().unwrap();
        let children = if split == Split::Pyramid { 10 } else { 8 };
        assert_eq!(refined.cell_count(), children * mesh.cell_count());
        assert!((region_volume(&refined, "third") - region_volume(&mesh, "third")).abs() < 1e-12);
        assert_sides(&refined);
        assert!((refined.volume() - 6.0).abs() < 1e-12);
        refined.certify().unwrap();
    }
}

/// A refined box of hexahedra has the nodes of the box with twice as many cells, to 1e-9 m.
#[test]
fn refined_hexahedra_are_those_of_the_finer_box() {
    let config = BoxConfig { split: Split::Hex, cells: [2, 1, 3], ..BoxConfig::default() };
    let refined = box_mesh(&config).unwrap().refined().unwrap();
    let finer = box_mesh(&BoxConfig { cells: [4, 2, 6], ..config }).unwrap();
    let bits = |mesh: &Mesh| {
        let mut points: Vec<_> =
            mesh.nodes.iter().map(|x| (x * 1e9).round().to_array().map(|x| x as i64)).collect();
        points.sort_unstable();
        points
    };
    assert_eq!(bits(&refined), bits(&finer));
}

/// The Euler characteristic V − E + F − C is 1 for a ball and 0 for a torus, for every split.
#[test]
fn euler_characteristic_of_shapes() {
    for split in Split::ALL {
        let ball = ball(&BallConfig { split, degree: 1, ..BallConfig::default() }).unwrap();
        let torus = torus(&TorusConfig { split, degree: 1, ..TorusConfig::default() }).unwrap();
        for (mesh, expected) in [(ball, 1), (torus, 0)] {
            let sides: usize = mesh.cells().map(|(kind, _)| faces(kind.shape()).len()).sum();
            let face_count = (sides + mesh.boundary_faces().len()) / 2;
            let vertices = mesh.nodes.len() as i64 - mesh.edges().len() as i64;
            assert_eq!(vertices + face_count as i64 - mesh.cell_count() as i64, expected);
        }
    }
}

/// 100 000 cells around one node have as many colours, and colouring them needs no more than linear time and memory.
#[test]
fn a_fan_has_as_many_colours_as_cells() {
    let count = 100_000;
    let cells = (0..count).flat_map(|k| [0, 3 * k + 1, 3 * k + 2, 3 * k + 3]).collect();
    let nodes = vec![DVec3::ZERO; 3 * count as usize + 1];
    let mesh = Mesh::new(nodes, vec![Block { kind: Kind::Tet4, nodes: cells }]).unwrap();
    assert_eq!(mesh.coloured().colours, (0..count).collect::<Vec<_>>());
}

/// Neighbourship through faces is mutual, and faces without neighbour are the boundary faces.
#[test]
fn neighbours_through_faces_are_mutual() {
    let mesh = block(Split::Prism, 1);
    let neighbours = mesh.cell_neighbours();
    let boundary = neighbours.iter().flatten().filter(|other| other.is_none()).count();
    assert_eq!(boundary, mesh.boundary_faces().len());
    for (cell, others) in neighbours.iter().enumerate() {
        for other in others.iter().flatten() {
            assert!(neighbours[*other as usize].contains(&Some(cell as u32)));
        }
    }
}

/// The list of cells of every node is complete and in order.
#[test]
fn node_cells_list_every_cell_of_a_node() {
    let mesh = block(Split::Tet5, 2);
    let node_cells = mesh.node_cells();
    for node in 0..mesh.nodes.len() {
        let expected: Vec<u32> = (0..mesh.cell_count() as u32)
            .filter(|cell| mesh.cell(*cell as usize).1.contains(&(node as u32)))
            .collect();
        assert_eq!(node_cells.row(node), expected);
    }
}

/// A face that is shared by three cells is an error with these cells.
#[test]
fn three_cells_on_a_face_are_reported() {
    let points = [DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z, -DVec3::Z, 2.0 * DVec3::Z];
    let nodes = vec![0, 1, 2, 3, 0, 2, 1, 4, 0, 1, 2, 5];
    let mesh = Mesh::new(points.to_vec(), vec![Block { kind: Kind::Tet4, nodes }]).unwrap();
    assert_eq!(mesh.check_faces(), Err(MeshError::OversharedFace { cells: vec![0, 1, 2] }));
}

/// Mean ratio, edge lengths and dihedral angles have their known values for bricks and for the tetrahedra of a
/// cube.
#[test]
fn ideal_cells_have_quality_one() {
    let mesh = block(Split::Hex, 2);
    let stretched = mesh.quality().unwrap();
    // Cells of 1 × 1/2 × 1/2 have the mean ratio 3 (1/4)^(2/3) / (3/2).
    assert!((stretched.smallest_mean_ratio - 2.0 * 0.25f64.powf(2.0 / 3.0)).abs() < 1e-14);
    assert_eq!(stretched.edge_lengths, [0.5, 1.0]);
    let cube = box_mesh(&BoxConfig { split: Split::Tet5, ..BoxConfig::default() }).unwrap();
    let qualities = cube.qualities();
    assert!((qualities[4].mean_ratio - 1.0).abs() < 1e-14, "the inner tetrahedron is regular");
    let [low, high] = qualities[4].dihedral_angles.unwrap();
    let regular = (1.0f64 / 3.0).acos();
    assert!((low - regular).abs() < 1e-14 && (high - regular).abs() < 1e-14);
    let [low, high] = qualities[0].dihedral_angles.unwrap();
    let third = (1.0 / 3f64.sqrt()).acos();
    assert!((low - third).abs() < 1e-14 && (high - std::f64::consts::FRAC_PI_2).abs() < 1e-14);
}

/// Nodes without cells are found and removed, with all indices adjusted.
#[test]
fn unused_nodes_are_left_out() {
    let mut mesh = block(Split::Tet5, 1);
    let tidy = mesh.clone();
    mesh.nodes.insert(0, DVec3::splat(99.0));
    mesh.blocks[0].nodes.iter_mut().for_each(|node| *node += 1);
    mesh.node_sets.iter_mut().for_each(|set| set.nodes.iter_mut().for_each(|node| *node += 1));
    assert_eq!(mesh.unused_nodes(), vec![0]);
    assert_eq!(mesh.without_unused_nodes(), (tidy, 1));
}

/// Cells of different shapes that share a face have the same keys for its lattice points.
#[test]
fn neighbours_of_any_shape_agree_on_shared_nodes() {
    // Face 4 of a hexahedron and the base of a pyramid; a side of the pyramid and a tetrahedron;
    // a side of a prism and the hexahedron; all with corners listed in different directions.
    let hex = (CellShape::Hexahedron, vec![10, 11, 12, 13, 14, 15, 16, 17]);
    let pyramid = (CellShape::Pyramid, vec![16, 17, 14, 15, 20]);
    let tet = (CellShape::Tetrahedron, vec![30, 20, 15, 14]);
    let prism = (CellShape::Prism, vec![12, 40, 11, 16, 41, 15]);
    for d in 1..=6 {
        let keys = |(shape, corners): &(CellShape, Vec<u32>), on: &[u32]| -> BTreeSet<NodeKey> {
            let all = lattice_of(*shape, d).into_iter();
            let keys = all.map(|point| NodeKey::new(*shape, corners, d, point));
            keys.filter(|key| key.corners().all(|corner| on.contains(&corner))).collect()
        };
        for (a, b, on, size) in [
            (&hex, &pyramid, vec![14, 15, 16, 17], (d + 1) * (d + 1)),
            (&pyramid, &tet, vec![14, 15, 20], (d + 1) * (d + 2) / 2),
            (&hex, &prism, vec![11, 12, 15, 16], (d + 1) * (d + 1)),
        ] {
            assert_eq!(keys(a, &on), keys(b, &on), "{:?} and {:?}, d = {d}", a.0, b.0);
            assert_eq!(keys(a, &on).len(), size);
        }
    }
}

/// Lattice points of a shape in units of 1/d.
fn lattice_of(shape: CellShape, d: usize) -> Vec<[usize; 3]> {
    let cube =
        (0..(d + 1).pow(3)).map(|k| [k % (d + 1), k / (d + 1) % (d + 1), k / (d + 1).pow(2)]);
    cube.filter(|[x, y, z]| match shape {
        CellShape::Tetrahedron => x + y + z <= d,
        CellShape::Hexahedron => true,
        CellShape::Prism => x + y <= d,
        CellShape::Pyramid => x + z <= d && y + z <= d,
    })
    .collect()
}

/// Colouring is correct and reproducible for random connectivity.
#[test]
fn any_connectivity_is_coloured() {
    for_cases(200, &mut |random| {
        let count = 1 + random.below(299);
        let cells = (0..count).flat_map(|_| four_of(40, random)).collect();
        let nodes = vec![DVec3::ZERO; 40];
        let mesh = Mesh::new(nodes, vec![Block { kind: Kind::Tet4, nodes: cells }]).unwrap();
        let colouring = mesh.coloured();
        for cells in &colouring.cells {
            let nodes: Vec<u32> =
                cells.iter().flat_map(|c| mesh.cell(*c as usize).1.to_vec()).collect();
            assert_eq!(nodes.iter().collect::<BTreeSet<_>>().len(), nodes.len());
        }
        for (cell, colour) in colouring.colours.iter().enumerate() {
            assert!(colouring.cells[*colour as usize].contains(&(cell as u32)));
        }
        assert_eq!(colouring, mesh.coloured());
    });
}

/// Four different random numbers below `count`.
fn four_of(count: usize, random: &mut Random) -> BTreeSet<u32> {
    let mut picked = BTreeSet::new();
    while picked.len() < 4 {
        picked.insert(random.below(count) as u32);
    }
    picked
}
