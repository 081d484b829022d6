//! Attributes of splinter triangles: normals, texture coordinates, colours, parts.

use glam::{DMat3, DVec2, DVec3};
use pliant::geometry::{Surface, SurfaceGroup};

use super::shell::{Facet, Origin};

/// The attributes of splinter triangles.
#[derive(Debug)]
pub(super) struct TriangleAttributes<'a> {
    surface: &'a Surface,
    normals: Option<&'a [[DVec3; 3]]>,
    texcoords: Option<&'a [[DVec2; 3]]>,
    colours: Option<&'a [[f32; 3]]>,
    part_of: Option<&'a [u32]>,
    /// True if splinters have texture coordinates.
    is_mapped: bool,
    /// Texture coordinates per m.
    density: f64,
    /// The axes of the texture mapping of cut faces, as columns.
    axes: DMat3,
    /// All parts, with that of cut faces last.
    pub(super) parts: Vec<SurfaceGroup>,
}

impl<'a> TriangleAttributes<'a> {
    /// The attributes of a surface; `axes` are those of the mapping of cut faces.
    pub(super) fn new(surface: &'a Surface, inside: &SurfaceGroup, axes: DMat3) -> Self {
        let count = surface.triangles.len();
        let texcoords = surface.texcoords.as_deref().filter(|list| list.len() == count);
        let part_count = surface.parts.len();
        let fits = |list: &&[u32]| {
            list.len() == count && list.iter().all(|part| (*part as usize) < part_count)
        };
        let part_of = surface.part_of.as_deref().filter(fits);
        let mut parts = if part_of.is_some() { surface.parts.clone() } else { Vec::new() };
        if parts.is_empty() {
            parts.push(surface.parts.first().cloned().unwrap_or_default());
        }
        parts.push(inside.clone());
        Self {
            surface,
            normals: surface.normals.as_deref().filter(|list| list.len() == count),
            texcoords,
            colours: surface.colours.as_deref().filter(|list| list.len() == surface.vertices.len()),
            part_of,
            is_mapped: texcoords.is_some() || inside.texture.is_some(),
            density: texcoords.map_or(1.0, |texcoords| density(surface, texcoords)),
            axes,
            parts,
        }
    }

    /// The part of a triangle.
    pub(super) fn part(&self, facet: &Facet) -> u32 {
        match facet.origin {
            Origin::Given { triangle, .. } => {
                self.part_of.map_or(0, |part_of| part_of[triangle as usize])
            }
            Origin::Cut { .. } => self.parts.len() as u32 - 1,
        }
    }

    /// The normals of its corners, if the surface has normals.
    pub(super) fn normals(&self, facet: &Facet) -> Option<[DVec3; 3]> {
        let normals = self.normals?;
        Some(match facet.origin {
            Origin::Given { triangle, weights, .. } => {
                let [a, b, c] = normals[triangle as usize];
                weights.map(|[v, w]| ((1.0 - v - w) * a + v * b + w * c).normalize_or_zero())
            }
            Origin::Cut { normal } => [normal; 3],
        })
    }

    /// The texture coordinates of its corners at these positions.
    ///
    /// Original triangles have those of the surface. Cut faces are projected along the axis closest to their normal, at
    /// the same texture density.
    pub(super) fn texcoords(&self, facet: &Facet, at: [DVec3; 3]) -> Option<[DVec2; 3]> {
        if !self.is_mapped {
            return None;
        }
        let normal = (at[1] - at[0]).cross(at[2] - at[0]);
        Some(match (facet.origin, self.texcoords) {
            (Origin::Given { triangle, weights, .. }, Some(texcoords)) => {
                let [a, b, c] = texcoords[triangle as usize];
                weights.map(|[v, w]| (1.0 - v - w) * a + v * b + w * c)
            }
            (Origin::Cut { normal }, _) => at.map(|x| self.seen(normal, x)),
            (Origin::Given { .. }, None) => at.map(|x| self.seen(normal, x)),
        })
    }

    fn seen(&self, normal: DVec3, x: DVec3) -> DVec2 {
        let [n, x] = [normal, self.density * x].map(|vector| self.axes.transpose() * vector);
        let size = n.abs();
        // The last axis, such as a grain, points up in the texture wherever it is visible.
        if size.z >= size.x && size.z >= size.y {
            DVec2::new(x.x * n.z.signum(), x.y)
        } else if size.x >= size.y {
            DVec2::new(x.y * n.x.signum(), x.z)
        } else {
            DVec2::new(-x.x * n.y.signum(), x.z)
        }
    }

    /// The colours of its corners, if the surface has colours and the triangle is part of it.
    pub(super) fn colours(&self, facet: &Facet) -> Option<[[f32; 3]; 3]> {
        let Origin::Given { triangle, weights, .. } = facet.origin else { return None };
        let colours = self.colours?;
        let corners = self.surface.triangles[triangle as usize];
        let [a, b, c] = corners.map(|vertex| colours[vertex as usize]);
        Some(weights.map(|[v, w]| {
            let [v, w] = [v as f32, w as f32];
            [0, 1, 2].map(|k| (1.0 - v - w) * a[k] + v * b[k] + w * c[k])
        }))
    }

    /// True if vertices have colours.
    pub(super) fn has_colours(&self) -> bool {
        self.colours.is_some()
    }
}

/// Texture coordinates per m, averaged over the area.
fn density(surface: &Surface, texcoords: &[[DVec2; 3]]) -> f64 {
    let mapped: f64 = texcoords.iter().map(|[a, b, c]| (b - a).perp_dot(c - a).abs() / 2.0).sum();
    let density = (mapped / surface.area()).sqrt();
    if density.is_finite() && density > 0.0 { density } else { 1.0 }
}
