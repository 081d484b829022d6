//! Animated GLB files, checked with the `gltf` crate.

use std::path::{Path, PathBuf};

use glam::DVec3;
use gltf::animation::{Interpolation, util::ReadOutputs};
use pliant_io::WriteError;
use pliant_io::glb::{AnimatedSurface, Animation, write_glb};
use pliant_io::picture::Colour;
use pliant_io::surface::read_surface;

const FRAMES: usize = 5;
const DT: f64 = 0.04;

/// A growing cube and a floor that does not move.
fn growing_cube(normals: bool) -> Animation {
    let corner = |k: u32| DVec3::new((k & 1).into(), (k >> 1 & 1).into(), (k >> 2 & 1).into());
    let rest: Vec<DVec3> = (0..8).map(|k| corner(k) - DVec3::splat(0.5)).collect();
    let frame = |k: usize| rest.iter().map(|x| x * (1.0 + 0.25 * k as f64)).collect();
    let cube = AnimatedSurface {
        name: "cube".into(),
        colour: Colour::of_body(0),
        triangles: cube_triangles(),
        frames: (0..FRAMES).map(frame).collect(),
        vertex_colours: Some(vec![Colour::WHITE; 8]),
        ..Default::default()
    };
    let floor: Vec<DVec3> =
        [(-2, -2), (-2, 2), (2, 2)].map(|(x, z)| DVec3::new(x.into(), -0.5, z.into())).to_vec();
    let floor = AnimatedSurface {
        name: "floor".into(),
        colour: Colour::of_body(1),
        triangles: vec![[0, 1, 2]],
        frames: vec![floor; FRAMES],
        ..Default::default()
    };
    Animation { dt: DT, normals, bodies: vec![cube, floor] }
}

