//! Readers of surfaces never panic, whatever the content of a file.

use std::path::Path;
use std::sync::Arc;

use glam::{DVec2, DVec3};
use pliant_io::ReadError;
use pliant_io::glb::{AnimatedSurface, Animation, write_glb};
use pliant_io::picture::Colour;
use pliant_io::surface::{
    Surface, SurfaceGroup, Texture, parse_gltf, parse_obj, parse_ply, parse_stl, write_obj,
    write_ply, write_stl,
};

use crate::random::{Random, for_cases};

type Parse = fn(&Path, &[u8]) -> Result<Surface, ReadError>;

/// A part with all optional data.
fn painted() -> SurfaceGroup {
    let texture = Texture { mime: "image/png".into(), bytes: b"\x89PNG\r\n\x1a\nrest".to_vec() };
    SurfaceGroup {
        name: "wing".into(),
        material: Some("red".into()),
        colour: Some([1.0, 0.5, 0.0, 0.5]),
        texture: Some(Arc::new(texture)),
    }
}

/// Valid files of every format, each with its reader.
fn seeds() -> Vec<(Vec<u8>, Parse)> {
    let vertices = vec![DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z];
    let triangles = vec![[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]];
    let colours = Some(vec![[0.5; 3]; 4]);
    let surface = Surface { colours, ..Surface::new(vertices.clone(), triangles.clone()) };
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("file");
    let bytes = || std::fs::read(&path).unwrap();
    let mut seeds: Vec<(Vec<u8>, Parse)> = Vec::new();
    write_obj(&path, &surface).unwrap();
    seeds.push((bytes(), parse_obj));
    seeds.push((
        b"o tail\nv 0 0 0\nv 1 0 0\nv 0 1 0\nl 1 2 3\ng a b\nusemtl red\nf 1 2 3\nl -1/1 1\nvt 0\n"
            .into(),
        parse_obj,
    ));
    seeds.push((
        b"v 0 0 0\nv 1 0 0\nv 0 1 0\nvt 0 0\nvn 0 0 1\nf 1/1/1 -2//-1 3/-1\n".into(),
        parse_obj,
    ));
    write_ply(&path, &surface).unwrap();
    seeds.push((bytes(), parse_ply));
    seeds.push((
        b"ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\n\
          property float z\nelement face 1\nproperty list uchar int vertex_indices\nend_header\n\
          0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n"
            .into(),
        parse_ply,
    ));
    seeds.push((
        b"ply\nformat ascii 1.0\nelement vertex 4\nproperty float x\nproperty float y\n\
          property float z\nelement tristrips 1\nproperty list int int vertex_indices\nend_header\n\
          0 0 0\n1 0 0\n0 1 0\n1 1 0\n9 0 1 2 3 -1 1 3 2 -1\n"
            .into(),
        parse_ply,
    ));
    seeds.push((b"\xef\xbb\xbfv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n".into(), parse_obj));
    write_stl(&path, &surface).unwrap();
    seeds.push((bytes(), parse_stl));
    seeds.push((
        b"solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\n\
          endloop\nendfacet\nendsolid\n"
            .into(),
        parse_stl,
    ));
    let body = AnimatedSurface {
        name: "a".into(),
        colour: Colour::WHITE,
        triangles,
        frames: vec![vertices.clone(), vertices.iter().map(|x| x * 2.0).collect()],
        vertex_colours: Some(vec![Colour::WHITE; 4]),
        lines: vec![[0, 3]],
        normals: Some(vec![[DVec3::Y; 3]; 4]),
        texcoords: Some(vec![[DVec2::new(0.25, 0.5); 3]; 4]),
        parts: vec![SurfaceGroup::default(), painted()],
        part_of: Some(vec![0, 0, 1, 1]),
    };
    write_glb(&path, &Animation { dt: 0.1, normals: true, bodies: vec![body] }).unwrap();
    seeds.push((bytes(), parse_gltf));
    seeds
}

/// A change of a file.
enum Mutation {
    Set(usize, u8),
    Cut(usize),
    Remove(usize, usize),
    Insert(usize, Vec<u8>),
    Repeat(usize, usize),
}

