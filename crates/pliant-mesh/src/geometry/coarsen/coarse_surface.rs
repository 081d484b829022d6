//! The coarse form of a surface, and its limits.

use crate::geometry::Surface;

use super::collapse::Collapse;

/// How coarse a surface may become.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CoarseLimits {
    /// The largest distance of a vertex of the original surface from the coarse one, in m.
    pub within: f64,
    /// Edges do not grow beyond this length, in m, so that the coarse surface can bend with the body that it is on.
    pub longest_edge: f64,
}

/// A surface on some of the vertices of another one.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct CoarseSurface {
    /// The vertices that were kept, as indices in the original surface, ascending. Vertices of no triangle are kept.
    pub kept: Vec<u32>,
    /// Triangles, as indices in `kept`.
    pub triangles: Vec<[u32; 3]>,
    /// The largest distance of a vertex of the original surface from this one, in m.
    pub distance: f64,
}

impl Surface {
    /// The same surface with fewer triangles, on some of its vertices.
    ///
    /// Edges are collapsed to one of their ends, cheapest first, by the squared distances to the planes of the triangles (Garland & Heckbert
    /// 1997). A collapse is left out if a vertex of the original surface would be farther from the new surface than `within`
    /// (Klein, Liebich & Straßer 1996), if an edge would become too long, if a triangle would turn over or become a needle, or if the
    /// surface would change its topology. So a closed surface stays closed, and borders stay where they are.
    ///
    /// ```
    /// use pliant_mesh::geometry::{CoarseLimits, Shape};
    ///
    /// let ball = Shape::Sphere { radius: 1.0 }.surface(24)?;
    /// let coarse = ball.coarse(&CoarseLimits { within: 0.05, longest_edge: 1.0 });
    /// assert!(coarse.distance <= 0.05 && 4 * coarse.kept.len() < ball.vertices.len());
    /// # Ok::<(), pliant_mesh::geometry::ShapeError>(())
    /// ```
    ///
    /// # Panics
    /// If a triangle refers to a missing vertex.
    pub fn coarse(&self, limits: &CoarseLimits) -> CoarseSurface {
        let mut collapse = Collapse::new(self, *limits);
        collapse.run();
        collapse.finish()
    }
}
