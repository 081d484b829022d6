//! Groups, materials, textures, creases and lines of a surface are kept.

use std::path::Path;
use std::sync::Arc;

use glam::{DVec2, DVec3};
use pliant_io::WriteError;
use pliant_io::glb::{AnimatedSurface, Animation, write_glb};
use pliant_io::picture::Colour;
use pliant_io::surface::{
    Surface, SurfaceGroup, Texture, parse_gltf, parse_obj, read_surface, write_obj, write_surface,
};

/// The start of a PNG file; the rest is never read.
const PNG: &[u8] = b"\x89PNG\r\n\x1a\nand more";

const OBJ: &[u8] =
    b"mtllib kite.mtl\no kite\nv 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 -1 0\nv 0 -2 1\n\
    vt 0 0\nvt 1 0\nvt 1 1\nvt 0 1\nvn 0 0 1\nusemtl red cloth\nf 1/1/1 2/2/1 3/3/1\n\
    usemtl blue\nf 1/1/1 3/3/1 4/4/1\nl 1 5/2 6\ng patch\nusemtl red cloth\nf 1/1/1 3/3/1 2/2/1\n";

fn kite() -> Surface {
    parse_obj(Path::new("kite.obj"), OBJ).unwrap()
}

/// Lines, groups and materials of an OBJ file are read.
#[test]
fn obj_keeps_lines_groups_and_materials() {
    let surface = kite();
    assert_eq!(surface.lines, [[0, 4], [4, 5]]);
    let names: Vec<_> =
        surface.parts.iter().map(|part| (&*part.name, part.material.as_deref())).collect();
    let expected =
        [("kite", Some("red cloth")), ("kite", Some("blue")), ("patch", Some("red cloth"))];
    assert_eq!(names, expected);
    assert_eq!(surface.part_of, Some(vec![0, 1, 2]));
}

/// An OBJ file without names has no parts; one with lines only is valid; a line needs two points.
#[test]
fn obj_without_names_has_no_parts_and_lines_alone_are_enough() {
    let plain = parse_obj(Path::new("a"), b"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n").unwrap();
    assert!(plain.parts.is_empty() && plain.part_of.is_none());
    let rope = parse_obj(Path::new("a"), b"v 0 0 0\nv 1 0 0\nl 1 2\n").unwrap();
    assert_eq!((rope.lines.len(), rope.triangles.len()), (1, 0));
    let error = parse_obj(Path::new("a"), b"v 0 0 0\nl 1\n").unwrap_err().to_string();
    assert!(error.contains("line 2: found a line with 1 points, expected at least 2"), "{error}");
}

/// OBJ files are written and read back exactly, with and without normals and texture coordinates.
#[test]
fn obj_is_written_and_read_back_bit_by_bit() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("kite.obj");
    let mut surface = kite();
    surface.normals.as_mut().unwrap()[1][2] = DVec3::new(0.1, 1.0 / 3.0, 0.7);
    surface.texcoords.as_mut().unwrap()[0][1] = DVec2::new(1.0 / 7.0, 1e-20);
    write_obj(&path, &surface).unwrap();
    assert_eq!(read_surface(&path).unwrap(), surface);
    surface.normals = None;
    write_obj(&path, &surface).unwrap();
    assert_eq!(read_surface(&path).unwrap(), surface);
    (surface.normals, surface.texcoords) = (kite().normals, None);
    write_obj(&path, &surface).unwrap();
    assert_eq!(read_surface(&path).unwrap(), surface);
}

/// The kite as a body that moves up; its first part has a colour and a texture.
fn painted_kite() -> AnimatedSurface {
    let mut surface = kite();
    surface.parts[0].colour = Some([1.0, 0.5, 0.25, 0.5]);
    let texture = Texture { mime: "image/png".into(), bytes: PNG.to_vec() };
    surface.parts[0].texture = Some(Arc::new(texture.clone()));
    surface.parts[2].texture = Some(Arc::new(texture));
    let mut body = AnimatedSurface::of("kite", Colour::WHITE, &surface);
    let up = surface.vertices.iter().map(|x| x + DVec3::Y).collect();
    body.frames = vec![surface.vertices, up];
    body
}

