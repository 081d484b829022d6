//! Vertices split at creases, so that each has one normal.

use std::collections::BTreeMap;

use glam::{DVec3, Vec3};

use crate::picture::corner_normals;

/// The vertices of a surface as a viewer wants them.
#[derive(Debug)]
pub(super) struct Split {
    /// The vertex each one comes from.
    pub(super) sources: Vec<u32>,
    /// The triangles in terms of the new vertices.
    pub(super) triangles: Vec<[u32; 3]>,
}

impl Split {
    /// The vertices as they are.
    pub(super) fn none(vertex_count: usize, triangles: &[[u32; 3]]) -> Self {
        Self { sources: (0..vertex_count as u32).collect(), triangles: triangles.to_vec() }
    }

    /// One vertex for each normal that meets there in the first frame.
    pub(super) fn at_creases(points: &[DVec3], triangles: &[[u32; 3]]) -> Self {
        let origin = points.first().copied().unwrap_or_default();
        let local: Vec<Vec3> = points.iter().map(|point| (point - origin).as_vec3()).collect();
        let normals = corner_normals(&local, triangles);
        let mut seen = BTreeMap::new();
        let mut sources = Vec::new();
        let mut vertex = |source: u32, normal: Vec3| {
            *seen.entry((source, normal.to_array().map(f32::to_bits))).or_insert_with(|| {
                sources.push(source);
                sources.len() as u32 - 1
            })
        };
        let corners = triangles.iter().zip(&normals);
        let triangles = corners
            .map(|(triangle, normals)| [0, 1, 2].map(|k| vertex(triangle[k], normals[k])))
            .collect();
        Self { sources, triangles }
    }

    /// Positions of the new vertices.
    pub(super) fn positions<'a>(&'a self, frame: &'a [DVec3]) -> impl Iterator<Item = DVec3> + 'a {
        self.sources.iter().map(|source| frame[*source as usize])
    }

    /// Unit normals of the new vertices: means over their triangles, weighted by area.
    pub(super) fn normals(&self, frame: &[DVec3]) -> Vec<Vec3> {
        let mut sums = vec![DVec3::ZERO; self.sources.len()];
        for triangle in &self.triangles {
            let [a, b, c] = triangle.map(|vertex| frame[self.sources[vertex as usize] as usize]);
            let area = (b - a).cross(c - a);
            triangle.iter().for_each(|vertex| sums[*vertex as usize] += area);
        }
        // A vertex of flat triangles has none; up is as good as any and is a unit vector.
        sums.iter().map(|sum| sum.normalize_or(DVec3::Y).as_vec3()).collect()
    }
}
