//! Resolves selections to the nodes, cells and vertices of a mesh.

use std::collections::BTreeSet;

use glam::DVec3;
use pliant::mesh::{Mesh, Region};
use pliant_mesh::geometry::Aabb;

use super::point_selector::{Files, PointSelector, SELECTION_TOLERANCE};
use crate::scene::plan::body::BodyPlan;
use crate::scene::plan::selection::Selection;
use crate::scene::problem::fault::Fault;

/// Returns the selected nodes, in ascending order.
pub(crate) fn nodes(
    selection: &Selection,
    mesh: &Mesh,
    files: &Files<'_>,
) -> Result<Vec<u32>, Fault> {
    if let Selection::Named(name) = selection {
        return named_nodes(name, mesh);
    }
    let selector = PointSelector::new(selection, files, size(mesh))?.without_colour()?;
    let nodes = mesh.nodes.iter().enumerate();
    let inside = nodes.filter(|(_, x)| selector.selects(**x, None));
    Ok(inside.map(|(node, _)| node as u32).collect())
}

/// Returns the selected cells, in ascending order: those with the mean of their corners inside.
pub(crate) fn cells(
    selection: &Selection,
    mesh: &Mesh,
    files: &Files<'_>,
) -> Result<Vec<u32>, Fault> {
    if let Selection::Named(name) = selection {
        return named_region(name, mesh).map(|region| region.cells.clone());
    }
    let selector = PointSelector::new(selection, files, size(mesh))?.without_colour()?;
    let centre =
        |corners: &[u32]| mesh.cell_points(corners).iter().sum::<DVec3>() / corners.len() as f64;
    let cells = mesh.cells().enumerate();
    let inside = cells
        .filter(|(_, (kind, nodes))| selector.selects(centre(&nodes[..kind.corner_count()]), None));
    Ok(inside.map(|(cell, _)| cell as u32).collect())
}

/// Returns the region of this name.
pub(crate) fn named_region<'a>(name: &str, mesh: &'a Mesh) -> Result<&'a Region, Fault> {
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
        Some((_, axis, upper)) => Ok(side_points(&mesh.nodes, *axis, *upper)),
        None => Err(unknown(name, mesh)),
    }
}

/// Sides of the bounding box of a mesh: name, axis, and true for the upper side.
const SIDES: [(&str, usize, bool); 6] = [
    ("x-", 0, false),
    ("x+", 0, true),
    ("y-", 1, false),
    ("y+", 1, true),
    ("z-", 2, false),
    ("z+", 2, true),
];

/// Returns the points on one side of their bounding box.
fn side_points(points: &[DVec3], axis: usize, upper: bool) -> Vec<u32> {
    let Aabb { low, high } = Aabb::of(points.iter().copied());
    let plane = if upper { high[axis] } else { low[axis] };
    let tolerance = SELECTION_TOLERANCE * (high - low).length();
    let numbered = points.iter().enumerate();
    let on_side = numbered.filter(|(_, x)| (x[axis] - plane).abs() <= tolerance);
    on_side.map(|(node, _)| node as u32).collect()
}

/// Returns the selected vertices of a surface, in ascending order; the only valid names are those of the sides.
pub(crate) fn vertices(
    selection: &Selection,
    vertices: &[DVec3],
    files: &Files<'_>,
) -> Result<Vec<u32>, Fault> {
    if let Selection::Named(name) = selection {
        let side = SIDES.iter().find(|(side, _, _)| side == name);
        let known = SIDES.map(|(side, _, _)| side.to_owned()).to_vec();
        let unknown = || Fault::UnknownName { what: "side", name: name.clone(), known };
        return side
            .map(|(_, axis, upper)| side_points(vertices, *axis, *upper))
            .ok_or_else(unknown);
    }
    let Aabb { low, high } = Aabb::of(vertices.iter().copied());
    let selector = PointSelector::new(selection, files, (high - low).length())?.without_colour()?;
    let numbered = (0u32..).zip(vertices);
    Ok(numbered.filter(|(_, x)| selector.selects(**x, None)).map(|(k, _)| k).collect())
}

/// Returns the selection if it is not empty.
pub(crate) fn not_empty<T>(
    selected: Vec<T>,
    what: &'static str,
    of: &'static str,
    plan: &BodyPlan,
    mesh: &Mesh,
) -> Result<Vec<T>, Fault> {
    if !selected.is_empty() {
        return Ok(selected);
    }
    let (min, max) = mesh.bounds();
    Err(Fault::EmptySelection { what, of, body: plan.name.clone(), min, max })
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

fn size(mesh: &Mesh) -> f64 {
    let (low, high) = mesh.bounds();
    (high - low).length()
}
