//! Applies an edit to a running world, completely or not at all.

use std::sync::Arc;

use pliant::body::{Body, FlowedModel};
use pliant::geometry::Surface;
use pliant::solver::MethodConfig;
use pliant::world::World;
use pliant_io::scene::{BodyPlan, Scene};

use super::beginning::{Beginning, going_on, same_rest};
use super::change::BodyChange;
use super::document::Document;
use super::order::Refusal;
use super::stage::Stage;
use crate::protocol::model::Look;

/// A rebuilt body.
#[derive(Debug)]
pub(crate) struct NewBody {
    pub(crate) index: usize,
    pub(crate) body: Body,
    pub(crate) surface: Option<Surface>,
    /// True if it continues from the state of the old body.
    pub(crate) goes_on: bool,
}

/// The data that an edit may have changed before it fails.
#[derive(Debug)]
struct Before {
    /// A copy of the world, if an edit can fail half-way.
    world: Option<World>,
    beginnings: Vec<Arc<Beginning>>,
    looks: Vec<Arc<Look>>,
}

impl Stage {
    /// Applies an edit that keeps all meshes, and replaces bodies by those in `made`. Nothing is changed if it fails.
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
        // Probes are placed on the initial bodies, since the current ones may be broken.
        let beginnings = &self.beginnings;
        let placed = scene.place_probes(|index| Some(&beginnings.get(index)?.body));
        self.probes = placed.unwrap_or_default();
        (self.document, self.scene) = (document, scene);
        Ok(())
    }

    /// Saves the data for a failure. The world is copied only if several bodies change: an exchange of one body that
    /// fails leaves the world as it was.
    fn before(&self, change: &[BodyChange], made: usize) -> Before {
        let changed = |origin: &&usize| change.get(**origin) == Some(&BodyChange::Settings);
        let several = made + self.origins.iter().filter(changed).count() > 1;
        let world = several.then(|| self.world.clone());
        Before { world, beginnings: self.beginnings.clone(), looks: self.looks.clone() }
    }

    fn go_back(&mut self, before: Before) {
        let Before { world, beginnings, looks } = before;
        (self.beginnings, self.looks) = (beginnings, looks);
        if let Some(world) = world {
            self.world = world;
        }
    }

    /// Applies obstacles and settings, after [`check`].
    fn settle(&mut self, scene: &Scene) -> Result<(), Refusal> {
        for (index, plan) in scene.obstacles.iter().enumerate() {
            if self.world.obstacles().get(index) != Some(&plan.obstacle) {
                let set = self.world.replace_obstacle(index, plan.obstacle.clone());
                set.map_err(|error| bad(&error))?;
            }
        }
        if *self.world.config() != scene.world {
            self.world.set_config(scene.world).map_err(|error| bad(&error))?;
        }
        for shown in &self.shown {
            let contact = scene.bodies[shown.of].contact;
            if self.world.contact(shown.handle) != Some(&contact) {
                self.world.set_contact(shown.handle, contact).map_err(|error| bad(&error))?;
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
        let mut remade = Remade::default();
        for (index, plan) in scene.bodies.iter().enumerate() {
            if change.get(self.origins[index]) == Some(&BodyChange::Settings) {
                self.set(index, plan, &mut remade)?;
            }
        }
        made.into_iter().try_for_each(|body| self.replace(body, scene))
    }

    /// Replaces a body by a rebuilt one.
    fn replace(&mut self, new: NewBody, scene: &Scene) -> Result<(), Refusal> {
        let NewBody { index, mut body, surface, goes_on } = new;
        let old = self.body(index).expect("a body of this world");
        let same = same_rest(&body, old);
        let mut beginning = Beginning::of(&body);
        if goes_on && same {
            let gone_on = going_on(&body, old, &self.beginnings[index]);
            (body, beginning) = gone_on.map_err(|error| bad(&error))?;
        }
        let looks_the_same = same && old.drawn() == body.drawn();
        let plan = &scene.bodies[index];
        self.exchange(index, body, plan.method)?;
        self.beginnings[index] = beginning;
        if !looks_the_same {
            let first = plan.copy.as_ref().map(|copy| copy.of).filter(|of| *of != index);
            let shared = first.map(|of| self.looks[of].clone());
            self.looks[index] = shared.unwrap_or_else(|| self.new_look(index, surface));
        }
        Ok(())
    }

    /// Sets the materials and the method of a body.
    fn set(&mut self, index: usize, plan: &BodyPlan, remade: &mut Remade) -> Result<(), Refusal> {
        if self.is_broken(index) {
            return self.set_broken(index, plan, remade);
        }
        let old = self.body(index).expect("a body of this world");
        let (beginning, origin) = (&self.beginnings[index], self.origins[index]);
        let model = remade.model(origin, plan, &old.flowed_model())?;
        let first = remade.model(origin, plan, &beginning.body.flowed_model())?;
        let beginning = beginning.made_of(first).map_err(|error| bad(&error))?;
        let method = self.world.method(self.handles[index]);
        let same = Arc::ptr_eq(&model.model, old.model());
        if !same || method != Some(&plan.method.suited_to(&model.model)) {
            let body = old.with_model(model).map_err(|error| bad(&error))?;
            self.exchange(index, body, plan.method)?;
        }
        self.beginnings[index] = beginning;
        Ok(())
    }

    /// Sets the materials and the method of a broken body, if they differ. It is then whole again and starts from its
    /// initial state.
    fn set_broken(
        &mut self,
        index: usize,
        plan: &BodyPlan,
        remade: &mut Remade,
    ) -> Result<(), Refusal> {
        let beginning = &self.beginnings[index];
        let model = remade.model(self.origins[index], plan, &beginning.body.flowed_model())?;
        let same = Arc::ptr_eq(&model.model, beginning.model());
        if same && plan.method == self.scene.bodies[index].method {
            return Ok(());
        }
        let beginning = beginning.made_of(model).map_err(|error| bad(&error))?;
        self.make_whole(index, beginning, plan.method)
    }

    /// Replaces a broken body by an initial state.
    pub(super) fn make_whole(
        &mut self,
        index: usize,
        beginning: Arc<Beginning>,
        method: MethodConfig,
    ) -> Result<(), Refusal> {
        self.exchange(index, beginning.body.clone(), method)?;
        self.beginnings[index] = beginning;
        Ok(())
    }

    fn exchange(&mut self, index: usize, body: Body, method: MethodConfig) -> Result<(), Refusal> {
        let exchanged = self.world.replace(self.handles[index], body, method);
        exchanged.map(drop).map_err(|error| bad(&error))
    }
}

/// Models with new materials, by `[[body]]` table: bodies that shared a model share the new one, too, unless they have
/// flowed.
#[derive(Debug, Default)]
struct Remade {
    list: Vec<(usize, FlowedModel, FlowedModel)>,
}

impl Remade {
    /// Returns the model with the materials of a plan; `old` itself if it already has them.
    fn model(
        &mut self,
        origin: usize,
        plan: &BodyPlan,
        old: &FlowedModel,
    ) -> Result<FlowedModel, Refusal> {
        let known = |(of, before, _): &&(usize, FlowedModel, FlowedModel)| {
            let unflowed = before.flow.is_none() && old.flow.is_none();
            *of == origin && unflowed && Arc::ptr_eq(&before.model, &old.model)
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
    old.with_materials(materials).map_err(|error| bad(&error))
}

/// Checks everything that the world would reject after its bodies are exchanged.
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
