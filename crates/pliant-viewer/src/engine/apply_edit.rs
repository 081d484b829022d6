//! Applies an edit to a running world, completely or not at all.

use std::sync::Arc;

use pliant::body::{Body, FlowedModel};
use pliant::solver::MethodConfig;
use pliant::world::World;
use pliant_io::scene::{BodyMesh, BodyPlan, Scene};

use super::change::BodyChange;
use super::document::Document;
use super::initial_state::{InitialState, continued, same_rest};
use super::order::Refusal;
use super::stage::Stage;
use crate::protocol::model::DrawnModel;

/// A rebuilt body.
#[derive(Debug)]
pub(crate) struct NewBody {
    pub(crate) index: usize,
    pub(crate) body: Body,
    pub(crate) mesh: Arc<BodyMesh>,
    /// A world with this body alone, which contains its stepper.
    pub(crate) prepared: Option<Box<World>>,
    /// True if it continues from the state of the old body.
    pub(crate) keeps_state: bool,
}

/// The data that an edit may have changed before it fails.
#[derive(Debug)]
struct Backup {
    /// A copy of the world, if an edit can fail half-way.
    world: Option<World>,
    initial_states: Vec<Arc<InitialState>>,
    meshes: Vec<Arc<BodyMesh>>,
    drawn_models: Vec<Arc<DrawnModel>>,
}

impl Stage {
    /// Applies an edit that keeps all meshes, and replaces bodies by those in `made`. Nothing is changed if it fails.
    pub(crate) fn apply_edit(
        &mut self,
        document: Document,
        scene: Scene,
        change: &[BodyChange],
        made: Vec<NewBody>,
    ) -> Result<(), Refusal> {
        check(&scene)?;
        let backup = self.backup(change, made.len());
        let taken =
            self.replace_all(&scene, change, made).and_then(|()| self.apply_settings(&scene));
        if let Err(refusal) = taken {
            self.restore_backup(backup);
            return Err(refusal);
        }
        // Probes are placed on the initial bodies, since the current ones may be broken.
        let initial_states = &self.initial_states;
        let placed = scene.place_probes(|index| Some(&initial_states.get(index)?.body));
        self.probes = placed.unwrap_or_default();
        (self.document, self.scene) = (document, scene);
        Ok(())
    }

    /// Saves the data for a failure. The world is copied only if several bodies change: a replacement of one body that
    /// fails leaves the world as it was.
    fn backup(&self, change: &[BodyChange], made: usize) -> Backup {
        let changed = |origin: &&usize| change.get(**origin) == Some(&BodyChange::Settings);
        let several = made + self.origins.iter().filter(changed).count() > 1;
        let world = several.then(|| self.world.clone());
        Backup {
            world,
            initial_states: self.initial_states.clone(),
            meshes: self.meshes.clone(),
            drawn_models: self.drawn_models.clone(),
        }
    }

    fn restore_backup(&mut self, backup: Backup) {
        let Backup { world, initial_states, meshes, drawn_models } = backup;
        (self.initial_states, self.drawn_models) = (initial_states, drawn_models);
        self.meshes = meshes;
        if let Some(world) = world {
            self.world = world;
        }
    }

    /// Applies obstacles and settings, after [`check`].
    fn apply_settings(&mut self, scene: &Scene) -> Result<(), Refusal> {
        for (index, plan) in scene.obstacles.iter().enumerate() {
            if self.world.obstacles().get(index) != Some(&plan.obstacle) {
                let set = self.world.replace_obstacle(index, plan.obstacle.clone());
                set.map_err(|error| invalid(&error))?;
            }
        }
        if *self.world.config() != scene.world {
            self.world.set_config(scene.world).map_err(|error| invalid(&error))?;
        }
        for shown in &self.shown {
            let contact = scene.bodies[shown.of].contact;
            if self.world.contact(shown.handle) != Some(&contact) {
                self.world.set_contact(shown.handle, contact).map_err(|error| invalid(&error))?;
            }
        }
        Ok(())
    }

    fn replace_all(
        &mut self,
        scene: &Scene,
        change: &[BodyChange],
        made: Vec<NewBody>,
    ) -> Result<(), Refusal> {
        let mut new_models = NewModels::default();
        for (index, plan) in scene.bodies.iter().enumerate() {
            if change.get(self.origins[index]) == Some(&BodyChange::Settings) {
                self.set(index, plan, &mut new_models)?;
            }
        }
        made.into_iter().try_for_each(|body| self.replace(body, scene))
    }

    /// Replaces a body by a rebuilt one.
    fn replace(&mut self, new: NewBody, scene: &Scene) -> Result<(), Refusal> {
        let NewBody { index, mut body, mesh, prepared, keeps_state } = new;
        let old = self.body(index).expect("a body of this world");
        let same = same_rest(&body, old);
        let mut initial_state = InitialState::of(&body);
        if keeps_state && same {
            let gone_on = continued(&body, old, &self.initial_states[index]);
            (body, initial_state) = gone_on.map_err(|error| invalid(&error))?;
        }
        let looks_the_same = same && old.drawn() == body.drawn();
        let plan = &scene.bodies[index];
        self.replace_in_world(index, body, plan.method, prepared)?;
        self.initial_states[index] = initial_state;
        self.meshes[index] = mesh;
        if !looks_the_same {
            let first = plan.copy.as_ref().map(|copy| copy.of).filter(|of| *of != index);
            let shared = first.map(|of| self.drawn_models[of].clone());
            self.drawn_models[index] = shared.unwrap_or_else(|| self.new_drawn_model(index));
        }
        Ok(())
    }

