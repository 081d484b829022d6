//! Pictures: a moving one of a motion, a still one of an equilibrium.

use std::path::PathBuf;

use anyhow::Result;
use glam::DVec3;
use pliant::body::Skin;
use pliant_io::picture::{
    Colour, ColourMap, Image, Legend, Paint, Picture, PictureConfig, SceneView, SurfaceView,
    write_apng,
};
use pliant_io::scene::{Built, Field, Mode, Output, Scene};
use rayon::prelude::*;

use crate::progress::bar;

use super::field_values::{Shown, skin_values};
use super::{Sink, skins};

/// Frames are kept until the end, when the camera knows all it has to see.
pub(super) struct MovingPicture {
    path: PathBuf,
    still: bool,
    frames_per_second: f64,
    field: Option<Field>,
    skins: Vec<Skin>,
    colours: Vec<Colour>,
    frames: Vec<Vec<Shot>>,
}

/// A body in one frame.
struct Shot {
    vertices: Vec<DVec3>,
    values: Vec<f64>,
}

impl MovingPicture {
    pub(super) fn new(scene: &Scene, output: &Output, built: &Built, path: PathBuf) -> Self {
        Self {
            path,
            still: scene.mode == Mode::Static,
            // Faster or slower than it happened, if no browser could show it.
            frames_per_second: (1.0 / (scene.world.dt * f64::from(output.every)))
                .clamp(0.01, 100.0),
            field: output.fields.first().copied(),
            skins: skins(built),
            colours: scene.bodies.iter().map(|plan| Colour::from_srgb(plan.colour)).collect(),
            frames: Vec::new(),
        }
    }

    /// Lowest and highest value of the field in all frames. A hundredth of the values lies above
    /// the upper end: at a clamped corner stress grows without bound as a mesh is refined.
    fn range(&self) -> (f64, f64) {
        let shots = self.frames.iter().flatten();
        let mut values: Vec<f64> = shots.flat_map(|shot| &shot.values).copied().collect();
        values.retain(|value| value.is_finite());
        values.sort_by(f64::total_cmp);
        let at = |share: f64| {
            let index = (share * values.len() as f64) as usize;
            values.get(index.min(values.len().saturating_sub(1))).copied().unwrap_or(0.0)
        };
        match self.field {
            Some(Field::Degree) => (1.0, at(1.0).max(2.0)),
            _ => (at(0.0), at(0.99)),
        }
    }

    fn draw(&self, picture: &Picture, shots: &[Shot], range: (f64, f64)) -> Image {
        let map = ColourMap::default();
        let painted: Vec<Vec<Colour>> =
            shots.iter().map(|shot| map.colours(&shot.values, range.0, range.1)).collect();
        let surfaces = shots.iter().enumerate().map(|(body, shot)| SurfaceView {
            vertices: &shot.vertices,
            triangles: self.skins[body].triangles(),
            paint: match self.field {
                Some(_) => Paint::PerVertex(&painted[body]),
                None => Paint::Plain(self.colours[body]),
            },
        });
        let lines = self.cell_edges(shots);
        picture.render(&SceneView {
            surfaces: surfaces.collect(),
            lines: lines.iter().map(Vec::as_slice).collect(),
            legend: self.field.map(|field| legend(field, range, map)),
        })
    }

    fn cell_edges(&self, shots: &[Shot]) -> Vec<Vec<DVec3>> {
        let bodies = self.skins.iter().zip(shots);
        let lines = bodies.flat_map(|(skin, shot)| {
            skin.edges()
                .iter()
                .map(|edge| edge.iter().map(|vertex| shot.vertices[*vertex as usize]).collect())
        });
        lines.collect()
    }
}

impl Sink for MovingPicture {
    fn record(&mut self, built: &Built) -> Result<()> {
        let bodies = Shown::all(&built.world).zip(&self.skins);
        let shots = bodies.map(|(shown, skin)| {
            let mut vertices = Vec::new();
            skin.interpolate(&shown.body.state.x, &mut vertices);
            let values = self.field.map(|field| skin_values(field, shown, skin));
            Shot { vertices, values: values.unwrap_or_default() }
        });
        let shots = shots.collect();
        if self.still {
            self.frames.clear();
        }
        self.frames.push(shots);
        Ok(())
    }

    fn finish(self: Box<Self>) -> Result<Vec<PathBuf>> {
        let points = self.frames.iter().flatten().flat_map(|shot| &shot.vertices).copied();
        let picture = Picture::new(&PictureConfig::default(), points)?;
        let range = self.range();
        let bar = bar(self.frames.len() as u64, "drawing {wide_bar} {pos}/{len} frames");
        let frames = self.frames.par_iter().inspect(|_| bar.inc(1));
        let images: Vec<Image> = frames.map(|shots| self.draw(&picture, shots, range)).collect();
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
    };
    Legend { title: title.to_owned(), low, high, map }
}
