//! Contacts of points of a skin with an obstacle.

use crate::contact::detect::feature::Feature;
use crate::contact::law::half_space::HalfSpace;

/// A point of a skin in contact with an obstacle: a vertex, or a point of an edge or triangle that meets a corner or edge of the
/// obstacle.
#[derive(Debug, Clone, Copy)]
pub(super) struct PointContact {
    /// The obstacle, by its index in the world.
    pub(super) obstacle: u32,
    pub(super) point: Feature,
    /// The feature of the obstacle; `None` for a vertex, which touches the surface of the obstacle wherever that is.
    pub(super) part: Option<ObstaclePart>,
    pub(super) plane: HalfSpace,
    /// Distance to the plane, in m; negative inside.
    pub(super) gap: f64,
    /// Depth of the overlap that is ignored, in m.
    pub(super) ignored_depth: f64,
    /// The part of the stiffness of the skin there that is its own; the vertices around it have the rest.
    pub(super) share: f64,
}

/// A corner or edge of an obstacle, by its number in the shape.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum ObstaclePart {
    Corner(u32),
    Edge(u32),
}
