//! Support of a body by its pins: whether it is sufficient, and the reactions.

use glam::DVec3;

use crate::body::Body;
use pliant_kernels::math::DisjointSets;

use super::error::SolveError;
use super::report::Reaction;

/// Reactions of all pins, from the elastic forces and the loads on the nodes.
pub(super) fn reactions(body: &Body, elastic: &[DVec3], load: &[DVec3]) -> Vec<Reaction> {
    let x = &body.state.x;
    let of_pin = |nodes: &[u32]| {
        let held = || nodes.iter().map(|node| *node as usize);
        let centre = held().map(|node| x[node]).sum::<DVec3>() / nodes.len() as f64;
        let zero = Reaction { force: DVec3::ZERO, torque: DVec3::ZERO };
        held().fold(zero, |sum, node| {
            let force = -(elastic[node] + load[node]);
            let torque = sum.torque + (x[node] - centre).cross(force);
            Reaction { force: sum.force + force, torque }
        })
    };
    body.pins().iter().map(|pin| of_pin(&pin.nodes)).collect()
}

/// Rejects a body with a part that could move without deforming.
pub(super) fn check_support(body: &Body) -> Result<(), SolveError> {
    let mesh = body.model().mesh();
    let mut pieces = DisjointSets::new(mesh.nodes.len());
    for (_, nodes) in mesh.cells() {
        nodes[1..].iter().for_each(|node| pieces.join(nodes[0], *node));
    }
    let mut held: Vec<Vec<DVec3>> = vec![Vec::new(); mesh.nodes.len()];
    let mut seen = vec![false; mesh.nodes.len()];
    for node in body.pins().iter().flat_map(|pin| &pin.nodes) {
        if !std::mem::replace(&mut seen[*node as usize], true) {
            let root = pieces.find(*node) as usize;
            held[root].push(mesh.nodes[*node as usize]);
        }
    }
    for (_, nodes) in mesh.cells() {
        let root = pieces.find(nodes[0]) as usize;
        if !spans_plane(&held[root]) {
            let (body, held) = (body.name().to_owned(), held[root].len());
            return Err(SolveError::FreeToMove { body, node: nodes[0] as usize, held });
        }
    }
    Ok(())
}

/// True if three of the points are not on a line.
fn spans_plane(points: &[DVec3]) -> bool {
    let Some((first, others)) = points.split_first() else { return false };
    let far = others.iter().map(|point| *point - *first);
    let Some(axis) = far.max_by(|a, b| a.length_squared().total_cmp(&b.length_squared())) else {
        return false;
    };
    let limit = 1e-12 * axis.length_squared().powi(2);
    others.iter().any(|point| axis.cross(*point - *first).length_squared() > limit)
}
