//! Shapes of figures, and their triangles with normals and texture coordinates.

use std::f64::consts::TAU;

use glam::{DVec2, DVec3};
use pliant::geometry::Surface;

use super::cut::cut;
use super::lattice::zero_set;
use super::remesh::evened;
use super::solid::Solid;

/// The parts of a figure.
#[derive(Debug)]
pub(super) struct FigureShape {
    pub(super) parts: Vec<FigurePart>,
    /// A sample spacing, in m, that resolves every detail.
    pub(super) finest: f64,
    pub(super) projection: TextureProjection,
}

/// One zero set.
#[derive(Debug)]
pub(super) enum FigurePart {
    /// The whole boundary of a solid.
    Closed(Solid),
    /// The part of the zero set of `sheet` inside `outline`.
    Open { sheet: Solid, outline: Solid },
}

/// The projection of texture coordinates.
#[derive(Debug, Clone, Copy)]
pub(super) enum TextureProjection {
    /// Around the vertical axis, with a seam at the back.
    Around,
    /// From the front.
    Front,
    /// From above.
    Top,
}

impl FigureShape {
    /// A single closed solid.
    pub(super) fn closed(solid: Solid, finest: f64, projection: TextureProjection) -> Self {
        Self { parts: vec![FigurePart::Closed(solid)], finest, projection }
    }

    /// Triangles with edges of about `edge`, standing on y = 0.
    pub(super) fn surface(&self, edge: f64) -> Surface {
        let mut surface = Surface { normals: Some(Vec::new()), ..Default::default() };
        self.parts.iter().for_each(|part| append(&mut surface, part.surface(edge, self.finest)));
        let ground = surface.bounds().0.y;
        surface.vertices.iter_mut().for_each(|x| x.y -= ground);
        surface.texcoords = Some(self.projection.texcoords(&surface));
        surface
    }
}

impl FigurePart {
    fn surface(&self, edge: f64, finest: f64) -> Surface {
        // Pieces of a lattice edge are shorter than the edge; edges that are too short are collapsed.
        let spacing = edge.min(finest);
        let (mut surface, solid) = match self {
            Self::Closed(solid) => (evened(zero_set(solid, spacing), solid, edge), solid),
            Self::Open { sheet, outline } => {
                let whole = evened(zero_set(sheet, spacing), sheet, edge);
                (cut(whole, sheet, outline, edge), sheet)
            }
        };
        let normals: Vec<DVec3> = surface.vertices.iter().map(|x| solid.normal(*x)).collect();
        let corners = surface.triangles.iter().map(|t| t.map(|vertex| normals[vertex as usize]));
        surface.normals = Some(corners.collect());
        surface
    }
}

fn append(whole: &mut Surface, part: Surface) {
    let first = whole.vertices.len() as u32;
    whole.vertices.extend(part.vertices);
    whole.triangles.extend(part.triangles.iter().map(|t| t.map(|vertex| vertex + first)));
    if let (Some(normals), Some(more)) = (&mut whole.normals, part.normals) {
        normals.extend(more);
    }
}

impl TextureProjection {
    /// Texture coordinates of all corners, from 0 to 1 over the bounding box of the surface.
    ///
    /// Triangles across the seam have one or two corners beyond 1, so that none is stretched.
    pub(super) fn texcoords(self, surface: &Surface) -> Vec<[DVec2; 3]> {
        let (low, high) = surface.bounds();
        let size = (high - low).max(DVec3::splat(1e-12));
        let texcoord = |x: DVec3| {
            let part = (x - low) / size;
            match self {
                Self::Around => DVec2::new(x.x.atan2(x.z) / TAU + 0.5, part.y),
                Self::Front => DVec2::new(part.x, part.y),
                Self::Top => DVec2::new(part.x, 1.0 - part.z),
            }
        };
        surface.corners().map(|corners| unseamed(corners.map(texcoord), self)).collect()
    }
}

/// Shifts corners across the seam to make the triangle as narrow as possible.
fn unseamed(corners: [DVec2; 3], projection: TextureProjection) -> [DVec2; 3] {
    if !matches!(projection, TextureProjection::Around) {
        return corners;
    }
    let beyond = |least: f64| {
        corners.map(|corner| if corner.x < least { corner + DVec2::X } else { corner })
    };
    let width = |corners: &[DVec2; 3]| {
        let [a, b, c] = corners.map(|corner| corner.x);
        a.max(b).max(c) - a.min(b).min(c)
    };
    let sides = corners.map(|corner| beyond(corner.x));
    sides.into_iter().min_by(|a, b| width(a).total_cmp(&width(b))).unwrap_or(corners)
}
