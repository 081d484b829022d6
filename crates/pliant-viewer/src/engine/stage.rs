//! The world that is shown, with the scene it was made from.

use std::sync::Arc;

use glam::DVec3;
use pliant::body::{Body, State};
use pliant::geometry::Surface;
use pliant::solver::MethodConfig;
use pliant::world::{Handle, World};
use pliant_io::scene::{BodyPlan, Mode, PlacedProbe, Scene};

use super::change::{BodyChange, Change};
use super::document::{Document, bad_scene, origins};
use super::order::Refusal;
use crate::protocol::model::Look;

/// A scene and its world.
#[derive(Debug)]
pub(crate) struct Stage {
    pub(crate) document: Document,
    pub(crate) scene: Scene,
    pub(crate) world: World,
    /// Bodies in the order of the scene.
    pub(crate) handles: Vec<Handle>,
    /// How each looks.
    pub(crate) looks: Vec<Arc<Look>>,
    /// How each starts.
    pub(crate) starts: Vec<Arc<State>>,
    /// The `[[body]]` that each comes from.
    pub(crate) origins: Vec<usize>,
    /// Pins that each had when the scene was opened.
    first_pins: Vec<usize>,
    pub(crate) probes: Vec<PlacedProbe>,
    /// What positions are relative to, in m.
    pub(crate) origin: DVec3,
    /// What holds all bodies at the start, in m.
    pub(crate) bounds: (DVec3, DVec3),
    /// Looks made so far.
    look_count: u32,
}

/// A body that was made anew.
#[derive(Debug)]
pub(crate) struct NewBody {
    pub(crate) index: usize,
    pub(crate) body: Body,
    pub(crate) surface: Option<Surface>,
    /// Whether it goes on from where the one before it is.
    pub(crate) goes_on: bool,
}

impl Stage {
    /// Builds a world; of a static scene, brought to rest. Looks get numbers from `look_count` on.
    pub(crate) fn open(document: Document, look_count: u32) -> Result<Self, Refusal> {
        let text = document.text();
        let opened = Scene::open(&document.name, &text, &document.base);
        let (scene, mut built) = opened.map_err(|error| bad_scene(&error))?;
        let state =
            |handle: &Handle| built.world.body(*handle).map(|body| Arc::new(body.state.clone()));
        let starts: Vec<Arc<State>> = built.bodies.iter().filter_map(state).collect();
        let bounds = bounds(starts.iter().flat_map(|state| &state.x));
        let origin = (0.5 * (bounds.0 + bounds.1)).as_vec3().as_dvec3();
        if scene.mode == Mode::Static {
            let solved = built.world.solve_static(&scene.statics, &mut |_| {});
            solved.map_err(|error| Refusal::new("bad-scene", error.to_string()))?;
        }
        let mut stage = Self {
            origins: origins(&scene),
            first_pins: Vec::new(),
            document,
            scene,
            world: built.world,
            handles: built.bodies,
            looks: Vec::new(),
            starts,
            probes: built.probes,
            origin,
            bounds,
            look_count,
        };
        stage.first_pins = (0..stage.handles.len()).map(|k| stage.pin_count(k)).collect();
        for (index, surface) in built.surfaces.into_iter().enumerate() {
            let look = stage.shared_look(index);
            let look = look.unwrap_or_else(|| stage.new_look(index, surface));
            stage.looks.push(look);
        }
        Ok(stage)
    }

    /// A body, by its place in the scene.
    pub(crate) fn body(&self, index: usize) -> Option<&Body> {
        self.world.body(*self.handles.get(index)?)
    }

    /// Looks made so far.
    pub(crate) fn look_count(&self) -> u32 {
        self.look_count
    }

    /// Pins that a body has had from the beginning.
    pub(crate) fn own_pins(&self, index: usize) -> usize {
        self.first_pins.get(index).copied().unwrap_or(0)
    }

    fn pin_count(&self, index: usize) -> usize {
        self.body(index).map_or(0, |body| body.pins().len())
    }

    /// The look of the body that this one is a copy of.
    fn shared_look(&self, index: usize) -> Option<Arc<Look>> {
        let of = self.scene.bodies[index].copy.as_ref()?.of;
        self.looks.get(of).filter(|_| of != index).cloned()
    }

