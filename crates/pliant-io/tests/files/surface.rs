//! Surface files: content, errors, and exact writing and reading.

use std::fs;
use std::path::{Path, PathBuf};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use glam::DVec3;
use pliant_io::ReadError;
use pliant_io::surface::{
    Surface, is_surface_extension, parse_gltf, parse_obj, parse_ply, parse_stl, read_surface,
    sequence_path, write_surface,
};

type Parse = fn(&Path, &[u8]) -> Result<Surface, ReadError>;

/// The error message for these bytes.
fn refusal(parse: Parse, bytes: &[u8]) -> String {
    parse(Path::new("file"), bytes).unwrap_err().to_string()
}

/// A tetrahedron with awkward coordinates.
fn tetrahedron() -> Surface {
    let vertices =
        vec![DVec3::splat(0.1), DVec3::new(1.0 / 3.0, 0.0, -1e-17), DVec3::Y * 7e9, DVec3::NEG_Z];
    Surface::new(vertices, vec![[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]])
}

/// Surface files are recognised by their extension, in any case; an unknown extension is an error with the
/// known ones.
#[test]
fn extensions_tell_surfaces() {
    assert!(["obj", "PLY", "stl", "glb", "glTF"].into_iter().all(is_surface_extension));
    assert!(!["msh", "vtu", "", "node"].into_iter().any(is_surface_extension));
    let error = read_surface(Path::new("cow.fbx")).unwrap_err().to_string();
    assert!(error.contains(".fbx") && error.contains("obj, ply"), "{error}");
}

/// Polygons are split into triangles, and negative indices count from the end.
#[test]
fn obj_knows_polygons_and_indices_from_the_end() {
    let text =
        b"# a square and a triangle\nmtllib a.mtl\nv 0 0 0\nv 1 0 0 \\\n\nv 1 1 0\r\nv 0 1 0\n\
        vt 0 0\nvt 1 0\nvt 1 1\nvn 0 0 1\ng all\nusemtl red\ns off\n\
        f 1/1/1 2/2/1 3/3/1 4/1/1\nf -4/1/-1 -3/2/-1 -2/3/-1 # back\n";
    let surface = parse_obj(Path::new("a.obj"), text).unwrap();
    assert_eq!(surface.vertices.len(), 4);
    assert_eq!(surface.triangles, [[0, 1, 2], [0, 2, 3], [0, 1, 2]]);
    assert_eq!(surface.texcoords.unwrap()[0][2], glam::DVec2::ONE);
    assert_eq!(surface.normals.unwrap()[2], [DVec3::Z; 3]);
}

/// Errors in OBJ files have the line, the value and the expected value.
#[test]
fn obj_errors_name_line_value_and_remedy() {
    let with = |line: &str| format!("v 0 0 0\nv 1 0 0\nv 0 1 0\n{line}\n").into_bytes();
    let cases = [
        ("f 1 2 4", "line 4: found `4`, expected a vertex from 1 to 3"),
        ("f 0 1 2", "line 4: found `0`"),
        ("f -4 1 2", "line 4: found `-4`"),
        ("f 1 2", "line 4: found a face with 2 corners"),
        ("f 1//1 2 3", "expected a normal from 1 to 0"),
        ("f a b c", "line 4: found `a`"),
        ("v 1 nan 0", "line 4: found `nan`, expected a finite number"),
        ("v 1 1e999 0", "line 4: found `1e999`"),
        ("v 1 2", "line 4: found 2 numbers, expected at least 3"),
        ("garbage here", "line 4: found `garbage`, expected an OBJ keyword"),
        ("f 99999999999999999999 1 2", "line 4: found `99999999999999999999`"),
    ];
    for (line, words) in cases {
        let error = refusal(parse_obj, &with(line));
        assert!(error.contains(words), "{line}: {error}");
    }
    assert!(refusal(parse_obj, b"v 0 0 0").contains("1 vertices and no faces"));
    assert!(refusal(parse_obj, b"").contains("no faces"));
}

const PLY: &str = "ply\nformat ascii 1.0\ncomment made by hand\nelement vertex 4\n\
    property float x\nproperty float y\nproperty float z\nproperty uchar red\n\
    property uchar green\nproperty uchar blue\nproperty list uchar int links\nelement face 1\n\
    property list uchar int vertex_indices\nproperty uchar flag\nend_header\n\
    0 0 0 255 0 0 0\n1 0 0 0 255 0 2 7 8\n1 1 0 0 0 255 0\n0 1 0 51 51 51 0\n4 0 1 2 3 9\n";

