//! Checks of a surface before it is voxelised, and its bounding box.

use glam::DVec3;
use pliant::geometry::Surface;

use crate::surface_error::{check_finite, check_indices};

use super::VoxelError;

/// The range of the longest side, in m, whose cube neither underflows nor overflows.
const EXTENTS: std::ops::RangeInclusive<f64> = 1e-90..=1e90;
/// The smallest ratio of the longest side to the largest coordinate: it leaves six digits for the shape.
const MIN_RELATIVE_EXTENT: f64 = 1e-10;
/// A triangle with a smaller ratio of area to its longest side squared has no area.
const MIN_RELATIVE_AREA: f64 = 1e-14;

/// The bounding box of the triangles and lines of a surface.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Bounds {
    pub(super) low: DVec3,
    pub(super) high: DVec3,
}

impl Bounds {
    /// Checks a surface and returns its box. Unused vertices do not count.
    pub(super) fn of(surface: &Surface) -> Result<Self, VoxelError> {
        if surface.triangles.is_empty() && surface.lines.is_empty() {
            return Err(VoxelError::Empty);
        }
        check_finite(surface)?;
        check_indices("triangle", &surface.triangles, surface.vertices.len())?;
        check_indices("line", &surface.lines, surface.vertices.len())?;
        check_attributes(surface)?;
        let bounds = Self::of_used_vertices(surface);
        bounds.check_extent()?;
        check_degenerate(surface)?;
        Ok(bounds)
    }

    /// The longest side, in m.
    pub(super) fn extent(&self) -> f64 {
        (self.high - self.low).max_element()
    }

    fn of_used_vertices(surface: &Surface) -> Self {
        let used = surface.triangles.as_flattened().iter().chain(surface.lines.as_flattened());
        let start = Self { low: DVec3::INFINITY, high: DVec3::NEG_INFINITY };
        used.fold(start, |bounds, vertex| {
            let x = surface.vertices[*vertex as usize];
            Self { low: bounds.low.min(x), high: bounds.high.max(x) }
        })
    }

    fn check_extent(&self) -> Result<(), VoxelError> {
        let extent = self.extent();
        let reach = self.low.abs().max(self.high.abs()).max_element();
        // A surface of one point is reported as degenerate, which is clearer.
        let sound = EXTENTS.contains(&extent) && extent >= MIN_RELATIVE_EXTENT * reach;
        if extent != 0.0 && !sound {
            return Err(VoxelError::Extent { extent, reach });
        }
        Ok(())
    }
}

fn check_attributes(surface: &Surface) -> Result<(), VoxelError> {
    let triangle_count = surface.triangles.len();
    let vertex_count = surface.vertices.len();
    let counts = [
        ("normals of triangles", surface.normals.as_ref().map(Vec::len), triangle_count),
        (
            "texture coordinates of triangles",
            surface.texcoords.as_ref().map(Vec::len),
            triangle_count,
        ),
        ("parts of triangles", surface.part_of.as_ref().map(Vec::len), triangle_count),
        ("colours of vertices", surface.colours.as_ref().map(Vec::len), vertex_count),
    ];
    for (what, given, expected) in counts {
        match given {
            Some(given) if given != expected => {
                return Err(VoxelError::AttributeCount { what, given, expected });
            }
            _ => {}
        }
    }
    Ok(())
}

/// Checks that there is at least one triangle with an area or one line with a length.
fn check_degenerate(surface: &Surface) -> Result<(), VoxelError> {
    let has_length =
        |[a, b]: &[u32; 2]| surface.vertices[*a as usize] != surface.vertices[*b as usize];
    if surface.corners().any(has_area) || surface.lines.iter().any(has_length) {
        return Ok(());
    }
    let (triangle_count, line_count) = (surface.triangles.len(), surface.lines.len());
    Err(VoxelError::Degenerate { triangle_count, line_count })
}

fn has_area([a, b, c]: [DVec3; 3]) -> bool {
    let longest = (b - a).length_squared().max((c - b).length_squared());
    let longest = longest.max((a - c).length_squared());
    (b - a).cross(c - a).length() > MIN_RELATIVE_AREA * longest
}
