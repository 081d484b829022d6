//! All bodies and frames in one GLB file.

use std::path::PathBuf;

use anyhow::Result;
use pliant::body::Skin;
use pliant_io::glb::{AnimatedSurface, Animation, write_glb};
use pliant_io::picture::Colour;
use pliant_io::scene::{Built, Mode, Output, Scene};

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
        Self { path, skins, obstacles, animation }
    }
}

impl Sink for AnimatedSurfaces {
    fn record(&mut self, built: &Built) -> Result<()> {
        let skins = self.skins.iter().zip(&mut self.animation.bodies);
        for ((_, body), (skin, surface)) in built.world.bodies().zip(skins) {
            let mut vertices = Vec::new();
            skin.interpolate(&body.state.x, &mut vertices);
            surface.frames.push(vertices);
        }
        let around = &mut self.animation.bodies[self.skins.len()..];
        for (obstacle, surface) in self.obstacles.iter().zip(around) {
            if obstacle.moves() || surface.frames.is_empty() {
                surface.frames.push(obstacle.vertices(built.world.time()));
            }
        }
        Ok(())
    }

    fn finish(self: Box<Self>) -> Result<Vec<PathBuf>> {
        write_glb(&self.path, &self.animation)?;
        Ok(vec![self.path])
    }
}
