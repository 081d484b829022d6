//! All bodies and frames in one GLB file.

use std::path::PathBuf;

use anyhow::Result;
use pliant::body::Skin;
use pliant_io::glb::{AnimatedSurface, Animation, write_glb};
use pliant_io::picture::{Colour, ColourMap};
use pliant_io::scene::{Built, Field, Mode, Output, Scene};

use super::field_values::{Shown, colour_range, skin_values};
use super::obstacles::ObstacleSurface;
use super::{Sink, skins};

/// Time from rest to equilibrium in the file of a static scene, in s.
const STATIC_DT: f64 = 1.0;

/// Frames are kept until the end: the file is written in one piece.
pub(super) struct AnimatedSurfaces {
    path: PathBuf,
    skins: Vec<Skin>,
    obstacles: Vec<ObstacleSurface>,
    animation: Animation,
    /// What vertices are coloured by.
    field: Option<Field>,
    /// It at the vertices of every body, in the last frame.
    values: Vec<Vec<f64>>,
}

impl AnimatedSurfaces {
    pub(super) fn new(scene: &Scene, output: &Output, built: &Built, path: PathBuf) -> Self {
        let skins = skins(built);
        let given = skins.iter().zip(&built.surfaces);
        let bodies = scene.bodies.iter().zip(given).map(|(plan, (skin, surface))| {
            let (name, colour) = (&plan.name, Colour::from_srgb(plan.colour));
            match surface {
                Some(surface) => AnimatedSurface::of(name, colour, surface),
                None => AnimatedSurface {
                    name: name.clone(),
                    colour,
                    triangles: skin.triangles().to_vec(),
                    ..Default::default()
                },
            }
        });
        let obstacles = ObstacleSurface::all(scene, built);
        let around = obstacles.iter().enumerate().map(|(index, obstacle)| AnimatedSurface {
            name: format!("obstacle {}", index + 1),
            colour: obstacle.colour,
            triangles: obstacle.triangles.clone(),
            ..Default::default()
        });
        let dt = match scene.mode {
            Mode::Dynamic => scene.world.dt * f64::from(output.every),
            Mode::Static => STATIC_DT,
        };
        let animation = Animation { dt, normals: true, bodies: bodies.chain(around).collect() };
        let field = output.fields.first().copied();
        Self { path, skins, obstacles, animation, field, values: Vec::new() }
    }
}

impl AnimatedSurfaces {
    /// Colours vertices by the field as it is in the last frame: a file has one colour of each for all of its time. Where it
    /// is shown no picture is.
    fn colour(&mut self) {
        let (low, high) = colour_range(self.field, self.values.iter().flatten());
        for (surface, values) in self.animation.bodies.iter_mut().zip(&self.values) {
            surface.paint(ColourMap::default().colours(values, low, high));
        }
    }
}

impl Sink for AnimatedSurfaces {
    fn record(&mut self, built: &Built) -> Result<()> {
        let skins = self.skins.iter().zip(&mut self.animation.bodies);
        self.values.clear();
        for (shown, (skin, surface)) in Shown::all(&built.world).zip(skins) {
            let mut vertices = Vec::new();
            skin.interpolate(&shown.body.state.x, &mut vertices);
            surface.frames.push(vertices);
            self.values.extend(self.field.map(|field| skin_values(field, shown, skin)));
        }
        let around = &mut self.animation.bodies[self.skins.len()..];
        for (obstacle, surface) in self.obstacles.iter().zip(around) {
            if obstacle.moves() || surface.frames.is_empty() {
                surface.frames.push(obstacle.vertices(built.world.time()));
            }
        }
        Ok(())
    }

    fn finish(mut self: Box<Self>) -> Result<Vec<PathBuf>> {
        self.colour();
        write_glb(&self.path, &self.animation)?;
        Ok(vec![self.path])
    }
}