fn write(path: &Path, body: AnimatedSurface) -> Result<(), WriteError> {
    write_glb(path, &Animation { dt: 0.1, normals: true, bodies: vec![body] })
}

/// GLB files have one primitive per part, with its material, and store a shared texture once.
#[test]
fn glb_has_a_primitive_for_each_part_with_its_material() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("kite.glb");
    write(&path, painted_kite()).unwrap();
    let gltf::Gltf { document, blob } = gltf::Gltf::open(&path).unwrap();
    let blob = blob.unwrap();
    let mesh = document.meshes().next().unwrap();
    let modes: Vec<_> = mesh.primitives().map(|primitive| primitive.mode()).collect();
    use gltf::mesh::Mode::{Lines, Triangles};
    assert_eq!(modes, [Triangles, Triangles, Triangles, Lines]);
    assert!(mesh.primitives().all(|primitive| primitive.morph_targets().len() == 1));

    let materials: Vec<_> = mesh.primitives().map(|primitive| primitive.material()).collect();
    let base = |k: usize| materials[k].pbr_metallic_roughness();
    assert_eq!(base(0).base_color_factor(), [1.0, 0.5, 0.25, 0.5]);
    assert_eq!(
        base(1).base_color_factor(),
        [1.0; 4],
        "a part without colour must have the colour of the body"
    );
    assert_eq!(materials[0].alpha_mode(), gltf::material::AlphaMode::Blend);
    assert!(base(1).base_color_texture().is_none());
    assert_eq!(document.images().count(), 1, "the texture of two parts must be stored once");
    let gltf::image::Source::View { view, mime_type } = document.images().next().unwrap().source()
    else {
        panic!("the picture is in the file");
    };
    assert_eq!(mime_type, "image/png");
    assert_eq!(&blob[view.offset()..view.offset() + view.length()], PNG);

    let primitive = mesh.primitives().next().unwrap();
    let reader = primitive.reader(|_| Some(&blob));
    let index = reader.read_indices().unwrap().into_u32().nth(2).unwrap() as usize;
    let texcoord = reader.read_tex_coords(0).unwrap().into_f32().nth(index).unwrap();
    assert_eq!(texcoord, [1.0, 0.0], "the upper right corner, because images start at the top");
}

/// GLB files are read back with parts, materials, textures and lines.
#[test]
fn glb_is_read_back_with_all_of_it() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("kite.glb");
    write(&path, painted_kite()).unwrap();
    let (back, kite) = (read_surface(&path).unwrap(), kite());
    assert_eq!(back.triangles.len(), 3);
    assert_eq!(back.lines.len(), 2);
    assert_eq!(back.texcoords, kite.texcoords);
    assert_eq!(back.part_of, Some(vec![0, 1, 2]));
    let [red, blue, patch] = &back.parts[..] else { panic!("three parts") };
    assert_eq!(red.material.as_deref(), Some("red cloth"));
    assert_eq!(blue.material.as_deref(), Some("blue"));
    assert_eq!(red.colour, Some([1.0, 0.5, 0.25, 0.5]));
    assert_eq!(red.texture.as_ref().unwrap().bytes, PNG);
    assert!(Arc::ptr_eq(red.texture.as_ref().unwrap(), patch.texture.as_ref().unwrap()));
    assert!(blue.texture.is_none());
}

/// Two squares in a plane that fold by a right angle along their common edge.
fn hinge(normals: [DVec3; 2]) -> AnimatedSurface {
    let flat = [[0, 0], [0, 1], [1, 0], [1, 1], [2, 0], [2, 1]];
    let flat: Vec<DVec3> =
        flat.iter().map(|[x, z]| DVec3::new(f64::from(*x), 0.0, f64::from(*z))).collect();
    let fold = |x: &DVec3| if x.x > 1.0 { DVec3::new(1.0, x.x - 1.0, x.z) } else { *x };
    let folded = flat.iter().map(fold).collect();
    let triangles = vec![[0, 1, 2], [2, 1, 3], [2, 3, 4], [4, 3, 5]];
    let [left, right] = normals.map(|normal| [normal; 3]);
    AnimatedSurface {
        name: "hinge".into(),
        triangles,
        frames: vec![flat, folded],
        normals: Some(vec![left, left, right, right]),
        ..Default::default()
    }
}

