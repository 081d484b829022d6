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
    /// State before the step, to go back to.
    last: State,
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
        let stepper = SymplecticEuler::new(body.model());
        let stable = stable_step(body.model());
        let last = body.state.clone();
        self.entries.push(Entry { body, stepper, stable, last });
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

    /// Substeps a body takes in a step.
    fn substeps(&self, entry: &Entry) -> u32 {
        let needed = (self.config.dt / (SAFETY * entry.stable)).ceil();
        // A count that is not a number (a body of no stiffness) becomes one substep.
        let needed = needed.clamp(1.0, f64::from(MOST_SUBSTEPS)) as u32;
        self.config.substeps.unwrap_or(needed.max(1))
    }

    /// Advances all bodies by `dt` with symplectic Euler.
    ///
    /// A body whose numbers stop being finite is set back to its state before the step, at rest,
    /// and counted; it never reaches another body.
    pub fn step(&mut self) -> StepReport {
        let mut report = StepReport::default();
        for index in 0..self.entries.len() {
            let substeps = self.substeps(&self.entries[index]);
            let WorldConfig { gravity, dt, damping, .. } = self.config;
            let h = dt / f64::from(substeps);
            let entry = &mut self.entries[index];
            entry.last.clone_from(&entry.body.state);
            for substep in 0..substeps {
                let t = self.time + h * f64::from(substep);
                entry.stepper.substep(&mut entry.body, t, h, gravity, damping);
            }
            if !entry.body.state.is_finite() {
                entry.body.state.clone_from(&entry.last);
                entry.body.state.v.fill(DVec3::ZERO);
                report.resets += 1;
            }
            report.substeps = report.substeps.max(substeps);
        }
        self.resets += report.resets;
        self.time += self.config.dt;
        report
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
