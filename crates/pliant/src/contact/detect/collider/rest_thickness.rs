//! The thickness of a body below every vertex of its surface at rest.

use glam::DVec3;

use pliant_mesh::geometry::{Tree, ray_triangle};

use super::facets::Facets;

impl Facets {
    /// The thickness of the body at a vertex at rest, in m: the least of its triangles, which is the distance from the middle of a triangle straight
    /// through the body to its other side. For a surface without another side the spacing.
    pub(crate) fn thickness_at(&self, vertex: u32) -> f64 {
        self.thicknesses()[vertex as usize]
    }

    /// The least of these, in m.
    pub(crate) fn thickness(&self) -> f64 {
        self.thicknesses().iter().copied().fold(f64::INFINITY, f64::min)
    }

    /// Found at first use: only fast bodies need it.
    fn thicknesses(&self) -> &[f64] {
        self.thicknesses.get_or_init(|| {
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
        })
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

#[cfg(test)]
mod tests {
    use pliant_mesh::mesh::generate::{BoxConfig, box_mesh};

    use crate::body::Skin;

    use super::*;

    /// A plate is as thick as the way straight through it, whatever its other sides, to rounding; an open surface counts as thick as its spacing.
    #[test]
    fn thickness_is_the_way_through_the_body() {
        let plate = BoxConfig { size: [0.4, 0.006, 0.3], cells: [4, 1, 3], ..Default::default() };
        let mesh = box_mesh(&plate).expect("a plate");
        let skin = Skin::of_mesh(&mesh, 1);
        let mut rest = Vec::new();
        skin.interpolate(&mesh.nodes, &mut rest);
        let facets = Facets::new(rest, skin.triangles()).expect("a surface");
        let least = facets.thickness();
        assert!((least - 0.006).abs() < 1e-12, "{least} m, expected 6 mm");
        let corners = vec![DVec3::ZERO, DVec3::X, DVec3::Y];
        let open = Facets::new(corners, &[[0, 1, 2]]).expect("a surface");
        assert_eq!(open.thickness(), open.spacing());
    }
}