    /// Sets the materials and the method of a body.
    fn set(
        &mut self,
        index: usize,
        plan: &BodyPlan,
        new_models: &mut NewModels,
    ) -> Result<(), Refusal> {
        if self.is_broken(index) {
            return self.set_broken(index, plan, new_models);
        }
        let old = self.body(index).expect("a body of this world");
        let (initial_state, origin) = (&self.initial_states[index], self.origins[index]);
        let model = new_models.model(origin, plan, &old.flowed_model())?;
        let first = new_models.model(origin, plan, &initial_state.body.flowed_model())?;
        let initial_state = initial_state.with_model(first).map_err(|error| invalid(&error))?;
        let method = self.world.method(self.handles[index]);
        let same = Arc::ptr_eq(&model.model, old.model());
        if !same || method != Some(&plan.method.suited_to(&model.model)) {
            let body = old.with_model(model).map_err(|error| invalid(&error))?;
            self.replace_in_world(index, body, plan.method, None)?;
        }
        self.initial_states[index] = initial_state;
        Ok(())
    }

    /// Sets the materials and the method of a broken body, if they differ. It is then whole again and starts from its
    /// initial state.
    fn set_broken(
        &mut self,
        index: usize,
        plan: &BodyPlan,
        new_models: &mut NewModels,
    ) -> Result<(), Refusal> {
        let initial_state = &self.initial_states[index];
        let model =
            new_models.model(self.origins[index], plan, &initial_state.body.flowed_model())?;
        let same = Arc::ptr_eq(&model.model, initial_state.model());
        if same && plan.method == self.scene.bodies[index].method {
            return Ok(());
        }
        let initial_state = initial_state.with_model(model).map_err(|error| invalid(&error))?;
        self.make_whole(index, initial_state, plan.method)
    }

    /// Replaces a broken body by an initial state.
    pub(super) fn make_whole(
        &mut self,
        index: usize,
        initial_state: Arc<InitialState>,
        method: MethodConfig,
    ) -> Result<(), Refusal> {
        self.replace_in_world(index, initial_state.body.clone(), method, None)?;
        self.initial_states[index] = initial_state;
        Ok(())
    }

    fn replace_in_world(
        &mut self,
        index: usize,
        body: Body,
        method: MethodConfig,
        prepared: Option<Box<World>>,
    ) -> Result<(), Refusal> {
        let handle = self.handles[index];
        let exchanged = match prepared {
            Some(prepared) => self.world.replace_prepared(handle, body, method, *prepared),
            None => self.world.replace(handle, body, method),
        };
        exchanged.map(drop).map_err(|error| invalid(&error))
    }
}

/// Models with new materials, by `[[body]]` table: bodies that shared a model share the new one, too, unless they have
/// flowed.
#[derive(Debug, Default)]
struct NewModels {
    list: Vec<(usize, FlowedModel, FlowedModel)>,
}

impl NewModels {
    /// Returns the model with the materials of a plan; `old` itself if it already has them.
    fn model(
        &mut self,
        origin: usize,
        plan: &BodyPlan,
        old: &FlowedModel,
    ) -> Result<FlowedModel, Refusal> {
        let known = |(of, backup, _): &&(usize, FlowedModel, FlowedModel)| {
            let unflowed = backup.flow.is_none() && old.flow.is_none();
            *of == origin && unflowed && Arc::ptr_eq(&backup.model, &old.model)
        };
        if let Some((_, _, after)) = self.list.iter().find(known) {
            return Ok(after.clone());
        }
        let model = model_of(plan, old)?;
        self.list.push((origin, old.clone(), model.clone()));
        Ok(model)
    }
}

/// Returns the model with the materials of a plan; `old` itself if it already has them.
fn model_of(plan: &BodyPlan, old: &FlowedModel) -> Result<FlowedModel, Refusal> {
    let materials = [plan.material].into_iter().chain(plan.regions.iter().map(|r| r.material));
    let materials: Vec<_> = materials.collect();
    if old.model.is_rigid() || old.model.materials() == materials {
        return Ok(old.clone());
    }
    old.with_materials(materials).map_err(|error| invalid(&error))
}

/// Checks everything that the world would reject after its bodies are exchanged.
fn check(scene: &Scene) -> Result<(), Refusal> {
    scene.world.check().map_err(|error| invalid(&error))?;
    scene
        .obstacles
        .iter()
        .try_for_each(|plan| plan.obstacle.check())
        .map_err(|error| invalid(&error))?;
    scene.bodies.iter().try_for_each(|plan| plan.contact.check()).map_err(|error| invalid(&error))
}

fn invalid(error: &dyn std::error::Error) -> Refusal {
    Refusal::new("bad-scene", error.to_string())
}
