//! The shown world, with its scene.

use std::sync::Arc;

use glam::DVec3;
use pliant::body::Body;
use pliant::geometry::Surface;
use pliant::world::{BodyHandle, ReplaceError, World};
use pliant_io::scene::{Mode, PlacedProbe, Scene};

use super::beginning::{Beginning, going_on, same_rest};
use super::change::{BodyChange, Change};
use super::document::{Document, bad_scene, origins};
use super::order::Refusal;
use super::shown::Shown;
use crate::protocol::model::Look;

/// A scene and its world.
#[derive(Debug)]
pub(crate) struct Stage {
    pub(crate) document: Document,
    pub(crate) scene: Scene,
    pub(crate) world: World,
    /// The world as it was built, with everything that is not a body: attachments, wind, future explosions.
    first: World,
    /// Bodies in the order of the scene.
    pub(crate) handles: Vec<BodyHandle>,
    /// The look of each unbroken body.
    pub(crate) looks: Vec<Arc<Look>>,
    /// All shown bodies: bodies of the scene and their fragments.
    pub(crate) shown: Vec<Shown>,
    /// The initial state of each body.
    pub(crate) beginnings: Vec<Arc<Beginning>>,
    /// Index of the `[[body]]` table of each body.
    pub(crate) origins: Vec<usize>,
    /// Number of pins of each body when the scene was opened.
    first_pins: Vec<usize>,
    pub(crate) probes: Vec<PlacedProbe>,
    /// Origin of the transmitted positions, in m.
    pub(crate) origin: DVec3,
    /// Bounding box of all bodies at the start, in m.
    pub(crate) bounds: (DVec3, DVec3),
}

impl Stage {
    /// Builds the world of a document; for a static scene also solves for its equilibrium.
    pub(crate) fn open(document: Document) -> Result<Self, Refusal> {
        let text = document.text();
        let opened = Scene::open(&document.name, &text, &document.base);
        let (scene, mut built) = opened.map_err(|error| bad_scene(&error))?;
        let beginning = |handle: &BodyHandle| built.world.get(*handle).map(Beginning::of);
        let beginnings: Vec<Arc<Beginning>> = built.bodies.iter().filter_map(beginning).collect();
        let bounds = bounds(beginnings.iter().flat_map(|beginning| &beginning.state().x));
        let origin = (0.5 * (bounds.0 + bounds.1)).as_vec3().as_dvec3();
        let first = built.world.clone();
        if scene.mode == Mode::Static {
            let solved = built.world.solve_static(&scene.statics, &mut |_| {});
            solved.map_err(|error| Refusal::new("bad-scene", error.to_string()))?;
        }
        let mut stage = Self {
            origins: origins(&scene),
            first_pins: Vec::new(),
            document,
            scene,
            first,
            world: built.world,
            handles: built.bodies,
            looks: Vec::new(),
            shown: Vec::new(),
            beginnings,
            probes: built.probes,
            origin,
            bounds,
        };
        stage.first_pins = (0..stage.handles.len()).map(|k| stage.pin_count(k)).collect();
        for (index, surface) in built.surfaces.into_iter().enumerate() {
            let look = stage.shared_look(index);
            let look = look.unwrap_or_else(|| stage.new_look(index, surface));
            stage.looks.push(look);
        }
        stage.look_again();
        Ok(stage)
    }

    /// A body by its index in the scene.
    pub(crate) fn body(&self, index: usize) -> Option<&Body> {
        self.world.get(*self.handles.get(index)?)
    }

    /// Number of pins that a body had when the scene was opened.
    pub(crate) fn own_pins(&self, index: usize) -> usize {
        self.first_pins.get(index).copied().unwrap_or(0)
    }

    fn pin_count(&self, index: usize) -> usize {
        self.body(index).map_or(0, |body| body.pins().len())
    }

    /// The look of the body of which this one is a copy.
    fn shared_look(&self, index: usize) -> Option<Arc<Look>> {
        let of = self.scene.bodies[index].copy.as_ref()?.of;
        self.looks.get(of).filter(|_| of != index).cloned()
    }

    pub(super) fn new_look(&self, index: usize, surface: Option<Surface>) -> Arc<Look> {
        let body = self.world.get(self.handles[index]).expect("a body of this world");
        Arc::new(Look::new(body, surface, self.origin))
    }

