//! Makes a body from every surface and shakes it.

use std::fmt::Write as _;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use anyhow::Result;
use glam::DVec3;
use pliant::body::{Action, Body, Model, ModelConfig, Motion, Pin, Ramp, Skin};
use pliant::geometry::Surface;
use pliant::material::{LawKind, Material};
use pliant::solver::MethodConfig;
use pliant::world::{World, WorldConfig};
use pliant_io::surface::read_surface;
use pliant_mesher::gallery::Figure;
use pliant_mesher::tets::{TetConfig, tetrahedra};
use pliant_mesher::voxels::{VoxelConfig, voxelize};

use super::Progress;
use super::test_surfaces::{FILES, FOLDER};

/// Duration of the shaking, and of each push, in s.
const DURATION: f64 = 5.0;
const PUSH_DURATION: f64 = 0.25;

/// Distance of each push, in heights of the body.
const PUSH_DISTANCE: f64 = 0.2;

/// Rows of all figures and files, as voxels and as quadratic tetrahedra.
pub(super) fn table(progress: Progress<'_>) -> Result<String> {
    let mut text = format!(
        "Every surface becomes a voxel body (8 cells along its longest side) and a quadratic tetrahedral body (about \
         500 cells), and is shaken at its lowest tenth for {DURATION} s: {PUSH_DISTANCE} of its height back and forth, four \
         times a second.\n\n\
         | surface | vertices | body | cells | nodes | build time | ms a frame | resets | inverted at the end |\n\
         |---|---|---|---|---|---|---|---|---|\n"
    );
    for (name, surface) in surfaces(progress)? {
        // A surface of lines only encloses no volume for tetrahedra to fill.
        let fillable = |kind: &Kind| *kind == Kind::Voxels || !surface.triangles.is_empty();
        for kind in [Kind::Voxels, Kind::Tetrahedra].into_iter().filter(fillable) {
            progress(&format!("{name}, {}", kind.name()));
            text += &row(&name, &surface, kind)?;
        }
    }
    if std::env::var_os(FOLDER).is_none() {
        writeln!(text, "\n{} were skipped: {FOLDER} is not set to a folder.", FILES.join(", "))?;
    }
    Ok(text)
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Voxels,
    Tetrahedra,
}

impl Kind {
    fn name(self) -> &'static str {
        match self {
            Self::Voxels => "voxels",
            Self::Tetrahedra => "tetrahedra",
        }
    }
}

fn surfaces(progress: Progress<'_>) -> Result<Vec<(String, Surface)>> {
    progress("reading surfaces");
    let mut surfaces: Vec<(String, Surface)> =
        Figure::ALL.iter().map(|figure| (figure.name().to_owned(), figure.surface(0.03))).collect();
    if let Some(folder) = std::env::var_os(FOLDER).map(PathBuf::from) {
        for file in FILES {
            surfaces.push((file.to_owned(), read_surface(&folder.join(file))?));
        }
    }
    Ok(surfaces)
}

fn row(name: &str, surface: &Surface, kind: Kind) -> Result<String> {
    let begin = Instant::now();
    let model = match kind {
        Kind::Voxels => voxel_model(surface)?,
        Kind::Tetrahedra => tetrahedral_model(surface)?,
    };
    let made = begin.elapsed().as_secs_f64();
    let (cells, nodes) = (model.mesh().cell_count(), model.mesh().nodes.len());
    let mut world = shaken(model)?;
    let frames = (DURATION / world.config().dt).round() as usize;
    let begin = Instant::now();
    for _ in 0..frames {
        world.step();
    }
    let frame = 1e3 * begin.elapsed().as_secs_f64() / frames as f64;
    let health = world.health();
    Ok(format!(
        "| {name} | {} | {} | {cells} | {nodes} | {made:.2} s | {frame:.2} | {} | {} |\n",
        surface.vertices.len(),
        kind.name(),
        health.resets,
        health.inverted
    ))
}

fn material() -> Material {
    Material {
        law: LawKind::Corotated,
        young: 1e5,
        poisson: 0.4,
        density: 1000.0,
        ..Default::default()
    }
}

fn voxel_model(surface: &Surface) -> Result<Model> {
    let made = voxelize(surface, &VoxelConfig::default())?;
    let skin = made.embedding.skin(&made.mesh);
    let config = ModelConfig::default();
    Ok(Model::with_contents(made.mesh, vec![material()], made.contents, config)?.with_skin(skin))
}

fn tetrahedral_model(surface: &Surface) -> Result<Model> {
    let made = tetrahedra(surface, &TetConfig::default())?;
    let skin = Skin::embedded(&made.mesh, &made.places, surface.triangles.clone());
    Ok(Model::uniform(made.mesh, material())?.with_skin(skin))
}

/// The body, held and pushed at its lowest tenth. Size and stiffness match: a body one metre in size swings a few times
/// per second.
fn shaken(model: Model) -> Result<World> {
    let (low, high) = model.mesh().bounds();
    let height = high.y - low.y;
    let nodes = (0u32..).zip(&model.mesh().nodes);
    let held = nodes.filter(|(_, x)| x.y <= low.y + 0.1 * height).map(|(node, _)| node).collect();
    let pin = Pin { nodes: held, motion: pushes(PUSH_DISTANCE * height), ..Default::default() };
    let body = Body::new("shaken", Arc::new(model), vec![pin])?;
    let mut world = World::new(WorldConfig::default())?;
    world.add_with(body, MethodConfig::default())?;
    Ok(world)
}

fn pushes(reach: f64) -> Motion {
    let directions = [DVec3::X, -DVec3::X, DVec3::Z, -DVec3::Z];
    let ramp = |k: usize| {
        let start = PUSH_DURATION * k as f64;
        let action = Action::Translate(reach * directions[k % 4]);
        Ramp { start, end: start + PUSH_DURATION, action }
    };
    Motion { ramps: (0..(DURATION / PUSH_DURATION) as usize).map(ramp).collect() }
}
