//! Measures of a world: events, volume, health, and a hash of its state.

use crate::force::{inverted_cells, matter_volumes};
use crate::world::slot::slot::BodySlot;
use crate::world::world::World;

use super::breaks::Break;
use super::event::Event;
use super::report::Health;

impl World {
    /// Events of the last step: problems, and bodies that slept, woke, touched, parted or broke. Then events since that step, such as
    /// bodies that [`World::wake`] or [`World::get_mut`] woke. The next step clears all of them.
    pub fn events(&self) -> &[Event] {
        &self.record.events
    }

    /// Breaks of the last step, in the order of the bodies.
    ///
    /// ```
    /// # use std::sync::Arc;
    /// # use glam::DVec3;
    /// # use pliant::body::{Body, Model};
    /// use pliant::{Material, Toughness};
    /// # use pliant::mesh::generate::{BoxConfig, box_mesh};
    /// # use pliant::world::{World, WorldConfig};
    /// let mesh = box_mesh(&BoxConfig { size: [4.0, 1.0, 1.0], cells: [8, 2, 2], ..Default::default() })?;
    /// let chalk = Material { toughness: Some(Toughness::new(1e4)), ..Default::default() };
    /// let mut world = World::new(WorldConfig { gravity: DVec3::ZERO, ..Default::default() })?;
    /// let bar = world.add(Body::new("bar", Arc::new(Model::uniform(mesh, chalk)?), vec![])?);
    /// // Its ends fly apart.
    /// let state = &mut world[bar].state;
    /// state.v.iter_mut().zip(&state.x).for_each(|(v, x)| *v = 20.0 * (x.x - 2.0).signum() * DVec3::X);
    /// let before = world.bodies().count();
    /// for _ in 0..30 {
    ///     world.step();
    /// }
    /// assert!(world.bodies().count() > before);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn breaks(&self) -> &[Break] {
        &self.record.breaks
    }

    /// The number of islands in the last step: groups of bodies in contact or attached, each stepped by itself. Zero if all sleep.
    pub fn island_count(&self) -> usize {
        self.islands.count
    }

    /// Bodies that have not faded.
    pub(crate) fn present(&self) -> impl Iterator<Item = &BodySlot> {
        self.slots.iter().filter(|slot| slot.is_present())
    }

    /// Problems now, and so far.
    pub fn health(&self) -> Health {
        let inverted = |slot: &BodySlot| inverted_cells(slot.body.rest_shape(), &slot.body.state.x);
        Health {
            inverted: self.present().map(inverted).sum(),
            non_finite: self.record.resets,
            resets: self.record.resets,
            unconverged: self.record.unconverged,
            fallbacks: self.record.fallbacks,
        }
    }

    /// The volume of all bodies now over their volume at rest.
    pub fn volume_ratio(&self) -> f64 {
        let (mut now, mut rest) = (0.0, 0.0);
        for BodySlot { body, .. } in self.present() {
            let (model, x) = (body.model(), &body.state.x);
            let [own_now, own_rest] = match model.contents() {
                Some(_) => matter_volumes(body.rest_shape(), x),
                None => [model.mesh().volume_at(x), model.mesh().volume()],
            };
            now += own_now;
            rest += own_rest;
        }
        if rest > 0.0 { now / rest } else { 1.0 }
    }

    /// A hash of all positions and velocities, bit by bit (FNV-1a).
    pub fn state_hash(&self) -> u64 {
        let states = self.present().map(|slot| &slot.body.state);
        let numbers = states.flat_map(|state| state.x.iter().chain(&state.v));
        numbers.flat_map(|value| value.to_array()).fold(0xcbf2_9ce4_8422_2325, |hash, number| {
            number.to_bits().to_le_bytes().iter().fold(hash, |hash: u64, byte| {
                (hash ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3)
            })
        })
    }
}
