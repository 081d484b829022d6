//! Applies an edit to a running world, completely or not at all.

use std::sync::Arc;

use pliant::body::{Body, FlowedModel, Model};
use pliant::material::Material;
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

/// Another material or method of a body that keeps its mesh.
#[derive(Debug)]
pub(crate) struct NewSettings {
    pub(crate) index: usize,
    /// Index of the `[[body]]` table of the body.
    pub(crate) origin: usize,
    pub(crate) old: Arc<Model>,
    pub(crate) model: Arc<Model>,
    /// A world with this body alone, which contains its stepper.
    pub(crate) prepared: Option<Box<World>>,
}

/// The bodies and settings that were made for an edit.
#[derive(Debug, Default)]
pub(crate) struct NewParts {
    pub(crate) bodies: Vec<NewBody>,
    pub(crate) settings: Vec<NewSettings>,
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
    /// Applies an edit that keeps all meshes, and replaces bodies by those in `made`; settings that are not in `made` are
    /// made here. Nothing is changed if it fails.
    pub(crate) fn apply_edit(
        &mut self,
        document: Document,
        scene: Scene,
        change: &[BodyChange],
        made: NewParts,
    ) -> Result<(), Refusal> {
        check(&scene)?;
        let backup = self.backup(change, made.bodies.len());
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
                let handle = self.world.obstacle_handles()[index];
                let set = self.world.replace_obstacle(handle, plan.obstacle.clone());
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
        made: NewParts,
    ) -> Result<(), Refusal> {
        let mut new_models = NewModels::from(made.settings);
        for (index, plan) in scene.bodies.iter().enumerate() {
            if change.get(self.origins[index]) == Some(&BodyChange::Settings) {
                self.set(index, plan, &mut new_models)?;
            }
        }
        made.bodies.into_iter().try_for_each(|body| self.replace(body, scene))
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
            self.replace_in_world(index, body, plan.method, new_models.prepared(index))?;
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
    /// Worlds with the steppers of some bodies.
    prepared: Vec<(usize, Box<World>)>,
}

impl From<Vec<NewSettings>> for NewModels {
    fn from(settings: Vec<NewSettings>) -> Self {
        let mut new_models = Self::default();
        for NewSettings { index, origin, old, model, prepared } in settings {
            new_models.list.push((origin, old.into(), model.into()));
            new_models.prepared.extend(prepared.map(|world| (index, world)));
        }
        new_models
    }
}

impl NewModels {
    /// Takes the world with the stepper of a body.
    fn prepared(&mut self, index: usize) -> Option<Box<World>> {
        let place = self.prepared.iter().position(|(of, _)| *of == index)?;
        Some(self.prepared.swap_remove(place).1)
    }

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
pub(super) fn model_of(plan: &BodyPlan, old: &FlowedModel) -> Result<FlowedModel, Refusal> {
    let materials = materials_of(plan);
    if old.model.is_rigid() || old.model.materials() == materials {
        return Ok(old.clone());
    }
    old.with_materials(materials).map_err(|error| invalid(&error))
}

/// The materials of a plan, in the order of its model.
pub(super) fn materials_of(plan: &BodyPlan) -> Vec<Material> {
    let regions = plan.regions.iter().map(|region| region.material);
    [plan.material].into_iter().chain(regions).collect()
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

pub(super) fn invalid(error: &dyn std::error::Error) -> Refusal {
    Refusal::new("bad-scene", error.to_string())
}
