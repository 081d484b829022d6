//! The held points of a grab.

use glam::DVec3;
use pliant::body::{Body, MaterialPoint};
use pliant::world::{BodyHandle, World};

/// Radius around the grabbed point, in sizes of the body: a force on a single point would stretch a cell into a needle
/// and invert it, and the body would not recover after the release.
const HOLD_RADIUS: f64 = 0.12;

/// The largest number of held points: each has its own spring.
const MAX_POINTS: usize = 12;

/// The held points of a body, each with its initial offset from the first one.
#[derive(Debug, Clone)]
pub(super) struct HeldPoints {
    points: Vec<(MaterialPoint, DVec3)>,
    /// Their cells in the unbroken body.
    cells: Vec<u32>,
}

impl HeldPoints {
    /// Holds a point of a body with this size, in m, and nodes around it. A rigid body is held at the point only, and
    /// can rotate about it.
    pub(super) fn new(body: &Body, point: MaterialPoint, size: f64) -> Self {
        let (mesh, x) = (body.model().mesh(), &body.state.x);
        let (rest, place) = (point.position(&mesh.nodes), point.position(x));
        let mut near: Vec<(f64, u32)> = (0u32..)
            .zip(&mesh.nodes)
            .map(|(node, at)| (at.distance(rest), node))
            .filter(|(distance, _)| *distance < HOLD_RADIUS * size && !body.model().is_rigid())
            .collect();
        near.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        // An even selection from near to far.
        let stride = near.len().div_ceil(MAX_POINTS - 1).max(1);
        let nodes: Vec<u32> = near.iter().step_by(stride).map(|(_, node)| *node).collect();
        let around = MaterialPoint::of_nodes(mesh, &nodes);
        let points: Vec<MaterialPoint> = std::iter::once(point).chain(around).collect();
        let whole = body.cells_of_whole();
        let of_whole = |cell: u32| whole.map_or(cell, |cells| cells[cell as usize]);
        let cells = points.iter().map(|point| of_whole(point.cell)).collect();
        let with_offset = |point: MaterialPoint| {
            let offset = point.position(x) - place;
            (point, offset)
        };
        Self { points: points.into_iter().map(with_offset).collect(), cells }
    }

    /// The held points after a break: the fragment that contains the first point, with all points on it. `None` if
    /// there is no such fragment.
    pub(super) fn after_break(
        &self,
        world: &World,
        body: BodyHandle,
    ) -> Option<(BodyHandle, Self)> {
        let mut held: Option<(BodyHandle, Self)> = None;
        for ((point, offset), cell) in self.points.iter().zip(&self.cells) {
            let of_whole = MaterialPoint { cell: *cell, ..point.clone() };
            let now = world.point_now(body, &of_whole);
            match (&mut held, now) {
                (None, None) => return None,
                (None, Some((piece, point))) => {
                    let held_points = Self { points: vec![(point, *offset)], cells: vec![*cell] };
                    held = Some((piece, held_points));
                }
                (Some((first, held_points)), Some((piece, point))) if *first == piece => {
                    held_points.points.push((point, *offset));
                    held_points.cells.push(*cell);
                }
                (Some(_), _) => {}
            }
        }
        held
    }

    /// Number of held points.
    pub(super) fn count(&self) -> usize {
        self.points.len()
    }

    /// The held points and their offsets from the first one.
    pub(super) fn points(&self) -> &[(MaterialPoint, DVec3)] {
        &self.points
    }

    /// Position of the first point for nodes at `x`.
    pub(super) fn position(&self, x: &[DVec3]) -> DVec3 {
        self.points[0].0.position(x)
    }

    /// Mean vector from the points to their targets, if the target of the first one is `target`.
    pub(super) fn gap(&self, target: DVec3, x: &[DVec3]) -> DVec3 {
        let gap = |(point, offset): &(MaterialPoint, DVec3)| target + *offset - point.position(x);
        self.points.iter().map(gap).sum::<DVec3>() / self.count() as f64
    }

    /// The mean of the points.
    pub(super) fn mean(&self, x: &[DVec3]) -> DVec3 {
        let points = self.points.iter().map(|(point, _)| point.position(x));
        points.sum::<DVec3>() / self.count() as f64
    }
}