/// PLY text files are read, with colours; unknown properties are ignored.
#[test]
fn ply_text_with_colours_and_lists_to_pass_over() {
    let surface = parse_ply(Path::new("a.ply"), PLY.as_bytes()).unwrap();
    assert_eq!(surface.triangles, [[0, 1, 2], [0, 2, 3]]);
    assert_eq!(surface.vertices[2], DVec3::new(1.0, 1.0, 0.0));
    assert_eq!(surface.colours.unwrap()[3], [0.2; 3]);
}

/// Two triangle strips, separated by -1; the list ends with -1 too, as in files of scans.
const STRIPS: &str = "ply\nformat ascii 1.0\nelement vertex 6\nproperty float x\nproperty float y\n\
    property float z\nelement tristrips 1\nproperty list int int vertex_indices\nend_header\n\
    0 0 0\n1 0 0\n0 1 0\n1 1 0\n0 2 0\n1 2 0\n";

/// Triangle strips become triangles of one orientation; -1 begins a new strip, and triangles without area, which
/// connect two strips, are left out.
#[test]
fn ply_strips_become_triangles() {
    let read = |list: &str| parse_ply(Path::new("a.ply"), format!("{STRIPS}{list}\n").as_bytes());
    let surface = read("9 0 1 2 3 -1 2 3 4 -1").unwrap();
    assert_eq!(surface.triangles, [[0, 1, 2], [2, 1, 3], [2, 3, 4]]);
    // The normal of every triangle is +z: the second of a strip is reversed.
    for [a, b, c] in &read("6 0 1 2 3 4 5").unwrap().triangles {
        let [a, b, c] = [a, b, c].map(|vertex| surface.vertices[*vertex as usize]);
        assert!((b - a).cross(c - a).z > 0.0);
    }
    let joined = read("8 0 1 2 2 2 3 4 5").unwrap();
    assert_eq!(joined.triangles, [[0, 1, 2], [2, 3, 4], [4, 3, 5]]);
}

/// Unsigned types write -1 as their largest number.
#[test]
fn ply_strips_of_unsigned_numbers_restart() {
    let mut bytes =
        STRIPS.replace("ascii", "binary_little_endian").replace("int int", "uchar uint");
    bytes.truncate(bytes.find("end_header").unwrap() + 11);
    let mut bytes = bytes.into_bytes();
    (0..18).for_each(|k: u8| bytes.extend(f32::from(k * k).to_le_bytes()));
    bytes.push(7);
    [0, 1, 2, u32::MAX, 3, 4, 5].iter().for_each(|index: &u32| bytes.extend(index.to_le_bytes()));
    let surface = parse_ply(Path::new("a.ply"), &bytes).unwrap();
    assert_eq!(surface.triangles, [[0, 1, 2], [3, 4, 5]]);
}

/// Errors in strips have the line, the value and the expected values.
#[test]
fn ply_strip_errors_name_line_and_value() {
    for (list, words) in [
        ("4 0 1 2 6", "line 16: found 6, expected -1, or a vertex from 0 to 5"),
        ("4 0 1 2 -2", "line 16: found -2, expected -1, or a vertex from 0 to 5"),
        ("6 0 1 2 -1 3 4", "line 16: found a triangle strip with 2 vertices, expected at least 3"),
        ("2147483647 0 1 2", "a list length from 0 to"),
        ("5 0 1 2", "the end of the file"),
        ("1 -1", "no faces"),
    ] {
        let error = refusal(parse_ply, format!("{STRIPS}{list}").as_bytes());
        assert!(error.contains(words), "{list}: {error}");
    }
}

/// A triangle in a binary PLY file of either byte order.
fn binary_ply(big: bool) -> Vec<u8> {
    let order = if big { "big" } else { "little" };
    let mut bytes = format!(
        "ply\nformat binary_{order}_endian 1.0\nelement vertex 3\nproperty double x\n\
         property float y\nproperty short z\nelement face 1\n\
         property list uchar ushort vertex_index\nend_header\n"
    )
    .into_bytes();
    let mut put = |mut number: Vec<u8>| {
        if big {
            number.reverse();
        }
        bytes.extend(number);
    };
    for [x, y, z] in [[0.1_f64, 0.5, -3.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]] {
        put(x.to_le_bytes().to_vec());
        put((y as f32).to_le_bytes().to_vec());
        put((z as i16).to_le_bytes().to_vec());
    }
    put(vec![3]);
    (0_u16..3).for_each(|vertex| put(vertex.to_le_bytes().to_vec()));
    bytes
}