    fn new_look(&mut self, index: usize, surface: Option<Surface>) -> Arc<Look> {
        let id = self.look_count;
        self.look_count += 1;
        let body = self.world.body(self.handles[index]).expect("a body of this world");
        Arc::new(Look::new(id, body.model(), surface, self.origin))
    }

    /// Lowest and highest corner of a body at rest, in m.
    pub(crate) fn rest_bounds(&self, index: usize) -> (DVec3, DVec3) {
        let Some(body) = self.body(index) else { return (DVec3::ZERO, DVec3::ZERO) };
        let mut points = Vec::new();
        self.looks[index].skin.interpolate(&body.model().mesh().nodes, &mut points);
        bounds(points.iter())
    }

    /// Goes on where another stage is, with all bodies that both have.
    pub(crate) fn adopt(&mut self, other: &Self) {
        for index in 0..self.handles.len() {
            let name = &self.scene.bodies[index].name;
            let of = other.scene.bodies.iter().position(|plan| plan.name == *name);
            let Some(old) = of.and_then(|of| other.body(of)).cloned() else { continue };
            if let Some(body) = self.world.body_mut(self.handles[index])
                && same_rest(body, &old)
            {
                body.state = old.state;
            }
        }
        self.world.set_time(other.world.time());
    }

    /// The world as it starts, with the bodies as they are made now.
    pub(crate) fn restart(&mut self) -> Result<(), Refusal> {
        if self.scene.mode == Mode::Static {
            return Ok(());
        }
        let refuse = |error: String| Refusal::new("bad-scene", error);
        let mut world = World::new(self.scene.world).map_err(|error| refuse(error.to_string()))?;
        for plan in &self.scene.obstacles {
            world.add_obstacle(plan.obstacle.clone()).map_err(|error| refuse(error.to_string()))?;
        }
        let mut handles = Vec::new();
        for (index, plan) in self.scene.bodies.iter().enumerate() {
            let Some(mut body) = self.body(index).cloned() else { continue };
            while body.pulls().len() > plan.pulls.len() {
                let last = body.pulls().len() - 1;
                body.remove_pull(last).map_err(|error| refuse(error.to_string()))?;
            }
            body.state = (*self.starts[index]).clone();
            let handle =
                world.add_with(body, plan.method).map_err(|error| refuse(error.to_string()))?;
            world.set_contact(handle, plan.contact).map_err(|error| refuse(error.to_string()))?;
            handles.push(handle);
        }
        (self.world, self.handles) = (world, handles);
        Ok(())
    }

    /// Takes an edit on that keeps all meshes, and these bodies in the place of those that are there. Nothing has
    /// changed if it fails.
    pub(crate) fn take_on(
        &mut self,
        document: Document,
        scene: Scene,
        change: &[BodyChange],
        made: Vec<NewBody>,
    ) -> Result<(), Refusal> {
        let mut undone = Vec::new();
        let done = self.exchange_all(&scene, change, made, &mut undone);
        if let Err(refusal) = done {
            for (handle, body, method) in undone.into_iter().rev() {
                let back = self.world.exchange(handle, body, method);
                debug_assert!(back.is_ok(), "a world takes back what it had");
            }
            return Err(refusal);
        }
        for (index, plan) in scene.obstacles.iter().enumerate() {
            if self.world.obstacles().get(index) != Some(&plan.obstacle) {
                let set = self.world.exchange_obstacle(index, plan.obstacle.clone());
                set.map_err(|error| Refusal::new("bad-scene", error.to_string()))?;
            }
        }
        if *self.world.config() != scene.world {
            let set = self.world.set_config(scene.world);
            set.map_err(|error| Refusal::new("bad-scene", error.to_string()))?;
        }
        for (index, plan) in scene.bodies.iter().enumerate() {
            if self.world.contact(self.handles[index]) != Some(&plan.contact) {
                let set = self.world.set_contact(self.handles[index], plan.contact);
                set.map_err(|error| Refusal::new("bad-scene", error.to_string()))?;
            }
        }
        let world = &self.world;
        let handles = &self.handles;
        let placed = scene.place_probes(|index| world.body(*handles.get(index)?));
        self.probes = placed.unwrap_or_default();
        (self.document, self.scene) = (document, scene);
        Ok(())
    }

