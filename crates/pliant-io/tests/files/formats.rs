//! The choice of the reader of a file.

use pliant_io::{ReadError, read_mesh};

const MEDIT: &str = "MeshVersionFormatted 2\nDimension 3\nVertices 4\n0 0 0 0\n1 0 0 0\n0 1 0 0\n0 0 1 0\nTetrahedra 1\n1 2 3 4 0\nEnd\n";

fn error_of(name: &str, text: &str) -> ReadError {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    std::fs::write(&path, text).unwrap();
    read_mesh(&path).unwrap_err()
}

/// The format is recognised by the content of a file, whatever its extension.
#[test]
fn what_the_file_says_counts_before_its_extension() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["right.mesh", "wrong.msh", "none", "UPPER.MESH"] {
        let path = folder.path().join(name);
        std::fs::write(&path, MEDIT).unwrap();
        assert_eq!(read_mesh(&path).unwrap().report.format, "Medit", "{name}");
    }
}

/// The error for an unknown format shows the first line and the known extensions.
#[test]
fn an_unknown_file_lists_what_is_known() {
    let error = error_of("mesh.xyz", "hello there\nmore");
    assert!(matches!(error, ReadError::UnknownFormat { .. }));
    let text = error.to_string();
    assert!(text.contains("`hello there`") && text.contains(".vtu"), "{text}");
}

/// The error for a surface file in place of a volume mesh says so.
#[test]
fn a_surface_file_is_told_apart() {
    let text = error_of("cow.obj", "v 0 0 0\n").to_string();
    assert!(text.contains("a surface (.obj) as a volume mesh is not supported"), "{text}");
}

/// The error for a missing file has its path.
#[test]
fn a_missing_file_is_named() {
    let error = read_mesh("no/such/mesh.msh".as_ref()).unwrap_err();
    assert!(matches!(&error, ReadError::Io { .. }));
    assert_eq!(error.path(), "no/such/mesh.msh");
    assert!(error.to_string().contains("no/such/mesh.msh"), "{error}");
}
