//! Builds the mesh of a body, and its surfaces.

use pliant::body::{ModelError, Skin};
use pliant::geometry::Surface;
use pliant::mesh::Mesh;
use pliant_mesher::Embedding;
use pliant_mesher::choose::ChosenCells;
use toml::Spanned;

use super::body_mesh::{BodyMesh, Outside};
use super::filling::voxels;
use super::point_selector::Files;
use super::surface::surface;
use super::tetrahedra;
use crate::format::read_mesh;
use crate::scene::plan::body::BodyPlan;
use crate::scene::plan::mesh::{MeshPlan, MeshSource};
use crate::scene::plan::shape::MAX_NODES;
use crate::scene::plan::splinters::SplintersPlan;
use crate::scene::plan::surface::{Mesher, Stiffness, SurfacePlan};
use crate::scene::problem::fault::Fault;

/// Builds the mesh and the surfaces of a body; an error carries its position in the text.
pub(crate) fn body_mesh(
    plan: &BodyPlan,
    files: &Files<'_>,
) -> Result<BodyMesh, Box<Spanned<Fault>>> {
    let mut made = mesh(plan, files)?;
    made.outside = outside(plan, &made)?;
    Ok(made)
}

/// Builds the outside of a body.
fn outside(plan: &BodyPlan, body_mesh: &BodyMesh) -> Result<Outside, Box<Spanned<Fault>>> {
    let BodyMesh { mesh, embedding, .. } = body_mesh;
    let given = embedding.as_ref().map(|embedding| &embedding.surface);
    match &plan.splinters {
        _ if plan.rigid.is_some() => Ok(match given {
            Some(_) => Outside::Plain,
            None => Outside::Solid(boundary(mesh)),
        }),
        Some(splinters) => {
            check_cells(mesh)
                .map_err(|fault| Box::new(Spanned::new(plan.mesh.span.clone(), fault)))?;
            splintered(splinters.get_ref(), mesh, given)
                .map_err(|fault| Box::new(Spanned::new(splinters.span(), fault)))
        }
        None => Ok(match embedding {
            Some(embedding) => Outside::Embedded(embedding.skin(mesh)),
            None => Outside::Plain,
        }),
    }
}

/// Checks that splinters can be attached to all cells.
fn check_cells(mesh: &Mesh) -> Result<(), Fault> {
    let cells = mesh.invalid_cells();
    if cells.is_empty() { Ok(()) } else { Err(ModelError::InvalidCells { cells }.into()) }
}

/// Cuts a surface, or the boundary of the mesh, into splinters.
fn splintered(
    plan: &SplintersPlan,
    mesh: &Mesh,
    surface: Option<&Surface>,
) -> Result<Outside, Fault> {
    let (splinters, surface) = match surface {
        Some(surface) => plan.make(surface, mesh)?,
        None => plan.make(&boundary(mesh), mesh)?,
    };
    Ok(Outside::Splinters(Box::new(splinters), surface))
}

/// Returns the boundary of a mesh as a surface.
fn boundary(mesh: &Mesh) -> Surface {
    let skin = Skin::of_mesh(mesh, Skin::subdivisions_for(mesh));
    let mut vertices = Vec::new();
    skin.interpolate(&mesh.nodes, &mut vertices);
    Surface { vertices, triangles: skin.triangles().to_vec(), ..Surface::default() }
}

/// Builds the mesh of a body, without its outside.
fn mesh(plan: &BodyPlan, files: &Files<'_>) -> Result<BodyMesh, Box<Spanned<Fault>>> {
    let mesh = match &plan.mesh.source {
        MeshSource::Surface(surface) => return from_surface(plan, surface, files),
        MeshSource::File(path) => {
            read_mesh(&files.base.join(path)).map(|read| read.mesh).map_err(Fault::from)
        }
        MeshSource::Shape(shape) => shape.mesh().map_err(Fault::from),
    };
    let made = mesh.and_then(|mesh| processed_mesh(plan, mesh));
    made.map(BodyMesh::from).map_err(|fault| Box::new(Spanned::new(plan.mesh.span.clone(), fault)))
}

/// Raises the degree of a mesh, refines and transforms it.
fn processed_mesh(plan: &BodyPlan, mut mesh: Mesh) -> Result<Mesh, Fault> {
    let MeshPlan { source, degree, refine, .. } = &plan.mesh;
    if let (MeshSource::File(_), Some(degree)) = (source, degree) {
        mesh = mesh.elevated(*degree)?;
    }
    for _ in 0..*refine {
        check_node_count(mesh.nodes.len() as f64 * 8.0)?;
        mesh = mesh.refined()?;
    }
    for node in &mut mesh.nodes {
        *node = plan.world_from_mesh.transform_point3(*node);
    }
    mesh.check()?;
    Ok(mesh)
}

fn check_node_count(nodes: f64) -> Result<(), Fault> {
    if nodes <= MAX_NODES { Ok(()) } else { Err(Fault::TooLarge { nodes, max: MAX_NODES }) }
}

/// Builds a mesh from a surface; an error carries its position in the text.
fn from_surface(
    body: &BodyPlan,
    plan: &SurfacePlan,
    files: &Files<'_>,
) -> Result<BodyMesh, Box<Spanned<Fault>>> {
    let at_mesh = |fault: Fault| Box::new(Spanned::new(body.mesh.span.clone(), fault));
    let surface = surface(&plan.source, files.base, files.world_from_mesh).map_err(at_mesh)?;
    match &plan.mesher {
        Mesher::Automatic { cells, degree } => {
            let chosen = ChosenCells::new(&surface, *cells, *degree);
            let chosen = chosen.map_err(|error| at_mesh(error.into()))?;
            of_chosen(body, surface, chosen, files)
        }
        Mesher::Voxels { config, stiffness } => {
            let voxels = voxels(&surface, config, *stiffness, &body.regions, files);
            let (mesh, embedding, filling) = voxels.map_err(at_mesh)?;
            let (filling, embedding) = (Some(filling), Some(embedding));
            Ok(BodyMesh { filling, embedding, ..BodyMesh::from(mesh) })
        }
        Mesher::Tetrahedra { config, finer } => {
            tetrahedra::body_mesh(body, surface, config, finer, files)
        }
    }
}

/// Builds the mesh of a body from chosen cells; voxels are made again with the regions of the body.
fn of_chosen(
    body: &BodyPlan,
    surface: Surface,
    chosen: ChosenCells,
    files: &Files<'_>,
) -> Result<BodyMesh, Box<Spanned<Fault>>> {
    let choice = Some(chosen.to_string());
    match chosen {
        ChosenCells::Tetrahedra { made, .. } => {
            let embedding = Some(Embedding { surface, places: made.places });
            Ok(BodyMesh { embedding, choice, ..BodyMesh::from(made.mesh) })
        }
        ChosenCells::Voxels { config, .. } => {
            let voxels = voxels(&surface, &config, Stiffness::default(), &body.regions, files);
            let (mesh, embedding, filling) =
                voxels.map_err(|fault| Box::new(Spanned::new(body.mesh.span.clone(), fault)))?;
            let (filling, embedding) = (Some(filling), Some(embedding));
            Ok(BodyMesh { filling, embedding, choice, ..BodyMesh::from(mesh) })
        }
    }
}
