//! The shown world, with its scene.

use std::sync::Arc;

use glam::DVec3;
use pliant::body::Body;
use pliant::world::{BodyHandle, ReplaceError, World};
use pliant_io::scene::{BodyMesh, Mode, PlacedProbe, Scene};

use super::change::{BodyChange, Change};
use super::document::{Document, bad_scene, origins};
use super::initial_state::{InitialState, continued, same_rest};
use super::order::Refusal;
use super::stage_bodies::StageBody;
use crate::protocol::model::DrawnModel;

/// A scene and its world.
#[derive(Debug)]
pub(crate) struct Stage {
    pub(crate) document: Document,
    pub(crate) scene: Scene,
    pub(crate) world: World,
    /// The world as it was built, with everything that is not a body: attachments, wind, future explosions.
    initial_world: World,
    /// Bodies in the order of the scene.
    pub(crate) handles: Vec<BodyHandle>,
    /// The mesh that each body of the scene was built on; copies share one.
    pub(crate) meshes: Vec<Arc<BodyMesh>>,
    /// The drawn model of each unbroken body.
    pub(crate) drawn_models: Vec<Arc<DrawnModel>>,
    /// All shown bodies: bodies of the scene and their fragments.
    pub(crate) shown: Vec<StageBody>,
    /// The initial state of each body.
    pub(crate) initial_states: Vec<Arc<InitialState>>,
    /// Index of the `[[body]]` table of each body.
    pub(crate) origins: Vec<usize>,
    /// Number of pins of each body when the scene was opened.
    initial_pin_counts: Vec<usize>,
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
        let initial_state = |handle: &BodyHandle| built.world.get(*handle).map(InitialState::of);
        let initial_states: Vec<Arc<InitialState>> =
            built.bodies.iter().filter_map(initial_state).collect();
        let bounds =
            bounds(initial_states.iter().flat_map(|initial_state| &initial_state.state().x));
        let origin = (0.5 * (bounds.0 + bounds.1)).as_vec3().as_dvec3();
        let initial_world = built.world.clone();
        if scene.mode == Mode::Static {
            let solved = built.world.solve_static(&scene.statics, &mut |_| {});
            solved.map_err(|error| Refusal::new("bad-scene", error.to_string()))?;
        }
        let mut stage = Self {
            origins: origins(&scene),
            initial_pin_counts: Vec::new(),
            document,
            scene,
            initial_world,
            world: built.world,
            handles: built.bodies,
            meshes: built.meshes,
            drawn_models: Vec::new(),
            shown: Vec::new(),
            initial_states,
            probes: built.probes,
            origin,
            bounds,
        };
        stage.initial_pin_counts = (0..stage.handles.len()).map(|k| stage.pin_count(k)).collect();
        for index in 0..stage.handles.len() {
            let drawn = stage.shared_drawn_model(index);
            let drawn = drawn.unwrap_or_else(|| stage.new_drawn_model(index));
            stage.drawn_models.push(drawn);
        }
        stage.update_shown();
        Ok(stage)
    }

    /// A body by its index in the scene.
    pub(crate) fn body(&self, index: usize) -> Option<&Body> {
        self.world.get(*self.handles.get(index)?)
    }

    /// Number of pins that a body had when the scene was opened.
    pub(crate) fn own_pins(&self, index: usize) -> usize {
        self.initial_pin_counts.get(index).copied().unwrap_or(0)
    }

    fn pin_count(&self, index: usize) -> usize {
        self.body(index).map_or(0, |body| body.pins().len())
    }

    /// The drawn model of the body of which this one is a copy.
    fn shared_drawn_model(&self, index: usize) -> Option<Arc<DrawnModel>> {
        let of = self.scene.bodies[index].copy.as_ref()?.of;
        self.drawn_models.get(of).filter(|_| of != index).cloned()
    }

    pub(super) fn new_drawn_model(&self, index: usize) -> Arc<DrawnModel> {
        let body = self.world.get(self.handles[index]).expect("a body of this world");
        let surface = self.meshes[index].surface().cloned();
        Arc::new(DrawnModel::new(body, surface, self.origin))
    }

    /// The drawn model of a fragment.
    pub(super) fn fragment_drawn_model(&self, of: usize, part: &Body) -> Arc<DrawnModel> {
        Arc::new(DrawnModel::of_fragment(part, &self.drawn_models[of], self.origin))
    }

    /// Lowest and highest corner of an unbroken body in the rest shape of the scene, in m.
    pub(crate) fn rest_bounds(&self, index: usize) -> (DVec3, DVec3) {
        let Some(initial_state) = self.initial_states.get(index) else {
            return (DVec3::ZERO, DVec3::ZERO);
        };
        let mut points = Vec::new();
        self.drawn_models[index].skin.interpolate(initial_state.body.anchors(), &mut points);
        bounds(points.iter())
    }

    /// Takes over the state of another stage for all bodies that both have.
    pub(crate) fn adopt(&mut self, other: &Self) {
        for index in 0..self.handles.len() {
            let name = &self.scene.bodies[index].name;
            let of = other.scene.bodies.iter().position(|plan| plan.name == *name);
            let old = of.and_then(|of| Some((other.body(of)?, other.initial_states.get(of)?)));
            if let Some((old, initial)) = old {
                self.adopt_body(index, old, initial);
            }
        }
        self.world.set_time(other.world.time());
    }

    /// Takes over the state of a body, if both have the same mesh and rest shape.
    fn adopt_body(&mut self, index: usize, old: &Body, initial: &InitialState) {
        let handle = self.handles[index];
        let Some(new) = self.world.get(handle).filter(|new| same_rest(new, old)) else { return };
        let Ok((body, initial_state)) = continued(new, old, initial) else { return };
        let same = Arc::ptr_eq(body.model(), new.model());
        if !same && self.world.set_model(handle, body.flowed_model()).is_err() {
            return;
        }
        self.initial_states[index] = initial_state;
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
        let mut world = self.initial_world.clone();
        for (index, obstacle) in self.world.obstacles().iter().enumerate() {
            if world.obstacles().get(index) != Some(obstacle) {
                let handle = world.obstacle_handles()[index];
                let set = world.replace_obstacle(handle, obstacle.clone());
                set.map_err(|error| refuse(&error))?;
            }
        }
        world.set_config(self.scene.world).map_err(|error| refuse(&error))?;
        for index in 0..self.handles.len() {
            self.place_initial_body(&mut world, index)?;
        }
        self.world = world;
        Ok(())
    }

    /// Puts a body in its initial state into a world.
    fn place_initial_body(&self, world: &mut World, index: usize) -> Result<(), Refusal> {
        let refuse = |error: &dyn std::error::Error| Refusal::new("bad-scene", error.to_string());
        let (plan, handle) = (&self.scene.bodies[index], self.handles[index]);
        world.set_contact(handle, plan.contact).map_err(|error| refuse(&error))?;
        let mut body = self.initial_states[index].body.clone();
        let added = body.pull_handles()[plan.pulls.len()..].to_vec();
        for handle in added {
            body.remove_pull(handle).map_err(|error| refuse(&error))?;
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
pub(crate) fn keeps_meshes(change: &Change) -> bool {
    matches!(change, Change::Bodies(bodies) if bodies.iter().all(|body| *body <= BodyChange::Settings))
}

pub(super) fn bounds<'a>(points: impl Iterator<Item = &'a DVec3>) -> (DVec3, DVec3) {
    let start = (DVec3::INFINITY, DVec3::NEG_INFINITY);
    let found = points.fold(start, |(low, high), x| (low.min(*x), high.max(*x)));
    if found.0.is_finite() { found } else { (DVec3::ZERO, DVec3::ZERO) }
}