/// Binary PLY files of both byte orders are read.
#[test]
fn ply_binary_of_either_byte_order() {
    for big in [false, true] {
        let surface = parse_ply(Path::new("a.ply"), &binary_ply(big)).unwrap();
        assert_eq!(surface.vertices[0], DVec3::new(0.1, 0.5, -3.0));
        assert_eq!(surface.triangles, [[0, 1, 2]]);
    }
}

/// Errors in PLY files have the line or byte and the value.
#[test]
fn ply_errors_say_where_and_what() {
    let change = |from: &str, to: &str| refusal(parse_ply, PLY.replace(from, to).as_bytes());
    assert!(change("4 0 1 2 3 9", "4 0 1 2 4 9").contains("line 20: found 4, expected a vertex"));
    assert!(change("4 0 1 2 3 9", "2 0 1 9").contains("a face with 2 corners"));
    assert!(change("\n1 1 0 0", "\n1 inf 0 0").contains("line 18: found `inf`"));
    assert!(change("element vertex 4", "element vertex 99999999999").contains("can hold"));
    assert!(change("element vertex 4", "element vertex -1").contains("a number of elements"));
    assert!(change("ascii", "morse").contains("found `morse`"));
    assert!(change("float x", "float w").contains("properties x, y and z"));
    assert!(change("end_header", "end").contains("line 15"));
    assert!(change("4 0 1 2 3 9", "4 0 1").contains("cut short"));
    assert!(refusal(parse_ply, &binary_ply(false)[..180]).contains("byte"));
    assert!(refusal(parse_ply, b"").contains("end of the file"));
}

/// Equal corners of STL triangles become one vertex; 0 and −0 are equal.
#[test]
fn stl_corners_are_welded() {
    let text = b"solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\n\
        vertex 1 1 0\nendloop\nendfacet\nfacet normal 0 0 1\nouter loop\nvertex -0 0 0\n\
        vertex 1 1 0\nvertex 0 1 0\nendloop\nendfacet\nendsolid a\n";
    let surface = parse_stl(Path::new("a.stl"), text).unwrap();
    assert_eq!(surface.vertices.len(), 4, "-0 must equal 0");
    assert_eq!(surface.triangles, [[0, 1, 2], [0, 2, 3]]);
}

/// Errors in STL files have the line or byte and the value.
#[test]
fn stl_errors_say_where_and_what() {
    let text = |line: &str| format!("solid a\nfacet\nouter loop\nvertex 0 0 0\n{line}\n");
    let refused = |line: &str| refusal(parse_stl, text(line).as_bytes());
    assert!(refused("vertex 0 0 nan").contains("line 5: found `nan`"));
    assert!(refused("vertex 0 0").contains("line 5: found 2 numbers"));
    assert!(refused("endloop").contains("line 5: found a loop of 1 vertices"));
    assert!(refused("vertex 0 0 1").contains("endsolid"));
    assert!(refused("apple").contains("line 5: found `apple`"));
    assert!(refusal(parse_stl, b"short").contains("5 bytes"));

    let mut binary = vec![0; 84 + 50];
    binary[80..84].copy_from_slice(&u32::MAX.to_le_bytes());
    assert!(refusal(parse_stl, &binary).contains("4294967295 triangles announced"));
    binary[80..84].copy_from_slice(&1_u32.to_le_bytes());
    binary[96..100].copy_from_slice(&f32::NAN.to_le_bytes());
    assert!(refusal(parse_stl, &binary).contains("byte 96"));
}

/// OBJ and PLY files are read back exactly, STL files in single precision.
#[test]
fn written_surfaces_are_read_back_bit_by_bit() {
    let folder = tempfile::tempdir().unwrap();
    let surface = Surface { colours: Some(vec![[0.0, 0.2, 1.0]; 4]), ..tetrahedron() };
    for extension in ["obj", "ply"] {
        let path = sequence_path(&folder.path().join("a").with_extension(extension), 3);
        write_surface(&path, &surface).unwrap();
        assert_eq!(read_surface(&path).unwrap(), surface, "{extension}");
    }
    let path = folder.path().join("a.stl");
    write_surface(&path, &surface).unwrap();
    let back = read_surface(&path).unwrap();
    assert_eq!(back.triangles.len(), 4);
    let single = |x: &DVec3| x.as_vec3().as_dvec3();
    assert!(back.vertices.iter().all(|x| surface.vertices.iter().any(|y| single(y) == *x)));
}

