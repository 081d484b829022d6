//! A scene built into a world.

use std::sync::Arc;

use glam::DVec3;
use pliant::body::{Body, MaterialPoint};
use pliant::world::{BodyHandle, World};

use super::attachment::PlacedAttachment;
use super::body_mesh::BodyMesh;

/// A scene built into a world.
#[derive(Debug)]
pub struct BuiltScene {
    /// The world, with the bodies in the order of the scene.
    pub world: World,
    /// Handles of the bodies, in the same order.
    pub bodies: Vec<BodyHandle>,
    /// The mesh of each body, with the surface it was made from; copies share one.
    pub meshes: Vec<Arc<BodyMesh>>,
    /// The points to track, in the order of the scene.
    pub probes: Vec<PlacedProbe>,
    /// The attachments, in the order of the scene.
    pub attachments: Vec<PlacedAttachment>,
}

/// A body of a scene in its initial state, and its mesh.
#[derive(Debug, Clone)]
pub struct BuiltBody {
    /// The body.
    pub body: Body,
    /// Its mesh, with the surface it was made from.
    pub mesh: Arc<BodyMesh>,
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
