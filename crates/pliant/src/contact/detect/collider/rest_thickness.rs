//! The thickness of a body below every vertex of its surface at rest.

use glam::DVec3;

use pliant_kernels::math::made_once;
use pliant_mesh::geometry::{Tree, ray_triangle};

use super::facets::Facets;

impl Facets {
    /// The thickness of the body at a vertex at rest, in m: the least of its triangles, which is the distance from the middle of a triangle straight
    /// through the body to its other side. For a surface without another side the spacing.
    pub(crate) fn thickness_at(&self, vertex: u32) -> f64 {
        self.thicknesses()[vertex as usize]
    }

    /// The least of these, in m.
    pub fn thickness(&self) -> f64 {
        self.thicknesses().iter().copied().fold(f64::INFINITY, f64::min)
    }

    /// Found at first use: only fast bodies need it.
    fn thicknesses(&self) -> &[f64] {
        let make = || {
            let tree = Tree::new(&self.rest_boxes());
            let of_triangle: Vec<f64> = (0..self.triangles.len() as u32)
                .map(|triangle| self.depth_below(triangle, &tree))
                .collect();
            let of_vertex = |vertex: u32| {
                let around = self.around(vertex).iter().map(|t| of_triangle[*t as usize]);
                let least = around.fold(f64::INFINITY, f64::min);
                if least.is_finite() { least } else { self.spacing }
            };
            (0..self.rest.len() as u32).map(of_vertex).collect()
        };
        made_once(&self.thicknesses, make).as_slice()
    }

    /// The distance from the middle of a triangle to the other side of the body, in m; infinite if there is none.
    fn depth_below(&self, triangle: u32, tree: &Tree) -> f64 {
        let Some(normal) = self.rest_area(triangle).try_normalize() else { return f64::INFINITY };
        let corners = |triangle: u32| {
            self.triangles[triangle as usize].map(|corner| self.rest[corner as usize])
        };
        let middle = corners(triangle).iter().sum::<DVec3>() / 3.0;
        let mut depth = f64::INFINITY;
        tree.along_ray(middle, -normal, f64::INFINITY, |other, reach| {
            let leaves = other != triangle && self.rest_area(other).dot(normal) < 0.0;
            let hit = ray_triangle(middle, -normal, corners(other)).filter(|_| leaves);
            depth = hit.map_or(depth, |(distance, _)| depth.min(distance));
            reach.min(depth)
        });
        depth
    }
}