/// Words that are hard for parsers.
const NASTY: [&str; 26] = [
    "-1",
    "0",
    "99999999999999999999",
    "nan",
    "inf",
    "1e400",
    "-",
    "/",
    "//",
    "\n",
    "\\\n",
    " ",
    "\0",
    "f 1 2 3\n",
    "l 1 2\n",
    "g x\n",
    "usemtl\n",
    "v 1\n",
    "[",
    "]",
    "{",
    "}",
    "\"",
    "4294967295",
    "element x 9\n",
    "ß",
];

/// Bytes that are hard for parsers.
fn nasty(random: &mut Random) -> Vec<u8> {
    match random.below(3) {
        0 => NASTY[random.below(NASTY.len())].into(),
        1 => {
            let count = 1 + random.below(8);
            random.bytes(count)
        }
        _ => vec![0xff; 4],
    }
}

fn mutation(random: &mut Random) -> Mutation {
    let (kind, at) = (random.below(5), random.bits() as usize);
    match kind {
        0 => Mutation::Set(at, random.bits() as u8),
        1 => Mutation::Cut(at),
        2 => Mutation::Remove(at, 1 + random.below(19)),
        3 => Mutation::Insert(at, nasty(random)),
        _ => Mutation::Repeat(at, 1 + random.below(59)),
    }
}

fn apply(bytes: &mut Vec<u8>, mutation: &Mutation) {
    let place = |at: &usize| at % bytes.len().max(1);
    let range = |at: &usize, count: &usize| place(at)..(place(at) + count).min(bytes.len());
    match mutation {
        _ if bytes.is_empty() => {}
        Mutation::Set(at, byte) => {
            let at = place(at);
            bytes[at] = *byte;
        }
        Mutation::Cut(at) => bytes.truncate(place(at)),
        Mutation::Remove(at, count) => drop(bytes.drain(range(at, count))),
        Mutation::Insert(at, more) => {
            let at = place(at);
            bytes.splice(at..at, more.iter().copied());
        }
        Mutation::Repeat(at, count) => {
            let piece = bytes[range(at, count)].to_vec();
            let at = place(at);
            bytes.splice(at..at, piece);
        }
    }
}

/// Checks that a surface is consistent: indices in range, finite positions, lists of equal length.
fn assert_sound(surface: &Surface) {
    let count = surface.vertices.len();
    assert!(!surface.triangles.is_empty() || !surface.lines.is_empty());
    assert!(surface.lines.iter().flatten().all(|vertex| (*vertex as usize) < count));
    assert!(surface.vertices.iter().all(|vertex| vertex.is_finite()));
    assert!(surface.triangles.iter().flatten().all(|vertex| (*vertex as usize) < count));
    assert!(surface.colours.as_ref().is_none_or(|colours| colours.len() == count));
    let corners = surface.triangles.len();
    assert!(surface.normals.as_ref().is_none_or(|normals| normals.len() == corners));
    assert!(surface.texcoords.as_ref().is_none_or(|texcoords| texcoords.len() == corners));
    let parts = surface.parts.len();
    assert!(surface.part_of.as_ref().is_none_or(|part_of| part_of.len() == corners));
    assert!(surface.part_of.iter().flatten().all(|part| (*part as usize) < parts));
}

/// The unchanged files are read and consistent.
#[test]
fn the_seeds_themselves_are_read() {
    for (bytes, parse) in seeds() {
        assert_sound(&parse(Path::new("file"), &bytes).unwrap());
    }
}

/// Files with random changes are either refused or give a consistent surface.
#[test]
fn mutated_files_are_read_or_refused() {
    let seeds = seeds();
    for_cases(4000, &mut |random| {
        let (mut bytes, parse) = seeds[random.below(seeds.len())].clone();
        for _ in 0..1 + random.below(5) {
            apply(&mut bytes, &mutation(random));
        }
        if let Ok(surface) = parse(Path::new("file"), &bytes) {
            assert_sound(&surface);
        }
    });
}

/// So are random bytes.
#[test]
fn noise_is_read_or_refused() {
    for_cases(4000, &mut |random| {
        let count = random.below(300);
        let bytes = random.bytes(count);
        for parse in [parse_obj, parse_ply, parse_stl, parse_gltf] {
            if let Ok(surface) = parse(Path::new("file"), &bytes) {
                assert_sound(&surface);
            }
        }
    });
}
