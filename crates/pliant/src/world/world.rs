//! The world.

use glam::DVec3;

use crate::body::Body;
use crate::contact::{Contact, ContactConfig, FrictionTable, Obstacle, ObstacleError, SafeContact};
use crate::force::{Blast, Elastic, ForceField, Width, Wind, inverted_cells, matter_volumes};
use crate::math::Groups;
use crate::solver::{
    Equilibrium, Loads, MethodConfig, MethodError, Phase, SolveError, StaticConfig, StaticProgress,
    StaticReport,
};

use super::attachment::Attached;
use super::debris::Presence;
use super::entries::Entries;
use super::entry::Entry;
use super::island::Island;
use super::root::Root;
use super::touching::Touching;
use super::{Break, ConfigError, Effort, Energy, Event, Health, Meeting, StepReport, WorldConfig};

/// Names a body of a world.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Handle {
    pub(super) index: u32,
    pub(super) generation: u32,
}

/// Owns all bodies and steps them.
///
/// ```
/// use std::sync::Arc;
/// use glam::DVec3;
/// use pliant::body::{Body, Model, Pin};
/// use pliant::material::Material;
/// use pliant::mesh::generate::{BoxConfig, box_mesh};
/// use pliant::world::{World, WorldConfig};
///
/// let mesh = box_mesh(&BoxConfig { cells: [4, 1, 1], ..Default::default() })?;
/// let wall = mesh.node_set("x-").expect("a box names its sides").nodes.clone();
/// let model = Arc::new(Model::uniform(mesh, Material::default())?);
/// let pin = Pin { nodes: wall, ..Default::default() };
///
/// let mut world = World::new(WorldConfig::default())?;
/// let beam = world.add(Body::new("beam", model, vec![pin])?);
/// world.step();
/// assert!(world.body(beam).expect("it was just added").state.is_finite());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct World {
    pub(super) config: WorldConfig,
    pub(super) entries: Entries,
    pub(super) obstacles: Vec<Obstacle>,
    pub(super) frictions: FrictionTable,
    pub(super) wind: Option<Wind>,
    /// Whether it is another since the last step.
    pub(super) wind_changed: bool,
    /// By their handles; none in the place of those that were let go.
    pub(super) attachments: Vec<Option<Attached>>,
    pub(super) time: f64,
    pub(super) resets: usize,
    pub(super) unconverged: usize,
    /// Those of the last step; with room for all that a step can bring.
    pub(super) events: Vec<Event>,
    pub(super) groups: Groups,
    /// Room for islands; those of a step are the first ones.
    pub(super) islands: Vec<Island>,
    pub(super) island_count: usize,
    /// Island, and place in it, of every body that is stepped.
    pub(super) places: Vec<Option<(usize, u32)>>,
    pub(super) touching: Touching,
    pub(super) safe: SafeContact,
    /// Groups that have fallen asleep so far.
    pub(super) sleep_count: u32,
    /// Bodies that were added, as they were before they broke.
    pub(super) roots: Vec<Root>,
    /// What came apart in the last step.
    pub(super) breaks: Vec<Break>,
    /// Bodies that would have come apart in the last step but for its effort.
    pub(super) breaks_left: u32,
    /// How much work a step may take.
    pub(super) effort: Effort,
    /// Bodies and pieces that were ever made.
    pub(super) versions: u64,
    pub(super) blasts: Vec<Blast>,
    pub(super) fields: Vec<ForceField>,
}

/// Cells from which a body is shared out over threads.
const MANY_CELLS: usize = 2048;

/// Nodes from which bodies are.
const MANY_NODES: usize = 4096;

/// The same where bodies may touch: finding that, and solving for them together, is more work.
const MANY_TOUCHING: usize = 1024;

/// Who is told, on whichever thread, what a step is doing there; none when that thread is done.
pub type PhaseListener<'a> = dyn Fn(Option<Phase>) + Sync + 'a;

/// Kinds of event that one body can bring in a step.
const EVENTS_PER_BODY: usize = 3;

impl World {
    /// An empty world.
    pub fn new(config: WorldConfig) -> Result<Self, ConfigError> {
        config.check()?;
        Ok(Self {
            config,
            entries: Entries::default(),
            obstacles: Vec::new(),
            frictions: FrictionTable::default(),
            wind: None,
            wind_changed: false,
            attachments: Vec::new(),
            time: 0.0,
            resets: 0,
            unconverged: 0,
            events: Vec::new(),
            groups: Groups::default(),
            islands: Vec::new(),
            island_count: 0,
            places: Vec::new(),
            touching: Touching::default(),
            safe: SafeContact::default(),
            sleep_count: 0,
            roots: Vec::new(),
            breaks: Vec::new(),
            breaks_left: 0,
            effort: Effort::default(),
            versions: 0,
            blasts: Vec::new(),
            fields: Vec::new(),
        })
    }