/// Positions and normals of the vertices in the second frame.
fn folded(body: AnimatedSurface) -> Vec<(DVec3, DVec3)> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("hinge.glb");
    write(&path, body).unwrap();
    let gltf::Gltf { document, blob } = gltf::Gltf::open(&path).unwrap();
    let blob = blob.unwrap();
    let primitive = document.meshes().next().unwrap().primitives().next().unwrap();
    let reader = primitive.reader(|_| Some(&blob));
    let (moved, turned, _) = reader.read_morph_targets().next().unwrap();
    let sum =
        |a: [f32; 3], b: [f32; 3]| DVec3::from_array([0, 1, 2].map(|k| f64::from(a[k] + b[k])));
    let positions = reader.read_positions().unwrap().zip(moved.unwrap()).map(|(x, dx)| sum(x, dx));
    let normals = reader.read_normals().unwrap().zip(turned.unwrap()).map(|(n, dn)| sum(n, dn));
    positions.zip(normals).collect()
}

/// Corners that share a normal at rest share it in every frame.
#[test]
fn corners_that_shared_a_normal_stay_smooth_however_they_bend() {
    let vertices = folded(hinge([DVec3::Y; 2]));
    assert_eq!(vertices.len(), 6, "no vertex may be split");
    // The normal is between those of the two squares, (0, 1, 0) and (−1, 0, 0), with weights 2 : 1 and 1 : 2 at the
    // two ends of the edge, from the split of the squares into triangles: a component is at least 1/√5 in size.
    for (_, normal) in vertices.iter().filter(|(x, _)| x.x == 1.0 && x.y == 0.0) {
        assert!(normal.x < -0.4 && normal.y > 0.4, "{normal}");
    }
}

/// Corners with different normals at rest keep a sharp edge in every frame, also if the rest shape is flat.
#[test]
fn corners_with_different_normals_stay_sharp_even_where_the_rest_is_flat() {
    let tilted = DVec3::new(-0.2, 1.0, 0.0).normalize();
    let vertices = folded(hinge([DVec3::Y, tilted]));
    assert_eq!(vertices.len(), 8, "the two vertices of the edge must be split");
    for (x, normal) in vertices {
        let faces = [DVec3::Y, DVec3::NEG_X];
        // Single precision.
        assert!(faces.iter().any(|face| normal.distance(*face) < 1e-6), "{normal} at {x}");
    }
}

/// Vertices that are split only for the texture keep a common normal.
#[test]
fn a_seam_of_the_texture_is_no_crease() {
    let mut body = hinge([DVec3::Y; 2]);
    let (left, right) = ([DVec2::ZERO; 3], [DVec2::ONE; 3]);
    body.texcoords = Some(vec![left, left, right, right]);
    let vertices = folded(body);
    assert_eq!(vertices.len(), 8, "vertices must be split for the texture");
    for (x, normal) in &vertices {
        let mut same = vertices.iter().filter(|(y, _)| x == y);
        assert!(same.all(|(_, other)| other == normal), "different normals at {x}");
    }
}

/// Lists of the wrong length and indices out of range are errors, and no file is written.
#[test]
fn what_does_not_fit_together_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("kite.glb");
    let refused = |change: &dyn Fn(&mut AnimatedSurface), words: &str| {
        let mut body = painted_kite();
        change(&mut body);
        let error = write(&path, body).unwrap_err();
        assert!(matches!(error, WriteError::Mismatch { .. }));
        assert!(error.to_string().contains(words), "{error}");
        assert!(!path.exists());
    };
    refused(&|body| body.normals.as_mut().unwrap().truncate(2), "normals of 2 triangles");
    refused(&|body| body.texcoords = Some(vec![]), "texture coordinates of 0 triangles");
    refused(&|body| body.texcoords.as_mut().unwrap()[1][0].x = f64::NAN, "triangle 1 not finite");
    refused(&|body| body.normals.as_mut().unwrap()[2][0].x = 1e300, "triangle 2 not finite");
    refused(&|body| body.part_of = Some(vec![0, 0]), "parts of 2 triangles");
    refused(&|body| body.part_of = Some(vec![0, 3, 0]), "triangle 1 in part 3");
    refused(&|body| body.lines[1][0] = 6, "line [6, 5]");
    let gif = || Some(Arc::new(Texture { mime: "image/gif".into(), bytes: b"GIF".to_vec() }));
    refused(&|body| body.parts[1].texture = gif(), "image/gif");

    let obj = folder.path().join("kite.obj");
    let mut surface = kite();
    surface.part_of = Some(vec![0, 0, 9]);
    assert!(
        write_surface(&obj, &surface).unwrap_err().to_string().contains("triangle 2 in part 9")
    );
    let mut surface = kite();
    surface.lines.push([0, 99]);
    assert!(write_surface(&obj, &surface).unwrap_err().to_string().contains("line 2"));
}

