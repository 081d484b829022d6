//! Loads on a body in a step.

use crate::body::Skin;
use crate::force::PointForces;
use crate::persist::{Persist, Reader, SnapshotError};
use crate::world::config::WorldConfig;

use super::component::skin_loads::WindAt;
use super::slot::BodySlot;

impl BodySlot {
    /// The skin through which loads and contact act; made on first use.
    pub(crate) fn skin(&mut self) -> &Skin {
        if self.contact.obstacles.is_none() {
            self.prepare_for_obstacles();
        }
        self.contact.skin().expect("it was made just now")
    }

    /// Finds the loads on the skin for a step.
    pub(crate) fn find_skin_loads(&mut self, wind: WindAt<'_>) {
        if self.is_kinematic() || !(wind.is_some() || self.loads.skin.are_given()) {
            return self.loads.skin.clear();
        }
        self.reserve_loads();
        if let Some(skin) = self.contact.skin() {
            self.loads.skin.find(skin, &self.body, wind);
        }
    }

    /// Reserves memory for all forces of loads and contact, once.
    fn reserve_loads(&mut self) {
        self.skin();
        let Some(skin) = self.contact.skin() else { return };
        if self.loads.skin.needs_room() {
            let nodes = self.body.state.x.len();
            let rigid = self.body.model().is_rigid();
            let loaded = if rigid { skin.vertex_count() } else { nodes };
            let weights = if rigid { nodes * loaded } else { nodes };
            reserve(&mut self.loads.points, skin, loaded, weights);
        }
    }

    /// Gathers the loads on the skin in a substep.
    pub(crate) fn gather_skin_loads(&mut self) {
        if let Some(skin) = self.contact.skin() {
            self.loads.skin.push(skin, &self.body, &mut self.loads.points);
        }
    }

    /// Stores the loads under which it fell asleep.
    pub(crate) fn store_sleep_loads(&mut self, wind: WindAt<'_>) {
        self.find_skin_loads(wind);
        self.loads.skin.store_sleep_loads();
    }

    /// True if the loads on a sleeping body have changed by enough to wake it. `changed` tells that the wind may have.
    pub(crate) fn is_disturbed(
        &mut self,
        wind: WindAt<'_>,
        changed: bool,
        config: &WorldConfig,
    ) -> bool {
        if !(changed || self.loads.skin.have_changed()) {
            return false;
        }
        self.find_skin_loads(wind);
        let sleep = config.sleep.unwrap_or_default();
        self.loads.skin.disturb(self.body.model().masses(), &sleep, config.dt)
    }

    /// Loads the skin loads of a snapshot.
    pub(crate) fn load_skin_loads(&mut self, from: &mut Reader<'_>) -> Result<(), SnapshotError> {
        self.loads.skin.load(from)?;
        if self.loads.skin.are_given() {
            self.skin();
        }
        let nodes = self.body.state.x.len();
        match self.contact.skin() {
            Some(skin) if !self.loads.skin.fit(skin, nodes) => Err(from.bad("loads on this skin")),
            _ => Ok(()),
        }
    }
}

/// Reserves memory for `loaded` forces of loads with `weights` weights in all, besides contact at every vertex.
fn reserve(points: &mut PointForces, skin: &Skin, loaded: usize, weights: usize) {
    let vertices = skin.vertex_count();
    let touched: usize = (0..vertices).map(|vertex| skin.weights(vertex).len()).sum();
    points.clear();
    points.reserve(loaded + vertices, weights + touched);
}
