//! Fingerprints: the parts of a world that a snapshot does not contain.

use crate::contact::Obstacle;
use crate::persist::{Digest, Reader, SnapshotError, Writer};
use crate::sleep::SleepConfig;
use crate::world::config::WorldConfig;
use crate::world::slot::slot::BodySlot;
use crate::world::world::World;

impl World {
    /// Saves fingerprints of settings, obstacles, and the constant parts of bodies.
    pub(crate) fn save_fingerprint(&self, to: &mut Writer) {
        self.counts().iter().for_each(|(_, count)| to.u64(*count));
        settings(&self.config).iter().for_each(|(_, value)| to.f64(*value));
        self.obstacle_digests().for_each(|digest| to.u64(digest));
        for slot in self.original_slots() {
            counts(slot).iter().for_each(|(_, count)| to.u64(*count));
            digests(slot).for_each(|(_, digest)| to.u64(digest));
        }
    }

    /// Compares them with saved ones.
    pub(crate) fn check_fingerprint(&self, from: &mut Reader<'_>) -> Result<(), SnapshotError> {
        for (what, world) in self.counts() {
            let snapshot = from.u64()?;
            if snapshot != world {
                return Err(SnapshotError::Count { what, snapshot, world });
            }
        }
        for (field, world) in settings(&self.config) {
            let snapshot = from.f64()?;
            if snapshot.to_bits() != world.to_bits() {
                return Err(SnapshotError::Setting { field, snapshot, world });
            }
        }
        for (obstacle, digest) in self.obstacle_digests().enumerate() {
            if from.u64()? != digest {
                return Err(SnapshotError::Obstacle { obstacle });
            }
        }
        self.original_slots().enumerate().try_for_each(|(body, slot)| check(body, slot, from))
    }

    fn counts(&self) -> [(&'static str, u64); 3] {
        let bodies = self.originals.iter().count();
        let removed = self.originals.len() - bodies;
        let obstacles = self.obstacles().len();
        [("bodies", bodies), ("removed bodies", removed), ("obstacles", obstacles)]
            .map(|(what, count)| (what, count as u64))
    }

    /// The originals of all bodies, or the heaviest fragment of each.
    fn original_slots(&self) -> impl Iterator<Item = &BodySlot> {
        self.originals.iter().filter_map(|original| self.slots.get(original.place))
    }

    fn obstacle_digests(&self) -> impl Iterator<Item = u64> {
        // Their poses and motions change while a world runs: they are part of the state.
        let digest = |Obstacle { name, shape, friction, material, .. }: &Obstacle| {
            Digest::default().debug(&(name, shape, friction, material)).value()
        };
        self.obstacles().iter().map(digest)
    }
}

/// Settings by name; −1 for an absent one.
fn settings(config: &WorldConfig) -> [(&'static str, f64); 16] {
    let WorldConfig { gravity, dt, substeps, damping, contact, sleep, anneal, fracture, debris } =
        *config;
    let none = SleepConfig { speed: -1.0, steps: 0, force: 0.0 };
    let sleep = sleep.unwrap_or(none);
    [
        ("gravity.x", gravity.x),
        ("gravity.y", gravity.y),
        ("gravity.z", gravity.z),
        ("dt", dt),
        ("substeps", substeps.map_or(-1.0, f64::from)),
        ("damping", damping),
        ("contact", f64::from(contact as u8)),
        ("sleep.speed", sleep.speed),
        ("sleep.steps", f64::from(sleep.steps)),
        ("sleep.force", sleep.force),
        ("anneal", anneal.unwrap_or(-1.0)),
        ("fracture.limit", f64::from(fracture.limit)),
        ("fracture.every", f64::from(fracture.every)),
        ("fracture.seed", fracture.seed as f64),
        ("debris.most", debris.map_or(-1.0, |debris| f64::from(debris.most))),
        ("debris.fate", debris.map_or(-1.0, |debris| f64::from(debris.fate as u8))),
    ]
}

fn counts(slot: &BodySlot) -> [(&'static str, u64); 2] {
    let mesh = match slot.body.whole() {
        Some(whole) => whole.model.mesh(),
        None => slot.body.model().mesh(),
    };
    [("nodes", mesh.nodes.len() as u64), ("cells", mesh.cell_count() as u64)]
}

fn digests(slot: &BodySlot) -> impl Iterator<Item = (&'static str, u64)> {
    let stepper = Digest::default().debug(&slot.stepping.method.stepper).value();
    let method = Digest::default().debug(&slot.stepping.method).value();
    let body = slot.body.fingerprints();
    body.into_iter().chain([("stepper", stepper), ("method", method)])
}

fn check(body: usize, slot: &BodySlot, from: &mut Reader<'_>) -> Result<(), SnapshotError> {
    let name = || slot.body.name().to_owned();
    for (what, world) in counts(slot) {
        let snapshot = from.u64()?;
        if snapshot != world {
            return Err(SnapshotError::BodyCount { body, name: name(), what, snapshot, world });
        }
    }
    for (what, digest) in digests(slot) {
        if from.u64()? != digest {
            return Err(SnapshotError::BodyPart { body, name: name(), what });
        }
    }
    Ok(())
}
