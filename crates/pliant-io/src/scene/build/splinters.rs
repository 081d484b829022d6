//! Cuts a surface into splinters.

use std::ops::Range;

use glam::DVec3;
use pliant::body::{MeshPoint, Splinters};
use pliant::geometry::Surface;
use pliant::mesh::Mesh;
use pliant_mesher::{places, splinters};

use crate::picture::corner_normals;
use crate::scene::plan::splinters::{SplinterKind, SplintersPlan};
use crate::scene::problem::fault::Fault;

/// Maximum distance of a splinter's centre from all cells, relative to the size of the body.
const MAX_CENTRE_DISTANCE: f64 = 0.05;

/// Returns the surface with normals. With them a splinter is shaded smoothly across outer faces, but never between a
/// cut face and an outer face, however flat the angle between them.
fn smooth(surface: &Surface) -> Surface {
    let mut surface = surface.clone();
    if surface.normals.is_none() {
        let origin = surface.vertices.first().copied().unwrap_or_default();
        let points: Vec<_> = surface.vertices.iter().map(|x| (x - origin).as_vec3()).collect();
        let normals = corner_normals(&points, &surface.triangles);
        surface.normals =
            Some(normals.iter().map(|corners| corners.map(|n| n.as_dvec3())).collect());
    }
    surface
}

impl SplintersPlan {
    /// Cuts a surface, and attaches the splinters to the cells of a mesh; returns them with their surface.
    pub(crate) fn make(
        &self,
        surface: &Surface,
        mesh: &Mesh,
    ) -> Result<(Splinters, Surface), Fault> {
        let smooth = || smooth(surface);
        let made = match &self.kind {
            SplinterKind::Wood(config) => splinters::wood(&smooth(), config, &self.cut)?,
            SplinterKind::Voronoi(config) => splinters::voronoi(&smooth(), config, &self.cut)?,
            SplinterKind::Brick(config) => splinters::brick(&smooth(), config, &self.cut)?,
            SplinterKind::Parts => splinters::parts(surface, &self.cut)?,
        };
        let found = places(mesh, &made.surface.vertices);
        let vertices: Vec<MeshPoint> = found.iter().map(|(place, _)| *place).collect();
        let centres: Vec<DVec3> = made.pieces.iter().map(|piece| piece.centre).collect();
        let middles = places(mesh, &centres);
        let (low, high) = mesh.bounds();
        let far = |(_, distance): &&(MeshPoint, f64)| {
            *distance > MAX_CENTRE_DISTANCE * (high - low).length()
        };
        if let Some((splinter, (_, distance))) =
            middles.iter().enumerate().find(|(_, found)| far(found))
        {
            let error = pliant::body::SplinterError::Outside { splinter, distance: *distance };
            return Err(Fault::SplinterAttachment(error));
        }
        let middles: Vec<MeshPoint> = middles.into_iter().map(|(place, _)| place).collect();
        let pieces: Vec<Range<u32>> =
            made.pieces.iter().map(|piece| piece.vertices.clone()).collect();
        let triangles = &made.surface.triangles;
        let tied = Splinters::new(mesh, (&vertices, triangles), &pieces, &middles);
        Ok((tied.map_err(Fault::SplinterAttachment)?, made.surface))
    }
}
