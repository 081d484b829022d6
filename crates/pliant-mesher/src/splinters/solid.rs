//! Closed surfaces, prepared for cutting.

use glam::DVec3;
use pliant::geometry::Surface;
use pliant_mesh::geometry::Aabb;

use crate::open_edges::welded_vertices;
use crate::surface_error::check_surface;

use super::SplinterError;
use super::chunk::{Chunk, Corner};
use super::hollows::with_hollows;
use super::shell::{Facet, Origin, Shell};

/// The ratio of volume to the cube of the size below which a solid counts as flat.
const MIN_RELATIVE_VOLUME: f64 = 1e-12;

/// A closed surface, centred at the origin.
#[derive(Debug)]
pub(super) struct Solid<'a> {
    pub(super) surface: &'a Surface,
    /// The position of the solid's origin in the surface, in m. Centred coordinates lose fewer digits to rounding.
    pub(super) middle: DVec3,
    /// The connected parts, each with its hollows. They are cut one by one, so that they may overlap.
    pub(super) chunks: Vec<Chunk>,
    /// The bounding box with a small margin, in m.
    pub(super) bounds: Aabb,
    /// The volume, in m³.
    pub(super) volume: f64,
    /// The diagonal of the bounding box, in m.
    pub(super) size: f64,
}

impl<'a> Solid<'a> {
    /// Checks that a surface is closed, manifold, and has an inside.
    ///
    /// Vertices at the same position count as one if the surface is open otherwise.
    pub(super) fn new(surface: &'a Surface) -> Result<Self, SplinterError> {
        check_surface(surface)?;
        let triangles = manifold(surface)?;
        let (low, high) = surface.bounds();
        let (middle, size) = (0.5 * (low + high), (high - low).length());
        let whole = given_shell(surface, &triangles, middle, |_| false);
        let volume = whole.volume();
        check_volume("the surface", volume, size)?;
        let bounds = Aabb { low: low - middle, high: high - middle }.inflated(1e-3 * size);
        let parts = with_hollows(whole.parts(), 0.0);
        let chunks = parts.into_iter().map(chunk).collect();
        Ok(Self { surface, middle, chunks, bounds, volume, size })
    }

    /// All vertices.
    pub(super) fn points(&self) -> impl Iterator<Item = DVec3> {
        self.chunks.iter().flat_map(|chunk| chunk.points.iter().copied())
    }

    /// The area of the surface, in m².
    pub(super) fn area(&self) -> f64 {
        self.surface.area()
    }
}

/// Checks that the enclosed volume is positive and not tiny.
pub(super) fn check_volume(what: &str, volume: f64, size: f64) -> Result<(), SplinterError> {
    let what = || what.to_owned();
    if volume.abs() <= MIN_RELATIVE_VOLUME * size.powi(3) || !volume.is_finite() {
        return Err(SplinterError::NoVolume { what: what(), volume, size });
    }
    if volume < 0.0 { Err(SplinterError::InsideOut { what: what(), volume }) } else { Ok(()) }
}

/// Converts a shell to a chunk for cutting.
fn chunk(shell: Shell) -> Chunk {
    let mut chunk = Chunk { points: shell.points, ..Chunk::default() };
    for Facet { corners, origin } in shell.facets {
        if let Origin::Given { triangle, weights, .. } = origin {
            let corners = corners.into_iter().zip(weights);
            chunk.push(triangle, corners.map(|(vertex, weights)| Corner { vertex, weights }));
        }
    }
    chunk
}

/// A shell of some triangles of a surface, relative to `middle`; `inside` returns true for those that were inside.
pub(super) fn given_shell(
    surface: &Surface,
    triangles: &[Numbered],
    middle: DVec3,
    inside: impl Fn(u32) -> bool,
) -> Shell {
    let mut vertices: Vec<u32> = triangles.iter().flat_map(|(_, corners)| *corners).collect();
    vertices.sort_unstable();
    vertices.dedup();
    let weights = [[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]];
    let own = |vertex: u32| vertices.partition_point(|other| *other < vertex) as u32;
    let facet = |&(triangle, corners): &Numbered| {
        let origin = Origin::Given { triangle, weights, inside: inside(triangle) };
        Facet { corners: corners.map(own), origin }
    };
    let points = vertices.iter().map(|vertex| surface.vertices[*vertex as usize] - middle);
    Shell { points: points.collect(), facets: triangles.iter().map(facet).collect() }
}

/// A triangle with its index.
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

/// Drops triangles with a repeated vertex: their edges cancel.
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
