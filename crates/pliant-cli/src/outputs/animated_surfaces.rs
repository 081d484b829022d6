//! Writes all bodies and frames to one GLB file.

use std::path::PathBuf;

use anyhow::Result;
use pliant::body::{Body, Skin};
use pliant::world::BodyHandle;
use pliant_io::glb::{AnimatedSurface, Animation, write_glb};
use pliant_io::picture::{Colour, ColourMap};
use pliant_io::scene::{BodyPlan, BuiltScene, Field, Mode, Output, Scene};
use pliant_io::surface::Surface;

use super::field_values::{OutputBody, colour_range, skin_values};
use super::loose_triangles::LooseTriangles;
use super::obstacles::ObstacleSurface;
use super::{OutputWriter, drawn_skin};

/// Time between the rest shape and the equilibrium in the file of a static scene, in s.
const STATIC_DT: f64 = 1.0;

/// The output that collects all frames until the end, since a GLB file is written in one piece.
pub(super) struct AnimatedSurfaces {
    path: PathBuf,
    drawn: Vec<(BodyHandle, DrawnSurface)>,
    obstacles: Vec<ObstacleSurface>,
    animation: Animation,
    /// The field by which vertices are coloured.
    field: Option<Field>,
    /// Values of the field at the vertices of every body, in the last frame.
    values: Vec<Vec<f64>>,
}

/// The drawn surface of a body of the scene.
enum DrawnSurface {
    /// The skin of a body that cannot break.
    Skin(Skin),
    /// Separate triangles, for a breakable body.
    Loose(LooseTriangles),
}

impl DrawnSurface {
    fn of(body: &Body) -> Self {
        match body.model().is_breakable() {
            true => Self::Loose(LooseTriangles::of(body)),
            false => Self::Skin(drawn_skin(body)),
        }
    }

    fn triangles(&self) -> Vec<[u32; 3]> {
        match self {
            Self::Skin(skin) => skin.triangles().to_vec(),
            Self::Loose(loose) => loose.triangles(),
        }
    }
}

impl AnimatedSurfaces {
    pub(super) fn new(scene: &Scene, output: &Output, built: &BuiltScene, path: PathBuf) -> Self {
        let bodies = built.bodies.iter();
        let bodies = bodies.filter_map(|handle| Some((*handle, built.world.get(*handle)?)));
        let drawn: Vec<(BodyHandle, DrawnSurface)> =
            bodies.map(|(handle, body)| (handle, DrawnSurface::of(body))).collect();
        let given = drawn.iter().zip(&built.meshes);
        let surfaces = scene.bodies.iter().zip(given);
        let surfaces =
            surfaces.map(|(plan, ((_, drawn), mesh))| surface(plan, drawn, mesh.surface()));
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
        let animation = Animation { dt, normals: true, bodies: surfaces.chain(around).collect() };
        let field = output.fields.first().copied();
        Self { path, drawn, obstacles, animation, field, values: Vec::new() }
    }

    /// Colours the vertices by the field in the last frame, since a GLB file has one colour per vertex for all times.
    /// These colours replace the texture.
    fn colour(&mut self) {
        let (low, high) = colour_range(self.field, self.values.iter().flatten());
        for (surface, values) in self.animation.bodies.iter_mut().zip(&self.values) {
            if !values.is_empty() {
                surface.paint(ColourMap::default().colours(values, low, high));
            }
        }
    }
}

/// The surface of a body as it is written to the file.
fn surface(plan: &BodyPlan, drawn: &DrawnSurface, given: Option<&Surface>) -> AnimatedSurface {
    let colour = Colour::from_srgb(plan.colour);
    let plain = match given {
        Some(given) => AnimatedSurface::of(&plan.name, colour, given),
        None => AnimatedSurface { name: plan.name.clone(), colour, ..Default::default() },
    };
    let loose = matches!(drawn, DrawnSurface::Loose(_));
    let vertex_colours = plain.vertex_colours.clone().filter(|_| !loose);
    AnimatedSurface { triangles: drawn.triangles(), vertex_colours, ..plain }
}

impl OutputWriter for AnimatedSurfaces {
    fn record(&mut self, built: &BuiltScene) -> Result<()> {
        self.values.clear();
        for ((handle, drawn), surface) in self.drawn.iter_mut().zip(&mut self.animation.bodies) {
            let (world, handle) = (&built.world, *handle);
            let Some(body) = world.get(handle) else { continue };
            match drawn {
                DrawnSurface::Loose(loose) => {
                    surface.frames.push(loose.update(world, handle));
                    self.values.extend(self.field.map(|_| Vec::new()));
                }
                DrawnSurface::Skin(skin) => {
                    let mut vertices = Vec::new();
                    skin.interpolate(&body.state.x, &mut vertices);
                    surface.frames.push(vertices);
                    let output_body = OutputBody { world, handle, body };
                    self.values
                        .extend(self.field.map(|field| skin_values(field, output_body, skin)));
                }
            }
        }
        let around = &mut self.animation.bodies[self.drawn.len()..];
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