    /// Takes a body in, to be stepped by the default method.
    pub fn add(&mut self, body: Body) -> Handle {
        let entry = Entry::new(body, MethodConfig::default());
        self.take_in(entry.expect("the default method suits every body"))
    }

    /// Takes a body in, to be stepped by `method`. A rigid body is stepped as one, whatever stepper that
    /// names.
    ///
    /// ```
    /// # use std::sync::Arc;
    /// # use pliant::body::{Body, Model};
    /// # use pliant::material::Material;
    /// # use pliant::mesh::generate::{BoxConfig, box_mesh};
    /// use pliant::solver::{MethodConfig, Stepper};
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
    /// A method that contradicts itself or does not go with the body, and an explicit stepper for
    /// a body that is too stiff for it.
    pub fn add_with(&mut self, body: Body, method: MethodConfig) -> Result<Handle, MethodError> {
        let method = method.suited_to(body.model());
        method.check_for(body.model())?;
        let entry = Entry::new(body, method)?;
        entry.check_pace(&self.config)?;
        Ok(self.take_in(entry))
    }

    fn take_in(&mut self, mut entry: Entry) -> Handle {
        if !self.obstacles.is_empty() {
            entry.meet_obstacles();
        }
        let index = self.entries.len() as u32;
        entry.root = self.roots.len() as u32;
        entry.version = self.next_version();
        self.roots.push(Root::new(index, entry.method));
        self.entries.push(entry);
        self.reserve_events();
        Handle { index, generation: 0 }
    }

    /// A number that no body has had yet.
    pub(super) fn next_version(&mut self) -> u64 {
        self.versions += 1;
        self.versions
    }

    /// Makes room for all events that a step may bring.
    pub(super) fn reserve_events(&mut self) {
        // The list is empty but for the events of the last step, which are at most as many.
        self.events.reserve(EVENTS_PER_BODY * self.entries.len());
    }

    /// Takes in something that bodies rest and slide on.
    ///
    /// ```
    /// use pliant::contact::Obstacle;
    /// use pliant::world::{World, WorldConfig};
    ///
    /// let mut world = World::new(WorldConfig::default())?;
    /// world.add_obstacle(Obstacle::ground(0.5))?;
    /// assert_eq!(world.obstacles().len(), 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// A shape without extent, or numbers that are none.
    pub fn add_obstacle(&mut self, obstacle: Obstacle) -> Result<(), ObstacleError> {
        obstacle.check()?;
        self.obstacles.push(obstacle);
        self.entries.iter_mut().for_each(Entry::meet_obstacles);
        self.renew_all();
        Ok(())
    }

    /// What bodies rest and slide on.
    pub fn obstacles(&self) -> &[Obstacle] {
        &self.obstacles
    }

    /// Settings.
    pub fn config(&self) -> &WorldConfig {
        &self.config
    }

    /// Time since the start, in s.
    pub fn time(&self) -> f64 {
        self.time
    }

    /// All bodies, in the order they were added.
    pub fn bodies(&self) -> impl ExactSizeIterator<Item = (Handle, &Body)> {
        let handle = |index: usize| Handle { index: index as u32, generation: 0 };
        self.entries.iter().enumerate().map(move |(index, entry)| (handle(index), &entry.body))
    }

    /// A body, if the handle is one of this world's.
    pub fn body(&self, handle: Handle) -> Option<&Body> {
        self.entries.get(handle.index).map(|entry| &entry.body)
    }

    /// A body to be changed, if the handle is one of this world's. If it sleeps it wakes.
    pub fn body_mut(&mut self, handle: Handle) -> Option<&mut Body> {
        self.wake(handle);
        let entry = self.entries.get_mut(handle.index)?;
        (entry.astray, entry.fresh) = (true, true);
        Some(&mut entry.body)
    }

    /// How a body touches others, if the handle is one of this world's.
    pub fn contact(&self, handle: Handle) -> Option<&ContactConfig> {
        self.entries.get(handle.index).map(|entry| &entry.touch)
    }

