//! What must be the same in a world for it to take up a snapshot.

use crate::island::SleepConfig;
use crate::persist::{Digest, Reader, SnapshotError, Writer};

use super::entry::Entry;
use super::{World, WorldConfig};

impl World {
    /// Writes what tells this world from others: settings, obstacles, and what never changes of bodies.
    pub(super) fn save_fingerprint(&self, to: &mut Writer) {
        self.counts().iter().for_each(|(_, count)| to.u64(*count));
        settings(&self.config).iter().for_each(|(_, value)| to.f64(*value));
        self.obstacle_digests().for_each(|digest| to.u64(digest));
        for entry in self.roots() {
            counts(entry).iter().for_each(|(_, count)| to.u64(*count));
            digests(entry).for_each(|(_, digest)| to.u64(digest));
        }
    }

    /// Compares that with what was written.
    pub(super) fn check_fingerprint(&self, from: &mut Reader<'_>) -> Result<(), SnapshotError> {
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
        self.roots().enumerate().try_for_each(|(body, entry)| check(body, entry, from))
    }

    fn counts(&self) -> [(&'static str, u64); 2] {
        [("bodies", self.roots.len() as u64), ("obstacles", self.obstacles.len() as u64)]
    }

    /// Bodies that were added: what is left of each.
    fn roots(&self) -> impl Iterator<Item = &Entry> {
        self.roots.iter().filter_map(|root| self.entries.get(root.slot))
    }

    fn obstacle_digests(&self) -> impl Iterator<Item = u64> {
        self.obstacles.iter().map(|obstacle| Digest::default().debug(obstacle).value())
    }
}

/// Settings by name; what is left open is −1.
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

fn counts(entry: &Entry) -> [(&'static str, u64); 2] {
    let mesh = match entry.body.whole() {
        Some(whole) => whole.model().mesh(),
        None => entry.body.model().mesh(),
    };
    [("nodes", mesh.nodes.len() as u64), ("cells", mesh.cell_count() as u64)]
}

fn digests(entry: &Entry) -> impl Iterator<Item = (&'static str, u64)> {
    let stepper = Digest::default().debug(&entry.method.stepper).value();
    let method = Digest::default().debug(&entry.method).value();
    let body = entry.body.fingerprints();
    body.into_iter().chain([("stepper", stepper), ("method", method)])
}

fn check(body: usize, entry: &Entry, from: &mut Reader<'_>) -> Result<(), SnapshotError> {
    let name = || entry.body.name().to_owned();
    for (what, world) in counts(entry) {
        let snapshot = from.u64()?;
        if snapshot != world {
            return Err(SnapshotError::BodyCount { body, name: name(), what, snapshot, world });
        }
    }
    for (what, digest) in digests(entry) {
        if from.u64()? != digest {
            return Err(SnapshotError::BodyPart { body, name: name(), what });
        }
    }
    Ok(())
}
