//! The world.

use crate::body::Body;
use crate::contact::{Obstacle, ObstacleError};
use crate::force::{Elastic, Width, inverted_cells, matter_volumes};
use crate::solver::{
    Equilibrium, LinearReport, Loads, MethodConfig, MethodError, PhaseTeller, SolveError,
    StaticConfig, StaticProgress, StaticReport,
};

use super::entry::{BodyReport, Entry};
use super::{ConfigError, Energy, Event, EventKind, Health, StepReport, WorldConfig};

/// Names a body of a world.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Handle {
    index: u32,
    generation: u32,
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
    config: WorldConfig,
    entries: Vec<Entry>,
    obstacles: Vec<Obstacle>,
    time: f64,
    resets: usize,
    unconverged: usize,
    /// Those of the last step; with room for all that a step can bring.
    events: Vec<Event>,
}

/// Cells from which a body is shared out over threads.
const MANY_CELLS: usize = 2048;

/// Kinds of event that one body can bring in a step.
const EVENTS_PER_BODY: usize = 2;

impl World {
    /// An empty world.
    pub fn new(config: WorldConfig) -> Result<Self, ConfigError> {
        config.check()?;
        let (entries, obstacles, events) = (Vec::new(), Vec::new(), Vec::new());
        Ok(Self { config, entries, obstacles, time: 0.0, resets: 0, unconverged: 0, events })
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
        self.entries.push(entry);
        // The list is empty but for the events of the last step, which are at most as many.
        self.events.reserve(EVENTS_PER_BODY * self.entries.len());
        Handle { index: self.entries.len() as u32 - 1, generation: 0 }
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
        self.entries.get(handle.index as usize).map(|entry| &entry.body)
    }

    /// A body to be changed, if the handle is one of this world's.
    pub fn body_mut(&mut self, handle: Handle) -> Option<&mut Body> {
        self.entries.get_mut(handle.index as usize).map(|entry| &mut entry.body)
    }

    /// How a body is advanced, if the handle is one of this world's.
    pub fn method(&self, handle: Handle) -> Option<&MethodConfig> {
        self.entries.get(handle.index as usize).map(|entry| &entry.method)
    }

    /// The longest stable step of a body at rest, in s; `None` if its stepper has no such limit.
    pub fn stable_step(&self, handle: Handle) -> Option<f64> {
        self.entries.get(handle.index as usize)?.stable
    }

    /// How many substeps a body takes in a step, and how long they are, in s.
    pub fn substeps(&self, handle: Handle) -> Option<(u32, f64)> {
        let entry = self.entries.get(handle.index as usize)?;
        Some(entry.substeps(&self.config))
    }

    /// The degree that the interpolation of a body has at each node now: where adaptive degree has
    /// made all edges at a node straight lines it is 1.
    pub fn degrees(&self, handle: Handle) -> Option<Vec<u8>> {
        self.entries.get(handle.index as usize).map(Entry::degrees)
    }

    /// Advances all bodies by `dt`.
    ///
    /// A body whose numbers stop being finite is set back to its last finite state, at rest (to the
    /// shape of its model, if that state fails again), and counted; it never reaches another body.
    pub fn step(&mut self) -> StepReport {
        self.step_with(&mut |_| {})
    }

    /// Advances all bodies by `dt`, and tells each phase as it begins: who has a clock can time it.
    ///
    /// Each body goes through its phases in turn, so that a phase may come many times in a step.
    pub fn step_with(&mut self, phase: &mut PhaseTeller<'_>) -> StepReport {
        let large = |entry: &Entry| entry.body.model().mesh().cell_count() > MANY_CELLS;
        if rayon::current_thread_index().is_none() && self.entries.iter().any(large) {
            // Among the threads that will share the work, so that each fork is a cheap one.
            rayon::scope(|_| self.step_here(phase))
        } else {
            self.step_here(phase)
        }
    }

    fn step_here(&mut self, phase: &mut PhaseTeller<'_>) -> StepReport {
        let mut report = StepReport::default();
        self.events.clear();
        for index in 0..self.entries.len() {
            let entry = &mut self.entries[index];
            let (substeps, _) = entry.substeps(&self.config);
            let body = entry.step(self.time, &self.config, &self.obstacles, phase);
            report.substeps = report.substeps.max(substeps);
            report.resets += usize::from(body.reset);
            report.linear.add_body(&body.linear);
            report.sweeps.add_body(&body.sweeps);
            self.note_events(Handle { index: index as u32, generation: 0 }, &body);
        }
        self.resets += report.resets;
        self.unconverged += report.linear.unconverged as usize;
        self.time += self.config.dt;
        report
    }

    fn note_events(&mut self, body: Handle, report: &BodyReport) {
        if report.reset {
            self.events.push(Event { body, kind: EventKind::Reset });
        }
        let LinearReport { residual, iterations, unconverged, .. } = report.linear;
        if unconverged > 0 {
            let kind = EventKind::NotConverged { residual, iterations };
            self.events.push(Event { body, kind });
        }
    }

    /// What went wrong in the last step and was dealt with, in the order of the bodies.
    pub fn events(&self) -> &[Event] {
        &self.events
    }

    /// Brings every body to static equilibrium under gravity and the full motion of its pins.
    ///
    /// Reports are in the order of the bodies.
    pub fn solve_static(
        &mut self,
        config: &StaticConfig,
        progress: &mut dyn FnMut(&StaticProgress),
    ) -> Result<Vec<StaticReport>, SolveError> {
        let loads = Loads { gravity: self.config.gravity, forces: &[] };
        let mut reports = Vec::new();
        for entry in &mut self.entries {
            self.resets += usize::from(entry.note_or_set_back(self.time));
            let mut solver = Equilibrium::new(&entry.body, loads)?;
            reports.push(solver.solve(&mut entry.body, config, progress)?);
        }
        self.time = config.duration;
        Ok(reports)
    }

    /// Elastic and kinetic energy now.
    pub fn energy(&self) -> Energy {
        let mut energy = Energy::default();
        for Entry { body, .. } in &self.entries {
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
            inverted: self.entries.iter().map(inverted).sum(),
            non_finite: self.resets,
            resets: self.resets,
            unconverged: self.unconverged,
        }
    }

    /// Volume of all bodies now over their volume at rest.
    pub fn volume_ratio(&self) -> f64 {
        let (mut now, mut rest) = (0.0, 0.0);
        for Entry { body, .. } in &self.entries {
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
        let states = self.entries.iter().map(|entry| &entry.body.state);
        let numbers = states.flat_map(|state| state.x.iter().chain(&state.v));
        numbers.flat_map(|value| value.to_array()).fold(0xcbf2_9ce4_8422_2325, |hash, number| {
            number.to_bits().to_le_bytes().iter().fold(hash, |hash: u64, byte| {
                (hash ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3)
            })
        })
    }
}
