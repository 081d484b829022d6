//! Convex cells that tile space.

use glam::{DMat3, DVec3};
use pliant_kernels::math::parallel_range;
use pliant_mesh::geometry::Aabb;

use super::chunk::Chunk;
use super::plane::Plane;

/// A convex region of space.
#[derive(Debug, Clone)]
pub(super) struct Cell {
    /// The planes of the half spaces whose intersection it is.
    pub(super) planes: Vec<Plane>,
    /// The bounding box of its part within the solid's bounds.
    pub(super) bounds: Aabb,
}

impl Cell {
    /// The intersection of half spaces and a box; `None` if it is empty.
    pub(super) fn between(planes: &[Plane], within: &Aabb) -> Option<Self> {
        let start = Chunk::of_box(within);
        let cut = planes.iter().enumerate().fold(start, |cell, (number, plane)| {
            if cell.is_empty() { cell } else { cell.clipped(plane, number as u32) }
        });
        Self::of(&cut, planes)
    }

    /// The cell of a box that was cut, with only the planes that still bound it.
    fn of(cut: &Chunk, planes: &[Plane]) -> Option<Self> {
        let sides = cut.caps.iter().map(|cap| planes[cap.plane as usize]).collect();
        (!cut.is_empty()).then(|| Self { planes: sides, bounds: cut.bounds() })
    }
}

/// The number of nearest sites tried before all others are sorted.
const NEAREST_SITES: usize = 48;

/// The Voronoi cells of sites, clipped to a box.
///
/// The cell of a site contains all points x whose images M x are nearer to it than to any other site.
///
/// M may compress an axis, which makes cells long and thin, or project, which makes them run straight through a pane. A
/// cell is the box, cut by the bisector planes to other sites, nearest first, until the next site is more than twice as
/// far as the farthest corner of the cell (Rycroft 2009).
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
    let near = others.len().min(NEAREST_SITES);
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

/// The plane of points with the same distance to both sites; `None` if M projects the sites onto each other.
///
/// ```text
/// |M x − a|² = |M x − b|²   ⇔   Mᵀ(b − a) · x = (b − a) · (a + b)/2
/// ```
fn halfway(sites: &[DVec3], site: usize, other: usize, m: DMat3) -> Option<Plane> {
    // Both cells compute the same plane from the same numbers, so that they agree on points exactly on it.
    let (a, b) = (sites[site.min(other)], sites[site.max(other)]);
    let normal = m.transpose() * (b - a);
    let length = normal.length();
    let offset = 0.5 * (b - a).dot(a + b) / length;
    let plane = Plane { normal: normal / length, offset, keeps_zero: true };
    let sound = plane.normal.is_finite() && offset.is_finite();
    sound.then(|| if site < other { plane } else { plane.opposite() })
}
