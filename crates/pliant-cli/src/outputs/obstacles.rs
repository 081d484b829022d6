//! The obstacles of a scene as surfaces.

use glam::DVec3;
use pliant::contact::Obstacle;
use pliant::geometry::Shape;
use pliant_io::picture::Colour;
use pliant_io::scene::{BuiltScene, Scene};
use pliant_io::surface::solid_surface;

/// Half size of the drawn part of a plane, in sizes of the bodies.
const PLANE_EXTENT: f64 = 2.0;

/// A drawn obstacle.
pub(super) struct ObstacleSurface {
    obstacle: Obstacle,
    /// Its vertices, in the local frame of the obstacle.
    local: Vec<DVec3>,
    pub(super) triangles: Vec<[u32; 3]>,
    pub(super) colour: Colour,
}

impl ObstacleSurface {
    /// All obstacles of a scene.
    pub(super) fn all(scene: &Scene, built: &BuiltScene) -> Vec<Self> {
        let (centre, size) = bounds(built);
        let surface = |(plan, obstacle): (&pliant_io::scene::ObstaclePlan, &Obstacle)| {
            let obstacle = obstacle.clone();
            let near = obstacle.pose.local_point(centre);
            let surface = solid_surface(&obstacle.shape, near, PLANE_EXTENT * size);
            let colour = Colour::from_srgb(plan.colour);
            Self { obstacle, local: surface.vertices, triangles: surface.triangles, colour }
        };
        scene.obstacles.iter().zip(built.world.obstacles()).map(surface).collect()
    }

    /// Its vertices at time `t`.
    pub(super) fn vertices(&self, t: f64) -> Vec<DVec3> {
        let pose = self.obstacle.pose_at(t);
        self.local.iter().map(|point| pose.point(*point)).collect()
    }

    /// True if the obstacle is bounded, so that a picture can show all of it.
    pub(super) fn is_bounded(&self) -> bool {
        !matches!(self.obstacle.shape, Shape::Plane { .. })
    }

    /// True if the obstacle moves.
    pub(super) fn moves(&self) -> bool {
        !self.obstacle.motion.ramps.is_empty()
    }

    /// The height of the obstacle if it is a horizontal plane at rest, which pictures draw as their floor.
    pub(super) fn ground(&self) -> Option<f64> {
        let level = matches!(self.obstacle.shape, Shape::Plane { normal } if normal == DVec3::Y);
        (level && !self.moves()).then_some(self.obstacle.pose.translation.y)
    }
}

/// Centre and half diagonal of the bounding box of all bodies.
fn bounds(built: &BuiltScene) -> (DVec3, f64) {
    let boxes = built.world.bodies().map(|(_, body)| body.model().mesh().bounds());
    let empty = (DVec3::INFINITY, DVec3::NEG_INFINITY);
    let (low, high) = boxes.fold(empty, |(low, high), (a, b)| (low.min(a), high.max(b)));
    (0.5 * (low + high), 0.5 * (high - low).length())
}