/// A missing texture file is ignored; a missing material is an error.
#[test]
fn a_missing_picture_does_not_stop_a_surface_but_a_missing_material_does() {
    let document = |material: usize, uri: &str| {
        format!(
            r#"{{"asset": {{"version": "2.0"}}, "scenes": [{{"nodes": [0]}}], "nodes": [{{"mesh": 0}}],
            "meshes": [{{"name": "m", "primitives": [{{"attributes": {{"POSITION": 0}}, "material": {material}}}]}}],
            "materials": [{{"name": "p", "pbrMetallicRoughness": {{"baseColorTexture": {{"index": 0}}}}}}],
            "textures": [{{"source": 0}}], "images": [{{"uri": "{uri}"}}],
            "accessors": [{{"bufferView": 0, "componentType": 5121, "count": 3, "type": "VEC3"}}],
            "bufferViews": [{{"buffer": 0, "byteLength": 9}}],
            "buffers": [{{"uri": "data:;base64,AAAAAQAAAAEA", "byteLength": 9}}]}}"#
        )
    };
    let read = |text: String| parse_gltf(Path::new("no/such/folder/a.gltf"), text.as_bytes());
    let surface = read(document(0, "missing.png")).unwrap();
    let expected = SurfaceGroup {
        name: "m".into(),
        material: Some("p".into()),
        colour: Some([1.0; 4]),
        texture: None,
    };
    assert_eq!(surface.parts, [expected]);
    // The first eight bytes of every PNG file.
    let surface = read(document(0, "data:image/png;base64,iVBORw0KGgo=")).unwrap();
    assert_eq!(surface.parts[0].texture.as_ref().unwrap().mime, "image/png");
    let error = read(document(1, "")).unwrap_err().to_string();
    assert!(error.contains("material 1"), "{error}");
}

/// Colours and textures are read from the material library of an OBJ file; invalid entries of the library are
/// ignored.
#[test]
fn obj_takes_colours_and_textures_from_its_library_and_does_without() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("kite.obj");
    let read = |library: &str| {
        std::fs::write(&path, OBJ).unwrap();
        std::fs::write(folder.path().join("kite.mtl"), library).unwrap();
        read_surface(&path).unwrap()
    };
    std::fs::write(folder.path().join("cloth one.png"), PNG).unwrap();
    let surface = read(
        "# by hand\nnewmtl red cloth\nKd 0.8 0.1 0.1\nmap_Kd cloth one.png\n\
         newmtl blue\nKd 0 0.25 1\nd 0.5\nillum 2\nnewmtl other\nKd 1 1 1\n",
    );
    assert_eq!(surface.parts[0].texture.as_ref().unwrap().bytes, PNG);
    assert_eq!(surface.parts[0].colour, Some([1.0; 4]), "with a texture the colour must be white");
    assert_eq!(surface.parts[1].colour, Some([0.0, 0.25, 1.0, 0.5]));
    assert!(surface.parts[1].texture.is_none());
    let same = Arc::ptr_eq(
        surface.parts[0].texture.as_ref().unwrap(),
        surface.parts[2].texture.as_ref().unwrap(),
    );
    assert!(same, "both parts of red cloth must share a texture");

    let poor = "Kd 1 1 1\nnewmtl\nnewmtl blue\nKd x\nd y\nmap_Kd ../secret.png\nmap_Kd\n\0\n";
    assert_eq!(read(poor), kite());
}
