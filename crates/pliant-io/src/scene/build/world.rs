//! Builds a world from a scene.

use std::path::Path;
use std::sync::Arc;

use pliant::body::{Body, Model};
use pliant::world::{BodyHandle, World};

use super::body::KeptParts;
use super::body_mesh::BodyMesh;
use super::built_scene::{BuiltBody, BuiltScene, PlacedProbe};
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

    /// Builds one body of this scene in its initial state.
    ///
    /// Mesh files are searched for in `base`. Used to replace a body that was built before; [`Scene::copy_body`]
    /// makes its copies, and [`Scene::rebuild_body`] is faster if its mesh is the same.
    ///
    /// # Errors
    ///
    /// Returns all problems of its mesh and pins.
    ///
    /// # Panics
    /// If there is no body with this index.
    pub fn build_body(&self, index: usize, base: &Path) -> Result<BuiltBody, SceneError> {
        self.body_on(index, base, KeptParts::default())
    }

    /// Builds one body of this scene in its initial state on the mesh of an earlier version: only pins, pulls, regions,
    /// materials and motion may differ. If also its model is given, only pins, pulls and motion may.
    ///
    /// The result is the same as that of [`Scene::build_body`], bit for bit. It has the same mesh, unless its regions
    /// now select voxels by colour and did not before: then a new mesh is made, since the colours were not kept.
    ///
    /// # Errors
    ///
    /// Returns all problems of its pins and regions.
    ///
    /// # Panics
    /// If there is no body with this index, or the mesh belongs to another one.
    pub fn rebuild_body(
        &self,
        index: usize,
        base: &Path,
        mesh: &Arc<BodyMesh>,
        model: Option<&Arc<Model>>,
    ) -> Result<BuiltBody, SceneError> {
        self.body_on(index, base, KeptParts { mesh: Some(mesh), model })
    }

    fn body_on(
        &self,
        index: usize,
        base: &Path,
        kept: KeptParts<'_>,
    ) -> Result<BuiltBody, SceneError> {
        let mut problems = Problems::default();
        let made = body::body(&self.bodies[index], base, kept, &mut problems);
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
        let mut made = Vec::<Option<BuiltBody>>::new();
        for plan in &self.bodies {
            let built = match plan.copy.as_ref().filter(|copy| copy.of < made.len()) {
                Some(copy) => made[copy.of].as_ref().and_then(|first| {
                    let body = body::copy_body(plan, Some(&first.body))?;
                    Some(BuiltBody { body, mesh: first.mesh.clone() })
                }),
                None => body::body(plan, base, KeptParts::default(), problems),
            };
            made.push(built);
        }
        let mut probes = Vec::new();
        for probe in &self.probes {
            if let Some(built) = &made[probe.body] {
                probes.extend(place_probe(probe, &built.body, problems));
            }
        }
        let made = made.into_iter().collect::<Option<Vec<BuiltBody>>>()?;
        let (bodies, meshes): (Vec<_>, Vec<_>) =
            made.into_iter().map(|built| (built.body, built.mesh)).unzip();
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
            let of = (&self.bodies[plan.body], meshes[plan.body].surface());
            match attachment::attach(&mut world, plan, of, &bodies, base) {
                Ok(attached) => attachments.push(attached),
                Err(fault) => problems.add(plan.selection.span(), fault),
            }
        }
        Some(BuiltScene { world, bodies, meshes, probes, attachments })
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
