//! Surfaces that enclose something, ready to be cut.

use glam::DVec3;
use pliant::geometry::{Aabb, Surface};

use crate::open_edges::welded_vertices;
use crate::surface_error::check_surface;

use super::SplinterError;
use super::chunk::{Chunk, Corner};

/// Volume over the cube of the size below which a solid counts as flat.
const FLAT: f64 = 1e-12;

/// A closed surface around the origin.
#[derive(Debug)]
pub(super) struct Solid<'a> {
    pub(super) surface: &'a Surface,
    /// Where its origin lies in the surface, in m: far from zero numbers have fewer digits left.
    pub(super) middle: DVec3,
    pub(super) chunk: Chunk,
    /// A little larger than itself, in m.
    pub(super) bounds: Aabb,
    /// In m³.
    pub(super) volume: f64,
    /// Diagonal of its bounds, in m.
    pub(super) size: f64,
}

impl<'a> Solid<'a> {
    /// Checks that a surface is closed, a manifold, and has an inside.
    ///
    /// Vertices at the same place count as one where the surface is open otherwise.
    pub(super) fn new(surface: &'a Surface) -> Result<Self, SplinterError> {
        check_surface(surface)?;
        let triangles = manifold(surface)?;
        let (low, high) = surface.bounds();
        let (middle, size) = (0.5 * (low + high), (high - low).length());
        let points: Vec<DVec3> = surface.vertices.iter().map(|x| x - middle).collect();
        let mut chunk = Chunk { points, ..Chunk::default() };
        for (triangle, corners) in triangles {
            let weights = [[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]];
            let corners = corners.into_iter().zip(weights);
            chunk.push(triangle, corners.map(|(vertex, weights)| Corner { vertex, weights }));
        }
        let volume = volume(&chunk);
        check_volume("the surface", volume, size)?;
        let bounds = Aabb { low: low - middle, high: high - middle }.inflated(1e-3 * size);
        Ok(Self { surface, middle, chunk, bounds, volume, size })
    }

    /// Area outside, in m².
    pub(super) fn area(&self) -> f64 {
        self.surface.area()
    }
}

/// Checks that there is something inside.
pub(super) fn check_volume(what: &str, volume: f64, size: f64) -> Result<(), SplinterError> {
    let what = || what.to_owned();
    if volume.abs() <= FLAT * size.powi(3) || !volume.is_finite() {
        return Err(SplinterError::NoVolume { what: what(), volume, size });
    }
    if volume < 0.0 { Err(SplinterError::InsideOut { what: what(), volume }) } else { Ok(()) }
}

fn volume(chunk: &Chunk) -> f64 {
    let corners = chunk.polygons.iter().map(|polygon| chunk.corners_of(polygon));
    let tetrahedron = |corners: &[Corner]| {
        let at = |k: usize| chunk.points[corners[k].vertex as usize];
        at(0).dot(at(1).cross(at(2))) / 6.0
    };
    corners.map(tetrahedron).sum()
}

/// A triangle with its number.
pub(super) type Numbered = (u32, [u32; 3]);

/// The triangles of a closed manifold, by their own vertices or else by welded ones.
fn manifold(surface: &Surface) -> Result<Vec<Numbered>, SplinterError> {
    let all = || surface.triangles.iter().enumerate().map(|(k, corners)| (k as u32, *corners));
    let own = proper(all());
    if check_manifold("the surface", &own).is_ok() {
        return Ok(own);
    }
    let welded = welded_vertices(surface);
    let same = proper(all().map(|(k, corners)| (k, corners.map(|v| welded[v as usize]))));
    check_manifold("the surface", &same)?;
    Ok(same)
}

/// Without triangles that name a vertex twice: they close up by themselves.
pub(super) fn proper(triangles: impl Iterator<Item = Numbered>) -> Vec<Numbered> {
    triangles.filter(|(_, [a, b, c])| a != b && b != c && c != a).collect()
}

/// Checks that every edge is passed once in each direction.
pub(super) fn check_manifold(what: &str, triangles: &[Numbered]) -> Result<(), SplinterError> {
    let mut edges = Vec::with_capacity(3 * triangles.len());
    for (_, [a, b, c]) in triangles {
        let ends = [[a, b], [b, c], [c, a]];
        edges.extend(ends.map(|[a, b]| (*a.min(b), *a.max(b), a < b)));
    }
    edges.sort_unstable();
    let same = |a: &(u32, u32, bool), b: &(u32, u32, bool)| (a.0, a.1) == (b.0, b.1);
    let single = |uses: &&[(u32, u32, bool)]| uses.len() == 1;
    let mut open = edges.chunk_by(same).filter(single);
    if let Some(&[(from, to, _), ..]) = open.next() {
        let count = 1 + open.count();
        return Err(SplinterError::Open { what: what.to_owned(), from, to, count });
    }
    for uses in edges.chunk_by(same) {
        let forward = uses.iter().filter(|(.., forward)| *forward).count();
        let backward = uses.len() - forward;
        if (forward, backward) != (1, 1) {
            let ((from, to, _), what) = (uses[0], what.to_owned());
            return Err(SplinterError::NonManifold { what, from, to, forward, backward });
        }
    }
    Ok(())
}