    /// The look of a fragment.
    pub(super) fn part_look(&self, of: usize, part: &Body) -> Arc<Look> {
        Arc::new(Look::of_part(part, &self.looks[of], self.origin))
    }

    /// Lowest and highest corner of an unbroken body in the rest shape of the scene, in m.
    pub(crate) fn rest_bounds(&self, index: usize) -> (DVec3, DVec3) {
        let Some(beginning) = self.beginnings.get(index) else {
            return (DVec3::ZERO, DVec3::ZERO);
        };
        let mut points = Vec::new();
        self.looks[index].skin.interpolate(beginning.body.anchors(), &mut points);
        bounds(points.iter())
    }

    /// Takes over the state of another stage for all bodies that both have.
    pub(crate) fn adopt(&mut self, other: &Self) {
        for index in 0..self.handles.len() {
            let name = &self.scene.bodies[index].name;
            let of = other.scene.bodies.iter().position(|plan| plan.name == *name);
            let old = of.and_then(|of| Some((other.body(of)?, other.beginnings.get(of)?)));
            if let Some((old, began)) = old {
                self.adopt_body(index, old, began);
            }
        }
        self.world.set_time(other.world.time());
    }

    /// Takes over the state of a body, if both have the same mesh and rest shape.
    fn adopt_body(&mut self, index: usize, old: &Body, began: &Beginning) {
        let handle = self.handles[index];
        let Some(new) = self.world.get(handle).filter(|new| same_rest(new, old)) else { return };
        let Ok((body, beginning)) = going_on(new, old, began) else { return };
        let same = Arc::ptr_eq(body.model(), new.model());
        if !same && self.world.set_model(handle, body.flowed_model()).is_err() {
            return;
        }
        self.beginnings[index] = beginning;
        if let Some(new) = self.world.get_mut(handle) {
            new.state = body.state;
            new.keep_form();
        }
    }

    /// Returns to the initial world, with all edited bodies whole.
    pub(crate) fn restart(&mut self) -> Result<(), Refusal> {
        if self.scene.mode == Mode::Static {
            return Ok(());
        }
        let refuse = |error: &dyn std::error::Error| Refusal::new("bad-scene", error.to_string());
        let mut world = self.first.clone();
        for (index, obstacle) in self.world.obstacles().iter().enumerate() {
            if world.obstacles().get(index) != Some(obstacle) {
                let set = world.replace_obstacle(index, obstacle.clone());
                set.map_err(|error| refuse(&error))?;
            }
        }
        world.set_config(self.scene.world).map_err(|error| refuse(&error))?;
        for index in 0..self.handles.len() {
            self.begin_body(&mut world, index)?;
        }
        self.world = world;
        Ok(())
    }

    /// Puts a body in its initial state into a world.
    fn begin_body(&self, world: &mut World, index: usize) -> Result<(), Refusal> {
        let refuse = |error: &dyn std::error::Error| Refusal::new("bad-scene", error.to_string());
        let (plan, handle) = (&self.scene.bodies[index], self.handles[index]);
        world.set_contact(handle, plan.contact).map_err(|error| refuse(&error))?;
        let mut body = self.beginnings[index].body.clone();
        while body.pulls().len() > plan.pulls.len() {
            let last = body.pulls().len() - 1;
            body.remove_pull(last).map_err(|error| refuse(&error))?;
        }
        let (state, model) = (body.state.clone(), body.flowed_model());
        match world.replace(handle, body, plan.method) {
            Ok(_) => return Ok(()),
            // An attached body cannot have been edited, but may have another rest shape.
            Err(ReplaceError::Attached { .. }) => {}
            Err(error) => return Err(refuse(&error)),
        }
        world.set_model(handle, model).map_err(|error| refuse(&error))?;
        if let Some(body) = world.get_mut(handle) {
            body.state = state;
            body.keep_form();
        }
        Ok(())
    }
}

/// True if a change needs no new mesh.
pub(crate) fn is_light(change: &Change) -> bool {
    matches!(change, Change::Bodies(bodies) if bodies.iter().all(|body| *body <= BodyChange::Settings))
}

pub(super) fn bounds<'a>(points: impl Iterator<Item = &'a DVec3>) -> (DVec3, DVec3) {
    let start = (DVec3::INFINITY, DVec3::NEG_INFINITY);
    let found = points.fold(start, |(low, high), x| (low.min(*x), high.max(*x)));
    if found.0.is_finite() { found } else { (DVec3::ZERO, DVec3::ZERO) }
}
