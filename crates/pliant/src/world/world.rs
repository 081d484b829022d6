//! The world.

use glam::DVec3;

use crate::body::{Body, State};
use crate::force::{Elastic, Width, inverted_cells};
use crate::solver::{
    Equilibrium, Loads, SolveError, StaticConfig, StaticProgress, StaticReport, SymplecticEuler,
    stable_step,
};

use super::{ConfigError, Energy, Health, StepReport, WorldConfig};

/// Names a body of a world.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Handle {
    index: u32,
    generation: u32,
}

/// A body with what steps it.
#[derive(Debug, Clone)]
struct Entry {
    body: Body,
    stepper: SymplecticEuler,
    /// Largest stable step at rest, in s.
    stable: f64,
    /// The last state that was finite, to go back to.
    last: State,
    /// Whether the last step led from there to numbers that are not finite.
    failed: bool,
}

impl Entry {
    fn new(body: Body) -> Self {
        let stepper = SymplecticEuler::new(body.model());
        let stable = stable_step(body.model());
        let last = State::at_rest(&body.model().mesh().nodes);
        Self { body, stepper, stable, last, failed: false }
    }

    /// Notes the state if it is finite; otherwise sets the body back and returns true.
    fn note_or_set_back(&mut self, time: f64) -> bool {
        if self.body.state.is_finite() {
            self.last.clone_from(&self.body.state);
            return false;
        }
        self.set_back(time);
        true
    }

    /// Sets the body back to its last finite state, at rest; to the shape of its model if a step
    /// from there has failed before.
    fn set_back(&mut self, time: f64) {
        if self.failed {
            self.last.x.clone_from(&self.body.model().mesh().nodes);
            self.body.move_pins(time, &mut self.last.x);
        }
        self.last.v.fill(DVec3::ZERO);
        self.body.state.clone_from(&self.last);
    }
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
    time: f64,
    resets: usize,
}

/// Share of the stable step that is used: stiffness grows where a body is squeezed.
const SAFETY: f64 = 0.5;

/// More substeps than this are not taken in one step: the body then runs slow, but runs.
const MOST_SUBSTEPS: u32 = 100_000;

impl World {
    /// An empty world.
    pub fn new(config: WorldConfig) -> Result<Self, ConfigError> {
        config.check()?;
        Ok(Self { config, entries: Vec::new(), time: 0.0, resets: 0 })
    }

    /// Takes a body in.
    pub fn add(&mut self, body: Body) -> Handle {
        self.entries.push(Entry::new(body));
        Handle { index: self.entries.len() as u32 - 1, generation: 0 }
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

    /// How many substeps a body takes in a step, and how long they are, in s.
    fn substeps(&self, entry: &Entry) -> (u32, f64) {
        let WorldConfig { dt, substeps, .. } = self.config;
        if let Some(count) = substeps {
            return (count, dt / f64::from(count));
        }
        let longest = SAFETY * entry.stable;
        // A count that is not a number (a body of no stiffness) becomes one substep.
        let count = ((dt / longest).ceil().clamp(1.0, f64::from(MOST_SUBSTEPS)) as u32).max(1);
        (count, (dt / f64::from(count)).min(longest))
    }

    /// Advances all bodies by `dt` with symplectic Euler.
    ///
    /// A body whose numbers stop being finite is set back to its last finite state, at rest (to the
    /// shape of its model, if that state fails again), and counted; it never reaches another body.
    pub fn step(&mut self) -> StepReport {
        let mut report = StepReport::default();
        for index in 0..self.entries.len() {
            let (substeps, h) = self.substeps(&self.entries[index]);
            report.resets += usize::from(self.step_body(index, substeps, h));
            report.substeps = report.substeps.max(substeps);
        }
        self.resets += report.resets;
        self.time += self.config.dt;
        report
    }

    /// Advances one body; true if it had to be set back.
    fn step_body(&mut self, index: usize, substeps: u32, h: f64) -> bool {
        let WorldConfig { gravity, damping, dt, .. } = self.config;
        let entry = &mut self.entries[index];
        let came_broken = entry.note_or_set_back(self.time);
        for substep in 0..substeps {
            let t = self.time + h * f64::from(substep);
            entry.stepper.substep(&mut entry.body, t, h, gravity, damping);
        }
        let broke = !entry.body.state.is_finite();
        if broke {
            entry.set_back(self.time + dt);
        }
        entry.failed = broke;
        came_broken || broke
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
        }
    }

    /// Volume of all bodies now over their volume at rest.
    pub fn volume_ratio(&self) -> f64 {
        let (mut now, mut rest) = (0.0, 0.0);
        for Entry { body, .. } in &self.entries {
            now += body.model().mesh().volume_at(&body.state.x);
            rest += body.model().mesh().volume();
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
