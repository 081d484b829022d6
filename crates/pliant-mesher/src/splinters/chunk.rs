//! A part of a solid while it is cut.

use glam::DVec3;
use pliant_mesh::geometry::Aabb;

/// A closed surface: convex polygons of the original triangles, and flat caps where planes cut.
///
/// The boundaries of polygons and caps pass every edge once in each direction, before and after every cut. This holds
/// by the way edges are made, whatever rounding does to positions.
#[derive(Debug, Clone, Default)]
pub(super) struct Chunk {
    /// Positions, in m.
    pub(super) points: Vec<DVec3>,
    /// The remaining parts of the original surface.
    pub(super) polygons: Vec<Polygon>,
    /// The corners of all polygons, one polygon after the other.
    pub(super) corners: Vec<Corner>,
    /// The faces made by cuts.
    pub(super) caps: Vec<Cap>,
}

/// The range of a polygon's corners in [`Chunk::corners`], anticlockwise seen from outside.
#[derive(Debug, Clone, Copy)]
pub(super) struct Polygon {
    pub(super) start: u32,
    pub(super) end: u32,
    /// The triangle of the surface that it is part of.
    pub(super) triangle: u32,
}

/// A corner of a polygon.
#[derive(Debug, Clone, Copy)]
pub(super) struct Corner {
    pub(super) vertex: u32,
    /// The barycentric weights of the triangle's second and third corner.
    pub(super) weights: [f64; 2],
}

/// A flat region, by the edges around it in any order; the region is on the left of each.
#[derive(Debug, Clone)]
pub(super) struct Cap {
    /// The number of the plane that made it.
    pub(super) plane: u32,
    /// The outward normal.
    pub(super) normal: DVec3,
    pub(super) edges: Vec<[u32; 2]>,
}

impl Chunk {
    /// The surface of a box.
    pub(super) fn of_box(bounds: &Aabb) -> Self {
        const SIDES: [[u32; 4]; 6] =
            [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
        let corner = |k: u32| {
            let along = |axis: u32| f64::from(k >> axis & 1);
            bounds.low + DVec3::new(along(0), along(1), along(2)) * (bounds.high - bounds.low)
        };
        let mut chunk = Self { points: (0..8).map(corner).collect(), ..Self::default() };
        for side in SIDES {
            chunk.push(0, side.into_iter().map(|vertex| Corner { vertex, weights: [0.0; 2] }));
        }
        chunk
    }

    /// Adds a polygon.
    pub(super) fn push(&mut self, triangle: u32, corners: impl IntoIterator<Item = Corner>) {
        let start = self.corners.len() as u32;
        self.corners.extend(corners);
        let end = self.corners.len() as u32;
        self.polygons.push(Polygon { start, end, triangle });
    }

    /// The corners of a polygon.
    pub(super) fn corners_of(&self, polygon: &Polygon) -> &[Corner] {
        &self.corners[polygon.start as usize..polygon.end as usize]
    }

    /// The bounding box.
    pub(super) fn bounds(&self) -> Aabb {
        Aabb::of(self.points.iter().copied())
    }

    /// True if nothing is left.
    pub(super) fn is_empty(&self) -> bool {
        self.polygons.is_empty() && self.caps.is_empty()
    }
}
