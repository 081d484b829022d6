//! Gmsh files as other programs write them, and invalid ones.

use glam::DVec3;
use pliant::element::Kind;
use pliant::mesh::Mesh;
use pliant_io::{MeshFile, ReadError, gmsh};

fn parse(text: impl AsRef<[u8]>) -> Result<MeshFile, ReadError> {
    gmsh::parse("test.msh".as_ref(), text.as_ref())
}

fn error(text: impl AsRef<[u8]>) -> String {
    parse(text).unwrap_err().to_string()
}

const HEADER: &str = "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n";

/// The unit tetrahedron in version 4.1, with further sections before the nodes.
fn tetrahedron(sections: &str, nodes: &str, elements: &str) -> String {
    format!("{HEADER}{sections}$Nodes\n{nodes}\n$EndNodes\n$Elements\n{elements}\n$EndElements\n")
}

const NODES: &str = "1 4 1 4\n3 1 0 4\n1\n2\n3\n4\n0 0 0\n1 0 0\n0 1 0\n0 0 1";
const ELEMENTS: &str = "1 1 1 1\n3 1 4 1\n1 1 2 3 4";

fn unit_tetrahedron() -> Mesh {
    parse(tetrahedron("", NODES, ELEMENTS)).unwrap().mesh
}

/// Node tags may have gaps, any order and any size.
#[test]
fn tags_may_be_sparse_unordered_and_huge() {
    let nodes =
        "2 4 7 9000000000\n3 1 0 2\n900\n7\n0 1 0\n0 0 0\n2 5 0 2\n9000000000\n12\n0 0 1\n1 0 0";
    let file = parse(tetrahedron("", nodes, "1 1 5 5\n3 1 4 1\n5 7 12 900 9000000000")).unwrap();
    assert_eq!(file.mesh, unit_tetrahedron());
}

/// Parametric coordinates of nodes are ignored.
#[test]
fn parameters_of_nodes_are_passed_over() {
    let nodes = "2 4 1 4\n1 3 1 1\n1\n0 0 0 0.25\n2 5 1 3\n2\n3\n4\n1 0 0 0.5 0.5\n0 1 0 0.1 0.2\n0 0 1 0 0";
    assert_eq!(parse(tetrahedron("", nodes, ELEMENTS)).unwrap().mesh, unit_tetrahedron());
}

/// Unknown sections are ignored.
#[test]
fn unknown_sections_are_passed_over() {
    let sections = "$Comments\n$ 12 anything\n$EndComments\n$Periodic\n1\n0 1 2\n$EndPeriodic\n";
    let text = tetrahedron(sections, NODES, ELEMENTS) + "$NodeData\n1\n\"T\"\n$EndNodeData\n";
    assert_eq!(parse(text).unwrap().mesh, unit_tetrahedron());
}

/// Lines may end with a carriage return.
#[test]
fn carriage_returns_do_no_harm() {
    let text = tetrahedron("", NODES, ELEMENTS).replace('\n', "\r\n");
    assert_eq!(parse(text).unwrap().mesh, unit_tetrahedron());
}

/// Nodes without cells are removed and reported.
#[test]
fn nodes_of_no_cell_are_left_out_and_reported() {
    let nodes = "1 6 1 6\n3 1 0 6\n1\n2\n3\n4\n5\n6\n0 0 0\n9 9 9\n1 0 0\n0 1 0\n8 8 8\n0 0 1";
    let file = parse(tetrahedron("", nodes, "1 1 1 1\n3 1 4 1\n1 1 3 4 6")).unwrap();
    assert_eq!(file.mesh, unit_tetrahedron());
    assert_eq!(file.report.dropped_nodes, 2);
    assert_eq!(file.report.notes(), ["2 nodes removed (not used by any volume cell)"]);
}

/// Inverted cells are reversed and reported.
#[test]
fn cells_of_either_winding_are_accepted_and_reported() {
    let file = parse(tetrahedron("", NODES, "1 1 1 1\n3 1 4 1\n1 1 3 2 4")).unwrap();
    assert!((file.mesh.volume() - 1.0 / 6.0).abs() < 1e-16, "{}", file.mesh.volume());
    assert_eq!(file.report.notes(), ["1 cell reversed (inverted orientation)"]);
}

