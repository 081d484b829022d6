//! Builds the model of a body: its mesh with materials and surfaces.

use pliant::body::{Contents, Model, ModelConfig, ModelError};
use pliant::material::Material;
use pliant::mesh::{Mesh, Region};
use toml::Spanned;

use super::body_mesh::{BodyMesh, Outside};
use super::point_selector::Files;
use super::select::{self, not_empty};
use crate::scene::check::problems::Problems;
use crate::scene::plan::body::{BodyPlan, RegionPlan};
use crate::scene::problem::fault::Fault;

/// Builds the model of a body on its mesh.
pub(crate) fn model(
    plan: &BodyPlan,
    body_mesh: &BodyMesh,
    files: &Files<'_>,
    problems: &mut Problems,
) -> Option<Model> {
    let at_mesh = &plan.mesh.span;
    if let (Some(config), Some(surface)) = (plan.rigid, body_mesh.surface()) {
        let model = Model::rigid(surface, config).and_then(|model| touching(model, plan));
        return problems.ok(model.map_err(Fault::from), at_mesh);
    }
    let bare = bare_model(plan, body_mesh, files, problems)?;
    let mut model = problems.ok(bare, at_mesh)?;
    match &body_mesh.outside {
        // Contact uses the boundary of the cells, which breaks with them.
        Outside::Splinters(splinters, _) => model = model.with_splinters((**splinters).clone()),
        Outside::Embedded(skin) => model = model.with_skin(skin.clone()),
        Outside::Plain | Outside::Solid(_) => {}
    }
    let touching = touching(model, plan).map_err(Fault::from);
    let model = problems.ok(touching, at_mesh)?;
    let Some(plan) = &plan.toughness else { return Some(model) };
    let map = plan.get_ref().map(model.mesh());
    problems.ok(model.with_toughness(map).map_err(Fault::from), &plan.span())
}

/// The model that touches through what the scene says.
fn touching(model: Model, plan: &BodyPlan) -> Result<Model, ModelError> {
    match plan.touch {
        Some(touch) => model.with_touch(touch),
        None => Ok(model),
    }
}

/// Builds the model of the cells, without a skin.
fn bare_model(
    plan: &BodyPlan,
    body_mesh: &BodyMesh,
    files: &Files<'_>,
    problems: &mut Problems,
) -> Option<Result<Model, Fault>> {
    let config = ModelConfig { quadrature: plan.quadrature, dilation: plan.dilation };
    let mesh = body_mesh.mesh.clone();
    let Some(filling) = &body_mesh.filling else {
        let (mesh, materials, of_cell) = with_regions(plan, mesh, files, problems);
        return Some(Model::new(mesh, materials, of_cell, config).map_err(Fault::from));
    };
    let contents = problems.ok(filling.contents(&plan.regions, files), &plan.mesh.span)?;
    check_regions_not_empty(plan, &contents, &mesh, problems)?;
    let regions = plan.regions.iter().map(|region| region.material);
    let materials = [plan.material].into_iter().chain(regions).collect();
    Some(Model::with_contents(mesh, materials, contents, config).map_err(Fault::from))
}

/// Checks that every region of a voxel body has leaves.
fn check_regions_not_empty(
    plan: &BodyPlan,
    contents: &Contents,
    mesh: &Mesh,
    problems: &mut Problems,
) -> Option<()> {
    for (material, region) in (1u32..).zip(&plan.regions) {
        if !contents.leaves.iter().any(|leaf| leaf.material == material) {
            let selection = region.selection.as_ref();
            let span = selection.map_or_else(|| region.name.span(), Spanned::span);
            let empty = not_empty(Vec::<u32>::new(), "region", "leaf", plan, mesh);
            problems.ok(empty, &span)?;
        }
    }
    Some(())
}

/// Returns the mesh with the regions of the scene, all materials, and the material index of each cell.
fn with_regions(
    plan: &BodyPlan,
    mut mesh: Mesh,
    files: &Files<'_>,
    problems: &mut Problems,
) -> (Mesh, Vec<Material>, Vec<u32>) {
    let mut materials = vec![plan.material];
    let mut material_of_cell = vec![0; mesh.cell_count()];
    for region in &plan.regions {
        let Some(cells) = region_cells(plan, region, &mesh, files, problems) else { continue };
        for cell in &cells {
            material_of_cell[*cell as usize] = materials.len() as u32;
        }
        materials.push(region.material);
        if region.selection.is_some() {
            mesh.regions.push(Region { name: region.name.get_ref().clone(), cells });
        }
    }
    (mesh, materials, material_of_cell)
}

fn region_cells(
    plan: &BodyPlan,
    region: &RegionPlan,
    mesh: &Mesh,
    files: &Files<'_>,
    problems: &mut Problems,
) -> Option<Vec<u32>> {
    let name = region.name.get_ref();
    let (cells, span) = match &region.selection {
        Some(_) if mesh.region(name).is_some() => {
            (Err(Fault::Duplicate { what: "region", name: name.clone() }), region.name.span())
        }
        Some(selection) => (select::cells(selection.get_ref(), mesh, files), selection.span()),
        None => (
            select::named_region(name, mesh).map(|region| region.cells.clone()),
            region.name.span(),
        ),
    };
    let cells = cells.and_then(|cells| not_empty(cells, "region", "cell", plan, mesh));
    problems.ok(cells, &span)
}
