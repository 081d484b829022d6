//! Surface files, one for each body and frame: OBJ and PLY.

use std::path::{Path, PathBuf};

use anyhow::Result;
use glam::DVec3;
use pliant::body::{Body, Skin, Splinters};
use pliant_io::scene::{BuiltScene, Format, Output, Scene};
use pliant_io::surface::{Surface, sequence_path, write_surface};

use super::{OutputWriter, Skins, origins, path_of_body};

/// The surfaces of a run. Fragments get files of their own as soon as they exist.
pub(super) struct SurfaceSequence {
    path: PathBuf,
    /// The source surfaces of the bodies of the scene, if they were made from one.
    given: Vec<Option<Surface>>,
    /// Colours of the bodies in sRGB, for PLY files.
    colours: Vec<Option<[f32; 3]>>,
    skins: Skins,
    frames: usize,
    /// The files of the last frame.
    written: Vec<PathBuf>,
}

impl SurfaceSequence {
    pub(super) fn new(scene: &Scene, output: &Output, built: &BuiltScene, path: &Path) -> Self {
        let coloured = output.format == Format::Ply;
        let colour = |plan: [u8; 3]| coloured.then(|| plan.map(|byte| f32::from(byte) / 255.0));
        // The stored normals belong to the rest shape; a program that opens the file computes new ones.
        let plain = |surface: &Surface| Surface { normals: None, ..surface.clone() };
        Self {
            path: path.to_owned(),
            given: built.meshes.iter().map(|mesh| mesh.surface().map(plain)).collect(),
            colours: scene.bodies.iter().map(|plan| colour(plan.colour)).collect(),
            skins: Skins::default(),
            frames: 0,
            written: Vec::new(),
        }
    }

    fn surface(&self, origin: usize, body: &Body, skin: &Skin, vertices: Vec<DVec3>) -> Surface {
        let plain = self.colours[origin].map(|colour| vec![colour; vertices.len()]);
        let whole = body.splinters().is_none_or(|splinters| {
            splinters
                .sources()
                .iter()
                .enumerate()
                .all(|(k, source)| k as u32 == *source && *source != Splinters::FRESH_FACE)
        });
        match &self.given[origin] {
            Some(given) if whole && given.vertices.len() == vertices.len() => {
                let colours = given.colours.clone().or(plain);
                Surface { vertices, colours, ..given.clone() }
            }
            _ => Surface { colours: plain, ..Surface::new(vertices, skin.triangles().to_vec()) },
        }
    }
}

impl OutputWriter for SurfaceSequence {
    fn record(&mut self, built: &BuiltScene) -> Result<()> {
        self.skins.update(&built.world);
        self.written.clear();
        for ((origin, skin), (_, body)) in
            origins(built).into_iter().zip(self.skins.all()).zip(built.world.bodies())
        {
            let mut vertices = Vec::new();
            skin.interpolate(&body.state.x, &mut vertices);
            let surface = self.surface(origin, body, skin, vertices);
            let path = sequence_path(&path_of_body(&self.path, built, body.name()), self.frames);
            write_surface(&path, &surface)?;
            self.written.push(path);
        }
        self.frames += 1;
        Ok(())
    }

    fn finish(self: Box<Self>) -> Result<Vec<PathBuf>> {
        Ok(self.written)
    }
}
