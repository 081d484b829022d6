//! The world: its bodies, and access to them.

use std::ops::{Index, IndexMut};

use crate::body::Body;
use crate::contact::{ContactConfig, ContinuousContact, ObstacleError};
use crate::solver::{
    Equilibrium, Loads, MethodConfig, MethodError, Phase, SolveError, StaticConfig, StaticProgress,
    StaticReport,
};

use super::attach::attached::Attachments;
use super::config::{ConfigError, WorldConfig};
use super::contact::sweep_buffers::SweepBuffers;
use super::contact::tracker::ContactTracker;
use super::environment::environment::Environment;
use super::fracture::originals::{Original, Originals};
use super::island::islands::Islands;
use super::limits::StepLimits;
use super::report::record::Record;
use super::slot::handle::BodyHandle;
use super::slot::slot::BodySlot;
use super::slot::slots::Slots;

/// Receives each phase of a step as it begins on a thread; `None` when the thread is done.
pub(crate) type PhaseListener<'a> = dyn Fn(Option<Phase>) + Sync + 'a;

/// Owns all bodies and steps them.
///
/// ```
/// use std::sync::Arc;
/// use glam::DVec3;
/// use pliant::mesh::generate::{BoxConfig, box_mesh};
/// use pliant::{Body, Material, Model, Pin, World, WorldConfig};
///
/// let mesh = box_mesh(&BoxConfig { cells: [4, 1, 1], ..Default::default() })?;
/// let wall = mesh.node_set("x-").expect("a box names its sides").nodes.clone();
/// let model = Arc::new(Model::uniform(mesh, Material::default())?);
/// let pin = Pin { nodes: wall, ..Default::default() };
///
/// let mut world = World::new(WorldConfig::default())?;
/// let beam = world.add(Body::new("beam", model, vec![pin])?);
/// world.step();
/// assert!(world[beam].state.is_finite());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// A world is [`Send`] and [`Sync`]. Many worlds step side by side as tasks of one rayon pool, each with the bits that it has alone; they may share
/// models. A step uses the threads of the pool in which it is called, and makes no pool of its own.
#[derive(Debug, Clone)]
pub struct World {
    pub(super) config: WorldConfig,
    pub(super) limits: StepLimits,
    /// Time since the start, in s.
    pub(super) time: f64,
    pub(super) slots: Slots,
    pub(super) originals: Originals,
    pub(super) environment: Environment,
    pub(super) attachments: Attachments,
    pub(super) islands: Islands,
    pub(super) contacts: ContactTracker,
    pub(super) continuous: ContinuousContact,
    pub(super) sweep: SweepBuffers,
    pub(super) record: Record,
}

impl World {
    /// An empty world.
    pub fn new(config: WorldConfig) -> Result<Self, ConfigError> {
        config.check()?;
        Ok(Self {
            config,
            limits: StepLimits::default(),
            time: 0.0,
            slots: Slots::default(),
            originals: Originals::default(),
            environment: Environment::default(),
            attachments: Attachments::default(),
            islands: Islands::default(),
            contacts: ContactTracker::default(),
            continuous: ContinuousContact::default(),
            sweep: SweepBuffers::default(),
            record: Record::default(),
        })
    }

    /// Adds a body with the default method.
    pub fn add(&mut self, body: Body) -> BodyHandle {
        let slot = BodySlot::new(body, MethodConfig::default());
        self.add_slot(slot.expect("the default method fits every body"))
    }

    /// Adds a body with a method. A rigid body has its own stepper, whatever the method says.
    ///
    /// ```
    /// # use std::sync::Arc;
    /// # use pliant::body::{Body, Model};
    /// # use pliant::material::Material;
    /// # use pliant::mesh::generate::{BoxConfig, box_mesh};
    /// use pliant::{MethodConfig, Stepper};
    /// # use pliant::world::{World, WorldConfig};
    ///
    /// # let mesh = box_mesh(&BoxConfig::default())?;
    /// # let model = Arc::new(Model::uniform(mesh, Material::default())?);
    /// # let body = Body::new("cube", model, vec![])?;
    /// let mut world = World::new(WorldConfig::default())?;
    /// let method = MethodConfig { stepper: Stepper::SymplecticEuler, ..Default::default() };
    /// let cube = world.add_with(body, method)?;
    /// assert_eq!(world.method(cube), Some(&method));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// A method with contradictory settings, or one that does not fit the body; an explicit stepper for a body that is too stiff
    /// for it.
    pub fn add_with(
        &mut self,
        body: Body,
        method: MethodConfig,
    ) -> Result<BodyHandle, MethodError> {
        let method = method.suited_to(body.model());
        method.check_for(body.model())?;
        let slot = BodySlot::new(body, method)?;
        slot.stepping.check_substeps(&self.config)?;
        Ok(self.add_slot(slot))
    }

    fn add_slot(&mut self, mut slot: BodySlot) -> BodyHandle {
        if !self.environment.obstacles.is_empty() {
            slot.prepare_for_obstacles();
        }
        let method = slot.stepping.method;
        let place = self.slots.free_indices().next().expect("new places have no end");
        slot.identity.original = self.originals.insert(Original::new(place, method));
        self.slots.put_at(place, slot);
        self.record.reserve_events(self.slots.len());
        self.slots.handle(place)
    }

