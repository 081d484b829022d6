//! Meshes are written and read back without changing a bit, in every format that has a writer and a reader.

use std::path::{Path, PathBuf};

use glam::DVec3;
use pliant::element::Kind;
use pliant::mesh::Mesh;
use pliant_io::gmsh::Encoding;
use pliant_io::vtu::{Field, Frame, Series};
use pliant_io::{WriteError, gmsh, read_mesh, vtu, write_mesh};

type Write = fn(&Path, &Mesh);

const WRITERS: [(&str, Write); 4] = [
    ("text41.msh", |path, mesh| gmsh::write(path, mesh, Encoding::Text41).unwrap()),
    ("binary41.msh", |path, mesh| gmsh::write(path, mesh, Encoding::Binary41).unwrap()),
    ("text22.msh", |path, mesh| gmsh::write(path, mesh, Encoding::Text22).unwrap()),
    ("grid.vtu", |path, mesh| write_mesh(path, mesh).unwrap()),
];

fn samples() -> Vec<(String, Mesh)> {
    let mut all = vec![("mixed".to_owned(), crate::samples::mixed())];
    for kind in Kind::ALL {
        all.push((format!("straight {kind}"), crate::samples::sample(kind, false)));
        all.push((format!("curved {kind}"), crate::samples::sample(kind, true)));
    }
    all
}

fn bits(points: &[DVec3]) -> Vec<[u64; 3]> {
    points.iter().map(|point| point.to_array().map(f64::to_bits)).collect()
}

/// The sample meshes have positive volume, so that readers do not reverse their cells.
#[test]
fn the_samples_have_positive_volume() {
    for (name, mesh) in samples() {
        assert!(mesh.volume() > 0.1, "{name}: {}", mesh.volume());
    }
}

/// Meshes of every kind of cell are read back exactly.
#[test]
fn every_kind_comes_back_bit_by_bit() {
    let folder = tempfile::tempdir().unwrap();
    for (name, mesh) in samples() {
        for (file, write) in WRITERS {
            let path = folder.path().join(file);
            write(&path, &mesh);
            let back = read_mesh(&path).unwrap();
            assert_eq!(back.mesh, mesh, "{name}, {file}");
            assert_eq!(bits(&back.mesh.nodes), bits(&mesh.nodes), "{name}, {file}");
            assert_eq!(back.report.dropped_nodes, 0, "{name}, {file}");
        }
    }
}

/// Extreme coordinates are read back exactly: the smallest number, negative zero, and numbers that need 17 digits.
#[test]
fn awkward_numbers_come_back_bit_by_bit() {
    let folder = tempfile::tempdir().unwrap();
    let mut mesh = crate::samples::sample(Kind::Tet4, true);
    mesh.nodes[0] = DVec3::new(5e-324, -0.0, 1e300);
    mesh.nodes[1] = DVec3::new(0.1 + 0.2, -1e-300, f64::MIN_POSITIVE);
    for (file, write) in WRITERS {
        let path = folder.path().join(file);
        write(&path, &mesh);
        assert_eq!(bits(&read_mesh(&path).unwrap().mesh.nodes), bits(&mesh.nodes), "{file}");
    }
}

/// Without the section of control points the mesh is the same up to rounding. Tolerance 1e-14: the conversions
/// between Lagrange nodes and control points have entries below 10.
#[test]
fn nodes_alone_determine_the_mesh() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("curved.msh");
    for kind in [Kind::Tet10, Kind::Tet20, Kind::Hex27] {
        let mesh = crate::samples::sample(kind, true);
        gmsh::write(&path, &mesh, Encoding::Text41).unwrap();
        let text = std::fs::read_to_string(&path).unwrap();
        let others = text.split("$PliantControlPoints").next().unwrap();
        let back = gmsh::parse(&path, others.as_bytes()).unwrap().mesh;
        for (a, b) in mesh.nodes.iter().zip(&back.nodes) {
            assert!((*a - *b).length() < 1e-14, "{kind}: {a} became {b}");
        }
    }
}

/// Control points that do not fit the nodes of an edited file are ignored, and the report says so.
#[test]
fn control_points_of_another_shape_are_ignored_and_reported() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("edited.msh");
    let mesh = crate::samples::sample(Kind::Tet10, true);
    gmsh::write(&path, &mesh, Encoding::Text41).unwrap();
    let (nodes, rest) = std::fs::read_to_string(&path)
        .unwrap()
        .split_once("$EndNodes")
        .map(|(a, b)| (a.to_owned(), b.to_owned()))
        .unwrap();
    // The last node is changed as by hand.
    let (all_but_last, _) = nodes.trim_end().rsplit_once('\n').unwrap();
    let edited = format!("{all_but_last}\n9 9 9\n$EndNodes{rest}");
    let back = gmsh::parse(&path, edited.as_bytes()).unwrap();
    assert!(back.report.control_points_ignored);
    assert!(back.mesh.bounds().1.max_element() > 2.0);
}

