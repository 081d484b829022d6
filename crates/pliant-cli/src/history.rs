//! Energies and momenta over the time of a run.

use std::collections::BTreeMap;
use std::ops::AddAssign;

use glam::DVec3;
use pliant::world::{BodyHandle, Energy, World};
use serde::Serialize;

/// The largest number of rows after the first; a longer run leaves frames out.
const MAX_ROWS: u64 = 1000;

/// The largest number of bodies that have series of their own.
const MAX_BODIES: usize = 8;

/// Energies and momenta at the start and after every `every`-th frame.
#[derive(Debug, Serialize)]
pub(crate) struct History {
    pub(crate) every: u64,
    /// Times of the rows, in s.
    time: Vec<f64>,
    #[serde(flatten)]
    world: Series,
    /// The same for each body with its fragments; empty if the scene has many.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    bodies: BTreeMap<String, Series>,
    /// The bodies of these series.
    #[serde(skip)]
    names: Vec<(BodyHandle, String)>,
}

/// Values of all rows.
#[derive(Debug, Default, Serialize)]
struct Series {
    /// Energies, in J.
    kinetic: Vec<f64>,
    elastic: Vec<f64>,
    potential: Vec<f64>,
    /// Momenta, in N·s.
    momentum: Vec<[f64; 3]>,
    /// Angular momenta about the origin of the world, in N·m·s.
    angular_momentum: Vec<[f64; 3]>,
}

impl History {
    /// The first row, for a run of `frames` frames that begins now.
    pub(crate) fn new(world: &World, frames: u64) -> Self {
        let names: Vec<(BodyHandle, String)> = world
            .bodies()
            .map(|(handle, body)| (handle, body.whole_name().to_owned()))
            .take(MAX_BODIES + 1)
            .collect();
        let names = if names.len() > MAX_BODIES { Vec::new() } else { names };
        let bodies = names.iter().map(|(_, name)| (name.clone(), Series::default())).collect();
        let every = frames.div_ceil(MAX_ROWS).max(1);
        let (time, sum) = (Vec::new(), Series::default());
        let mut history = Self { every, time, world: sum, bodies, names };
        history.record(world, 0);
        history
    }

    /// Adds the row of a frame, if it has one.
    pub(crate) fn record(&mut self, world: &World, frame: u64) {
        if !frame.is_multiple_of(self.every) {
            return;
        }
        let mut all = Row::default();
        let mut each = vec![all; self.names.len()];
        for (handle, _) in world.bodies() {
            let row = Row::of(world, handle);
            let origin = world.origin(handle);
            let place = self.names.iter().position(|(body, _)| Some(*body) == origin);
            all += row;
            place.into_iter().for_each(|place| each[place] += row);
        }
        self.time.push(world.time());
        self.world.push(all);
        for ((_, name), values) in self.names.iter().zip(each) {
            if let Some(series) = self.bodies.get_mut(name) {
                series.push(values);
            }
        }
    }
}

/// The values of one row.
#[derive(Debug, Clone, Copy, Default)]
struct Row {
    energy: Energy,
    momentum: DVec3,
    angular_momentum: DVec3,
}

impl Row {
    /// The values of a body now; zero if it is gone.
    fn of(world: &World, handle: BodyHandle) -> Self {
        Self {
            energy: world.energy_of(handle).unwrap_or_default(),
            momentum: world.momentum_of(handle).unwrap_or_default(),
            angular_momentum: world.angular_momentum_of(handle).unwrap_or_default(),
        }
    }
}

impl AddAssign for Row {
    fn add_assign(&mut self, other: Self) {
        self.energy += other.energy;
        self.momentum += other.momentum;
        self.angular_momentum += other.angular_momentum;
    }
}

impl Series {
    fn push(&mut self, Row { energy, momentum, angular_momentum }: Row) {
        self.kinetic.push(energy.kinetic);
        self.elastic.push(energy.elastic);
        self.potential.push(energy.potential);
        self.momentum.push(momentum.to_array());
        self.angular_momentum.push(angular_momentum.to_array());
    }
}
