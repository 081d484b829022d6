//! Moving the boundary of a mesh onto the detailed surface.
//!
//! The control points of boundary edges (and faces, at degree 3) are moved so that the boundary passes
//! through the surface (Mezger et al. 2007, section 6.1), then fitted to it between. Whatever would
//! turn a cell inside out is taken back by halves until every cell is proved valid.

use glam::DVec3;
use pliant::element::lattice;
use pliant::mesh::{Block, Face, Mesh, MeshError};
use rayon::prelude::*;

use super::face_samples::FaceSamples;
use super::sharp::SharpEdges;
use super::solid::Solid;

/// How far a point of the boundary may be moved, in lengths of its edge.
const REACH: f64 = 0.4;
/// How often the fit goes on from where valid cells stopped it.
const CYCLES: usize = 4;
/// Sweeps of the fit. The error of smooth surfaces stops falling after about this many.
const SWEEPS: usize = 12;
/// Pieces that the sides of a face are cut into for the fit.
const FIT_PIECES: usize = 5;
/// Parts of their ways that control points try to go on.
const STRIDES: [f64; 7] = [1.0, 0.5, 0.25, 0.25, 0.125, 0.125, 0.125];
/// Sweeps that carry moves of the boundary inside.
const FOLLOW_SWEEPS: usize = 30;

/// A mesh with curved boundary.
#[derive(Debug)]
pub(super) struct Curved {
    pub(super) mesh: Mesh,
    /// Control points whose way was halved at least once.
    pub(super) held_back: usize,
}

/// What the boundary is moved onto.
#[derive(Debug, Clone, Copy)]
pub(super) struct Target<'a> {
    pub(super) solid: &'a Solid,
    pub(super) sharp: &'a SharpEdges,
    /// Corners of straight cells that lie on sharp edges.
    pub(super) on_sharp: &'a [bool],
}

/// The mesh of straight tetrahedra in this degree, its boundary on the target.
pub(super) fn curved(straight: &Mesh, degree: usize, target: &Target) -> Result<Curved, MeshError> {
    if degree == 1 {
        return Ok(Curved { mesh: straight.clone(), held_back: 0 });
    }
    let mut goal = straight.elevated(2)?;
    let mut fixed_edges = bend_edges(&mut goal, target);
    fixed_edges.sort_unstable();
    if degree == 3 {
        goal = goal.elevated(3)?;
    }
    let fixed = fixed_nodes(&goal, target, &fixed_edges);
    let straight = straight.elevated(degree)?;
    let mut curved = Curved { mesh: straight.clone(), held_back: 0 };
    for _ in 0..CYCLES {
        fit(&mut goal, target.solid, &fixed);
        follow_inside(&mut goal, &straight);
        curved = advanced(curved.mesh, &goal);
        if curved.held_back == 0 {
            break;
        }
        goal = curved.mesh.clone();
    }
    Ok(curved)
}

/// Nodes that the fit leaves alone: on sharp edges.
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

/// Quadratic edges of the boundary through the target at their middles; returns those along sharp
/// edges.
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
    let bent: Vec<(DVec3, bool)> = runs.par_iter().map(|run| bent(mesh, target, run)).collect();
    let mut sharp = Vec::new();
    for (run, (point, along_sharp)) in runs.iter().zip(bent) {
        mesh.nodes[run[0].middle as usize] = point;
        if along_sharp {
            sharp.push(run[0].ends);
        }
    }
    sharp
}

/// The middle control point of an edge, and whether the edge runs along a sharp one.
fn bent(mesh: &Mesh, target: &Target, run: &[BentEdge]) -> (DVec3, bool) {
    /// An edge follows a sharp one if its middle is no farther from it, in lengths of the edge.
    const ALONG: f64 = 0.15;
    let [a, b] = run[0].ends.map(|end| mesh.nodes[end as usize]);
    let (middle, length) = (a.midpoint(b), a.distance(b));
    // The curve (a + 2 m + b)/4 passes through the point.
    let through = |point: DVec3| 2.0 * point - middle;
    if run[0].ends.iter().all(|end| target.on_sharp[*end as usize])
        && let Some(point) = target.sharp.nearest(middle, ALONG * length)
    {
        return (through(point), true);
    }
    let normal = run.iter().map(|edge| edge.normal).sum::<DVec3>().normalize_or_zero();
    (through(boundary_point(target.solid, middle, normal, REACH * length)), false)
}