/// Surfaces with invalid indices or positions are errors, and no file is written.
#[test]
fn surfaces_nobody_could_read_are_not_written() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.obj");
    let mut surface = tetrahedron();
    surface.triangles[1] = [0, 1, 4];
    assert!(write_surface(&path, &surface).unwrap_err().to_string().contains("triangle 1"));
    let mut surface = tetrahedron();
    surface.vertices[2].x = f64::INFINITY;
    assert!(write_surface(&path, &surface).unwrap_err().to_string().contains("vertex 2"));
    assert!(!path.exists());
}

/// A document with one triangle that two nodes transform; `uri` is the address of its buffer.
fn gltf(uri: &str) -> String {
    format!(
        r#"{{"asset": {{"version": "2.0"}}, "scene": 0, "scenes": [{{"nodes": [0]}}],
        "nodes": [{{"children": [1], "translation": [0, 0, 5]}}, {{"mesh": 0, "scale": [2, 2, -2]}}],
        "meshes": [{{"primitives": [{{"attributes": {{"POSITION": 0}}, "indices": 1}}]}}],
        "accessors": [
          {{"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3"}},
          {{"bufferView": 1, "componentType": 5121, "count": 3, "type": "SCALAR"}}],
        "bufferViews": [{{"buffer": 0, "byteLength": 36}},
          {{"buffer": 0, "byteOffset": 36, "byteLength": 3}}],
        "buffers": [{{"byteLength": 39, "uri": "{uri}"}}]}}"#
    )
}

fn triangle_buffer() -> Vec<u8> {
    let numbers = [0.0_f32, 0.0, 1.0, 1.0, 0.0, 1.0, 0.0, 1.0, 1.0];
    numbers.iter().flat_map(|number| number.to_le_bytes()).chain([0, 1, 2]).collect()
}

fn inline_gltf() -> String {
    let data = STANDARD.encode(triangle_buffer());
    gltf(&format!("data:application/octet-stream;base64,{data}"))
}

/// Transforms of nodes apply to their meshes, and mirrored triangles are reversed.
#[test]
fn gltf_nodes_move_their_meshes_and_mirrors_turn_triangles() {
    let surface = parse_gltf(Path::new("a.gltf"), inline_gltf().as_bytes()).unwrap();
    assert_eq!(surface.vertices[1], DVec3::new(2.0, 0.0, 3.0), "scaled and mirrored, then moved");
    assert_eq!(surface.triangles, [[0, 2, 1]]);
}

/// Buffers are read only from the folder of the document: paths outside of it, and links to them, are errors.
#[test]
fn gltf_buffers_lie_beside_the_document_and_nowhere_else() {
    let folder = tempfile::tempdir().unwrap();
    let inside = folder.path().join("inside");
    fs::create_dir(&inside).unwrap();
    fs::write(inside.join("a b.bin"), triangle_buffer()).unwrap();
    fs::write(folder.path().join("secret.bin"), triangle_buffer()).unwrap();
    let read = |uri: &str| {
        let path = inside.join("a.gltf");
        fs::write(&path, gltf(uri)).unwrap();
        read_surface(&path)
    };
    assert!(read("a%20b.bin").is_ok());
    let secret = folder.path().join("secret.bin");
    for uri in ["../secret.bin", "%2e%2e/secret.bin", secret.to_str().unwrap(), "file:a.bin"] {
        let error = read(uri).unwrap_err().to_string();
        assert!(error.contains("in the folder of the document"), "{uri}: {error}");
    }
    assert!(matches!(read("missing.bin"), Err(ReadError::Io { .. })));
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink(&secret, inside.join("link.bin")).unwrap();
        assert!(read("link.bin").unwrap_err().to_string().contains("in the folder"));
    }
}

