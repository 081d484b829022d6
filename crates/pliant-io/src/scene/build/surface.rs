//! Reads or generates surfaces.

use std::path::Path;

use glam::DAffine3;
use pliant::geometry::Surface;

use crate::scene::plan::surface::SurfaceSource;
use crate::scene::problem::fault::Fault;
use crate::surface::read_surface;

/// Reads or generates a surface, in scene coordinates.
pub(crate) fn surface(
    source: &SurfaceSource,
    base: &Path,
    world_from_mesh: &DAffine3,
) -> Result<Surface, Fault> {
    let mut surface = match source {
        SurfaceSource::File(path) => read_surface(&base.join(path))?,
        SurfaceSource::Figure(figure, edge) => figure.surface(*edge),
    };
    for vertex in &mut surface.vertices {
        *vertex = world_from_mesh.transform_point3(*vertex);
    }
    if let Some(normals) = &mut surface.normals {
        for normal in normals.iter_mut().flatten() {
            *normal = world_from_mesh.transform_vector3(*normal);
        }
    }
    Ok(surface)
}
