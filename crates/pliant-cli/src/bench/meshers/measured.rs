//! What is measured of a mesh.

use pliant::geometry::Surface;
use pliant::mesh::Mesh;
use pliant_mesher::TwoWayDistance;
use serde::Serialize;

/// Samples of the distance in each direction.
const SAMPLES: usize = 100_000;

/// The figures of a mesh.
#[derive(Debug, Clone, Serialize)]
pub(super) struct Measured {
    pub(super) cells: usize,
    /// The smallest and the largest dihedral angle between the corners of cells, in degrees.
    pub(super) angles_deg: [f64; 2],
    /// The largest distance of the surface from the boundary of the cells, and back, in % of the diagonal.
    pub(super) surface_to_cells_percent: f64,
    pub(super) cells_to_surface_percent: f64,
    /// Connected pieces.
    pub(super) pieces: usize,
    /// Processor time of the mesher, in s.
    pub(super) seconds: f64,
}

impl Measured {
    /// Measures a mesh; an error is the reason in words.
    pub(super) fn new(surface: &Surface, mesh: &Mesh, seconds: f64) -> Result<Self, String> {
        let distance =
            TwoWayDistance::new(surface, mesh, SAMPLES).map_err(|error| error.to_string())?;
        let (low, high) = surface.bounds();
        let percent = |distance: f64| 100.0 * distance / (high - low).length();
        let quality = mesh.quality().ok_or("it made no cells")?;
        Ok(Self {
            cells: mesh.cell_count(),
            angles_deg: quality.dihedral_angles.unwrap_or_default().map(f64::to_degrees),
            surface_to_cells_percent: percent(distance.surface_to_cells),
            cells_to_surface_percent: percent(distance.cells_to_surface),
            pieces: mesh.components().len(),
            seconds,
        })
    }

    /// The larger of the two distances, in % of the diagonal.
    pub(super) fn farthest(&self) -> f64 {
        self.surface_to_cells_percent.max(self.cells_to_surface_percent)
    }
}
