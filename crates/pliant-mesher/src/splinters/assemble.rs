//! Combines the shells of splinters into one surface.

use glam::DVec3;
use pliant::geometry::Surface;

use super::attributes::TriangleAttributes;
use super::shell::{Facet, Shell};
use super::{Piece, Splinters};

/// Appends all shells to one surface and moves it back to the position of the solid.
pub(super) fn assembled(
    shells: &[Shell],
    attributes: &TriangleAttributes<'_>,
    middle: DVec3,
) -> Splinters {
    let mut splinters =
        Splinters { surface: Surface::default(), pieces: Vec::new(), inside: Vec::new() };
    let mut part_of = Vec::new();
    for shell in shells {
        splinters.append(shell, middle);
        let facets = &shell.facets;
        splinters.inside.extend(facets.iter().map(Facet::is_inside));
        part_of.extend(facets.iter().map(|facet| attributes.part(facet)));
        let at = |facet: &Facet| shell.at(facet).map(|x| x + middle);
        let surface = &mut splinters.surface;
        extend(&mut surface.normals, facets.iter().map(|facet| attributes.normals(facet)));
        let texcoords = facets.iter().map(|facet| attributes.texcoords(facet, at(facet)));
        extend(&mut surface.texcoords, texcoords);
        if attributes.has_colours() {
            surface.colours.get_or_insert_default().extend(vertex_colours(shell, attributes));
        }
    }
    splinters.surface.parts.clone_from(&attributes.parts);
    splinters.surface.part_of = Some(part_of);
    splinters
}

/// Appends the items that are present.
fn extend<T>(list: &mut Option<Vec<T>>, items: impl Iterator<Item = Option<T>>) {
    for item in items.flatten() {
        list.get_or_insert_default().push(item);
    }
}

/// The colours of vertices on the original surface; white on new faces, so that their own colour shows.
fn vertex_colours(shell: &Shell, attributes: &TriangleAttributes<'_>) -> Vec<[f32; 3]> {
    let mut colours = vec![[1.0; 3]; shell.points.len()];
    for facet in &shell.facets {
        for (vertex, colour) in
            facet.corners.into_iter().zip(attributes.colours(facet).unwrap_or_default())
        {
            if !facet.is_inside() {
                colours[vertex as usize] = colour;
            }
        }
    }
    colours
}

impl Splinters {
    fn append(&mut self, shell: &Shell, middle: DVec3) {
        let surface = &mut self.surface;
        let (vertices, triangles) = (surface.vertices.len() as u32, surface.triangles.len() as u32);
        surface.vertices.extend(shell.points.iter().map(|x| x + middle));
        surface.triangles.extend(shell.facets.iter().map(|f| f.corners.map(|k| k + vertices)));
        let (volume, centre) = moments(shell);
        self.pieces.push(Piece {
            vertices: vertices..surface.vertices.len() as u32,
            triangles: triangles..surface.triangles.len() as u32,
            volume,
            centre: centre + middle,
        });
    }
}

/// The volume and the centre of mass, by tetrahedra to a vertex. The centre of the box if the volume is too small for
/// it.
fn moments(shell: &Shell) -> (f64, DVec3) {
    let origin = shell.points.first().copied().unwrap_or_default();
    let (mut volume, mut first) = (0.0, DVec3::ZERO);
    for facet in &shell.facets {
        let [a, b, c] = shell.at(facet).map(|x| x - origin);
        let d = a.dot(b.cross(c));
        volume += d / 6.0;
        first += d / 24.0 * (a + b + c);
    }
    let bounds = shell.bounds();
    let centre = origin + first / volume;
    let inside = centre.is_finite() && bounds.contains(centre);
    (volume, if inside { centre } else { bounds.centre() })
}
