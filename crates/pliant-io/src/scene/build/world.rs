//! Builds a world from a scene.

use std::path::Path;

use pliant::body::Body;
use pliant::geometry::Surface;
use pliant::world::{BodyHandle, World};

use super::built_scene::{BuiltScene, PlacedProbe};
use super::{attachment, body, obstacle};
use crate::scene::check::problems::Problems;
use crate::scene::plan::output::Probe;
use crate::scene::problem::fault::Fault;
use crate::scene::problem::scene_error::SceneError;
use crate::scene::scene::Scene;

impl Scene {
    /// Parses the scene in `text` and builds its world, so that every problem is found.
    ///
    /// `origin` is its path or name, for messages; mesh files are searched for in `base`.
    ///
    /// # Errors
    ///
    /// Returns all problems, each with its position.
    pub fn open(origin: &str, text: &str, base: &Path) -> Result<(Self, BuiltScene), SceneError> {
        let mut problems = Problems::default();
        let scene = Self::parse_valid_part(origin, text, &mut problems)?;
        let built = scene.assemble(base, &mut problems);
        match (built, problems.into_list()) {
            (Some(built), problems) if problems.is_empty() => Ok((scene, built)),
            (_, problems) => Err(SceneError::new(origin, text, problems)),
        }
    }

    /// Builds the world of this scene; mesh files are searched for in `base`.
    ///
    /// # Errors
    ///
    /// Returns all problems of its meshes, pins and probes.
    pub fn build(&self, base: &Path) -> Result<BuiltScene, SceneError> {
        let mut problems = Problems::default();
        let built = self.assemble(base, &mut problems);
        let fail = |problems| SceneError::new(&self.origin, &self.text, problems);
        match (built, problems.into_list()) {
            (Some(built), problems) if problems.is_empty() => Ok(built),
            (_, problems) => Err(fail(problems)),
        }
    }

    /// Builds one body of this scene in its initial state, and returns the surface it was made from, if any.
    ///
    /// Mesh files are searched for in `base`. Used to replace a body that was built before; [`Scene::copy_body`]
    /// makes its copies.
    ///
    /// # Errors
    ///
    /// Returns all problems of its mesh and pins.
    ///
    /// # Panics
    /// If there is no body with this index.
    pub fn build_body(
        &self,
        index: usize,
        base: &Path,
    ) -> Result<(Body, Option<Surface>), SceneError> {
        let mut problems = Problems::default();
        let made = body::body(&self.bodies[index], base, &mut problems);
        let problems = problems.into_list();
        match made {
            Some(made) if problems.is_empty() => Ok(made),
            _ => Err(SceneError::new(&self.origin, &self.text, problems)),
        }
    }

    /// Builds a body of this scene in its initial state from the model of another of its copies.
    ///
    /// # Panics
    /// If there is no body with this index.
    pub fn copy_body(&self, index: usize, of: &Body) -> Option<Body> {
        body::copy_body(&self.bodies[index], Some(of))
    }

    /// Locates the probes of this scene in its bodies.
    ///
    /// # Errors
    ///
    /// Returns the probes that are outside their bodies.
    pub fn place_probes<'a>(
        &self,
        body: impl Fn(usize) -> Option<&'a Body>,
    ) -> Result<Vec<PlacedProbe>, SceneError> {
        let mut problems = Problems::default();
        let probes = self.probes.iter();
        let placed =
            probes.filter_map(|probe| place_probe(probe, body(probe.body)?, &mut problems));
        let placed = placed.collect();
        let problems = problems.into_list();
        if problems.is_empty() {
            Ok(placed)
        } else {
            Err(SceneError::new(&self.origin, &self.text, problems))
        }
    }

    /// Builds as much as possible; `None` only if there are problems.
    fn assemble(&self, base: &Path, problems: &mut Problems) -> Option<BuiltScene> {
        let (mut bodies, mut surfaces) =
            (Vec::<Option<Body>>::new(), Vec::<Option<Surface>>::new());
        for plan in &self.bodies {
            let made = match plan.copy.as_ref().filter(|copy| copy.of < bodies.len()) {
                Some(copy) => body::copy_body(plan, bodies[copy.of].as_ref())
                    .map(|body| (body, surfaces[copy.of].clone())),
                None => body::body(plan, base, problems),
            };
            let (body, surface) =
                made.map_or((None, None), |(body, surface)| (Some(body), surface));
            bodies.push(body);
            surfaces.push(surface);
        }
        let mut probes = Vec::new();
        for probe in &self.probes {
            if let Some(body) = &bodies[probe.body] {
                probes.extend(place_probe(probe, body, problems));
            }
        }
        let bodies = bodies.into_iter().collect::<Option<Vec<Body>>>()?;
        // A checked scene has a valid config; a scene with an invalid one has problems already.
        let mut world = World::new(self.world).ok()?;
        world.set_wind(self.wind).ok()?;
        self.blasts.iter().try_for_each(|blast| world.add_blast(*blast)).ok()?;
        self.fields.iter().try_for_each(|field| world.add_field(*field)).ok()?;
        self.place_obstacles(&mut world, base, problems);
        let mut handles = Vec::new();
        for (body, plan) in bodies.into_iter().zip(&self.bodies) {
            handles.push(body::add_to_world(&mut world, body, plan, self.mode, problems));
        }
        let bodies = handles.into_iter().collect::<Option<Vec<BodyHandle>>>()?;
        let mut attachments = Vec::new();
        for plan in &self.attachments {
            let of = (&self.bodies[plan.body], surfaces[plan.body].as_ref());
            match attachment::attach(&mut world, plan, of, &bodies, base) {
                Ok(attached) => attachments.push(attached),
                Err(fault) => problems.add(plan.selection.span(), fault),
            }
        }
        Some(BuiltScene { world, bodies, surfaces, probes, attachments })
    }

    /// Adds the obstacles, and sets the friction between materials.
    fn place_obstacles(&self, world: &mut World, base: &Path, problems: &mut Problems) {
        for plan in &self.obstacles {
            let span = plan.file.as_ref().map_or(0..0, |file| file.span.clone());
            let made = obstacle::obstacle(plan, base);
            let added = made.and_then(|obstacle| Ok(world.add_obstacle(obstacle)?));
            if let Err(fault) = added {
                problems.add(span, fault);
            }
        }
        for friction in &self.frictions {
            // The coefficients are checked already.
            let _ = world.set_friction(friction.materials, Some(friction.coefficient));
        }
    }
}

fn place_probe(probe: &Probe, body: &Body, problems: &mut Problems) -> Option<PlacedProbe> {
    let Probe { name, body: index, at } = probe;
    let (name, position) = (name.clone(), *at.get_ref());
    if let Some(point) = body.locate(position) {
        return Some(PlacedProbe { name, body: *index, point, at: position });
    }
    let (min, max) = body.model().mesh().bounds();
    let body = body.name().to_owned();
    problems.add(at.span(), Fault::OutsideBody { probe: name, at: position, body, min, max });
    None
}
