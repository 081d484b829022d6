//! What acts on a body from outside, through its skin.

use crate::body::Skin;
use crate::contact::ObstacleContact;
use crate::force::PointForces;
use crate::persist::{Persist, Reader, SnapshotError};

use super::WorldConfig;
use super::entry::Entry;
use super::skin_loads::Blowing;

impl Entry {
    /// The skin through which it meets what is around it.
    pub(super) fn skin(&mut self) -> &Skin {
        if self.contact.is_none() {
            self.meet_obstacles();
        }
        self.contact.as_ref().map(ObstacleContact::skin).expect("it was made just now")
    }

    /// Finds what acts on it in a step.
    pub(super) fn find_loads(&mut self, wind: Blowing<'_>) {
        if self.is_kinematic() || !(wind.is_some() || self.loads.are_given()) {
            return self.loads.clear();
        }
        self.make_room_for_loads();
        if let Self { contact: Some(contact), loads, body, .. } = self {
            loads.find(contact.skin(), body, wind);
        }
    }

    /// Takes memory for all forces that there can be, once: contact may come on top of them later.
    fn make_room_for_loads(&mut self) {
        self.skin();
        let Self { contact: Some(contact), loads, body, points, .. } = self else { return };
        if loads.take_room() {
            let nodes = body.state.x.len();
            let (skin, rigid) = (contact.skin(), body.model().is_rigid());
            let loaded = if rigid { skin.vertex_count() } else { nodes };
            let weights = if rigid { nodes * loaded } else { nodes };
            reserve(points, skin, loaded, weights);
        }
    }

    /// Gathers what acts on it in a substep.
    pub(super) fn push_loads(&mut self) {
        if let Self { contact: Some(contact), loads, body, points, .. } = self {
            loads.push(contact.skin(), body, points);
        }
    }

    /// Remembers under what load it fell asleep.
    pub(super) fn note_calm(&mut self, wind: Blowing<'_>) {
        self.find_loads(wind);
        self.loads.note_calm();
    }

    /// Whether it sleeps under another load than it fell asleep under, by what a sleeper wakes for. Asks only if something can have
    /// changed.
    pub(super) fn is_disturbed(
        &mut self,
        wind: Blowing<'_>,
        changed: bool,
        config: &WorldConfig,
    ) -> bool {
        if !(changed || self.loads.have_changed()) {
            return false;
        }
        self.find_loads(wind);
        let sleep = config.sleep.unwrap_or_default();
        self.loads.disturb(self.body.model().masses(), &sleep, config.dt)
    }

    /// Takes up the loads of a snapshot.
    pub(super) fn load_loads(&mut self, from: &mut Reader<'_>) -> Result<(), SnapshotError> {
        self.loads.load(from)?;
        if self.loads.are_given() {
            self.skin();
        }
        let nodes = self.body.state.x.len();
        match &self.contact {
            Some(contact) if !self.loads.fit(contact.skin(), nodes) => {
                Err(from.bad("loads on this skin"))
            }
            _ => Ok(()),
        }
    }
}

/// Makes room for so many forces of loads, with so many weights, besides contact of every vertex.
fn reserve(points: &mut PointForces, skin: &Skin, loaded: usize, weights: usize) {
    let vertices = skin.vertex_count();
    let touched: usize = (0..vertices).map(|vertex| skin.weights(vertex).len()).sum();
    points.clear();
    points.reserve(loaded + vertices, weights + touched);
}