/// A flat cell is read, so that it can be viewed, but the mesh cannot be certified.
#[test]
fn a_flat_cell_is_read() {
    let flat = NODES.replace("0 0 1", "1 1 0");
    let file = parse(tetrahedron("", &flat, ELEMENTS)).unwrap();
    assert_eq!(file.report.reversed_cells, 0);
    assert!(file.mesh.certify().is_err());
}

/// Binary files of both byte orders are read.
#[test]
fn binary_files_of_either_byte_order_are_read() {
    for big in [false, true] {
        let int = |x: i32| if big { x.to_be_bytes() } else { x.to_le_bytes() };
        let size = |x: u64| if big { x.to_be_bytes() } else { x.to_le_bytes() };
        let real = |x: f64| if big { x.to_be_bytes() } else { x.to_le_bytes() };
        let mut bytes = b"$MeshFormat\n4.1 1 8\n".to_vec();
        bytes.extend(int(1));
        bytes.extend(b"\n$EndMeshFormat\n$Nodes\n");
        [1, 4, 1, 4].iter().for_each(|x| bytes.extend(size(*x)));
        [3, 1, 0].iter().for_each(|x| bytes.extend(int(*x)));
        [4, 1, 2, 3, 4].iter().for_each(|x| bytes.extend(size(*x)));
        for point in [DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z] {
            point.to_array().iter().for_each(|x| bytes.extend(real(*x)));
        }
        bytes.extend(b"\n$EndNodes\n$Elements\n");
        [1, 1, 1, 1].iter().for_each(|x| bytes.extend(size(*x)));
        [3, 1, 4].iter().for_each(|x| bytes.extend(int(*x)));
        [1, 1, 1, 2, 3, 4].iter().for_each(|x| bytes.extend(size(*x)));
        bytes.extend(b"\n$EndElements\n");
        let file = parse(&bytes).unwrap();
        assert_eq!(file.mesh, unit_tetrahedron());
        assert_eq!(file.report.format, "Gmsh 4.1 binary");
    }
}

/// In version 2.2 a cell of two groups is in the file twice; it becomes one cell of two regions.
#[test]
fn repeated_cells_of_version_2_become_one_cell_of_two_regions() {
    let text = "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n2\n3 1 \"part\"\n3 2 \"whole thing\"\n\
        $EndPhysicalNames\n$Nodes\n4\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n$EndNodes\n\
        $Elements\n3\n1 4 2 1 1 1 2 3 4\n2 4 2 2 1 1 2 3 4\n3 2 2 5 1 1 2 3\n$EndElements\n";
    let file = parse(text).unwrap();
    assert_eq!(file.mesh.cell_count(), 1);
    assert_eq!(file.report.merged_cells, 1);
    let regions: Vec<_> =
        file.mesh.regions.iter().map(|r| (r.name.as_str(), &r.cells[..])).collect();
    assert_eq!(regions, [("part", &[0][..]), ("whole thing", &[0])]);
    assert_eq!(file.mesh.node_sets[0].name, "surface_5");
    assert_eq!(file.mesh.node_sets[0].nodes, [0, 1, 2]);
}

/// A hexahedron of 20 nodes is completed to 27 nodes without changing its shape: with x² added to z it is in the
/// triquadratic space, and its volume stays 1, to rounding.
#[test]
fn a_hexahedron_of_20_nodes_is_completed_without_changing_its_shape() {
    let corners =
        [[0, 0, 0], [2, 0, 0], [2, 2, 0], [0, 2, 0], [0, 0, 2], [2, 0, 2], [2, 2, 2], [0, 2, 2]];
    let edges = [
        [0, 1],
        [0, 3],
        [0, 4],
        [1, 2],
        [1, 5],
        [2, 3],
        [2, 6],
        [3, 7],
        [4, 5],
        [4, 7],
        [5, 6],
        [6, 7],
    ];
    let mut points: Vec<[f64; 3]> = corners.iter().map(|c| c.map(|x| f64::from(x) / 2.0)).collect();
    for [a, b] in edges {
        let (a, b): ([f64; 3], [f64; 3]) = (points[a], points[b]);
        points.push(std::array::from_fn(|k| 0.5 * (a[k] + b[k])));
    }
    let line = |p: &[f64; 3]| format!("{} {} {}\n", p[0], p[1], p[2] + p[0] * p[0]);
    let tags: String = (1..=20).map(|tag| format!("{tag}\n")).collect();
    let lines: String = points.iter().map(line).collect();
    let nodes = format!("1 20 1 20\n3 1 0 20\n{tags}{lines}");
    let cell: String = (1..=20).map(|tag| format!(" {tag}")).collect();
    let file =
        parse(tetrahedron("", nodes.trim_end(), &format!("1 1 1 1\n3 1 17 1\n1{cell}"))).unwrap();
    assert_eq!(file.mesh.blocks[0].kind, Kind::Hex27);
    assert_eq!(file.report.completed_cells, 1);
    assert!((file.mesh.volume() - 1.0).abs() < 1e-14, "{}", file.mesh.volume());
    // The Bernstein coefficients of x² are 0, 0 and 1.
    for point in &file.mesh.nodes {
        let lift = if point.x == 1.0 { 1.0 } else { 0.0 };
        let height = point.z - lift;
        assert!([0.0, 0.5, 1.0].iter().any(|z| (z - height).abs() < 1e-14), "{point}");
    }
}

