//! Classification of lattice points as inside or outside a solid, and cut points of lattice edges.

use pliant_kernels::math::parallel_map;
use std::collections::HashMap;

use glam::DVec3;
use rayon::prelude::*;

use super::background::Background;
use super::stencil::Side;

/// The queries of a solid that isosurface stuffing needs.
pub(super) trait SolidQuery: Sync {
    /// Returns true if a point lies in the solid.
    fn contains(&self, point: DVec3) -> bool;
    /// Returns the point where the segment from an inside to an outside point leaves the solid.
    fn crossing(&self, inside: DVec3, outside: DVec3) -> DVec3;
}

/// Cached results, for lattices that share most of their points. Only looked up, never iterated.
#[derive(Debug, Clone, Default)]
pub(super) struct Known {
    /// True for background points inside the solid.
    inside: HashMap<[i32; 3], bool>,
    /// The crossings of edges, by their inside and outside ends.
    crossings: HashMap<[[i32; 3]; 2], DVec3>,
}

/// A point where an edge leaves the solid.
#[derive(Debug, Clone, Copy)]
pub(super) struct Cut {
    /// The inside and the outside end.
    pub(super) ends: [u32; 2],
    pub(super) position: DVec3,
    /// True if neither end was moved.
    pub(super) alive: bool,
}

/// Classifies every point; evaluates only points that are not cached yet.
pub(super) fn sides(
    points: &[[i32; 3]],
    positions: &[DVec3],
    solid: &impl SolidQuery,
    known: &mut Known,
) -> Vec<Side> {
    let known = &mut known.inside;
    let fresh: Vec<usize> =
        (0..points.len()).filter(|point| !known.contains_key(&points[*point])).collect();
    let inside: Vec<bool> = parallel_map(&fresh, |point| solid.contains(positions[*point]));
    known.extend(fresh.iter().map(|point| points[*point]).zip(inside));
    let side = |point: &[i32; 3]| if known[point] { Side::Inside } else { Side::Outside };
    points.iter().map(side).collect()
}

/// All edges between an inside and an outside point with their cut points, ordered by their ends.
pub(super) fn cuts(
    background: &Background,
    positions: &[DVec3],
    sides: &[Side],
    solid: &impl SolidQuery,
    known: &mut Known,
) -> Vec<Cut> {
    let mut edges: Vec<[u32; 2]> = Vec::new();
    for cell in &background.cells {
        for inside in cell.corners.iter().filter(|point| sides[**point as usize] == Side::Inside) {
            for outside in &cell.corners {
                if sides[*outside as usize] == Side::Outside {
                    edges.push([*inside, *outside]);
                }
            }
        }
    }
    edges.par_sort_unstable();
    edges.dedup();
    let key = |ends: &[u32; 2]| ends.map(|end| background.points[end as usize]);
    let known = &mut known.crossings;
    let fresh: Vec<[u32; 2]> =
        edges.iter().copied().filter(|ends| !known.contains_key(&key(ends))).collect();
    let crossing = |ends: &[u32; 2]| {
        let [inside, outside] = ends.map(|end| positions[end as usize]);
        solid.crossing(inside, outside)
    };
    let crossings = parallel_map(&fresh, crossing);
    known.extend(fresh.iter().map(key).zip(crossings));
    let cut = |ends: &[u32; 2]| Cut { ends: *ends, position: known[&key(ends)], alive: true };
    edges.iter().map(cut).collect()
}