    fn exchange_all(
        &mut self,
        scene: &Scene,
        change: &[BodyChange],
        made: Vec<NewBody>,
        undone: &mut Vec<(Handle, Body, MethodConfig)>,
    ) -> Result<(), Refusal> {
        for (index, plan) in scene.bodies.iter().enumerate() {
            if change.get(self.origins[index]) == Some(&BodyChange::Settings)
                && let Some(body) = self.with_settings(index, plan, undone)?
            {
                self.exchange(index, body, plan.method, undone)?;
            }
        }
        for NewBody { index, mut body, surface, goes_on } in made {
            self.starts[index] = Arc::new(body.state.clone());
            let old = self.body(index).expect("a body of this world");
            let same = same_rest(&body, old);
            if goes_on && same {
                body.state = old.state.clone();
            }
            let look = same && old.model().skin() == body.model().skin();
            self.exchange(index, body, scene.bodies[index].method, undone)?;
            if !look {
                let shared = scene.bodies[index].copy.as_ref().map(|copy| copy.of);
                let shared = shared.filter(|of| *of != index).map(|of| self.looks[of].clone());
                self.looks[index] = shared.unwrap_or_else(|| self.new_look(index, surface));
            }
        }
        Ok(())
    }

    /// The body with the materials of a plan, if anything is different; copies share one model.
    fn with_settings(
        &self,
        index: usize,
        plan: &BodyPlan,
        undone: &[(Handle, Body, MethodConfig)],
    ) -> Result<Option<Body>, Refusal> {
        let old = self.body(index).expect("a body of this world");
        let materials = [plan.material].into_iter().chain(plan.regions.iter().map(|r| r.material));
        let materials: Vec<_> = materials.collect();
        let same_stuff = old.model().is_rigid() || old.model().materials() == materials;
        let first = plan.copy.as_ref().map(|copy| copy.of).filter(|of| *of != index);
        let first =
            first.filter(|of| undone.iter().any(|(handle, ..)| *handle == self.handles[*of]));
        let model = match first.and_then(|of| self.body(of)) {
            Some(first) => first.model().clone(),
            None if same_stuff => old.model().clone(),
            None => {
                let model = old.model().with_materials(materials);
                Arc::new(model.map_err(|error| Refusal::new("bad-scene", error.to_string()))?)
            }
        };
        let method = self.world.method(self.handles[index]);
        if Arc::ptr_eq(&model, old.model()) && method == Some(&plan.method.suited_to(&model)) {
            return Ok(None);
        }
        let refuse = |error: pliant::body::BodyError| Refusal::new("bad-scene", error.to_string());
        let mut body = Body::new(&plan.name, model, old.pins().to_vec()).map_err(refuse)?;
        body.state = old.state.clone();
        for pull in old.pulls() {
            body.add_pull(pull.clone()).map_err(refuse)?;
        }
        Ok(Some(body))
    }

    fn exchange(
        &mut self,
        index: usize,
        body: Body,
        method: MethodConfig,
        undone: &mut Vec<(Handle, Body, MethodConfig)>,
    ) -> Result<(), Refusal> {
        let handle = self.handles[index];
        let before = self.world.method(handle).copied().unwrap_or_default();
        let old = self.world.exchange(handle, body, method);
        let old = old.map_err(|error| Refusal::new("bad-scene", error.to_string()))?;
        undone.push((handle, old, before));
        Ok(())
    }
}

/// Whether a change can be taken on without making a mesh.
pub(crate) fn is_light(change: &Change) -> bool {
    matches!(change, Change::Bodies(bodies) if bodies.iter().all(|body| *body <= BodyChange::Settings))
}

/// Whether two bodies have the same nodes at rest.
fn same_rest(a: &Body, b: &Body) -> bool {
    let (a, b) = (a.model().mesh(), b.model().mesh());
    a.nodes == b.nodes && a.blocks == b.blocks
}

fn bounds<'a>(points: impl Iterator<Item = &'a DVec3>) -> (DVec3, DVec3) {
    let start = (DVec3::INFINITY, DVec3::NEG_INFINITY);
    let found = points.fold(start, |(low, high), x| (low.min(*x), high.max(*x)));
    if found.0.is_finite() { found } else { (DVec3::ZERO, DVec3::ZERO) }
}
