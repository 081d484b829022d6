//! Taking an edit on in a world that goes on, all of it or nothing.

use std::sync::Arc;

use pliant::body::{Body, BodyError, Model, State};
use pliant::geometry::Surface;
use pliant::solver::MethodConfig;
use pliant::world::World;
use pliant_io::scene::{BodyPlan, Scene};

use super::change::BodyChange;
use super::document::Document;
use super::order::Refusal;
use super::stage::{Stage, same_rest};
use crate::protocol::model::Look;

/// A body that was made anew.
#[derive(Debug)]
pub(crate) struct NewBody {
    pub(crate) index: usize,
    pub(crate) body: Body,
    pub(crate) surface: Option<Surface>,
    /// Whether it goes on from where the one before it is.
    pub(crate) goes_on: bool,
}

/// What an edit may have changed when it fails.
#[derive(Debug)]
struct Before {
    /// The whole world, if it may fail after a part of it is done.
    world: Option<World>,
    starts: Vec<Arc<State>>,
    looks: Vec<Arc<Look>>,
}

impl Stage {
    /// Takes an edit on that keeps all meshes, and these bodies in the place of those that are there. Nothing has
    /// changed if it fails.
    pub(crate) fn take_on(
        &mut self,
        document: Document,
        scene: Scene,
        change: &[BodyChange],
        made: Vec<NewBody>,
    ) -> Result<(), Refusal> {
        check(&scene)?;
        let before = self.before(change, made.len());
        let taken = self.exchange_all(&scene, change, made).and_then(|()| self.settle(&scene));
        if let Err(refusal) = taken {
            self.go_back(before);
            return Err(refusal);
        }
        let (world, handles) = (&self.world, &self.handles);
        let placed = scene.place_probes(|index| world.body(*handles.get(index)?));
        self.probes = placed.unwrap_or_default();
        (self.document, self.scene) = (document, scene);
        Ok(())
    }

    /// One body that cannot be exchanged leaves the world as it is; if there are several, it is kept.
    fn before(&self, change: &[BodyChange], made: usize) -> Before {
        let changed = |origin: &&usize| change.get(**origin) == Some(&BodyChange::Settings);
        let several = made + self.origins.iter().filter(changed).count() > 1;
        let world = several.then(|| self.world.clone());
        Before { world, starts: self.starts.clone(), looks: self.looks.clone() }
    }

    fn go_back(&mut self, before: Before) {
        let Before { world, starts, looks } = before;
        (self.starts, self.looks) = (starts, looks);
        if let Some(world) = world {
            self.world = world;
        }
    }

    /// Obstacles and settings, after [`check`].
    fn settle(&mut self, scene: &Scene) -> Result<(), Refusal> {
        for (index, plan) in scene.obstacles.iter().enumerate() {
            if self.world.obstacles().get(index) != Some(&plan.obstacle) {
                let set = self.world.exchange_obstacle(index, plan.obstacle.clone());
                set.map_err(|error| bad(&error))?;
            }
        }
        if *self.world.config() != scene.world {
            self.world.set_config(scene.world).map_err(|error| bad(&error))?;
        }
        for (handle, plan) in self.handles.iter().zip(&scene.bodies) {
            if self.world.contact(*handle) != Some(&plan.contact) {
                self.world.set_contact(*handle, plan.contact).map_err(|error| bad(&error))?;
            }
        }
        Ok(())
    }

    fn exchange_all(
        &mut self,
        scene: &Scene,
        change: &[BodyChange],
        made: Vec<NewBody>,
    ) -> Result<(), Refusal> {
        let mut exchanged = vec![false; scene.bodies.len()];
        for (index, plan) in scene.bodies.iter().enumerate() {
            if change.get(self.origins[index]) == Some(&BodyChange::Settings)
                && let Some(body) = self.with_settings(index, plan, &exchanged)?
            {
                self.exchange(index, body, plan.method)?;
                exchanged[index] = true;
            }
        }
        made.into_iter().try_for_each(|body| self.replace(body, scene))
    }

    /// A body that was made anew takes the place of the one that is there.
    fn replace(&mut self, new: NewBody, scene: &Scene) -> Result<(), Refusal> {
        let NewBody { index, mut body, surface, goes_on } = new;
        self.starts[index] = Arc::new(body.state.clone());
        let old = self.body(index).expect("a body of this world");
        let same = same_rest(&body, old);
        if goes_on && same {
            body.state = old.state.clone();
        }
        let looks_the_same = same && old.model().skin() == body.model().skin();
        let plan = &scene.bodies[index];
        self.exchange(index, body, plan.method)?;
        if !looks_the_same {
            let first = plan.copy.as_ref().map(|copy| copy.of).filter(|of| *of != index);
            let shared = first.map(|of| self.looks[of].clone());
            self.looks[index] = shared.unwrap_or_else(|| self.new_look(index, surface));
        }
        Ok(())
    }

    /// The body with the materials of a plan, if anything is different; copies share one model.
    fn with_settings(
        &self,
        index: usize,
        plan: &BodyPlan,
        exchanged: &[bool],
    ) -> Result<Option<Body>, Refusal> {
        let old = self.body(index).expect("a body of this world");
        let first = plan.copy.as_ref().map(|copy| copy.of).filter(|of| *of != index);
        let model = match first.filter(|of| exchanged[*of]).and_then(|of| self.body(of)) {
            Some(first) => first.model().clone(),
            None => model_of(plan, old)?,
        };
        let method = self.world.method(self.handles[index]);
        if Arc::ptr_eq(&model, old.model()) && method == Some(&plan.method.suited_to(&model)) {
            return Ok(None);
        }
        let refuse = |error: BodyError| bad(&error);
        let mut body = Body::new(&plan.name, model, old.pins().to_vec()).map_err(refuse)?;
        body.state = old.state.clone();
        for pull in old.pulls() {
            body.add_pull(pull.clone()).map_err(refuse)?;
        }
        Ok(Some(body))
    }

    fn exchange(&mut self, index: usize, body: Body, method: MethodConfig) -> Result<(), Refusal> {
        let exchanged = self.world.exchange(self.handles[index], body, method);
        exchanged.map(drop).map_err(|error| bad(&error))
    }
}

/// The model of a body with the materials of a plan; the same if they are.
fn model_of(plan: &BodyPlan, old: &Body) -> Result<Arc<Model>, Refusal> {
    let materials = [plan.material].into_iter().chain(plan.regions.iter().map(|r| r.material));
    let materials: Vec<_> = materials.collect();
    if old.model().is_rigid() || old.model().materials() == materials {
        return Ok(old.model().clone());
    }
    let model = old.model().with_materials(materials);
    Ok(Arc::new(model.map_err(|error| bad(&error))?))
}

/// Refuses what the world would refuse once its bodies are exchanged.
fn check(scene: &Scene) -> Result<(), Refusal> {
    scene.world.check().map_err(|error| bad(&error))?;
    scene
        .obstacles
        .iter()
        .try_for_each(|plan| plan.obstacle.check())
        .map_err(|error| bad(&error))?;
    scene.bodies.iter().try_for_each(|plan| plan.contact.check()).map_err(|error| bad(&error))
}

fn bad(error: &dyn std::error::Error) -> Refusal {
    Refusal::new("bad-scene", error.to_string())
}
