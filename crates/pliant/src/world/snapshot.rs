//! The whole world as bytes, and back.

use crate::force::Wind;
use crate::persist::{Persist, Reader, SnapshotError, Writer};

use super::World;

impl World {
    /// All that changes while the world runs, as bytes: to save a game, to go back in time, to send to
    /// another machine.
    ///
    /// A world that is restored from them goes on with exactly the same bits as this one. They hold
    /// positions, velocities, pulls, loads on skins, wind and who sleeps, and what solvers and contact remember from earlier
    /// steps; meshes, materials, pins and methods they only name, by fingerprints, so that the bytes are
    /// good for this world and for any that is built the same way.
    ///
    /// ```
    /// # use std::sync::Arc;
    /// # use pliant::body::{Body, Model};
    /// # use pliant::contact::Obstacle;
    /// # use pliant::material::Material;
    /// # use pliant::mesh::generate::{BoxConfig, box_mesh};
    /// # use pliant::world::{World, WorldConfig};
    /// # let model = Arc::new(Model::uniform(box_mesh(&BoxConfig::default())?, Material::default())?);
    /// let mut world = World::new(WorldConfig::default())?;
    /// world.add_obstacle(Obstacle::ground(0.5))?;
    /// world.add(Body::new("cube", model, vec![])?);
    /// world.step();
    ///
    /// let bytes = world.snapshot();
    /// world.step();
    /// let hash = world.state_hash();
    ///
    /// world.restore(&bytes)?;
    /// world.step();
    /// assert_eq!(world.state_hash(), hash);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn snapshot(&self) -> Vec<u8> {
        let mut to = Writer::default();
        self.save_fingerprint(&mut to);
        self.save_state(&mut to);
        to.seal()
    }

    /// Goes back, or on, to where the world was when [`World::snapshot`] made these bytes. No body is
    /// woken, and there are no events of a last step.
    ///
    /// Takes no memory that lasts, so that the steps after it need none either. A factor that solvers
    /// kept is computed anew unless it is the one at hand.
    ///
    /// # Errors
    ///
    /// Bytes that are damaged or cut off, or of a world that was built otherwise. Then nothing has
    /// changed.
    pub fn restore(&mut self, bytes: &[u8]) -> Result<(), SnapshotError> {
        let mut from = Reader::open(bytes)?;
        self.check_fingerprint(&mut from)?;
        let mut now = Writer::default();
        self.save_state(&mut now);
        let done = self.load_state(&mut from).and_then(|()| from.end());
        if done.is_err() {
            let back = self.load_state(&mut Reader::new(now.bytes()));
            debug_assert_eq!(back, Ok(()), "a world takes its own bytes");
            return done;
        }
        self.events.clear();
        self.breaks.clear();
        self.reserve_events();
        Ok(())
    }

    /// Writes what the next step depends on. Islands and groups are formed anew in every step.
    fn save_state(&self, to: &mut Writer) {
        to.f64(self.time);
        to.u64(self.resets as u64);
        to.u64(self.unconverged as u64);
        to.u32(self.sleep_count);
        self.save_parts(to);
        self.present().for_each(|entry| entry.save(to));
        self.save_attachments(to);
        self.touching.save(to);
        self.frictions.save(to);
        to.flag(self.wind_changed);
        to.flag(self.wind.is_some());
        self.wind.iter().for_each(|wind| wind.save(to));
    }

    fn load_state(&mut self, from: &mut Reader<'_>) -> Result<(), SnapshotError> {
        self.time = from.f64()?;
        if self.time.is_nan() {
            return Err(from.bad("a time"));
        }
        self.resets = from.u64()? as usize;
        self.unconverged = from.u64()? as usize;
        self.sleep_count = from.u32()?;
        self.load_parts(from)?;
        for entry in self.entries.iter_mut().filter(|entry| entry.is_there()) {
            entry.load(from)?;
        }
        self.load_attachments(from)?;
        self.touching.load(from)?;
        self.frictions.load(from)?;
        self.wind_changed = from.flag()?;
        let blows = from.flag()?;
        self.wind = blows.then(Wind::default);
        self.wind.iter_mut().try_for_each(|wind| wind.load(from))
    }
}