    /// Settings.
    pub fn config(&self) -> &WorldConfig {
        &self.config
    }

    /// Changes the settings, and wakes all bodies.
    ///
    /// # Errors
    ///
    /// A setting out of range; then nothing is changed.
    pub fn set_config(&mut self, config: WorldConfig) -> Result<(), ConfigError> {
        config.check()?;
        self.config = config;
        self.renew_all();
        Ok(())
    }

    /// Limits the work of the next steps.
    pub fn set_limits(&mut self, limits: StepLimits) {
        self.limits = limits;
    }

    /// The limits on the work of a step.
    pub fn limits(&self) -> StepLimits {
        self.limits
    }

    /// Time since the start, in s.
    pub fn time(&self) -> f64 {
        self.time
    }

    /// All bodies with their handles, in the order of their places.
    pub fn bodies(&self) -> impl Iterator<Item = (BodyHandle, &Body)> {
        self.slots.indexed().map(|(index, slot)| (self.slots.handle(index), &slot.body))
    }

    /// A body; `None` if it was removed, or if the handle belongs to another world.
    pub fn get(&self, handle: BodyHandle) -> Option<&Body> {
        self.slots.named(handle).map(|slot| &slot.body)
    }

    /// A body to be changed; `None` as for [`World::get`]. The body wakes, as by [`World::wake`].
    pub fn get_mut(&mut self, handle: BodyHandle) -> Option<&mut Body> {
        self.wake(handle);
        let slot = self.slots.named_mut(handle)?;
        slot.contact.make_stale();
        slot.contact.just_placed = true;
        Some(&mut slot.body)
    }

    /// The contact settings of a body.
    pub fn contact(&self, handle: BodyHandle) -> Option<&ContactConfig> {
        self.slots.named(handle).map(|slot| &slot.contact.config)
    }

    /// Changes the contact settings of a body, and wakes it.
    ///
    /// # Errors
    ///
    /// Invalid friction; then nothing is changed.
    pub fn set_contact(
        &mut self,
        handle: BodyHandle,
        config: ContactConfig,
    ) -> Result<(), ObstacleError> {
        config.check()?;
        self.wake(handle);
        if let Some(slot) = self.slots.named_mut(handle) {
            (slot.contact.config, slot.contact.just_placed) = (config, true);
        }
        Ok(())
    }

    /// The method of a body.
    pub fn method(&self, handle: BodyHandle) -> Option<&MethodConfig> {
        self.slots.named(handle).map(|slot| &slot.stepping.method)
    }

    /// The longest stable step of a body at rest, in s; `None` if its stepper has no such limit.
    pub fn stable_step(&self, handle: BodyHandle) -> Option<f64> {
        self.slots.named(handle)?.stepping.stable_step
    }

    /// The number of substeps of a body in a step, and their length in s.
    pub fn substeps(&self, handle: BodyHandle) -> Option<(u32, f64)> {
        Some(self.slots.named(handle)?.stepping.substeps(&self.config))
    }

    /// The degree of the interpolation of a body at each node now: 1 where adaptive degree has straightened all edges of a node.
    pub fn degrees(&self, handle: BodyHandle) -> Option<Vec<u8>> {
        self.slots.named(handle).map(BodySlot::degrees)
    }

    /// Brings every body to static equilibrium under gravity and the full motion of its pins. Loads on skins and wind are those
    /// on the starting shape, at the end of the time.
    ///
    /// Reports are in the order of the bodies.
    pub fn solve_static(
        &mut self,
        config: &StaticConfig,
        progress: &mut dyn FnMut(&StaticProgress),
    ) -> Result<Vec<StaticReport>, SolveError> {
        let gravity = self.config.gravity;
        let wind = self.environment.wind_at(config.duration);
        let mut reports = Vec::new();
        for slot in self.slots.iter_mut() {
            self.record.resets += usize::from(slot.store_or_recover(self.time));
            slot.find_skin_loads(wind);
            let loads = Loads { gravity, forces: slot.loads.skin.on_nodes() };
            let mut solver = Equilibrium::new(&slot.body, loads)?;
            slot.contact.make_stale();
            reports.push(solver.solve(&mut slot.body, config, progress)?);
        }
        self.time = config.duration;
        Ok(reports)
    }
}

/// The body that a handle names.
///
/// # Panics
///
/// If the body was removed, or the handle belongs to another world; [`World::get`] returns `None` instead.
impl Index<BodyHandle> for World {
    type Output = Body;

    fn index(&self, handle: BodyHandle) -> &Body {
        match self.slots.index_of(handle) {
            Ok(index) => &self.slots.get(index).expect("an index of a valid handle").body,
            Err(error) => panic!("{error}"),
        }
    }
}

/// The body that a handle names, to be changed; it wakes. Panics as [`Index`] does.
impl IndexMut<BodyHandle> for World {
    fn index_mut(&mut self, handle: BodyHandle) -> &mut Body {
        if let Err(error) = self.slots.index_of(handle) {
            panic!("{error}");
        }
        self.get_mut(handle).expect("the handle is valid")
    }
}
