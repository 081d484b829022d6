//! Surface files, one for each body and frame: OBJ and PLY.

use std::path::{Path, PathBuf};

use anyhow::Result;
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
    /// In sRGB, as PLY files have it.
    colour: Option<[f32; 3]>,
}

impl SurfaceSequence {
    pub(super) fn new(scene: &Scene, output: &Output, built: &Built, path: &Path) -> Self {
        let coloured = output.format == Format::Ply;
        let bodies = scene.bodies.iter().zip(skins(built)).map(|(plan, skin)| SkinFile {
            path: path_of_body(path, built, &plan.name),
            skin,
            colour: coloured.then(|| plan.colour.map(|byte| f32::from(byte) / 255.0)),
        });
        Self { bodies: bodies.collect(), frames: 0 }
    }
}

impl Sink for SurfaceSequence {
    fn record(&mut self, built: &Built) -> Result<()> {
        for (file, (_, body)) in self.bodies.iter().zip(built.world.bodies()) {
            let mut vertices = Vec::new();
            file.skin.interpolate(&body.state.x, &mut vertices);
            let colours = file.colour.map(|colour| vec![colour; vertices.len()]);
            let triangles = file.skin.triangles().to_vec();
            let surface = Surface { colours, ..Surface::new(vertices, triangles) };
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
