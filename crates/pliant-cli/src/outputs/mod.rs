//! The output files of a run.

mod animated_surfaces;
mod field_values;
mod loose_triangles;
mod moving_picture;
mod obstacles;
mod surfaces;
mod volumes;

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, Result};
use pliant::body::{Body, Skin};
use pliant::world::{BodyHandle, World};
use pliant_io::scene::{BuiltScene, Format, Mode, Output, Scene};

use crate::failure::BadInput;

use animated_surfaces::AnimatedSurfaces;
use moving_picture::MovingPicture;
use surfaces::SurfaceSequence;
use volumes::{GmshSequence, VtuSeries};

/// An output that receives frames and writes them, one by one or at the end.
trait OutputWriter {
    /// Records the current state.
    fn record(&mut self, built: &BuiltScene) -> Result<()>;

    /// Writes the remaining data; returns the files to open.
    fn finish(self: Box<Self>) -> Result<Vec<PathBuf>>;
}

/// All outputs of a run.
pub(crate) struct Outputs {
    writers: Vec<(u64, Box<dyn OutputWriter>)>,
}

impl Outputs {
    /// No outputs.
    pub(crate) fn none() -> Self {
        Self { writers: Vec::new() }
    }

    /// Creates the outputs of a scene for a run of `frames`, and their `folder`.
    pub(crate) fn new(
        scene: &Scene,
        name: &str,
        built: &BuiltScene,
        folder: &Path,
        frames: u64,
    ) -> Result<Self> {
        if let Some(file) = folder.ancestors().find(|path| path.is_file()) {
            let what = format!("{} is a file; choose a folder with `--out`", file.display());
            return Err(BadInput(what).into());
        }
        let prepare = |output: &Output| -> Result<(u64, Box<dyn OutputWriter>)> {
            check_length(scene, output, frames)?;
            let path = folder.join(file_name(output, name));
            let parent = path.parent().unwrap_or(folder);
            fs::create_dir_all(parent)
                .with_context(|| format!("cannot make the folder {}", parent.display()))?;
            // A static scene has two frames, at rest and in equilibrium; both are written.
            let every = if scene.mode == Mode::Static { 1 } else { u64::from(output.every) };
            Ok((every, writer(scene, output, built, path)))
        };
        let writers = scene.outputs.iter().map(prepare).collect::<Result<_>>()?;
        Ok(Self { writers })
    }

    /// Passes the state to every output that is due in this frame.
    pub(crate) fn record(&mut self, built: &BuiltScene, frame: u64) -> Result<()> {
        for (every, writer) in &mut self.writers {
            if frame.is_multiple_of(*every) {
                writer.record(built)?;
            }
        }
        Ok(())
    }

    /// Writes the remaining data; returns the files to open.
    pub(crate) fn finish(self) -> Result<Vec<PathBuf>> {
        let mut written = Vec::new();
        for (_, writer) in self.writers {
            written.extend(writer.finish()?);
        }
        Ok(written)
    }
}

/// The largest number of frames of an output that is kept in memory until the end: 1.5 GB of pictures.
const MAX_KEPT_FRAMES: u64 = 2000;

/// Rejects an output that would not fit in memory, before the simulation starts.
fn check_length(scene: &Scene, output: &Output, frames: u64) -> Result<(), BadInput> {
    let (count, name) = (frames / u64::from(output.every), output.format.name());
    let kept = scene.mode == Mode::Dynamic && matches!(output.format, Format::Png | Format::Glb);
    if !kept || count <= MAX_KEPT_FRAMES {
        return Ok(());
    }
    let every = frames.div_ceil(MAX_KEPT_FRAMES);
    Err(BadInput(format!(
        "the {name} output would hold {count} frames in memory, expected at most {MAX_KEPT_FRAMES}; \
         give it `every = {every}`, or write vtu or obj files, one for each frame"
    )))
}

/// The path given in the scene, or the name of the scene, with the extension of the format.
fn file_name(output: &Output, scene: &str) -> PathBuf {
    let last = scene.rsplit('/').next().unwrap_or(scene);
    let path = output.path.clone().unwrap_or_else(|| PathBuf::from(last));
    let extension = if output.format == Format::Vtu { "pvd" } else { output.format.name() };
    // `with_extension` would replace everything after the last dot of the name.
    match path.extension() {
        Some(given) if given == extension => path,
        _ => PathBuf::from(format!("{}.{extension}", path.display())),
    }
}

fn writer(
    scene: &Scene,
    output: &Output,
    built: &BuiltScene,
    path: PathBuf,
) -> Box<dyn OutputWriter> {
    match output.format {
        Format::Vtu => Box::new(VtuSeries::new(output, built, &path)),
        Format::Msh => Box::new(GmshSequence::new(built, &path)),
        Format::Obj | Format::Ply => Box::new(SurfaceSequence::new(scene, output, built, &path)),
        Format::Glb => Box::new(AnimatedSurfaces::new(scene, output, built, path)),
        Format::Png => Box::new(MovingPicture::new(scene, output, built, path)),
    }
}

/// The drawn surfaces of all bodies, remade when a body breaks.
#[derive(Default)]
struct Skins {
    known: Vec<(u64, Arc<Skin>)>,
}

impl Skins {
    /// Updates the surfaces of all bodies. Removed fragments get an empty one.
    fn update(&mut self, world: &World) {
        for (place, (handle, body)) in world.bodies().enumerate() {
            let gone = world.is_gone(handle) == Some(true);
            let version = if gone { 0 } else { world.version(handle).unwrap_or(0) };
            let known = self.known.get(place).is_some_and(|(known, _)| *known == version);
            if !known {
                let skin = if gone { Skin::default() } else { drawn_skin(body) };
                match self.known.get_mut(place) {
                    Some(slot) => *slot = (version, Arc::new(skin)),
                    None => self.known.push((version, Arc::new(skin))),
                }
            }
        }
        self.known.truncate(world.bodies().count());
    }

    /// All surfaces, in the order of the world.
    fn all(&self) -> impl Iterator<Item = &Arc<Skin>> {
        self.known.iter().map(|(_, skin)| skin)
    }
}

/// Returns the drawn surface of a body.
fn drawn_skin(body: &Body) -> Skin {
    let mesh = body.model().mesh();
    match body.drawn() {
        Some(skin) => skin.clone(),
        None => Skin::of_mesh(mesh, Skin::subdivisions_for(mesh)),
    }
}

/// For each body of the world, the index in the scene of its original body.
fn origins(built: &BuiltScene) -> Vec<usize> {
    let place = |handle: BodyHandle| {
        let origin = built.world.origin(handle).unwrap_or(handle);
        built.bodies.iter().position(|body| *body == origin).unwrap_or(0)
    };
    built.world.bodies().map(|(handle, _)| place(handle)).collect()
}

/// `path` for one of several bodies: `out/scene-ring.obj`; unchanged if there is only one.
fn path_of_body(path: &Path, built: &BuiltScene, body: &str) -> PathBuf {
    if built.world.bodies().count() == 1 {
        return path.to_owned();
    }
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let extension = path.extension().unwrap_or_default().to_string_lossy();
    path.with_file_name(format!("{stem}-{body}.{extension}"))
}

/// The programs that open a file, as a short text.
pub(crate) fn how_to_open(path: &Path) -> &'static str {
    match path.extension().and_then(|extension| extension.to_str()) {
        Some("png") => "any browser",
        Some("glb") => "Blender, or threejs.org/editor",
        Some("pvd" | "vtu") => "ParaView",
        Some("msh") => "Gmsh",
        _ => "Blender, MeshLab",
    }
}
