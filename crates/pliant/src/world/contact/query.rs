//! Queries: the first hit of a ray, and the nearest point.

use glam::DVec3;

use crate::body::{Body, MaterialPoint};
use crate::contact::{Collider, Obstacle, SkinPoint, first_along_ray, nearest_of};
use crate::world::slot::handle::{BodyHandle, ObstacleHandle};
use crate::world::world::World;

/// The target of a query.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Target {
    /// A body, through its skin.
    Body(BodyHandle),
    /// An obstacle.
    Obstacle(ObstacleHandle),
}

/// The answer to a query.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Hit {
    /// The body or obstacle.
    pub target: Target,
    /// The point, in m.
    pub point: DVec3,
    /// Unit normal, out of the target.
    pub normal: DVec3,
    /// The distance from the origin of the query, in m; negative for a nearest point from inside.
    pub distance: f64,
    /// The point of the skin; `None` for an obstacle.
    pub skin: Option<SkinPlace>,
}

/// A point of the skin of a body, which moves with it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SkinPlace {
    /// Its triangle, as numbered in the skin that touches ([`World::skin`]).
    pub triangle: u32,
    /// The vertices of the triangle.
    pub vertices: [u32; 3],
    /// Barycentric coordinates.
    pub weights: [f64; 3],
}

impl World {
    /// The first hit of a ray within `reach`, in m, from either side: on bodies and obstacles at their present positions, awake
    /// or asleep, whatever their contact settings. Of two hits at the same distance, bodies come before obstacles, and bodies with a lower
    /// index first.
    ///
    /// The next steps do not depend on it. The first query after a step takes longer: it builds a search tree for every body that moved.
    ///
    /// ```
    /// # use std::sync::Arc;
    /// # use glam::DVec3;
    /// # use pliant::body::{Body, Model, Motion, Pull};
    /// # use pliant::material::Material;
    /// # use pliant::mesh::generate::{BoxConfig, box_mesh};
    /// use pliant::world::Target;
    /// use pliant::{World, WorldConfig};
    ///
    /// # let model = Arc::new(Model::uniform(box_mesh(&BoxConfig::default())?, Material::default())?);
    /// let mut world = World::new(WorldConfig::default())?;
    /// let cube = world.add(Body::new("cube", model, vec![])?);
    /// let eye = DVec3::new(0.3, 0.6, 5.0);
    /// let hit = world.ray(eye, DVec3::NEG_Z, 100.0).expect("the cube is in the way");
    /// assert_eq!((hit.target, hit.distance), (Target::Body(cube), 4.0));
    ///
    /// // A viewer pulls at the point that was hit.
    /// let body = world.get_mut(cube).expect("it is there");
    /// let point = hit.material_point(body).ok_or("not of this body")?;
    /// body.add_pull(Pull { point, motion: Motion::default(), stiffness: 1e3, damping: 10.0 })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn ray(&self, origin: DVec3, direction: DVec3, reach: f64) -> Option<Hit> {
        self.ray_among(origin, direction, reach, |_| true)
    }

    /// The same among the targets for which `allowed` is true.
    pub fn ray_among(
        &self,
        origin: DVec3,
        direction: DVec3,
        reach: f64,
        allowed: impl Fn(Target) -> bool,
    ) -> Option<Hit> {
        let direction = direction.try_normalize().filter(|_| origin.is_finite())?;
        let seen = self.seen(&allowed);
        let colliders = seen.iter().map(|(_, collider)| *collider);
        let first = first_along_ray(colliders, origin, direction, reach);
        let body = first.map(|(number, place)| Hit::of_skin(seen[number].0, &place));
        let obstacles = self.obstacle_handles().iter().zip(self.obstacles());
        let obstacles = obstacles.filter(|(handle, _)| allowed(Target::Obstacle(**handle)));
        obstacles.fold(body, |found, (handle, obstacle)| {
            let left = found.map_or(reach, |hit| hit.distance);
            let hit = obstacle_ray(obstacle, self.time, origin, direction, left);
            let nearer = hit.filter(|(distance, _)| found.is_none() || *distance < left);
            let hit = nearer.map(|(distance, normal)| {
                let (target, point) = (Target::Obstacle(*handle), origin + distance * direction);
                Hit { target, point, normal, distance, skin: None }
            });
            hit.or(found)
        })
    }

    /// The nearest point of a body or an obstacle within `reach` of a point, in m; of the targets that contain the point, the one with
    /// the greatest depth. Otherwise like [`World::ray`].
    pub fn nearest(&self, point: DVec3, reach: f64) -> Option<Hit> {
        self.nearest_among(point, reach, |_| true)
    }

    /// The same among the targets for which `allowed` is true.
    pub fn nearest_among(
        &self,
        point: DVec3,
        reach: f64,
        allowed: impl Fn(Target) -> bool,
    ) -> Option<Hit> {
        let seen = self.seen(&allowed);
        let colliders = seen.iter().map(|(_, collider)| *collider);
        let nearest = nearest_of(colliders, point, reach);
        let body = nearest.map(|(number, place)| Hit::of_skin(seen[number].0, &place));
        let obstacles = self.obstacle_handles().iter().zip(self.obstacles());
        let obstacles = obstacles.filter(|(handle, _)| allowed(Target::Obstacle(**handle)));
        obstacles.fold(body, |found, (handle, obstacle)| {
            let pose = obstacle.pose_at(self.time);
            let touch = obstacle.shape.distance(pose.local_point(point));
            let (normal, distance) = (pose.direction(touch.normal), touch.distance);
            let within = distance.abs() <= reach && point.is_finite();
            let nearer = within && found.is_none_or(|hit| distance < hit.distance);
            let (target, place) = (Target::Obstacle(*handle), point - distance * normal);
            let hit = Hit { target, point: place, normal, distance, skin: None };
            nearer.then_some(hit).or(found)
        })
    }

    /// The surfaces of the bodies for which `allowed` is true.
    fn seen(&self, allowed: &impl Fn(Target) -> bool) -> Vec<(BodyHandle, &Collider)> {
        let (h, thickness) = (self.config.dt, self.thickness().at_first);
        let seen = self.slots.indexed().filter_map(|(index, slot)| {
            let handle = self.slots.handle(index);
            let slot = allowed(Target::Body(handle)).then_some(slot)?;
            Some((handle, slot.seen(h, thickness)?))
        });
        seen.collect()
    }
}

