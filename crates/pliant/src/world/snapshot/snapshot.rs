//! Snapshots: the state of a world as bytes.

use glam::DQuat;

use crate::body::Motion;
use crate::force::Wind;
use crate::persist::{Persist, Reader, SnapshotError, Writer};
use crate::world::world::World;

impl World {
    /// All that changes while the world runs, as bytes: to save a game, to go back in time, to send to
    /// another machine.
    ///
    /// A world that is restored from them goes on with exactly the same bits as this one. They contain
    /// positions, velocities, pulls, loads on skins, the places of obstacles, wind, sleep, and the memory of solvers and contact from earlier
    /// steps. Of meshes, materials, pins and methods they contain fingerprints only: the bytes fit this world, and any other
    /// that was built the same way.
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

    /// Restores the state that [`World::snapshot`] saved. No body wakes, and the events of the last step are gone.
    ///
    /// Keeps all buffers, so that the next steps do not allocate either. The matrix factor of a solver is computed again unless it is
    /// the present one.
    ///
    /// # Errors
    ///
    /// Bytes that are damaged or incomplete, or of a world that was built differently. Then nothing has changed.
    pub fn restore(&mut self, bytes: &[u8]) -> Result<(), SnapshotError> {
        let mut from = Reader::open(bytes)?;
        self.check_fingerprint(&mut from)?;
        let mut now = Writer::default();
        self.save_state(&mut now);
        let done = self.load_state(&mut from).and_then(|()| from.end());
        if done.is_err() {
            let back = self.load_state(&mut Reader::new(now.bytes()));
            debug_assert_eq!(back, Ok(()), "a world loads its own bytes");
            return done;
        }
        self.record.forget_step();
        self.record.reserve_events(self.slots.len());
        Ok(())
    }

    /// Saves all that the next step depends on. Islands are formed anew in every step.
    fn save_state(&self, to: &mut Writer) {
        to.f64(self.time);
        to.u64(self.record.resets as u64);
        to.u64(self.record.unconverged as u64);
        to.u64(self.record.fallbacks as u64);
        to.u32(self.islands.next_sleep_group);
        self.save_parts(to);
        self.present().for_each(|slot| slot.save(to));
        self.save_attachments(to);
        self.contacts.save(to);
        self.environment.frictions.save(to);
        for obstacle in self.obstacles() {
            to.vector(obstacle.pose.translation);
            to.f64s(&obstacle.pose.rotation.to_array());
            obstacle.motion.save(to);
        }
        to.flag(self.environment.wind_changed);
        to.flag(self.environment.wind.is_some());
        self.environment.wind.iter().for_each(|wind| wind.save(to));
    }

    fn load_state(&mut self, from: &mut Reader<'_>) -> Result<(), SnapshotError> {
        self.time = from.f64()?;
        if self.time.is_nan() {
            return Err(from.bad("a time"));
        }
        self.record.resets = from.u64()? as usize;
        self.record.unconverged = from.u64()? as usize;
        self.record.fallbacks = from.u64()? as usize;
        self.islands.next_sleep_group = from.u32()?;
        self.load_parts(from)?;
        for slot in self.slots.iter_mut().filter(|slot| slot.is_present()) {
            slot.load(from)?;
        }
        self.load_attachments(from)?;
        self.contacts.load(&self.slots, from)?;
        self.environment.frictions.load(from)?;
        for obstacle in self.environment.obstacles.list_mut() {
            obstacle.pose.translation = from.vector()?;
            let mut rotation = [0.0; 4];
            from.f64s(&mut rotation)?;
            obstacle.pose.rotation = DQuat::from_array(rotation);
            obstacle.motion = Motion::read(from)?;
            obstacle.check().map_err(|_| from.bad("the place of an obstacle"))?;
        }
        self.environment.wind_changed = from.flag()?;
        let blows = from.flag()?;
        self.environment.wind = blows.then(Wind::default);
        self.environment.wind.iter_mut().try_for_each(|wind| wind.load(from))
    }
}