/// Errors in glTF files name the invalid value.
#[test]
fn gltf_errors_say_what() {
    let change = |from: &str, to: &str| {
        let text = inline_gltf();
        assert!(text.contains(from), "{from}");
        refusal(parse_gltf, text.replace(from, to).as_bytes())
    };
    assert!(change(r#""POSITION": 0"#, r#""POSITION": 7"#).contains("accessor 7"));
    assert!(change(r#""mesh": 0"#, r#""mesh": 7"#).contains("mesh 7"));
    assert!(change(r#""children": [1]"#, r#""children": [9]"#).contains("node 9"));
    assert!(change(r#""children": [1]"#, r#""children": [0]"#).contains("below itself"));
    assert!(
        change(r#""count": 3, "type": "VEC3""#, r#""count": 4, "type": "VEC3""#).contains("4 rows")
    );
    assert!(change(r#""count": 3"#, r#""count": 18446744073709551615"#).contains("rows"));
    assert!(change("5126", "5130").contains("component type 5130"));
    assert!(change("VEC3", "MAT4").contains("MAT4"));
    assert!(change(r#""byteLength": 39"#, r#""byteLength": 40"#).contains("buffer 0 with 39"));
    assert!(change("AAAAAAAAAAAA", "AADAfwAAAAAA").contains("finite"));
    assert!(change("base64,", "base64,!").contains("base64"));
    let required = r#""extensionsRequired": ["KHR_draco_mesh_compression"], "scene": 0"#;
    assert!(change(r#""scene": 0"#, required).contains("KHR_draco_mesh_compression"));
    assert!(refusal(parse_gltf, b"{\n\"nodes\": 3}").contains("line 2"));
    assert!(refusal(parse_gltf, b"glTF\x02\0\0\0\0\0\0\0\xff\xff\xff\xffJSON").contains("byte 12"));
    assert!(refusal(parse_gltf, b"glTF\x01\0\0\0").contains("version 1"));
}

/// The folder of meshes that are not part of the project, if it exists.
fn meshes() -> Option<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared");
    let shared = std::env::var_os("PLIANT_SHARED").map_or(root, PathBuf::from);
    let folder = shared.join("meshes");
    if !folder.is_dir() {
        println!("skipped: no folder {}", folder.display());
    }
    folder.is_dir().then_some(folder)
}

/// Well-known surfaces load with their known numbers of vertices and triangles. Skipped without the folder.
#[test]
fn well_known_surfaces_load() {
    let Some(folder) = meshes() else { return };
    // 468 faces of suzanne are quadrilaterals, with two triangles each.
    let expected = [
        ("bunny", 35947, 69451),
        ("fandisk", 6475, 12946),
        ("spot", 2930, 5856),
        ("suzanne", 507, 968),
    ];
    for (name, vertices, triangles) in expected {
        let surface = read_surface(&folder.join(name).with_extension("obj")).unwrap();
        assert_eq!((surface.vertices.len(), surface.triangles.len()), (vertices, triangles));
        assert!(surface.area() > 0.0);
    }
    let spot = read_surface(&folder.join("spot.obj")).unwrap();
    assert!(spot.texcoords.is_some());
    assert!(spot.volume() > 0.0, "the surface must be oriented outward");
}

/// The vertices of the surface of a shape are on it, to rounding, and it encloses its volume within 1 %.
#[test]
fn surfaces_of_shapes_are_closed_and_lie_on_them() {
    use pliant::geometry::Shape;
    use pliant_io::surface::solid_surface;
    let pi = std::f64::consts::PI;
    let (half, h, r) = (glam::DVec3::new(1.0, 2.0, 3.0), 1.5, 0.5);
    let shapes = [
        (Shape::Sphere { radius: r }, 4.0 / 3.0 * pi * r.powi(3)),
        (Shape::Box { half }, 48.0),
        (
            Shape::Capsule { half_length: h, radius: r },
            2.0 * h * pi * r * r + 4.0 / 3.0 * pi * r.powi(3),
        ),
    ];
    for (shape, volume) in shapes {
        let surface = solid_surface(&shape, glam::DVec3::ZERO, 1.0);
        for vertex in &surface.vertices {
            assert!(shape.distance(*vertex).distance.abs() < 1e-12, "{shape:?} at {vertex}");
        }
        // Facets of 7.5° are up to r (1 − cos 3.75°) inside, 0.2 % of the radius.
        assert!((surface.volume() / volume - 1.0).abs() < 0.01, "{shape:?}: {}", surface.volume());
    }
    let plane = Shape::Plane { normal: glam::DVec3::new(1.0, 1.0, 0.0) };
    let surface = solid_surface(&plane, glam::DVec3::new(3.0, 1.0, 7.0), 2.0);
    assert!((surface.area() - 16.0).abs() < 1e-12);
    assert!(surface.vertices.iter().all(|x| plane.distance(*x).distance.abs() < 1e-12));
}
