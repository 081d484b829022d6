//! Moves the boundary of a mesh onto the detailed surface.
//!
//! The control points of boundary edges (and faces, at degree 3) are moved so that the boundary passes through the
//! surface (Mezger et al. 2007, section 6.1), then fitted to the surface in between. Moves that would put a cell out of its
//! bounds of quality are undone, point by point; the control points inside then make room, and the fit continues.

use glam::DVec3;
use pliant::mesh::{Mesh, MeshError};
use pliant_kernels::math::parallel_map;

use super::advance::{Curved, advanced};
use super::curved_quality::CurvedGauge;
use super::fit::{MAX_RELATIVE_MOVE, fit, straight_normal};
use super::follow::follow_inside;
use super::relax::Relaxation;
use super::sharp::SharpEdges;
use super::solid::Solid;

/// The number of times the fit continues from where bounds of the cells stopped it.
const CYCLES: usize = 8;
/// The number of cycles after which the control points that were stopped wait for a cycle, while the others are fitted
/// to where they are.
const FREE_CYCLES: usize = 3;
/// The rounds of the fit in the first cycle, and in the others, which start near. The error of smooth surfaces stops
/// falling after the first ones.
const FIRST_ROUNDS: usize = 4;
const LATER_ROUNDS: usize = 2;

/// The target of the boundary.
#[derive(Debug, Clone, Copy)]
pub(super) struct Target<'a> {
    pub(super) solid: &'a Solid,
    pub(super) sharp: &'a SharpEdges,
    /// True for the corners of straight cells that lie on sharp edges.
    pub(super) on_sharp: &'a [bool],
}

/// Raises straight tetrahedra to this degree, with the boundary moved onto the target.
pub(super) fn curved(straight: &Mesh, degree: usize, target: &Target) -> Result<Curved, MeshError> {
    if degree == 1 {
        return Ok(Curved { mesh: straight.clone(), held_back: Vec::new() });
    }
    let mut goal = straight.elevated(2)?;
    let mut fixed_edges = bend_edges(&mut goal, target);
    fixed_edges.sort_unstable();
    if degree == 3 {
        goal = goal.elevated(3)?;
    }
    let fixed = fixed_nodes(&goal, target, &fixed_edges);
    let straight = straight.elevated(degree)?;
    let gauge = CurvedGauge::new(straight.blocks[0].kind);
    let mut curved = Curved { mesh: straight.clone(), held_back: Vec::new() };
    let relaxation = Relaxation::new(&straight, &gauge);
    let mut waiting = Vec::new();
    for cycle in 0..CYCLES {
        let with_waiting = with_waiting(&fixed, &waiting);
        let rounds = if cycle == 0 { FIRST_ROUNDS } else { LATER_ROUNDS };
        fit(&mut goal, target.solid, &with_waiting, rounds);
        follow_inside(&mut goal, &curved.mesh);
        curved = advanced(curved.mesh, &goal, &gauge);
        if curved.held_back.is_empty() && waiting.is_empty() {
            break;
        }
        relaxation.make_room(&mut curved.mesh, &curved.held_back);
        goal = curved.mesh.clone();
        let waited = std::mem::take(&mut waiting);
        if cycle + 1 == CYCLES {
            curved.held_back.extend(waited);
            curved.held_back.sort_unstable();
            curved.held_back.dedup();
        } else if cycle + 1 >= FREE_CYCLES {
            waiting.clone_from(&curved.held_back);
        }
    }
    Ok(curved)
}

/// The nodes that the fit does not move: besides these the ones that wait.
fn with_waiting(fixed: &[bool], waiting: &[usize]) -> Vec<bool> {
    let mut fixed = fixed.to_vec();
    waiting.iter().for_each(|node| fixed[*node] = true);
    fixed
}

/// The nodes on sharp edges, which the fit does not move.
fn fixed_nodes(mesh: &Mesh, target: &Target, fixed_edges: &[[u32; 2]]) -> Vec<bool> {
    let mut fixed = vec![false; mesh.nodes.len()];
    fixed[..target.on_sharp.len()].copy_from_slice(target.on_sharp);
    for edge in mesh.edges() {
        if fixed_edges.binary_search(&edge.corners).is_ok() {
            edge.nodes.iter().for_each(|node| fixed[*node as usize] = true);
        }
    }
    fixed
}

/// Makes quadratic boundary edges pass through the target at their midpoints; returns the edges along sharp edges.
fn bend_edges(mesh: &mut Mesh, target: &Target) -> Vec<[u32; 2]> {
    let mut edges: Vec<BentEdge> = Vec::new();
    for face in mesh.boundary_faces() {
        let normal = straight_normal(mesh, &face);
        // Rows of a quadratic triangle: a, ab, b; ac, bc; c.
        let n = &face.nodes;
        for [a, middle, b] in [[n[0], n[1], n[2]], [n[0], n[3], n[5]], [n[2], n[4], n[5]]] {
            edges.push(BentEdge { middle, ends: [a.min(b), a.max(b)], normal });
        }
    }
    edges.sort_by_key(|edge| edge.middle);
    let runs: Vec<&[BentEdge]> = edges.chunk_by(|a, b| a.middle == b.middle).collect();
    let bent: Vec<(DVec3, bool)> = parallel_map(&runs, |run| bent(mesh, target, run));
    let mut sharp = Vec::new();
    for (run, (point, along_sharp)) in runs.iter().zip(bent) {
        mesh.nodes[run[0].middle as usize] = point;
        if along_sharp {
            sharp.push(run[0].ends);
        }
    }
    sharp
}

/// The middle control point of an edge, and true if the edge runs along a sharp edge.
fn bent(mesh: &Mesh, target: &Target, run: &[BentEdge]) -> (DVec3, bool) {
    /// An edge follows a sharp edge if the distance of its midpoint to it is at most this, in lengths of the edge.
    const ALONG: f64 = 0.15;
    let [a, b] = run[0].ends.map(|end| mesh.nodes[end as usize]);
    let (middle, length) = (a.midpoint(b), a.distance(b));
    // The curve passes through (a + 2 m + b)/4 at its midpoint: solved for the control point m.
    let through = |point: DVec3| 2.0 * point - middle;
    if run[0].ends.iter().all(|end| target.on_sharp[*end as usize])
        && let Some(point) = target.sharp.nearest(middle, ALONG * length)
    {
        return (through(point), true);
    }
    let normal = run.iter().map(|edge| edge.normal).sum::<DVec3>().normalize_or_zero();
    (through(boundary_point(target.solid, middle, normal, MAX_RELATIVE_MOVE * length)), false)
}

/// An edge of a boundary face.
#[derive(Debug)]
struct BentEdge {
    middle: u32,
    ends: [u32; 2],
    normal: DVec3,
}

/// The nearest intersection of the surface with the normal line, in either direction; else the nearest point of the
/// surface within reach; else the point itself.
fn boundary_point(solid: &Solid, point: DVec3, normal: DVec3, reach: f64) -> DVec3 {
    let outward = solid.along(point, normal, reach);
    let inward = solid.along(point, -normal, reach);
    let distance = |found: &DVec3| found.distance_squared(point);
    let found =
        outward.into_iter().chain(inward).min_by(|a, b| distance(a).total_cmp(&distance(b)));
    found.unwrap_or_else(|| {
        let foot = solid.foot(point);
        let sound = !foot.at_rim && foot.point.distance(point) <= reach;
        if sound { foot.point } else { point }
    })
}
