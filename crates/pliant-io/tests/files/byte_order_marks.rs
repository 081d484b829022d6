//! Byte-order marks: that of UTF-8 is skipped in every text format, and text in UTF-16 or UTF-32 is refused.

use std::path::Path;

use pliant_io::scene::Scene;
use pliant_io::surface::{parse_gltf, parse_obj, parse_ply, parse_stl};
use pliant_io::{ReadError, gmsh, medit, read_mesh, tetgen, vtu};

/// A reader that returns a description of the contents.
type Read = fn(&[u8]) -> Result<String, ReadError>;

const NODES: &str = "4 3 0 0\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n";

/// A small text file of every format, with its reader.
fn files() -> Vec<(&'static str, &'static str, Read)> {
    vec![
        ("obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n", |bytes| {
            parse_obj(Path::new("a.obj"), bytes).map(|surface| format!("{surface:?}"))
        }),
        (
            "ply",
            "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty float z\n\
             element face 1\nproperty list uchar int vertex_indices\nend_header\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n",
            |bytes| parse_ply(Path::new("a.ply"), bytes).map(|surface| format!("{surface:?}")),
        ),
        (
            "stl",
            "solid a\nfacet normal 0 0 0\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\nendfacet\n\
             endsolid a\n",
            |bytes| parse_stl(Path::new("a.stl"), bytes).map(|surface| format!("{surface:?}")),
        ),
        (
            "gltf",
            r#"{"asset":{"version":"2.0"},"scenes":[{"nodes":[0]}],"nodes":[{"mesh":0}],
             "meshes":[{"primitives":[{"attributes":{"POSITION":0}}]}],
             "accessors":[{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3"}],
             "bufferViews":[{"buffer":0,"byteLength":36}],
             "buffers":[{"byteLength":36,"uri":"data:;base64,AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAA"}]}"#,
            |bytes| parse_gltf(Path::new("a.gltf"), bytes).map(|surface| format!("{surface:?}")),
        ),
        (
            "msh",
            "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n4\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n$EndNodes\n\
             $Elements\n1\n1 4 2 7 7 1 2 3 4\n$EndElements\n",
            |bytes| gmsh::parse(Path::new("a.msh"), bytes).map(|file| format!("{:?}", file.mesh)),
        ),
        (
            "vtu",
            "<VTKFile type=\"UnstructuredGrid\"><UnstructuredGrid><Piece NumberOfPoints=\"4\" NumberOfCells=\"1\">\
             <Points><DataArray type=\"Float64\" NumberOfComponents=\"3\">0 0 0 1 0 0 0 1 0 0 0 1</DataArray></Points>\
             <Cells><DataArray type=\"Int64\" Name=\"connectivity\">0 1 2 3</DataArray>\
             <DataArray type=\"Int64\" Name=\"offsets\">4</DataArray>\
             <DataArray type=\"UInt8\" Name=\"types\">10</DataArray></Cells></Piece></UnstructuredGrid></VTKFile>",
            |bytes| vtu::parse(Path::new("a.vtu"), bytes).map(|file| format!("{:?}", file.mesh)),
        ),
        (
            "mesh",
            "MeshVersionFormatted 2\nDimension 3\nVertices 4\n0 0 0 0\n1 0 0 0\n0 1 0 0\n0 0 1 0\nTetrahedra 1\n\
             1 2 3 4 5\nEnd\n",
            |bytes| medit::parse(Path::new("a.mesh"), bytes).map(|file| format!("{:?}", file.mesh)),
        ),
        ("node", NODES, |bytes| {
            let read = tetgen::parse(Path::new("a.ele"), bytes, b"1 4 0\n1 1 2 3 4\n");
            read.map(|file| format!("{:?}", file.mesh))
        }),
        ("ele", "1 4 0\n1 1 2 3 4\n", |bytes| {
            let read = tetgen::parse(Path::new("a.ele"), NODES.as_bytes(), bytes);
            read.map(|file| format!("{:?}", file.mesh))
        }),
    ]
}

fn with_mark(text: &str) -> Vec<u8> {
    ["\u{feff}".as_bytes(), text.as_bytes()].concat()
}

/// A file with a mark has the same contents as one without.
#[test]
fn a_mark_of_utf_8_changes_nothing() {
    for (format, text, read) in files() {
        let plain = read(text.as_bytes()).unwrap();
        assert_eq!(read(&with_mark(text)).unwrap(), plain, "{format}");
    }
}

/// The format of a mesh is recognised behind the mark.
#[test]
fn a_marked_file_is_recognised_by_its_contents() {
    let folder = tempfile::tempdir().unwrap();
    for (format, text, _) in files().into_iter().filter(|(format, ..)| *format == "msh") {
        let path = folder.path().join("without_extension");
        std::fs::write(&path, with_mark(text)).unwrap();
        assert_eq!(read_mesh(&path).unwrap().mesh.cell_count(), 1, "{format}");
    }
}

/// A scene with a mark is the same scene; the column of an error does not change.
#[test]
fn a_scene_may_begin_with_a_mark() {
    let scene = "version = 1\n[[body]]\nname = \"a\"\nmesh = { box = { size = [1, 1, 1], cells = [1, 1, 1] } }\n\
        material = { young = 1e5, poisson = 0.4, density = 1000 }\n";
    let marked = format!("\u{feff}{scene}");
    assert_eq!(Scene::parse("a.toml", &marked).unwrap().bodies.len(), 1);
    let wrong = format!("\u{feff}{}", scene.replace("1e5", "-1"));
    let error = Scene::parse("a.toml", &wrong).unwrap_err().to_string();
    assert!(error.contains("a.toml:5:"), "{error}");
}

/// Text in UTF-16 and UTF-32 is refused with its encoding and the remedy, with and without a mark.
#[test]
fn wide_encodings_are_refused_with_the_remedy() {
    for (format, text, read) in files() {
        let units: Vec<u16> = text.encode_utf16().collect();
        let little: Vec<u8> = units.iter().flat_map(|unit| unit.to_le_bytes()).collect();
        let big: Vec<u8> = units.iter().flat_map(|unit| unit.to_be_bytes()).collect();
        let four: Vec<u8> = text.chars().flat_map(|c| (c as u32).to_le_bytes()).collect();
        let cases = [
            ("UTF-16", [&[0xff, 0xfe][..], &little].concat()),
            ("UTF-16", [&[0xfe, 0xff][..], &big].concat()),
            ("UTF-16LE", little),
            ("UTF-16BE", big),
            ("UTF-32", [&[0xff, 0xfe, 0, 0][..], &four].concat()),
        ];
        for (encoding, bytes) in cases {
            let error = read(&bytes).unwrap_err().to_string();
            let wanted = format!("text in {encoding} is not supported; save it as UTF-8");
            assert!(error.contains(&wanted), "{format}: {error}");
        }
    }
}
