//! Pictures: an animated one for a dynamic scene, a still one for an equilibrium.

use std::path::PathBuf;
use std::sync::Arc;

use anyhow::Result;
use glam::DVec3;
use pliant::body::Skin;
use pliant_io::picture::{
    Colour, ColourMap, Image, Legend, Paint, Picture, PictureConfig, SceneView, SurfaceView,
    write_apng,
};
use pliant_io::scene::{BuiltScene, Field, Mode, Output, Scene};
use rayon::prelude::*;

use crate::progress::bar;

use super::field_values::{OutputBody, colour_range, skin_values};
use super::obstacles::ObstacleSurface;
use super::{OutputWriter, Skins, origins};

/// The output that collects all frames until the end, since the camera must show all of them.
pub(super) struct MovingPicture {
    path: PathBuf,
    still: bool,
    frames_per_second: f64,
    field: Option<Field>,
    skins: Skins,
    colours: Vec<Colour>,
    /// All obstacles except the ground, which is the floor of the picture.
    obstacles: Vec<ObstacleSurface>,
    ground: Option<f64>,
    frames: Vec<Frame>,
}

/// All bodies at one time.
struct Frame {
    time: f64,
    bodies: Vec<FrameBody>,
}

/// A body in one frame.
struct FrameBody {
    skin: Arc<Skin>,
    /// Index in the scene of its original body.
    body: usize,
    vertices: Vec<DVec3>,
    values: Vec<f64>,
}

/// Margin within which fragments stay in view, relative to the size of the first frame.
const VIEW_MARGIN: f64 = 0.3;

impl MovingPicture {
    pub(super) fn new(scene: &Scene, output: &Output, built: &BuiltScene, path: PathBuf) -> Self {
        let mut obstacles = ObstacleSurface::all(scene, built);
        let ground = obstacles.iter().find_map(ObstacleSurface::ground);
        obstacles.retain(|obstacle| ground.is_none() || obstacle.ground() != ground);
        Self {
            path,
            still: scene.mode == Mode::Static,
            // Clamped to the frame rates that browsers can show.
            frames_per_second: (1.0 / (scene.world.dt * f64::from(output.every)))
                .clamp(0.01, 100.0),
            field: output.fields.first().copied(),
            skins: Skins::default(),
            colours: scene.bodies.iter().map(|plan| Colour::from_srgb(plan.colour)).collect(),
            obstacles,
            ground,
            frames: Vec::new(),
        }
    }

    /// The range of values of the colour map, over all frames.
    fn range(&self) -> (f64, f64) {
        let bodies = self.frames.iter().flat_map(|frame| &frame.bodies);
        colour_range(self.field, bodies.flat_map(|shot| &shot.values))
    }

    fn draw(&self, picture: &Picture, frame: &Frame, range: (f64, f64)) -> Image {
        let bodies = &frame.bodies;
        let map = ColourMap::default();
        let painted: Vec<Vec<Colour>> =
            bodies.iter().map(|shot| map.colours(&shot.values, range.0, range.1)).collect();
        let surfaces = bodies.iter().zip(&painted).map(|(shot, painted)| SurfaceView {
            vertices: &shot.vertices,
            triangles: shot.skin.triangles(),
            paint: match self.field {
                Some(_) => Paint::PerVertex(painted),
                None => Paint::Plain(self.colours[shot.body]),
            },
        });
        let around: Vec<Vec<DVec3>> =
            self.obstacles.iter().map(|obstacle| obstacle.vertices(frame.time)).collect();
        let standing = self.obstacles.iter().zip(&around).map(|(obstacle, vertices)| SurfaceView {
            vertices,
            triangles: &obstacle.triangles,
            paint: Paint::Plain(obstacle.colour),
        });
        let lines = cell_edges(bodies);
        picture.render(&SceneView {
            surfaces: surfaces.chain(standing).collect(),
            lines: lines.iter().map(Vec::as_slice).collect(),
            legend: self.field.map(|field| legend(field, range, map)),
        })
    }

    fn config(&self) -> PictureConfig {
        PictureConfig { ground: self.ground, ..PictureConfig::default() }
    }

    /// The points that the camera must show. Fragments that fly far away may leave the picture.
    fn points(&self) -> Vec<DVec3> {
        let mut points = Vec::new();
        let first = self.frames.first().map_or(&[][..], |frame| &frame.bodies);
        let begin = || first.iter().flat_map(|shot| &shot.vertices);
        let low = begin().fold(DVec3::INFINITY, |low, x| low.min(*x));
        let high = begin().fold(DVec3::NEG_INFINITY, |high, x| high.max(*x));
        let margin = VIEW_MARGIN * (high - low).length();
        let near = |x: &&DVec3| x.cmpge(low - margin).all() && x.cmple(high + margin).all();
        for Frame { time, bodies } in &self.frames {
            let (whole, pieces) = bodies.split_at(bodies.len().min(first.len()));
            points.extend(whole.iter().flat_map(|shot| &shot.vertices));
            points.extend(pieces.iter().flat_map(|shot| &shot.vertices).filter(near));
            let bounded = self.obstacles.iter().filter(|obstacle| obstacle.is_bounded());
            points.extend(bounded.flat_map(|obstacle| obstacle.vertices(*time)));
        }
        points
    }
}

fn cell_edges(bodies: &[FrameBody]) -> Vec<Vec<DVec3>> {
    let lines = bodies.iter().flat_map(|shot| {
        let line = |edge: &Vec<u32>| edge.iter().map(|k| shot.vertices[*k as usize]).collect();
        shot.skin.edges().iter().map(line)
    });
    lines.collect()
}

impl OutputWriter for MovingPicture {
    fn record(&mut self, built: &BuiltScene) -> Result<()> {
        self.skins.update(&built.world);
        let bodies = OutputBody::all(&built.world).zip(self.skins.all()).zip(origins(built));
        let bodies = bodies.map(|((output_body, skin), body)| {
            let mut vertices = Vec::new();
            skin.interpolate(&output_body.body.state.x, &mut vertices);
            let values = self.field.map(|field| skin_values(field, output_body, skin));
            FrameBody { skin: skin.clone(), body, vertices, values: values.unwrap_or_default() }
        });
        let bodies = bodies.collect();
        if self.still {
            self.frames.clear();
        }
        self.frames.push(Frame { time: built.world.time(), bodies });
        Ok(())
    }

    fn finish(self: Box<Self>) -> Result<Vec<PathBuf>> {
        let picture = Picture::new(&self.config(), self.points().iter().copied())?;
        let range = self.range();
        let bar = bar(self.frames.len() as u64, "drawing {wide_bar} {pos}/{len} frames");
        let frames = self.frames.par_iter().inspect(|_| bar.inc(1));
        let images: Vec<Image> = frames.map(|frame| self.draw(&picture, frame, range)).collect();
        bar.finish_and_clear();
        match images.as_slice() {
            [image] => image.write_png(&self.path)?,
            images => write_apng(&self.path, images, self.frames_per_second)?,
        }
        Ok(vec![self.path])
    }
}

fn legend(field: Field, (low, high): (f64, f64), map: ColourMap) -> Legend {
    let title = match field {
        Field::Displacement => "displacement (m)",
        Field::Velocity => "speed (m/s)",
        Field::VonMises => "von Mises stress (Pa)",
        Field::DetF => "volume ratio",
        Field::Degree => "degree",
        Field::PlasticStrain => "plastic strain",
        Field::YieldShare => "yield reached",
        Field::LimitShare => "plastic limit reached",
    };
    Legend { title: title.to_owned(), low, high, map }
}