fn cube_triangles() -> Vec<[u32; 3]> {
    let quads =
        [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
    quads.iter().flat_map(|[a, b, c, d]| [[*a, *b, *c], [*a, *c, *d]]).collect()
}

/// Writes a file to a temporary folder, or to the folder `PLIANT_KEEP`, where other programs can open it later.
fn written(name: &str, animation: &Animation) -> (PathBuf, Option<tempfile::TempDir>) {
    let kept = std::env::var_os("PLIANT_KEEP").map(PathBuf::from);
    let folder = kept.is_none().then(|| tempfile::tempdir().unwrap());
    let path = kept.unwrap_or_else(|| folder.as_ref().unwrap().path().to_owned()).join(name);
    write_glb(&path, animation).unwrap();
    (path, folder)
}

fn opened(path: &Path) -> (gltf::Document, Vec<u8>) {
    let gltf::Gltf { document, blob } = gltf::Gltf::open(path).unwrap();
    (document, blob.unwrap())
}

/// A cube has separate vertices for each face, so that its edges stay sharp, and one morph target per frame
/// after the first. Displacements are exact; normals to single precision.
#[test]
fn a_cube_keeps_its_edges_and_every_frame_is_a_target() {
    let (path, _folder) = written("cube.glb", &growing_cube(true));
    let (document, blob) = opened(&path);
    let mesh = document.meshes().next().unwrap();
    let text = String::from_utf8_lossy(&std::fs::read(&path).unwrap()).into_owned();
    assert!(
        text.contains(r#"{"mesh":0,"name":"cube"}"#),
        "the node must have the name of the body"
    );
    let primitive = mesh.primitives().next().unwrap();
    let positions = primitive.get(&gltf::Semantic::Positions).unwrap();
    // Three faces with different normals meet at each of eight corners.
    assert_eq!(positions.count(), 24);
    assert_eq!(positions.min().unwrap(), serde_json::json!([-0.5, -0.5, -0.5]));
    assert_eq!(positions.max().unwrap(), serde_json::json!([0.5, 0.5, 0.5]));
    assert_eq!(primitive.indices().unwrap().count(), 36);
    assert_eq!(primitive.morph_targets().len(), FRAMES - 1);

    let reader = primitive.reader(|_| Some(&blob));
    let rest: Vec<[f32; 3]> = reader.read_positions().unwrap().collect();
    let normals: Vec<[f32; 3]> = reader.read_normals().unwrap().collect();
    for (k, (moved, _, _)) in reader.read_morph_targets().enumerate() {
        for (x, dx) in rest.iter().zip(moved.unwrap()) {
            let expected = x.map(|x| 0.25 * (k + 1) as f32 * x);
            assert_eq!(dx, expected, "the displacement of frame {}", k + 1);
        }
    }
    for (x, n) in rest.iter().zip(normals) {
        let outward: f32 = (0..3).map(|c| 2.0 * x[c] * n[c]).sum();
        assert!((outward - 1.0).abs() < 1e-6, "normals must be those of the faces");
    }
}

/// At the time of frame k the weight of its morph target is 1 and all others are 0; a body that does not move
/// has no animation.
#[test]
fn frame_k_is_fully_on_at_its_time() {
    let (path, _folder) = written("weights.glb", &growing_cube(false));
    let (document, blob) = opened(&path);
    let animation = document.animations().next().unwrap();
    assert_eq!(animation.channels().count(), 1, "the floor must have no channel");
    let channel = animation.channels().next().unwrap();
    assert_eq!(channel.sampler().interpolation(), Interpolation::Linear);
    assert_eq!(channel.target().node().index(), 0, "the channel must be that of the cube");

    let reader = channel.reader(|_| Some(&blob));
    let times: Vec<f32> = reader.read_inputs().unwrap().collect();
    assert_eq!(times.len(), FRAMES);
    let duration = DT * (FRAMES - 1) as f64;
    assert!((f64::from(times[FRAMES - 1]) - duration).abs() < 1e-6);
    let Some(ReadOutputs::MorphTargetWeights(weights)) = reader.read_outputs() else {
        panic!("the channel moves weights");
    };
    let weights: Vec<f32> = weights.into_f32().collect();
    for (key, row) in weights.chunks_exact(FRAMES - 1).enumerate() {
        for (target, weight) in row.iter().enumerate() {
            assert_eq!(*weight, if key == target + 1 { 1.0 } else { 0.0 });
        }
    }
}

/// The surface reader reads the first frame, with vertices merged and the right area.
#[test]
fn the_surface_reader_reads_it_back() {
    let (path, _folder) = written("back.glb", &growing_cube(true));
    let surface = read_surface(&path).unwrap();
    // Eight merged corners of the cube, and three of the floor.
    assert_eq!(surface.vertices.len(), 11);
    assert_eq!(surface.triangles.len(), 13);
    assert!((surface.area() - 14.0).abs() < 1e-12);
}

/// An invalid animation is an error that names the fault, and no file is written.
#[test]
fn what_cannot_be_written_is_refused_by_name() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("bad.glb");
    let refused = |change: &dyn Fn(&mut Animation), words: &str| {
        let mut animation = growing_cube(true);
        change(&mut animation);
        let error = write_glb(&path, &animation).unwrap_err();
        assert!(matches!(error, WriteError::Mismatch { .. }));
        assert!(error.to_string().contains(words), "{error}");
        assert!(!path.exists(), "no file may be left");
    };
    refused(&|a| a.dt = 0.0, "dt has 0");
    refused(&|a| a.bodies.clear(), "no bodies");
    refused(&|a| a.bodies[0].frames.clear(), "no frames");
    refused(&|a| a.bodies[0].triangles.clear(), "no triangles");
    refused(&|a| a.bodies[0].triangles[3] = [0, 1, 8], "triangle [0, 1, 8]");
    refused(&|a| a.bodies[0].frames[2][5].y = f64::NAN, "frame 2 of body \"cube\" has vertex 5");
    refused(&|a| a.bodies[0].frames[2][5].y = 1e39, "single precision");
    refused(&|a| a.bodies[0].frames[4].truncate(7), "7 vertices");
    refused(&|a| a.bodies[0].vertex_colours = Some(vec![]), "0 colours");
}

/// Writing is deterministic.
#[test]
fn the_same_animation_gives_the_same_bytes() {
    let (first, _one) = written("first.glb", &growing_cube(true));
    let (second, _two) = written("second.glb", &growing_cube(true));
    assert_eq!(std::fs::read(first).unwrap(), std::fs::read(second).unwrap());
}