/// An edge of a boundary face.
#[derive(Debug)]
struct BentEdge {
    middle: u32,
    ends: [u32; 2],
    normal: DVec3,
}

/// The surface in the normal direction, outward from inside and inward from outside; else the
/// nearest point of it, if that is within reach; else the point itself.
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

/// Normal of the triangle of the corners, of length twice its area.
fn straight_normal(mesh: &Mesh, face: &Face) -> DVec3 {
    let [a, b, c] = [0, 1, 2].map(|k| mesh.nodes[face.corners[k] as usize]);
    (b - a).cross(c - a)
}

/// Moves control points towards the least mean square of the distance between boundary and surface.
///
/// ```text
/// bᵢ += Σₖ Bᵢ(ξₖ) rₖ / Σₖ Bᵢ(ξₖ)            rₖ = foot of x(ξₖ) − x(ξₖ)
/// ```
///
/// - `ξₖ` points of the boundary faces, `Bᵢ` the basis function of control point bᵢ
///
/// Progressive iterative approximation, which tends to the least squares (Deng & Lin 2014).
fn fit(mesh: &mut Mesh, solid: &Solid, fixed: &[bool]) {
    let faces = mesh.boundary_faces();
    let kind = mesh.blocks[0].kind;
    let samples = FaceSamples::new(kind, FIT_PIECES);
    for _ in 0..SWEEPS {
        let residuals: Vec<Vec<Option<DVec3>>> =
            faces.par_iter().map(|face| residuals(mesh, face, &samples, solid)).collect();
        let mut moves = vec![(DVec3::ZERO, 0.0f64); mesh.nodes.len()];
        for (face, residuals) in faces.iter().zip(&residuals) {
            for (weights, residual) in samples.weights.iter().zip(residuals) {
                let Some(residual) = residual else { continue };
                for (node, weight) in face.nodes.iter().zip(weights) {
                    let (sum, total) = &mut moves[*node as usize];
                    *sum += *weight * *residual;
                    *total += weight;
                }
            }
        }
        for (node, (sum, total)) in moves.into_iter().enumerate() {
            if total > 0.0 && !fixed[node] {
                mesh.nodes[node] += sum / total;
            }
        }
    }
}

/// Ways from points of a face to the surface; `None` over holes and where the surface found is too
/// far or looks another way.
fn residuals(mesh: &Mesh, face: &Face, samples: &FaceSamples, solid: &Solid) -> Vec<Option<DVec3>> {
    let straight = straight_normal(mesh, face);
    let reach = REACH * straight.length().sqrt();
    let normal = straight.normalize_or_zero();
    let residual = |point: DVec3| {
        let foot = solid.foot(point);
        let way = foot.point - point;
        let sound = !foot.at_rim && way.length() <= reach && foot.normal.dot(normal) > 0.3;
        sound.then_some(way)
    };
    samples.points(mesh, face).map(residual).collect()
}

/// Lets the inside follow the boundary: every control point inside is moved by the mean of the moves
/// of those it shares an edge of the control net with, so that moves fade away evenly.
fn follow_inside(mesh: &mut Mesh, straight: &Mesh) {
    let mut moves: Vec<DVec3> =
        mesh.nodes.iter().zip(&straight.nodes).map(|(node, start)| node - start).collect();
    let neighbours = net_neighbours(mesh);
    let mut on_boundary = vec![false; mesh.nodes.len()];
    mesh.boundary_nodes().into_iter().for_each(|node| on_boundary[node as usize] = true);
    for _ in 0..FOLLOW_SWEEPS {
        for node in (0..moves.len()).filter(|node| !on_boundary[*node]) {
            let near = &neighbours[node];
            let sum: DVec3 = near.iter().map(|other| moves[*other as usize]).sum();
            moves[node] = sum / near.len().max(1) as f64;
        }
    }
    for (node, start) in straight.nodes.iter().enumerate() {
        mesh.nodes[node] = start + moves[node];
    }
}

