//! Resolves selections to the nodes, cells and vertices of a mesh.

use std::collections::BTreeSet;
use std::path::Path;

use glam::{DAffine3, DVec3};
use pliant::geometry::Aabb;
use pliant::mesh::{Mesh, Region};
use pliant_mesher::SurfaceTree;

use super::build_surface::surface;
use super::fault::Fault;
use super::plan::{RegionPlan, Selection};
use super::surface_plan::SurfaceSource;

/// Tolerance for points outside a shape, relative to the size of the mesh.
const SLACK: f64 = 1e-9;

/// Tolerance per colour channel for painted vertices.
pub(super) const PAINT_TOLERANCE: f32 = 0.02;

/// The folder of the scene files and the transform of their contents.
#[derive(Debug, Clone, Copy)]
pub(super) struct Files<'a> {
    /// The folder of the scene.
    pub(super) base: &'a Path,
    /// Transform from the coordinates of a body's files to those of the scene.
    pub(super) world_from_mesh: &'a DAffine3,
}

/// A selection by position or colour, prepared for queries.
pub(super) enum Chooser {
    /// Points in a simple shape, with a tolerance in m.
    Shape(Selection, f64),
    /// Points inside a surface.
    Enclosed(SurfaceTree),
    /// Points of a colour.
    Painted([f32; 3]),
}

impl Chooser {
    /// Prepares a selection that is not a name, for a body of this size in m.
    pub(super) fn new(selection: &Selection, files: &Files<'_>, size: f64) -> Result<Self, Fault> {
        Ok(match selection {
            Selection::Named(name) => {
                let (what, name) = ("region", name.clone());
                return Err(Fault::UnknownName { what, name, known: Vec::new() });
            }
            Selection::Enclosed(path) => {
                let source = SurfaceSource::File(path.clone());
                let surface = surface(&source, files.base, files.world_from_mesh)?;
                Self::Enclosed(SurfaceTree::new(&surface)?)
            }
            Selection::Painted(colour) => Self::Painted(*colour),
            shape => Self::Shape(shape.clone(), SLACK * size),
        })
    }

    /// Prepares the selection of a region of a body of this size in m.
    pub(super) fn of_region(
        region: &RegionPlan,
        files: &Files<'_>,
        size: f64,
    ) -> Result<Self, Fault> {
        match &region.selection {
            Some(selection) => Self::new(selection.get_ref(), files, size),
            None => Self::new(&Selection::Named(region.name.get_ref().clone()), files, size),
        }
    }

    /// Returns true if the point, or its colour, is selected.
    pub(super) fn chooses(&self, x: DVec3, colour: Option<[f32; 3]>) -> bool {
        match self {
            Self::Shape(selection, slack) => contains(selection, x, *slack),
            Self::Enclosed(tree) => tree.winding(x) > 0.5,
            Self::Painted(wanted) => colour.is_some_and(|colour| {
                colour.iter().zip(wanted).all(|(a, b)| (a - b).abs() <= PAINT_TOLERANCE)
            }),
        }
    }

    /// Returns an error for a selection by colour: nodes and cells have no colour.
    fn unpainted(self) -> Result<Self, Fault> {
        if let Self::Painted(_) = self { Err(Fault::Unpainted) } else { Ok(self) }
    }
}

/// Returns the selected nodes, in ascending order.
pub(super) fn nodes(
    selection: &Selection,
    mesh: &Mesh,
    files: &Files<'_>,
) -> Result<Vec<u32>, Fault> {
    if let Selection::Named(name) = selection {
        return named_nodes(name, mesh);
    }
    let chooser = Chooser::new(selection, files, size(mesh))?.unpainted()?;
    let nodes = mesh.nodes.iter().enumerate();
    let inside = nodes.filter(|(_, x)| chooser.chooses(**x, None));
    Ok(inside.map(|(node, _)| node as u32).collect())
}

/// Returns the selected cells, in ascending order: those with the mean of their corners inside.
pub(super) fn cells(
    selection: &Selection,
    mesh: &Mesh,
    files: &Files<'_>,
) -> Result<Vec<u32>, Fault> {
    if let Selection::Named(name) = selection {
        return named_region(name, mesh).map(|region| region.cells.clone());
    }
    let chooser = Chooser::new(selection, files, size(mesh))?.unpainted()?;
    let centre =
        |corners: &[u32]| mesh.cell_points(corners).iter().sum::<DVec3>() / corners.len() as f64;
    let cells = mesh.cells().enumerate();
    let inside = cells
        .filter(|(_, (kind, nodes))| chooser.chooses(centre(&nodes[..kind.corner_count()]), None));
    Ok(inside.map(|(cell, _)| cell as u32).collect())
}

/// Returns the region of this name.
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
    let slack = SLACK * (high - low).length();
    let numbered = points.iter().enumerate();
    let on_side = numbered.filter(|(_, x)| (x[axis] - plane).abs() <= slack);
    on_side.map(|(node, _)| node as u32).collect()
}

/// Returns the selected vertices of a surface, in ascending order; the only valid names are those of the sides.
pub(super) fn vertices(
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
    let chooser = Chooser::new(selection, files, (high - low).length())?.unpainted()?;
    let numbered = (0u32..).zip(vertices);
    Ok(numbered.filter(|(_, x)| chooser.chooses(**x, None)).map(|(k, _)| k).collect())
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

fn contains(selection: &Selection, x: DVec3, slack: f64) -> bool {
    match selection {
        Selection::Named(_) | Selection::Enclosed(_) | Selection::Painted(_) => false,
        Selection::Box { min, max } => x.cmpge(*min - slack).all() && x.cmple(*max + slack).all(),
        Selection::Sphere { centre, radius } => x.distance(*centre) <= radius + slack,
        Selection::HalfSpace { point, normal } => (x - *point).dot(*normal) >= -slack,
    }
}
