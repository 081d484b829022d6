//! The memory of contacts of corners and edges of obstacles.

use glam::DVec3;

use crate::contact::detect::feature::Feature;
use crate::contact::obstacle::friction_anchors::FrictionAnchor;
use crate::contact::obstacle::point_contact::ObstaclePart;
use crate::persist::{Persist, Reader, SnapshotError, Writer};

/// Least cosine of the angle by which the normal of a contact may turn in a substep.
const KEPT_COSINE: f64 = 0.7;

/// What is remembered of the contact of a corner or edge of an obstacle.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(in crate::contact::obstacle) struct FeatureAnchor {
    pub(in crate::contact::obstacle) part: ObstaclePart,
    /// The edge of the skin; `None` if a corner of the obstacle touches, whose contact passes from triangle to triangle.
    pub(in crate::contact::obstacle) edge: Option<[u32; 2]>,
    /// Unit normal, in the frame of the obstacle.
    pub(in crate::contact::obstacle) normal: DVec3,
    /// The point of the skin that touched. The contact may be at another point of it in the next substep; friction holds this one.
    pub(in crate::contact::obstacle) point: Feature,
    pub(in crate::contact::obstacle) anchor: FrictionAnchor,
}

/// The friction memory of all such contacts of a body.
#[derive(Debug, Clone, Default)]
pub(in crate::contact::obstacle) struct FeatureAnchors {
    last: Vec<FeatureAnchor>,
    /// Those of the substep that is being gathered.
    next: Vec<FeatureAnchor>,
}

/// The edge by which a contact with a part of an obstacle is remembered.
pub(in crate::contact::obstacle) fn remembered_edge(
    part: ObstaclePart,
    point: &Feature,
) -> Option<[u32; 2]> {
    match (part, point.vertices()) {
        (ObstaclePart::Edge(_), [a, b]) => Some([*a, *b]),
        _ => None,
    }
}

impl FeatureAnchors {
    /// With memory for this number of anchors.
    pub(in crate::contact::obstacle) fn with_room(count: usize) -> Self {
        Self { last: Vec::with_capacity(count), next: Vec::with_capacity(count) }
    }

    /// True if all points are on a skin with this number of vertices.
    pub(in crate::contact::obstacle) fn are_on(&self, vertex_count: usize) -> bool {
        let mut vertices = self.last.iter().flat_map(|memory| memory.point.vertices());
        vertices.all(|vertex| (*vertex as usize) < vertex_count)
    }

    /// All anchors of the last substep.
    pub(in crate::contact::obstacle) fn iter(&self) -> impl Iterator<Item = &FrictionAnchor> {
        self.last.iter().map(|memory| &memory.anchor)
    }

    pub(in crate::contact::obstacle) fn clear(&mut self) {
        self.last.clear();
    }

    /// The anchor of this contact nearest to a point of the obstacle, if it is within `reach` and its normal has not turned by much.
    pub(in crate::contact::obstacle) fn find(
        &self,
        (obstacle, part, edge): (u32, ObstaclePart, Option<[u32; 2]>),
        (place, normal): (DVec3, DVec3),
        reach: f64,
    ) -> Option<&FeatureAnchor> {
        let distance = |memory: &FeatureAnchor| memory.anchor.point.distance(place);
        let same = |memory: &&FeatureAnchor| {
            memory.anchor.obstacle == obstacle
                && (memory.part, memory.edge) == (part, edge)
                && memory.normal.dot(normal) > KEPT_COSINE
                && distance(memory) <= reach
        };
        let nearest = self.last.iter().filter(same);
        nearest.min_by(|a, b| distance(a).total_cmp(&distance(b)))
    }

    /// Forgets an obstacle that is removed; later ones move up.
    pub(in crate::contact::obstacle) fn forget_obstacle(&mut self, obstacle: u32) {
        self.last.retain(|memory| memory.anchor.obstacle != obstacle);
        self.last.iter_mut().for_each(|memory| memory.anchor.move_up(obstacle));
    }

    /// Remembers a contact for the next substep.
    pub(in crate::contact::obstacle) fn set(&mut self, memory: FeatureAnchor) {
        self.next.push(memory);
    }

    /// Ends a substep: forgets contacts that were not set in it.
    pub(in crate::contact::obstacle) fn end_substep(&mut self) {
        std::mem::swap(&mut self.last, &mut self.next);
        self.next.clear();
    }
}

/// Between substeps `next` is empty.
impl Persist for FeatureAnchors {
    fn save(&self, to: &mut Writer) {
        to.u32(self.last.len() as u32);
        self.last.iter().for_each(|memory| memory.save(to));
    }

    fn load(&mut self, from: &mut Reader<'_>) -> Result<(), SnapshotError> {
        /// The least bytes of an anchor.
        const LEAST: usize = 106;
        self.last.clear();
        for _ in 0..from.count(LEAST)? {
            self.last.push(FeatureAnchor::load(from)?);
        }
        Ok(())
    }
}

impl FeatureAnchor {
    fn save(&self, to: &mut Writer) {
        let Self { part, edge: _, normal, point, anchor } = self;
        let (is_edge, number) = match *part {
            ObstaclePart::Corner(number) => (false, number),
            ObstaclePart::Edge(number) => (true, number),
        };
        to.flag(is_edge);
        to.u32(number);
        to.vector(*normal);
        let is_triangle = point.vertices().len() == 3;
        to.flag(is_triangle);
        point.vertices().iter().for_each(|vertex| to.u32(*vertex));
        to.f64s(if is_triangle { point.weights() } else { &point.weights()[1..] });
        anchor.save(to);
    }

    fn load(from: &mut Reader<'_>) -> Result<Self, SnapshotError> {
        let (is_edge, number) = (from.flag()?, from.u32()?);
        let part = if is_edge { ObstaclePart::Edge(number) } else { ObstaclePart::Corner(number) };
        let normal = from.vector()?;
        let point = if from.flag()? {
            let vertices = [from.u32()?, from.u32()?, from.u32()?];
            Feature::triangle(vertices, [from.f64()?, from.f64()?, from.f64()?])
        } else {
            let ends = [from.u32()?, from.u32()?];
            Feature::edge(ends, from.f64()?)
        };
        let (edge, anchor) = (remembered_edge(part, &point), FrictionAnchor::load(from)?);
        Ok(Self { part, edge, normal, point, anchor })
    }
}
