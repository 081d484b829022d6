//! Convex cells that tile space.

use glam::{DMat3, DVec3};
use pliant::geometry::Aabb;
use pliant::math::parallel_range;

use super::chunk::Chunk;
use super::plane::Plane;

/// A convex part of space.
#[derive(Debug, Clone)]
pub(super) struct Cell {
    /// The half spaces it is common to.
    pub(super) planes: Vec<Plane>,
    /// Of what lies within the solid's bounds.
    pub(super) bounds: Aabb,
}

impl Cell {
    /// The cell between planes, as far as it lies within a box; nothing if it does not.
    pub(super) fn between(planes: &[Plane], within: &Aabb) -> Option<Self> {
        let start = Chunk::of_box(within);
        let cut = planes.iter().enumerate().fold(start, |cell, (number, plane)| {
            if cell.is_empty() { cell } else { cell.clipped(plane, number as u32) }
        });
        Self::of(&cut, planes)
    }

    /// The cell of a box that was cut, with those of the planes that it still has a side on.
    fn of(cut: &Chunk, planes: &[Plane]) -> Option<Self> {
        let sides = cut.caps.iter().map(|cap| planes[cap.plane as usize]).collect();
        (!cut.is_empty()).then(|| Self { planes: sides, bounds: cut.bounds() })
    }
}

/// Nearest sites that are looked at before all others are sorted.
const NEAR: usize = 48;

/// The Voronoi cells of sites, as far as they lie within a box: of each site all points x whose images M x are
/// nearer to it than to any other.
///
/// M may stretch, which makes cells slender, or flatten, which makes them run straight through a pane. A cell is the box,
/// cut by the planes halfway to other sites, the nearest first, until the next site is twice as far as the farthest
/// corner (Rycroft 2009).
pub(super) fn voronoi_cells(sites: &[DVec3], m: DMat3, within: &Aabb) -> Vec<Cell> {
    let cell = |site: usize| voronoi_cell(sites, site, m, within);
    parallel_range(sites.len(), cell).into_iter().flatten().collect()
}

fn voronoi_cell(sites: &[DVec3], site: usize, m: DMat3, within: &Aabb) -> Option<Cell> {
    let here = sites[site];
    let mut others: Vec<(f64, u32)> = (0..sites.len() as u32)
        .filter(|other| *other as usize != site)
        .map(|other| (here.distance_squared(sites[other as usize]), other))
        .collect();
    let order = |a: &(f64, u32), b: &(f64, u32)| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1));
    let near = others.len().min(NEAR);
    if near < others.len() {
        others.select_nth_unstable_by(near, order);
    }
    let (mut cell, mut planes) = (Chunk::of_box(within), Vec::new());
    let mut cut = |list: &mut [(f64, u32)]| {
        list.sort_unstable_by(order);
        for &(distance_squared, other) in list.iter() {
            let reach = cell.points.iter().map(|x| here.distance_squared(m * *x));
            if distance_squared > 4.0 * reach.fold(0.0, f64::max) {
                return true;
            }
            let Some(plane) = halfway(sites, site, other as usize, m) else { continue };
            cell = std::mem::take(&mut cell).clipped(&plane, planes.len() as u32);
            planes.push(plane);
        }
        cell.is_empty()
    };
    let (first, rest) = others.split_at_mut(near);
    if !cut(first) {
        cut(rest);
    }
    Cell::of(&cell, &planes)
}

/// The plane of points as far from one site as from the other; nothing if M maps all to it.
///
/// ```text
/// |M x − a|² = |M x − b|²   ⇔   Mᵀ(b − a) · x = (b − a) · (a + b)/2
/// ```
fn halfway(sites: &[DVec3], site: usize, other: usize, m: DMat3) -> Option<Plane> {
    // The same numbers for both cells, so that what lies on the plane is seen alike from both.
    let (a, b) = (sites[site.min(other)], sites[site.max(other)]);
    let normal = m.transpose() * (b - a);
    let length = normal.length();
    let offset = 0.5 * (b - a).dot(a + b) / length;
    let plane = Plane { normal: normal / length, offset, keeps_zero: true };
    let sound = plane.normal.is_finite() && offset.is_finite();
    sound.then(|| if site < other { plane } else { plane.opposite() })
}