/// Distance and normal of the first hit of a ray, of unit direction, on an obstacle.
fn obstacle_ray(
    obstacle: &Obstacle,
    time: f64,
    origin: DVec3,
    direction: DVec3,
    reach: f64,
) -> Option<(f64, DVec3)> {
    let pose = obstacle.pose_at(time);
    let local = pose.rotation.inverse() * direction;
    let (distance, normal) = obstacle.shape.ray(pose.local_point(origin), local, reach)?;
    Some((distance, pose.direction(normal)))
}

impl Hit {
    fn of_skin(handle: BodyHandle, place: &SkinPoint) -> Self {
        let SkinPoint { triangle, feature, point, normal, distance } = *place;
        let mut skin = SkinPlace { triangle, vertices: [0; 3], weights: [0.0; 3] };
        for (k, (vertex, weight)) in feature.vertices().iter().zip(feature.weights()).enumerate() {
            (skin.vertices[k], skin.weights[k]) = (*vertex, *weight);
        }
        Self { target: Target::Body(handle), point, normal, distance, skin: Some(skin) }
    }

    /// The material point at the hit, for a pull or an attachment; `None` for an obstacle, or if `body` is not the one that was
    /// hit.
    ///
    /// It is the nearest point of the cells there: the skin that touches may lie a little outside of them.
    pub fn material_point(&self, body: &Body) -> Option<MaterialPoint> {
        let SkinPlace { vertices, weights, .. } = self.skin?;
        body.model().point_of_skin(vertices, weights)
    }
}
