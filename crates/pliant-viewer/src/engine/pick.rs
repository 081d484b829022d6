//! Picking of points on bodies.

use glam::DVec3;
use pliant::body::MaterialPoint;
use pliant_mesh::geometry::ray_triangle;

use super::order::Refusal;
use super::stage::Stage;
use super::stage_bodies::StageBody;
use crate::protocol::command::Point;
use crate::protocol::message::Hit;

/// A picked point of a body.
#[derive(Debug, Clone)]
pub(crate) struct Picked {
    pub(crate) hit: Hit,
    /// Rest position, in m.
    pub(crate) rest: DVec3,
    /// Rest position before any commit, which scene files use, in m.
    pub(crate) anchor: DVec3,
}

/// The current surfaces of all bodies, computed once for many picks.
#[derive(Debug)]
pub(crate) struct Picker<'a> {
    stage: &'a Stage,
    surfaces: Vec<Vec<DVec3>>,
}

impl<'a> Picker<'a> {
    pub(crate) fn new(stage: &'a Stage) -> Self {
        let surface = |shown: &StageBody| {
            let mut points = Vec::new();
            if let Some(body) = stage.world.get(shown.handle).filter(|_| !shown.gone) {
                shown.drawn.skin.interpolate(&body.state.x, &mut points);
            }
            points
        };
        Self { stage, surfaces: stage.shown.iter().map(surface).collect() }
    }

    /// Picks a point; `None` if a ray hits nothing.
    pub(crate) fn pick(&self, point: &Point) -> Result<Option<Picked>, Refusal> {
        match point {
            Point::Ray { origin, direction } => {
                let (origin, direction) = (DVec3::from(*origin), DVec3::from(*direction));
                let along = direction.try_normalize().filter(|_| origin.is_finite());
                let along = along.ok_or_else(|| {
                    Refusal::new(
                        "out-of-range",
                        "a ray needs a finite origin and a finite direction that is not zero",
                    )
                })?;
                Ok(self.first_hit(origin, along))
            }
            Point::At { body, triangle, weights, model } => {
                let place = self.place(*body, *model)?;
                self.at(place, *triangle, *weights).map(Some)
            }
        }
    }

    /// The first hit of a ray, unless an obstacle hides it.
    fn first_hit(&self, origin: DVec3, along: DVec3) -> Option<Picked> {
        let mut found: Option<(f64, usize, usize, [f64; 3])> = None;
        for (body, points) in self.surfaces.iter().enumerate() {
            let drawn = &self.stage.shown[body].drawn;
            if points.is_empty() || !hits_bounding_sphere(points, origin, along) {
                continue;
            }
            for (drawn_triangle, triangle) in drawn.order.iter().enumerate() {
                let corners =
                    drawn.skin.triangles()[*triangle as usize].map(|p| points[p as usize]);
                if let Some((distance, weights)) = ray_triangle(origin, along, corners)
                    && found.is_none_or(|(nearest, ..)| distance < nearest)
                {
                    found = Some((distance, body, drawn_triangle, weights));
                }
            }
        }
        let (distance, body, drawn_triangle, weights) = found?;
        (!self.is_hidden(origin, along, distance))
            .then(|| self.picked(body, drawn_triangle, weights))
    }

    /// True if an obstacle lies on the ray within `distance`.
    fn is_hidden(&self, origin: DVec3, along: DVec3, distance: f64) -> bool {
        let time = self.stage.world.time();
        self.stage.world.obstacles().iter().any(|obstacle| {
            let pose = obstacle.pose_at(time);
            let local = pose.rotation.inverse() * along;
            obstacle.shape.ray(pose.local_point(origin), local, distance).is_some()
        })
    }

    /// The current place of a body that a page has seen at `place`, found by its model: places change when bodies are
    /// removed.
    fn place(&self, place: usize, model: Option<u32>) -> Result<usize, Refusal> {
        let shown = &self.stage.shown;
        let Some(model) =
            model.filter(|model| shown.get(place).is_none_or(|s| s.drawn.id != *model))
        else {
            return Ok(place);
        };
        shown.iter().position(|shown| shown.drawn.id == model).ok_or_else(|| {
            Refusal::new(
                "broken",
                "the body has broken or was rebuilt since then; point at it again",
            )
        })
    }