    /// Changes how a body touches others, and wakes it.
    ///
    /// # Errors
    ///
    /// Friction that is none; then nothing is changed.
    pub fn set_contact(
        &mut self,
        handle: Handle,
        config: ContactConfig,
    ) -> Result<(), ObstacleError> {
        config.check()?;
        self.wake(handle);
        if let Some(entry) = self.entries.get_mut(handle.index) {
            (entry.touch, entry.fresh) = (config, true);
        }
        Ok(())
    }

    /// Whether a body lies still and is not stepped.
    pub fn is_asleep(&self, handle: Handle) -> Option<bool> {
        self.entries.get(handle.index).map(|entry| entry.rest.is_asleep())
    }

    /// Wakes a body and all that fell asleep with it, if it sleeps.
    pub fn wake(&mut self, handle: Handle) {
        self.wake_entry(handle.index);
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

    /// Wakes all bodies, and takes them as new where they are.
    pub(super) fn renew_all(&mut self) {
        let here = |entry: &&mut Entry| entry.presence == Presence::Here;
        self.entries.iter_mut().filter(here).for_each(|entry| {
            entry.rest.wake();
            entry.fresh = true;
        });
    }

    /// Coulomb's coefficients of pairs of materials.
    pub fn frictions(&self) -> &FrictionTable {
        &self.frictions
    }

    /// Sets the friction between bodies and obstacles of two materials, which are numbers of your own choice
    /// ([`ContactConfig::material`], [`Obstacle::material`]); none goes back to what each brings by itself. Wakes all
    /// bodies.
    ///
    /// ```
    /// use pliant::contact::Obstacle;
    /// use pliant::world::{World, WorldConfig};
    ///
    /// let (rubber, ice) = (1, 2);
    /// let mut world = World::new(WorldConfig::default())?;
    /// world.add_obstacle(Obstacle { material: ice, ..Obstacle::ground(0.5) })?;
    /// world.set_friction([rubber, ice], Some(0.1))?;
    /// assert_eq!(world.frictions().between(ice, rubber), Some(0.1));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Friction that is none; then nothing is changed.
    pub fn set_friction(
        &mut self,
        materials: [u32; 2],
        coefficient: Option<f64>,
    ) -> Result<(), ObstacleError> {
        self.frictions.set(materials, coefficient)?;
        let here = |entry: &&mut Entry| entry.presence == Presence::Here;
        self.entries.iter_mut().filter(here).for_each(|entry| {
            entry.rest.wake();
        });
        Ok(())
    }

    /// How a body is advanced, if the handle is one of this world's.
    pub fn method(&self, handle: Handle) -> Option<&MethodConfig> {
        self.entries.get(handle.index).map(|entry| &entry.method)
    }

    /// The longest stable step of a body at rest, in s; `None` if its stepper has no such limit.
    pub fn stable_step(&self, handle: Handle) -> Option<f64> {
        self.entries.get(handle.index)?.stable
    }

    /// How many substeps a body takes in a step, and how long they are, in s.
    pub fn substeps(&self, handle: Handle) -> Option<(u32, f64)> {
        let entry = self.entries.get(handle.index)?;
        Some(entry.substeps(&self.config))
    }

    /// The degree that the interpolation of a body has at each node now: where adaptive degree has
    /// made all edges at a node straight lines it is 1.
    pub fn degrees(&self, handle: Handle) -> Option<Vec<u8>> {
        self.entries.get(handle.index).map(Entry::degrees)
    }

    /// Advances all bodies by `dt`.
    ///
    /// A body whose numbers stop being finite is set back to its last finite state, at rest (to the
    /// shape of its model, if that state fails again), and counted; it never reaches another body.
    pub fn step(&mut self) -> StepReport {
        self.step_with(&|_| {})
    }

    /// Advances all bodies by `dt`, and tells each phase as it begins: who has a clock can time it.
    ///
    /// Islands go through their phases side by side, on the threads of rayon's pool, so that a phase
    /// may come many times in a step; none means that the thread is done for now.
    pub fn step_with(&mut self, listener: &PhaseListener<'_>) -> StepReport {
        let nodes: usize = self.entries.iter().map(|entry| entry.body.state.x.len()).sum();
        let large = |entry: &Entry| entry.body.model().mesh().cell_count() > MANY_CELLS;
        let many = if self.has_contact() { MANY_TOUCHING } else { MANY_NODES };
        let shared = nodes > many || self.entries.iter().any(large);
        if rayon::current_thread_index().is_none() && shared {
            // Among the threads that will share the work, so that each fork is a cheap one.
            rayon::scope(|_| self.step_here(listener))
        } else {
            self.step_here(listener)
        }
    }

    /// What happened in the last step: what went wrong and was dealt with, who slept, woke, touched or parted.
    pub fn events(&self) -> &[Event] {
        &self.events
    }

    /// Who pushed whom in the last step, in the order of the bodies.
    pub fn meetings(&self) -> &[Meeting] {
        self.touching.meetings()
    }

    /// Where bodies touched, or were about to, at the begin of the last step: the two bodies, the point of the first in m,
    /// and the contact. In the order of the bodies.
    pub fn contacts(&self) -> impl Iterator<Item = ([Handle; 2], DVec3, &Contact)> {
        self.touching.found().flat_map(|found| {
            let bodies = found.bodies.map(|index| Handle { index, generation: 0 });
            let first = self.entries.get(found.bodies[0]).and_then(Entry::collider);
            let point = move |contact: &Contact| Some(contact.first.blend(first?.x()));
            let contacts = found.contacts.iter();
            contacts.filter_map(move |contact| Some((bodies, point(contact)?, contact)))
        })
    }

    /// How many groups of bodies that touch or are attached were stepped in the last step, each by itself; none where all sleep.
    pub fn island_count(&self) -> usize {
        self.island_count
    }

    /// Brings every body to static equilibrium under gravity and the full motion of its pins. Loads on skins and wind are those
    /// on the shape it starts from, at the end of the time.
    ///
    /// Reports are in the order of the bodies.
    pub fn solve_static(
        &mut self,
        config: &StaticConfig,
        progress: &mut dyn FnMut(&StaticProgress),
    ) -> Result<Vec<StaticReport>, SolveError> {
        let gravity = self.config.gravity;
        let wind = self.wind.as_ref().map(|wind| (wind, config.duration));
        let mut reports = Vec::new();
        for entry in self.entries.iter_mut() {
            self.resets += usize::from(entry.note_or_set_back(self.time));
            entry.find_loads(wind);
            let loads = Loads { gravity, forces: entry.loads.on_nodes() };
            let mut solver = Equilibrium::new(&entry.body, loads)?;
            entry.astray = true;
            reports.push(solver.solve(&mut entry.body, config, progress)?);
        }
        self.time = config.duration;
        Ok(reports)
    }

    /// Bodies that have not faded.
    pub(super) fn present(&self) -> impl Iterator<Item = &Entry> {
        self.entries.iter().filter(|entry| entry.is_there())
    }

    /// Elastic and kinetic energy now.
    pub fn energy(&self) -> Energy {
        let mut energy = Energy::default();
        for Entry { body, .. } in self.present() {
            let model = body.model();
            energy.elastic += Elastic::new(model, Width::default()).energy(model, &body.state.x);
            let moving = body.state.v.iter().zip(model.masses());
            energy.kinetic += moving.map(|(v, mass)| 0.5 * mass * v.length_squared()).sum::<f64>();
        }
        energy
    }

    /// What is wrong now, and what was so far.
    pub fn health(&self) -> Health {
        let inverted = |entry: &Entry| inverted_cells(entry.body.model(), &entry.body.state.x);
        Health {
            inverted: self.present().map(inverted).sum(),
            non_finite: self.resets,
            resets: self.resets,
            unconverged: self.unconverged,
        }
    }

    /// Volume of all bodies now over their volume at rest.
    pub fn volume_ratio(&self) -> f64 {
        let (mut now, mut rest) = (0.0, 0.0);
        for Entry { body, .. } in self.present() {
            let (model, x) = (body.model(), &body.state.x);
            let [own_now, own_rest] = match model.contents() {
                Some(_) => matter_volumes(model, x),
                None => [model.mesh().volume_at(x), model.mesh().volume()],
            };
            now += own_now;
            rest += own_rest;
        }
        if rest > 0.0 { now / rest } else { 1.0 }
    }

    /// A fingerprint of all positions and velocities, bit by bit (FNV-1a).
    pub fn state_hash(&self) -> u64 {
        let states = self.present().map(|entry| &entry.body.state);
        let numbers = states.flat_map(|state| state.x.iter().chain(&state.v));
        numbers.flat_map(|value| value.to_array()).fold(0xcbf2_9ce4_8422_2325, |hash, number| {
            number.to_bits().to_le_bytes().iter().fold(hash, |hash: u64, byte| {
                (hash ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3)
            })
        })
    }
}
