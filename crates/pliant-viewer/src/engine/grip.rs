//! What a hand has hold of.

use glam::DVec3;
use pliant::body::{Body, MaterialPoint};
use pliant::world::{Handle, World};

/// How far a hand reaches around the point that it takes hold of, in sizes of the body: a force on a single point would draw
/// a cell out into a needle and turn it inside out, which no body survives when it is let go.
const REACH: f64 = 0.12;

/// Most points that a hand holds: each is a spring of its own.
const MOST: usize = 12;

/// Points of a body that a hand holds, each where it is from the first at the beginning.
#[derive(Debug, Clone)]
pub(super) struct Grip {
    points: Vec<(MaterialPoint, DVec3)>,
    /// Their cells in the body as it is whole.
    cells: Vec<u32>,
}

impl Grip {
    /// Takes hold of a point of a body of this size, in m, and of nodes around it. A rigid body is held at the point alone, and can
    /// turn about it.
    pub(super) fn new(body: &Body, point: MaterialPoint, size: f64) -> Self {
        let (mesh, x) = (body.model().mesh(), &body.state.x);
        let (rest, place) = (point.position(&mesh.nodes), point.position(x));
        let mut near: Vec<(f64, u32)> = (0u32..)
            .zip(&mesh.nodes)
            .map(|(node, at)| (at.distance(rest), node))
            .filter(|(distance, _)| *distance < REACH * size && !body.model().is_rigid())
            .collect();
        near.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        // From near to far, evenly.
        let stride = near.len().div_ceil(MOST - 1).max(1);
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

    /// What it holds after a body has come apart: the piece that has the first of its points, and those that are on it too. None if
    /// there is none.
    pub(super) fn after_break(&self, world: &World, body: Handle) -> Option<(Handle, Self)> {
        let mut held: Option<(Handle, Self)> = None;
        for ((point, offset), cell) in self.points.iter().zip(&self.cells) {
            let of_whole = MaterialPoint { cell: *cell, ..point.clone() };
            let now = world.point_now(body, &of_whole);
            match (&mut held, now) {
                (None, None) => return None,
                (None, Some((piece, point))) => {
                    let grip = Self { points: vec![(point, *offset)], cells: vec![*cell] };
                    held = Some((piece, grip));
                }
                (Some((first, grip)), Some((piece, point))) if *first == piece => {
                    grip.points.push((point, *offset));
                    grip.cells.push(*cell);
                }
                (Some(_), _) => {}
            }
        }
        held
    }

    /// How many points are held.
    pub(super) fn count(&self) -> usize {
        self.points.len()
    }

    /// They, and where each is from the first.
    pub(super) fn points(&self) -> &[(MaterialPoint, DVec3)] {
        &self.points
    }

    /// Where the first is, with nodes there.
    pub(super) fn position(&self, x: &[DVec3]) -> DVec3 {
        self.points[0].0.position(x)
    }

    /// The mean of how far each is from where it belongs if the first belongs at `target`.
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
