//! A picture of splinters that are moved apart.

use std::path::Path;

use anyhow::Result;
use glam::DVec3;
use pliant_io::picture::{Colour, Paint, Picture, PictureConfig, SceneView, SurfaceView};
use pliant_mesher::splinters::Splinters;

use crate::failure::BadInput;

/// Draws splinters, each moved away from the centre by `apart` times its distance from it.
pub(crate) fn draw(path: &Path, splinters: &Splinters, colour: Colour, apart: f64) -> Result<()> {
    if !(0.0..=100.0).contains(&apart) {
        return Err(BadInput(format!("--apart is {apart}, expected a number from 0 to 100")).into());
    }
    let vertices = moved(splinters, apart);
    let config = PictureConfig { width: 1280, height: 800, azimuth: 0.45, ..Default::default() };
    let picture = Picture::new(&config, vertices.iter().copied())?;
    let faces = Faces::new(splinters, &vertices, colour);
    let edges = outlines(splinters, &vertices);
    let surfaces = vec![SurfaceView {
        vertices: &faces.vertices,
        triangles: &faces.triangles,
        paint: Paint::PerVertex(&faces.colours),
    }];
    let lines = edges.iter().map(<[DVec3; 2]>::as_slice).collect();
    let image = picture.render(&SceneView { surfaces, lines, legend: None });
    Ok(image.write_png(path)?)
}

fn moved(splinters: &Splinters, apart: f64) -> Vec<DVec3> {
    let (low, high) = splinters.surface.bounds();
    let middle = 0.5 * (low + high);
    let mut vertices = splinters.surface.vertices.clone();
    for piece in &splinters.pieces {
        let away = apart * (piece.centre - middle);
        let own = piece.vertices.start as usize..piece.vertices.end as usize;
        vertices[own].iter_mut().for_each(|x| *x += away);
    }
    vertices
}

/// Triangles with separate vertices for the outside and the cut faces, so that each has its own colour.
#[derive(Debug, Default)]
struct Faces {
    vertices: Vec<DVec3>,
    triangles: Vec<[u32; 3]>,
    colours: Vec<Colour>,
}

impl Faces {
    fn new(splinters: &Splinters, moved: &[DVec3], colour: Colour) -> Self {
        let count = moved.len() as u32;
        let mut faces = Self {
            vertices: [moved, moved].concat(),
            triangles: Vec::new(),
            colours: vec![colour; 2 * moved.len()],
        };
        let surface = &splinters.surface;
        for (index, piece) in splinters.pieces.iter().enumerate() {
            // Neighbours get slightly different shades, so that they can be told apart.
            let shade = 0.86 + 0.14 * ((index * 7919) % 16) as f32 / 15.0;
            for triangle in piece.triangles.start as usize..piece.triangles.end as usize {
                let part = surface
                    .part_of
                    .as_ref()
                    .and_then(|list| surface.parts.get(*list.get(triangle)? as usize));
                let own = part.and_then(|part| part.colour);
                let own = own.map_or(colour, |[r, g, b, _]| Colour::new(r, g, b));
                let first = if splinters.inside[triangle] { count } else { 0 };
                let corners = surface.triangles[triangle].map(|vertex| vertex + first);
                corners.iter().for_each(|k| faces.colours[*k as usize] = own * shade);
                faces.triangles.push(corners);
            }
        }
        faces
    }
}

/// Edges between the outside and the cut faces.
fn outlines(splinters: &Splinters, moved: &[DVec3]) -> Vec<[DVec3; 2]> {
    let mut edges = Vec::new();
    for (corners, inside) in splinters.surface.triangles.iter().zip(&splinters.inside) {
        let [a, b, c] = *corners;
        edges.extend([[a, b], [b, c], [c, a]].map(|[a, b]| (a.min(b), a.max(b), *inside)));
    }
    edges.sort_unstable();
    edges
        .chunk_by(|a, b| (a.0, a.1) == (b.0, b.1))
        .filter(|uses| uses.iter().any(|edge| edge.2) && uses.iter().any(|edge| !edge.2))
        .map(|uses| [uses[0].0, uses[0].1].map(|vertex| moved[vertex as usize]))
        .collect()
}