/// Control points next to each other in the lattice of some cell.
fn net_neighbours(mesh: &Mesh) -> Vec<Vec<u32>> {
    let lattice = lattice(mesh.blocks[0].kind);
    let step = |a: usize, b: usize| -> bool {
        let d: [i32; 3] = std::array::from_fn(|k| lattice[a][k] as i32 - lattice[b][k] as i32);
        // Steps along the six edges of the tetrahedron.
        let sum = d[0] + d[1] + d[2];
        d.iter().all(|x| x.abs() <= 1)
            && sum.abs() <= 1
            && d.iter().filter(|x| **x != 0).count() <= 2
    };
    let pairs: Vec<[usize; 2]> = (0..lattice.len())
        .flat_map(|a| (0..lattice.len()).map(move |b| [a, b]))
        .filter(|[a, b]| a != b && step(*a, *b))
        .collect();
    let mut neighbours = vec![Vec::new(); mesh.nodes.len()];
    for (_, nodes) in mesh.cells() {
        for [a, b] in &pairs {
            neighbours[nodes[*a] as usize].push(nodes[*b]);
        }
    }
    for near in &mut neighbours {
        near.sort_unstable();
        near.dedup();
    }
    neighbours
}

/// Moves every control point as far along its way as all cells stay valid.
///
/// All try to go all the way; those of cells that would become unfit go back, and try again with half
/// the stride. Cells are valid at the start, so there is always a way back.
fn advanced(start: Mesh, goal: &Mesh) -> Curved {
    let mut walk = Walk { parts: vec![0.0; start.nodes.len()], mesh: start.clone(), start, goal };
    for stride in STRIDES {
        let before = walk.parts.clone();
        let onward = |part: &f64| (part + stride).min(1.0);
        let mut moved = walk.go(walk.parts.iter().map(onward).collect());
        while !moved.is_empty() {
            let unfit = walk.unfit_cells(&moved);
            let mut parts = walk.parts.clone();
            for node in unfit.iter().flat_map(|cell| walk.mesh.cell(*cell).1) {
                parts[*node as usize] = before[*node as usize];
            }
            moved = walk.go(parts);
        }
    }
    let short =
        |node: &usize| walk.parts[*node] < 1.0 && walk.start.nodes[*node] != goal.nodes[*node];
    let held_back = (0..walk.parts.len()).filter(short).count();
    Curved { mesh: walk.mesh, held_back }
}

/// Control points on their ways.
struct Walk<'a> {
    start: Mesh,
    goal: &'a Mesh,
    /// How much of its way each has gone.
    parts: Vec<f64>,
    mesh: Mesh,
}

impl Walk<'_> {
    /// Goes to these parts of the ways; returns the cells that changed.
    fn go(&mut self, parts: Vec<f64>) -> Vec<usize> {
        let mut moved = vec![false; parts.len()];
        for (node, part) in parts.iter().enumerate() {
            let position = self.start.nodes[node].lerp(self.goal.nodes[node], *part);
            moved[node] = self.mesh.nodes[node] != position;
            self.mesh.nodes[node] = position;
        }
        self.parts = parts;
        let changed = |nodes: &[u32]| nodes.iter().any(|node| moved[*node as usize]);
        let cells = self.mesh.cells().enumerate();
        cells.filter(|(_, (_, nodes))| changed(nodes)).map(|(cell, _)| cell).collect()
    }

    /// Which of these cells are not proved valid, or shrink too much somewhere.
    fn unfit_cells(&self, cells: &[usize]) -> Vec<usize> {
        /// Least det J over largest within a cell.
        const LEAST_RATIO: f64 = 0.05;
        let kind = self.mesh.blocks[0].kind;
        let nodes = cells.iter().flat_map(|cell| self.mesh.cell(*cell).1).copied().collect();
        let part = Mesh {
            nodes: self.mesh.nodes.clone(),
            blocks: vec![Block { kind, nodes }],
            regions: Vec::new(),
            node_sets: Vec::new(),
        };
        let mut unfit = vec![false; cells.len()];
        part.invalid_cells().into_iter().for_each(|(cell, _)| unfit[cell] = true);
        for (unfit, quality) in unfit.iter_mut().zip(part.qualities()) {
            *unfit |= quality.jacobian_ratio < LEAST_RATIO;
        }
        cells.iter().zip(unfit).filter(|(_, unfit)| *unfit).map(|(cell, _)| *cell).collect()
    }
}
