//! Surface files, one for each body and frame: OBJ and PLY.

use std::path::{Path, PathBuf};

use anyhow::Result;
use glam::DVec3;
use pliant::body::Skin;
use pliant_io::scene::{Built, Format, Output, Scene};
use pliant_io::surface::{Surface, sequence_path, write_surface};

use super::{Sink, path_of_body, skins};

/// The surfaces of a run.
pub(super) struct SurfaceSequence {
    bodies: Vec<SkinFile>,
    frames: usize,
}

struct SkinFile {
    path: PathBuf,
    skin: Skin,
    /// What the skin was made of, if that was given.
    given: Option<Surface>,
    /// In sRGB, as PLY files have it.
    colour: Option<[f32; 3]>,
}

impl SurfaceSequence {
    pub(super) fn new(scene: &Scene, output: &Output, built: &Built, path: &Path) -> Self {
        let coloured = output.format == Format::Ply;
        let given = skins(built).into_iter().zip(&built.surfaces);
        let bodies = scene.bodies.iter().zip(given).map(|(plan, (skin, given))| SkinFile {
            path: path_of_body(path, built, &plan.name),
            skin,
            // Normals are those at rest: whoever opens the file makes new ones.
            given: given.clone().map(|surface| Surface { normals: None, ..surface }),
            colour: coloured.then(|| plan.colour.map(|byte| f32::from(byte) / 255.0)),
        });
        Self { bodies: bodies.collect(), frames: 0 }
    }
}

impl SkinFile {
    fn surface(&self, vertices: Vec<DVec3>) -> Surface {
        let plain = self.colour.map(|colour| vec![colour; vertices.len()]);
        match &self.given {
            Some(given) => {
                let colours = given.colours.clone().or(plain);
                Surface { vertices, colours, ..given.clone() }
            }
            None => {
                let triangles = self.skin.triangles().to_vec();
                Surface { colours: plain, ..Surface::new(vertices, triangles) }
            }
        }
    }
}

impl Sink for SurfaceSequence {
    fn record(&mut self, built: &Built) -> Result<()> {
        for (file, (_, body)) in self.bodies.iter().zip(built.world.bodies()) {
            let mut vertices = Vec::new();
            file.skin.interpolate(&body.state.x, &mut vertices);
            let surface = file.surface(vertices);
            write_surface(&sequence_path(&file.path, self.frames), &surface)?;
        }
        self.frames += 1;
        Ok(())
    }

    fn finish(self: Box<Self>) -> Result<Vec<PathBuf>> {
        let last = self.frames.saturating_sub(1);
        Ok(self.bodies.iter().map(|file| sequence_path(&file.path, last)).collect())
    }
}
