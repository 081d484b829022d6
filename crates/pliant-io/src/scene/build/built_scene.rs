//! A scene built into a world.

use glam::DVec3;
use pliant::body::MaterialPoint;
use pliant::geometry::Surface;
use pliant::world::{BodyHandle, World};

use super::attachment::PlacedAttachment;

/// A scene built into a world.
#[derive(Debug)]
pub struct BuiltScene {
    /// The world, with the bodies in the order of the scene.
    pub world: World,
    /// Handles of the bodies, in the same order.
    pub bodies: Vec<BodyHandle>,
    /// The surface that each body was made from, if any: its vertices are those of the skin, with the artist's
    /// normals, texture coordinates and colours.
    pub surfaces: Vec<Option<Surface>>,
    /// The points to track, in the order of the scene.
    pub probes: Vec<PlacedProbe>,
    /// The attachments, in the order of the scene.
    pub attachments: Vec<PlacedAttachment>,
}

/// A probe located in its body.
#[derive(Debug, Clone)]
pub struct PlacedProbe {
    /// Its name.
    pub name: String,
    /// Its body, as an index into the bodies of the scene.
    pub body: usize,
    /// The tracked point.
    pub point: MaterialPoint,
    /// Its rest position, in m.
    pub at: DVec3,
}

impl BuiltScene {
    /// Returns the current position of a probe, in m.
    pub fn probe_position(&self, probe: &PlacedProbe) -> DVec3 {
        let found = self.bodies.get(probe.body);
        let found = found.and_then(|handle| self.world.point_now(*handle, &probe.point));
        let place = found.and_then(|(piece, point)| {
            self.world.get(piece).map(|body| point.position(&body.state.x))
        });
        place.unwrap_or(probe.at)
    }
}
