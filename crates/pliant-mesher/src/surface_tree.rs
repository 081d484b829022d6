//! A bounding-volume tree over the triangles of a surface.

mod build;
mod nearest;
mod ray;
mod triangle;
mod winding;

use glam::DVec3;
use pliant::geometry::Surface;

use crate::surface_error::{SurfaceError, check_surface};

pub use nearest::Nearest;
pub use ray::Hit;

use winding::Moment;

/// A tree over the triangles of any surface: closed or open, in several pieces, or self-intersecting.
///
/// It finds the nearest triangle, the triangles that a ray hits, and the winding number of the surface around a point.
/// Degenerate triangles are allowed: queries treat them as lines and points, and they add nothing to the winding
/// number.
///
/// ```
/// use glam::DVec3;
/// use pliant::geometry::Surface;
/// use pliant_mesher::SurfaceTree;
///
/// let corners = vec![DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z];
/// let sides = vec![[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2]];
/// let tree = SurfaceTree::new(&Surface::new(corners, sides))?;
/// assert!((tree.winding(DVec3::splat(0.1)) - 1.0).abs() < 1e-12);
/// assert!(tree.winding(DVec3::splat(0.9)).abs() < 1e-12);
/// assert!((tree.nearest(DVec3::new(0.2, 0.2, -1.0)).distance - 1.0).abs() < 1e-15);
/// # Ok::<(), pliant_mesher::SurfaceError>(())
/// ```
#[derive(Debug, Clone)]
pub struct SurfaceTree {
    /// The root comes first; the left child of a branch follows it directly.
    nodes: Vec<Node>,
    /// The far-field moments of the triangles below each node.
    moments: Vec<Moment>,
    /// Corners of the triangles, in leaf order.
    corners: Vec<[DVec3; 3]>,
    /// The index in the surface of each triangle, in leaf order.
    triangles: Vec<u32>,
}

/// A box around some triangles.
#[derive(Debug, Clone, Copy)]
struct Node {
    low: DVec3,
    high: DVec3,
    content: Content,
}

/// The content of a node.
#[derive(Debug, Clone, Copy)]
enum Content {
    /// Triangles `start..end` in leaf order.
    Leaf {
        /// The first.
        start: u32,
        /// One past the last.
        end: u32,
    },
    /// Two child nodes: the left one is the next in the list, the right one is given.
    Branch {
        /// The right child.
        right: u32,
    },
}

/// The largest possible depth: 48 levels divided by the heuristic, then halvings of fewer than 2³² triangles.
const MOST_DEPTH: usize = 96;

impl SurfaceTree {
    /// Checks a surface and builds its tree.
    pub fn new(surface: &Surface) -> Result<Self, SurfaceError> {
        check_surface(surface)?;
        Ok(Self::of_corners(surface.corners().collect()))
    }

    /// Builds the tree of these triangles; at least one.
    pub(crate) fn of_corners(corners: Vec<[DVec3; 3]>) -> Self {
        build::tree(corners)
    }

    /// Smallest and largest coordinates of all triangles.
    pub fn bounds(&self) -> (DVec3, DVec3) {
        (self.nodes[0].low, self.nodes[0].high)
    }

    /// Number of triangles.
    pub fn triangle_count(&self) -> usize {
        self.triangles.len()
    }
}

/// A stack of nodes still to visit.
#[derive(Debug)]
struct Stack<T> {
    items: [T; MOST_DEPTH],
    count: usize,
}

impl<T: Copy> Stack<T> {
    fn new(first: T) -> Self {
        Self { items: [first; MOST_DEPTH], count: 1 }
    }

    fn push(&mut self, item: T) {
        self.items[self.count] = item;
        self.count += 1;
    }

    fn pop(&mut self) -> Option<T> {
        self.count = self.count.checked_sub(1)?;
        Some(self.items[self.count])
    }
}