/// A file without volume cells is an error that says how to mesh it.
#[test]
fn a_surface_is_told_apart_from_a_volume() {
    let text = tetrahedron("", NODES, "1 2 1 2\n2 1 2 2\n1 1 2 3\n2 1 2 4");
    let error = parse(text).unwrap_err();
    assert!(matches!(error, ReadError::SurfaceOnly { face_count: 2, .. }), "{error}");
    assert!(error.to_string().contains("gmsh -3"), "{error}");
}

/// Errors have the file, the line, the value and the expected value.
#[test]
fn errors_say_what_where_and_what_to_change() {
    let cases = [
        (
            tetrahedron("", NODES, "1 1 1 1\n3 1 4 1\n1 1 2 3 9"),
            "line 19: found node tag 9 in an element, expected one of the 4 node tags from 1 to 4",
        ),
        (
            tetrahedron("", &NODES.replace("0 1 0", "0 nan 0"), ELEMENTS),
            "line 13: found NaN, expected a coordinate that is finite",
        ),
        (
            tetrahedron("", &NODES.replace("0 1 0", "0 1,5 0"), ELEMENTS),
            "line 13: found `1,5`, expected a coordinate",
        ),
        (tetrahedron("", &NODES.replace("\n2\n", "\n1\n"), ELEMENTS), "found node tag 1 twice"),
        (
            tetrahedron("", "1 4000000000 1 4\n", ELEMENTS),
            "found a number of nodes of 4000000000, expected at most",
        ),
        (
            tetrahedron("", NODES, "1 1 1 1\n3 1 13 1\n1 1"),
            "a prism of degree 2 or more is not supported; only linear prisms are",
        ),
        (tetrahedron("", NODES, "1 1 1 1\n3 1 999 1\n1 1"), "found element type 999"),
        (
            tetrahedron("", NODES, "1 1 1 1\n3 1 4 1\n1 1 1 3 4"),
            "cell 0 uses node 0 for two of its corners",
        ),
        (tetrahedron("", NODES, "0 0 0 0"), "the mesh has no cells"),
        (HEADER.replace("4.1", "4.0"), "version `4.0` of the Gmsh format is not supported"),
        (HEADER.into(), "found no nodes"),
        ("hello".into(), "test.msh, line 1: found `hello`, expected `$MeshFormat`"),
        (String::new(), "expected `$MeshFormat`"),
        (format!("{HEADER}$Nodes\n{NODES}\n"), "expected `$EndNodes`"),
    ];
    for (text, expected) in cases {
        let found = error(&text);
        assert!(found.contains(expected), "got `{found}`, expected `{expected}`");
        assert!(found.starts_with("test.msh"), "{found}");
    }
}

/// The reader compares counts with the size of the file before it allocates memory.
#[test]
fn huge_counts_in_binary_files_are_refused() {
    let mut bytes = b"$MeshFormat\n4.1 1 8\n\x01\0\0\0\n$EndMeshFormat\n$Nodes\n".to_vec();
    bytes.extend([u64::MAX; 4].iter().flat_map(|x| x.to_le_bytes()));
    let found = error(&bytes);
    assert!(found.contains("byte") && found.contains("18446744073709551615"), "{found}");
}
