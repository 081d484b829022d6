//! A bounding-volume tree over the triangles of a surface.

mod nearest;
mod ray;
mod winding;

use glam::DVec3;
use pliant::geometry::Surface;
use pliant_kernels::math::Rows;
use pliant_mesh::geometry::{Aabb, Tree};

use crate::surface_error::{SurfaceError, check_surface};

pub use nearest::Nearest;
pub use ray::Hit;

use winding::{Moment, moments};

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
    /// The tree, whose items are the leaves below.
    tree: Tree,
    /// Neighbouring triangles.
    leaves: Rows<Triangle>,
    /// The far-field moments of the triangles below each node of the tree.
    moments: Vec<Moment>,
}

/// A triangle of the surface.
#[derive(Debug, Clone, Copy, Default)]
struct Triangle {
    corners: [DVec3; 3],
    /// Its index in the surface.
    index: u32,
}

/// The largest number of triangles in a leaf.
const LEAF_SIZE: usize = 4;

impl SurfaceTree {
    /// Checks a surface and builds its tree.
    pub fn new(surface: &Surface) -> Result<Self, SurfaceError> {
        check_surface(surface)?;
        Ok(Self::of_corners(surface.corners().collect()))
    }

    /// Builds the tree of these triangles; at least one.
    pub(crate) fn of_corners(corners: Vec<[DVec3; 3]>) -> Self {
        let boxes: Vec<Aabb> = corners.iter().map(|corners| Aabb::of(*corners)).collect();
        let middles: Vec<DVec3> = corners.iter().map(|[a, b, c]| (a + b + c) / 3.0).collect();
        let (tree, clusters) = Tree::of_clusters(&boxes, &middles, LEAF_SIZE);
        let triangle = |index: &u32| Triangle { corners: corners[*index as usize], index: *index };
        let leaves: Rows<Triangle> = clusters.iter().map(|own| own.iter().map(triangle)).collect();
        let moments = moments(&tree, &leaves);
        Self { tree, leaves, moments }
    }

    /// Smallest and largest coordinates of all triangles.
    pub fn bounds(&self) -> (DVec3, DVec3) {
        let Aabb { low, high } = self.tree.bounds();
        (low, high)
    }

    /// Number of triangles.
    pub fn triangle_count(&self) -> usize {
        self.leaves.items().len()
    }
}
