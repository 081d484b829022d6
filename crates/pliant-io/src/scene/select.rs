//! Which nodes and cells of a mesh a selection means.

use std::collections::BTreeSet;

use glam::DVec3;
use pliant::mesh::{Mesh, Region};

use super::fault::Fault;
use super::plan::Selection;

/// How far outside a shape a point may lie and still count as on it, relative to the mesh.
const SLACK: f64 = 1e-9;

/// The nodes a selection means, rising.
pub(super) fn nodes(selection: &Selection, mesh: &Mesh) -> Result<Vec<u32>, Fault> {
    if let Selection::Named(name) = selection {
        return named_nodes(name, mesh);
    }
    let slack = slack(mesh);
    let nodes = mesh.nodes.iter().enumerate();
    let inside = nodes.filter(|(_, x)| contains(selection, **x, slack));
    Ok(inside.map(|(node, _)| node as u32).collect())
}

/// The cells a selection means, rising: those whose corners have their mean inside.
pub(super) fn cells(selection: &Selection, mesh: &Mesh) -> Result<Vec<u32>, Fault> {
    if let Selection::Named(name) = selection {
        return named_region(name, mesh).map(|region| region.cells.clone());
    }
    let slack = slack(mesh);
    let centre =
        |corners: &[u32]| mesh.cell_points(corners).iter().sum::<DVec3>() / corners.len() as f64;
    let cells = mesh.cells().enumerate();
    let inside = cells.filter(|(_, (kind, nodes))| {
        contains(selection, centre(&nodes[..kind.corner_count()]), slack)
    });
    Ok(inside.map(|(cell, _)| cell as u32).collect())
}

/// The region of this name.
pub(super) fn named_region<'a>(name: &str, mesh: &'a Mesh) -> Result<&'a Region, Fault> {
    mesh.region(name).ok_or_else(|| {
        let known = mesh.regions.iter().map(|region| region.name.clone()).collect();
        Fault::UnknownName { what: "region", name: name.to_owned(), known }
    })
}

fn named_nodes(name: &str, mesh: &Mesh) -> Result<Vec<u32>, Fault> {
    if let Some(set) = mesh.node_set(name) {
        return Ok(set.nodes.clone());
    }
    if let Some(region) = mesh.region(name) {
        let nodes: BTreeSet<u32> =
            region.cells.iter().flat_map(|cell| mesh.cell(*cell as usize).1).copied().collect();
        return Ok(nodes.into_iter().collect());
    }
    match SIDES.iter().find(|(side, _, _)| *side == name) {
        Some((_, axis, upper)) => Ok(side_nodes(mesh, *axis, *upper)),
        None => Err(unknown(name, mesh)),
    }
}

/// Sides of the box around a mesh: name, axis, whether it is the upper one.
const SIDES: [(&str, usize, bool); 6] = [
    ("x-", 0, false),
    ("x+", 0, true),
    ("y-", 1, false),
    ("y+", 1, true),
    ("z-", 2, false),
    ("z+", 2, true),
];

fn side_nodes(mesh: &Mesh, axis: usize, upper: bool) -> Vec<u32> {
    let (low, high) = mesh.bounds();
    let plane = if upper { high[axis] } else { low[axis] };
    let slack = slack(mesh);
    let nodes = mesh.nodes.iter().enumerate();
    let on_side = nodes.filter(|(_, x)| (x[axis] - plane).abs() <= slack);
    on_side.map(|(node, _)| node as u32).collect()
}

fn unknown(name: &str, mesh: &Mesh) -> Fault {
    let sets = mesh.node_sets.iter().map(|set| &set.name);
    let regions = mesh.regions.iter().map(|region| &region.name);
    let mut known: Vec<String> = sets.chain(regions).cloned().collect();
    for (side, _, _) in SIDES {
        if !known.iter().any(|name| name == side) {
            known.push(side.to_owned());
        }
    }
    Fault::UnknownName { what: "node set, region or side", name: name.to_owned(), known }
}

fn slack(mesh: &Mesh) -> f64 {
    let (low, high) = mesh.bounds();
    SLACK * (high - low).length()
}

fn contains(selection: &Selection, x: DVec3, slack: f64) -> bool {
    match selection {
        Selection::Named(_) => false,
        Selection::Box { min, max } => x.cmpge(*min - slack).all() && x.cmple(*max + slack).all(),
        Selection::Sphere { centre, radius } => x.distance(*centre) <= radius + slack,
        Selection::HalfSpace { point, normal } => (x - *point).dot(*normal) >= -slack,
    }
}
