//! Medit files.

use pliant::element::Kind;
use pliant_io::medit;

/// A hexahedron with a prism at its side and a pyramid on top, and sections that the reader ignores.
const MESH: &str = "MeshVersionFormatted 1\n\nDimension 3\n\nVertices\n11\n\
    0 0 0 0\n1 0 0 0\n1 1 0 0\n0 1 0 0\n0 0 1 0\n1 0 1 0\n1 1 1 0\n0 1 1 0\n.5 .5 2 1\n2 .5 0 0\n2 .5 1 0\n\
    Corners\n2\n1\n2\nEdges\n1\n1 2 4\n\
    Hexahedra\n1\n1 2 3 4 5 6 7 8 3\nPyramids 1\n5 6 7 8 9 3\n# a comment\nPrisms\n1\n2 10 3 6 11 7 0\n\
    Quadrilaterals\n1\n1 4 3 2 12\nTriangles\n1\n5 6 9 13\nRequiredVertices\n1\n1\nEnd\n";

/// Cells of all shapes are read, and references become regions and node sets.
#[test]
fn cells_and_references_are_read() {
    let mesh = medit::parse("a.mesh".as_ref(), MESH.as_bytes()).unwrap().mesh;
    let kinds: Vec<Kind> = mesh.blocks.iter().map(|block| block.kind).collect();
    assert_eq!(kinds, [Kind::Hex8, Kind::Pyramid5, Kind::Prism6]);
    // A unit cube, a pyramid of height 1, and a prism over a triangle of area ½; to rounding.
    assert!((mesh.volume() - (1.0 + 1.0 / 3.0 + 0.5)).abs() < 1e-14, "{}", mesh.volume());
    let regions: Vec<_> = mesh.regions.iter().map(|r| (r.name.as_str(), &r.cells[..])).collect();
    assert_eq!(regions, [("ref_3", &[0, 1][..])]);
    let sets: Vec<_> = mesh.node_sets.iter().map(|s| (s.name.as_str(), &s.nodes[..])).collect();
    assert_eq!(sets, [("ref_12", &[0, 1, 2, 3][..]), ("ref_13", &[4, 5, 8])]);
}

/// Errors have the line, the value and the expected value.
#[test]
fn errors_say_what_where_and_what_to_change() {
    let cases = [
        (
            MESH.replace("1 2 3 4 5 6 7 8 3", "1 2 3 4 5 6 7 12 3"),
            "line 27: found vertex 12, expected 1 to 11",
        ),
        (
            MESH.replace("2 .5 0 0", "2 1e999 0 0"),
            "found inf, expected a coordinate that is finite",
        ),
        (MESH.replace("Dimension 3", "Dimension 2"), "line 3: found `2`, expected dimension 3"),
        (
            MESH.replace("Vertices\n11", "Vertices\n11000000"),
            "found a number of vertices of 11000000, expected at most",
        ),
        (MESH.replace("Hexahedra", "HexahedraQ2"), "section `HexahedraQ2` is not supported"),
        (
            MESH.replace("MeshVersionFormatted", "Mesh"),
            "found `Mesh`, expected `MeshVersionFormatted`",
        ),
        ("\u{1}\0\0\0".into(), "binary Medit (.meshb) is not supported; save it as text"),
        (MESH[..MESH.find("Hexa").unwrap()].to_owned(), "the mesh has no cells"),
    ];
    for (text, expected) in cases {
        let found = medit::parse("a.mesh".as_ref(), text.as_bytes()).unwrap_err().to_string();
        assert!(found.contains(expected), "got `{found}`, expected `{expected}`");
    }
}