    fn at(&self, body: usize, drawn_triangle: usize, weights: [f64; 3]) -> Result<Picked, Refusal> {
        let count = self.stage.shown.len();
        let shown = self.stage.shown.get(body).filter(|shown| !shown.gone);
        let drawn = shown.map(|shown| &shown.drawn).ok_or_else(|| {
            Refusal::new("unknown-body", format!("there is no body {body}, the scene has {count}"))
        })?;
        let count = drawn.order.len();
        if drawn_triangle >= count {
            let message = format!("there is no triangle {drawn_triangle}, the body has {count}");
            return Err(Refusal::new("out-of-range", message));
        }
        let sum: f64 = weights.iter().sum();
        let inside = weights.iter().all(|weight| (-1e-6..=1.000_001).contains(weight));
        if !inside || (sum - 1.0).abs() > 1e-3 {
            let message = "expected three weights from 0 to 1 with sum 1";
            return Err(Refusal::new("out-of-range", message));
        }
        Ok(self.picked(body, drawn_triangle, weights.map(|weight| weight / sum)))
    }

    fn picked(&self, body: usize, drawn_triangle: usize, weights: [f64; 3]) -> Picked {
        let drawn = &self.stage.shown[body].drawn;
        let corners = drawn.skin.triangles()[drawn.order[drawn_triangle] as usize];
        let [a, b, c] = corners.map(|point| self.surfaces[body][point as usize]);
        let position = weights[0] * a + weights[1] * b + weights[2] * c;
        let normal = (b - a).cross(c - a).normalize_or(DVec3::Y);
        let held = self.stage.shown_at(body);
        let place = |nodes: &[DVec3], point: u32| -> DVec3 {
            let weights = drawn.skin.weights(point as usize);
            weights.map(|(node, weight)| weight * nodes[node as usize]).sum()
        };
        let at = |nodes: &[DVec3]| {
            let shares = corners.iter().zip(weights);
            shares.map(|(point, share)| share * place(nodes, *point)).sum::<DVec3>()
        };
        let rest = held.map_or(DVec3::ZERO, |body| at(&body.model().mesh().nodes));
        let anchor = held.map_or(DVec3::ZERO, |body| at(body.anchors()));
        let (position, normal) = (position.to_array(), normal.to_array());
        let hit = Hit { body, triangle: drawn_triangle, weights, position, normal };
        Picked { hit, rest, anchor }
    }
}

/// True if a ray hits the bounding sphere of the points.
fn hits_bounding_sphere(points: &[DVec3], origin: DVec3, along: DVec3) -> bool {
    let start = (DVec3::INFINITY, DVec3::NEG_INFINITY);
    let (low, high) = points.iter().fold(start, |(low, high), x| (low.min(*x), high.max(*x)));
    let (centre, radius) = (0.5 * (low + high), 0.5 * (high - low).length());
    let to = centre - origin;
    let nearest = along.dot(to).max(0.0);
    (to - nearest * along).length() <= radius * (1.0 + 1e-9)
}

/// The picked material point, or the nearest one inside a cell: on a concave curved surface the middle of a triangle
/// lies outside of the curved cells.
pub(crate) fn material_point(stage: &Stage, picked: &Picked) -> Option<MaterialPoint> {
    let place = picked.hit.body;
    let (model, drawn) = (stage.shown_at(place)?.model(), &stage.shown.get(place)?.drawn);
    let rest = &model.mesh().nodes;
    let corners = drawn.skin.triangles()[drawn.order[picked.hit.triangle] as usize];
    let corner = |point: u32| -> DVec3 {
        let weights = drawn.skin.weights(point as usize);
        weights.map(|(node, weight)| weight * rest[node as usize]).sum()
    };
    let (low, high) = model.mesh().bounds();
    let inwards = |k: i32| picked.rest.lerp(0.5 * (low + high), 1e-9 * 10f64.powi(k));
    let places = [picked.rest].into_iter().chain(corners.map(corner)).chain((1..9).map(inwards));
    places.into_iter().find_map(|place| model.locate(place))
}