/// A quadratic field of coefficients is written as its values on the shape: at the middle of an edge a/4 + c/2 + b/4.
#[test]
fn fields_are_written_as_values_on_the_shape() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("field.vtu");
    let mesh = crate::samples::sample(Kind::Tet10, false);
    let coefficients: Vec<f64> = (0..mesh.nodes.len()).map(|node| node as f64).collect();
    let mut frame = Frame::new(&mesh);
    frame.point_fields.push(Field::scalar("heat", coefficients.clone()));
    frame.cell_fields.push(Field::scalar("quality", vec![0.5; mesh.cell_count()]));
    vtu::write(&path, &frame).unwrap();

    let bytes = std::fs::read(&path).unwrap();
    let cell = mesh.blocks[0].cell(0);
    let [a, b, middle] = [cell[0], cell[1], cell[4]].map(|node| coefficients[node as usize]);
    let values = appended_reals(&bytes, "heat");
    assert_eq!(values[cell[0] as usize], a);
    assert_eq!(values[cell[4] as usize], 0.25 * a + 0.5 * middle + 0.25 * b);
    assert_eq!(appended_reals(&bytes, "quality"), [0.5, 0.5]);
}

/// Reads an array from a file written here, without the reader under test.
fn appended_reals(bytes: &[u8], name: &str) -> Vec<f64> {
    let text = String::from_utf8_lossy(bytes);
    let tag = text.lines().find(|line| line.contains(&format!("Name=\"{name}\""))).unwrap();
    let offset: usize =
        tag.split("offset=\"").nth(1).unwrap().split('"').next().unwrap().parse().unwrap();
    let mark = b"<AppendedData encoding=\"raw\">\n_";
    let data = bytes.windows(mark.len()).position(|window| window == mark).unwrap() + mark.len();
    let number = |at: usize| -> [u8; 8] { bytes[at..at + 8].try_into().unwrap() };
    let length = u64::from_le_bytes(number(data + offset)) as usize;
    (1..=length / 8).map(|k| f64::from_le_bytes(number(data + offset + 8 * k))).collect()
}

/// A frame with deformed positions is read back with these positions, exactly.
#[test]
fn deformed_positions_are_what_is_read_back() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("deformed.vtu");
    let mesh = crate::samples::sample(Kind::Tet20, true);
    let moved: Vec<DVec3> = mesh.nodes.iter().map(|node| *node * 1.5 + DVec3::X).collect();
    let frame = Frame { positions: Some(&moved), ..Frame::new(&mesh) };
    vtu::write(&path, &frame).unwrap();
    assert_eq!(bits(&read_mesh(&path).unwrap().mesh.nodes), bits(&moved));
}

/// A field of the wrong length is an error, and no file is written.
#[test]
fn a_field_of_the_wrong_length_is_an_error_and_writes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("never.vtu");
    let mesh = crate::samples::sample(Kind::Hex8, false);
    let mut frame = Frame::new(&mesh);
    frame.point_fields.push(Field::scalar("heat", vec![1.0; 5]));
    let error = vtu::write(&path, &frame).unwrap_err();
    assert!(matches!(error, WriteError::Mismatch { .. }));
    assert!(error.to_string().contains("field `heat` has 5 numbers, expected 12"), "{error}");
    assert!(!path.exists());
}

/// A series writes one file per frame and a list with exact times.
#[test]
fn a_series_lists_its_frames_with_their_times() {
    let folder = tempfile::tempdir().unwrap();
    let mesh = crate::samples::sample(Kind::Hex27, true);
    let mut series = Series::new(folder.path().join("run/beam.pvd"));
    let files: Vec<PathBuf> = [0.0, 1.0 / 60.0]
        .iter()
        .map(|time| series.push(*time, &Frame::new(&mesh)).unwrap())
        .collect();
    let list = std::fs::read_to_string(series.path()).unwrap();
    assert!(list.contains("timestep=\"0.016666666666666666\""), "{list}");
    for file in files {
        assert!(list.contains(file.file_name().unwrap().to_str().unwrap()), "{list}");
        assert_eq!(read_mesh(&file).unwrap().mesh, mesh);
    }
}

/// The error for an unknown extension lists the known ones.
#[test]
fn an_unknown_extension_lists_the_known_ones() {
    let mesh = crate::samples::sample(Kind::Tet4, false);
    let error = write_mesh("mesh.xyz".as_ref(), &mesh).unwrap_err().to_string();
    assert!(error.contains(".msh") && error.contains(".vtu"), "{error}");
}
