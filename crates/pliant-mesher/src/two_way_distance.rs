//! The distance between a surface and the cells made for it, in both directions.

use glam::DVec3;
use pliant::body::Skin;
use pliant::geometry::Surface;
use pliant::mesh::Mesh;
use pliant_kernels::math::parallel_map;

use crate::{SurfaceError, SurfaceTree};

/// The distance from a triangle at which its two sides are examined, relative to the diagonal.
const SIDE: f64 = 1e-6;

/// The largest number of pieces of the edge of a triangle.
const MOST_PIECES: f64 = 256.0;

/// The number of pieces of the edge of a curved face.
const PIECES_OF_CURVED_FACES: usize = 4;

/// The largest distances between a surface and the boundary of cells, found at dense samples: the Hausdorff distance
/// is the larger of the two.
///
/// One of them alone says little: a mesh without a limb lies on the surface everywhere, and a mesh that also fills the
/// surroundings has the surface nearby.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct TwoWayDistance {
    /// From the surface to the boundary of the cells, in m: large where a part of the surface has no cells. Parts of
    /// the surface within the solid, as where two shells overlap, do not count.
    pub surface_to_cells: f64,
    /// From the boundary of the cells to the surface, in m: large where cells fill empty space.
    pub cells_to_surface: f64,
}

impl TwoWayDistance {
    /// Measures at about this many samples in each direction: all corners of triangles, and an even grid on large
    /// triangles. The samples, and so the result, are the same for any number of threads.
    ///
    /// ```
    /// use pliant_mesher::TwoWayDistance;
    /// use pliant_mesher::gallery::Figure;
    /// use pliant_mesher::tets::{TetConfig, tetrahedra};
    ///
    /// let ball = Figure::Ball.surface(0.05);
    /// let made = tetrahedra(&ball, &TetConfig::default())?;
    /// let distance = TwoWayDistance::new(&ball, &made.mesh, 10_000)?;
    /// assert!(distance.largest() < 0.01);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns an error if the surface, or the boundary of the cells, is empty or not finite.
    pub fn new(surface: &Surface, cells: &Mesh, samples: usize) -> Result<Self, SurfaceError> {
        let boundary = boundary(cells);
        let (of_surface, of_boundary) = (SurfaceTree::new(surface)?, SurfaceTree::new(&boundary)?);
        let (low, high) = of_surface.bounds();
        let side = SIDE * (high - low).length();
        let found = distances(&samples_on(surface, samples), &of_boundary);
        let on_outside = |(_, sample): &(f64, Sample)| sample.is_on_outside(&of_surface, side);
        let surface_to_cells = found.into_iter().find(on_outside).map_or(0.0, |(far, _)| far);
        let found = distances(&samples_on(&boundary, samples), &of_surface);
        let cells_to_surface = found.first().map_or(0.0, |(far, _)| *far);
        Ok(Self { surface_to_cells, cells_to_surface })
    }

    /// The larger of the two.
    pub fn largest(&self) -> f64 {
        self.surface_to_cells.max(self.cells_to_surface)
    }
}

/// The boundary of cells as triangles.
fn boundary(cells: &Mesh) -> Surface {
    let curved = cells.blocks.iter().any(|block| block.kind.degree() > 1);
    let skin = Skin::of_mesh(cells, if curved { PIECES_OF_CURVED_FACES } else { 1 });
    let mut vertices = Vec::new();
    skin.interpolate(&cells.nodes, &mut vertices);
    Surface::new(vertices, skin.triangles().to_vec())
}

/// A point on a triangle, and the normal there; zero if the triangle has no area.
#[derive(Debug, Clone, Copy)]
struct Sample {
    point: DVec3,
    normal: DVec3,
}

impl Sample {
    /// True if one of its sides is outside the solid.
    fn is_on_outside(&self, tree: &SurfaceTree, side: f64) -> bool {
        let inside = |sign: f64| tree.winding(self.point + sign * side * self.normal).abs() > 0.5;
        !(inside(1.0) && inside(-1.0))
    }
}

/// All corners of triangles, once each, and a grid on triangles that are large for this number of samples.
fn samples_on(surface: &Surface, count: usize) -> Vec<Sample> {
    // In a grid of spacing h an area A has 2 A / (√3 h²) points.
    let spacing = (surface.area() * 2.0 / (3f64.sqrt() * count.max(1) as f64)).sqrt();
    let mut seen = vec![false; surface.vertices.len()];
    let mut samples = Vec::new();
    for triangle in &surface.triangles {
        let corners = triangle.map(|vertex| surface.vertices[vertex as usize]);
        let [a, b, c] = corners;
        let normal = (b - a).cross(c - a).normalize_or_zero();
        for (vertex, point) in triangle.iter().zip(corners) {
            if !std::mem::replace(&mut seen[*vertex as usize], true) {
                samples.push(Sample { point, normal });
            }
        }
        let longest = (b - a).length().max((c - b).length()).max((a - c).length());
        let pieces = (longest / spacing).ceil().clamp(1.0, MOST_PIECES) as usize;
        let grid = (0..=pieces).flat_map(|i| (0..=pieces - i).map(move |j| (i, j)));
        let is_corner = |(i, j): &(usize, usize)| [*i, *j, pieces - i - j].contains(&pieces);
        let point = |(i, j)| {
            let [u, v] = [i, j].map(|k: usize| k as f64 / pieces as f64);
            Sample { point: a + u * (b - a) + v * (c - a), normal }
        };
        samples.extend(grid.filter(|place| !is_corner(place)).map(point));
    }
    samples
}

/// The samples with their distances to a surface, the farthest first.
fn distances(samples: &[Sample], tree: &SurfaceTree) -> Vec<(f64, Sample)> {
    let far = parallel_map(samples, |sample| tree.nearest(sample.point).distance);
    let mut found: Vec<(f64, Sample)> = far.into_iter().zip(samples.iter().copied()).collect();
    found.sort_by(|a, b| b.0.total_cmp(&a.0));
    found
}
