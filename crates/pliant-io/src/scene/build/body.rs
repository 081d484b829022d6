//! Builds a body from its plan.

use std::path::Path;
use std::sync::Arc;

use glam::DVec3;
use pliant::body::{
    Action, Body, BodyError, Contents, Model, ModelConfig, Motion, Pin, Pull, Ramp, Skin,
};
use pliant::geometry::Surface;
use pliant::material::Material;
use pliant::mesh::{Mesh, Region};
use pliant::world::{BodyHandle, World};
use toml::Spanned;

use super::body_mesh::BodyMesh;
use super::point_selector::Files;
use super::{mesher, select};
use crate::format::read_mesh;
use crate::scene::check::problems::Problems;
use crate::scene::plan::body::{BodyPlan, PinOn, PinPlan, PullPlan, RegionPlan};
use crate::scene::plan::copies::Copy;
use crate::scene::plan::mesh::{MeshPlan, MeshSource};
use crate::scene::plan::mode::Mode;
use crate::scene::plan::shape::MAX_NODES;
use crate::scene::problem::fault::Fault;

/// Builds a body, and returns the surface it was made from; files are searched for in `base`.
pub(crate) fn body(
    plan: &BodyPlan,
    base: &Path,
    problems: &mut Problems,
) -> Option<(Body, Option<Surface>)> {
    let files = Files { base, world_from_mesh: &plan.world_from_mesh };
    let body_mesh = body_mesh(plan, &files);
    let body_mesh =
        body_mesh.map_err(|fault| problems.add(fault.span(), fault.into_inner())).ok()?;
    let pins: Vec<_> =
        plan.pins.iter().map(|pin| build_pin(plan, pin, &body_mesh, &files, problems)).collect();
    let pins = pins.into_iter().collect::<Option<Vec<Pin>>>();
    let (model, surface) = model(plan, body_mesh, &files, problems)?;
    let pins = if model.is_rigid() { pin_as_whole(pins?, &model) } else { pins? };
    let mut body = body_with_pins(plan, model, pins, problems)?;
    for pull in &plan.pulls {
        let pull_index = add_pull(&mut body, pull, plan.copy.as_ref());
        ok_or_report(pull_index, &pull.at.span(), problems)?;
    }
    if let Some(rest) = &plan.rest {
        body = ok_or_report(with_rest_shape(&body, rest.get_ref()), &rest.span(), problems)?;
    }
    // The centre of mass is that of the shape in which it starts.
    let moving = body.set_motion(plan.velocity, plan.spin).map_err(Fault::from);
    ok_or_report(moving, &plan.span, problems)?;
    Some((body, surface))
}

/// Returns the body in a committed rest shape, with its pinned nodes at their prescribed positions.
fn with_rest_shape(body: &Body, rest: &[DVec3]) -> Result<Body, Fault> {
    let model = body.model().at_shape(rest)?;
    let mut body = body.with_model(Arc::new(model))?;
    let mut x = rest.to_vec();
    body.move_pins(0.0, &mut x);
    body.state.x = x;
    body.keep_form();
    Ok(body)
}

/// Replaces the pins of a rigid body by the first one, applied to all its nodes: the body moves as a whole.
fn pin_as_whole(pins: Vec<Pin>, model: &Model) -> Vec<Pin> {
    let nodes = (0..model.mesh().nodes.len() as u32).collect();
    let pin =
        pins.into_iter().next().map(|pin| Pin { nodes, motion: pin.motion, ..Pin::default() });
    pin.into_iter().collect()
}

/// Builds a copy of an earlier body, with the same model.
pub(crate) fn copy_body(plan: &BodyPlan, first: Option<&Body>) -> Option<Body> {
    let first = first?;
    let pins = first.pins().iter().zip(&plan.pins).map(|(pin, plan_of)| {
        let motion = copied_motion(&plan_of.motion, plan.copy.as_ref());
        Pin { motion, ..pin.clone() }
    });
    let mut body = Body::new(&plan.name, first.model().clone(), pins.collect()).ok()?;
    for (pull, plan_of) in first.pulls().iter().zip(&plan.pulls) {
        let motion = copied_motion(&plan_of.motion, plan.copy.as_ref());
        body.add_pull(Pull { motion, ..pull.clone() }).ok()?;
    }
    set_initial_shape(plan, &mut body);
    body.set_motion(plan.velocity, plan.spin).ok()?;
    Some(body)
}

/// Returns the motion of a copy: the motion of the original, then the transform to the copy.
fn copied_motion(motion: &Motion, copy: Option<&Copy>) -> Motion {
    let Some(Copy { pose, .. }) = copy else { return motion.clone() };
    let (axis, angle) = pose.rotation.to_axis_angle();
    let centre = DVec3::ZERO;
    let jump = |action: Action| Ramp { start: 0.0, end: 0.0, action };
    let to_copy = [Action::Rotate { centre, axis, angle }, Action::Translate(pose.translation)];
    Motion { ramps: motion.ramps.iter().copied().chain(to_copy.map(jump)).collect() }
}

/// Sets the initial positions of a body.
fn set_initial_shape(plan: &BodyPlan, body: &mut Body) {
    if let Some(start) = &plan.start {
        body.start_from(start);
    }
    if let Some(copy) = &plan.copy {
        body.state.x.iter_mut().for_each(|x| *x = copy.pose.point(*x));
    }
}

/// Builds the model of a mesh, with its materials and skin.
fn model(
    plan: &BodyPlan,
    body_mesh: BodyMesh,
    files: &Files<'_>,
    problems: &mut Problems,
) -> Option<(Model, Option<Surface>)> {
    let BodyMesh { mesh, contents, embedding } = body_mesh;
    if let Some(config) = plan.rigid {
        let surface = embedding.map_or_else(|| boundary(&mesh), |embedding| embedding.surface);
        let model = Model::rigid(&surface, config).map_err(Fault::from);
        return Some((ok_or_report(model, &plan.mesh.span, problems)?, Some(surface)));
    }
    let skin = embedding.as_ref().map(|embedding| embedding.skin(&mesh));
    let solid = plan.splinters.as_ref().map(|_| match &embedding {
        Some(embedding) => embedding.surface.clone(),
        None => boundary(&mesh),
    });
    let config = ModelConfig { quadrature: plan.quadrature, dilation: plan.dilation };
    let model = match contents {
        Some(contents) => {
            check_regions_not_empty(plan, &contents, &mesh, problems)?;
            let regions = plan.regions.iter().map(|region| region.material);
            let materials = [plan.material].into_iter().chain(regions).collect();
            Model::with_contents(mesh, materials, contents, config)
        }
        None => {
            let (mesh, materials, of_cell) = with_regions(plan, mesh, files, problems);
            Model::new(mesh, materials, of_cell, config)
        }
    };
    let mut model = ok_or_report(model.map_err(Fault::from), &plan.mesh.span, problems)?;
    let mut drawn = None;
    if let (Some(plan), Some(solid)) = (&plan.splinters, solid) {
        // Contact uses the boundary of the cells, which breaks with them.
        let made = plan.get_ref().make(&solid, model.mesh());
        let (splinters, surface) = ok_or_report(made, &plan.span(), problems)?;
        model = model.with_splinters(splinters);
        drawn = Some(surface);
    } else if let Some(skin) = skin {
        model = model.with_skin(skin);
    }
    if let Some(plan) = &plan.toughness {
        let map = plan.get_ref().map(model.mesh());
        model =
            ok_or_report(model.with_toughness(map).map_err(Fault::from), &plan.span(), problems)?;
    }
    Some((model, drawn.or(embedding.map(|embedding| embedding.surface))))
}

/// Returns the boundary of a mesh as a surface.
fn boundary(mesh: &Mesh) -> Surface {
    let skin = Skin::of_mesh(mesh, Skin::subdivisions_for(mesh));
    let mut vertices = Vec::new();
    skin.interpolate(&mesh.nodes, &mut vertices);
    Surface { vertices, triangles: skin.triangles().to_vec(), ..Surface::default() }
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
            ok_or_report(empty, &span, problems)?;
        }
    }
    Some(())
}

/// Adds a pull at a point of the body.
fn add_pull(body: &mut Body, plan: &PullPlan, copy: Option<&Copy>) -> Result<usize, Fault> {
    let PullPlan { at, motion, stiffness, damping } = plan;
    let Some(point) = body.model().locate(*at.get_ref()) else {
        let (min, max) = body.model().mesh().bounds();
        let (at, body) = (*at.get_ref(), body.name().to_owned());
        return Err(Fault::PullOutside { at, body, min, max });
    };
    let motion = copied_motion(motion, copy);
    Ok(body.add_pull(Pull { point, motion, stiffness: *stiffness, damping: *damping })?)
}

/// Adds the body to the world; in a static scene its method is not used.
pub(crate) fn add_to_world(
    world: &mut World,
    body: Body,
    plan: &BodyPlan,
    mode: Mode,
    problems: &mut Problems,
) -> Option<BodyHandle> {
    if mode == Mode::Static {
        return Some(world.add(body));
    }
    let added = world.add_with(body, plan.method);
    let added = added.map_err(|error| problems.add(plan.method_spans.of(&error), error.into()));
    let handle = added.ok()?;
    world.set_contact(handle, plan.contact).ok()?;
    Some(handle)
}

/// Returns the value of a result, or adds its fault to the problems.
fn ok_or_report<T>(
    result: Result<T, Fault>,
    span: &std::ops::Range<usize>,
    problems: &mut Problems,
) -> Option<T> {
    result.map_err(|fault| problems.add(span.clone(), fault)).ok()
}

fn body_with_pins(
    plan: &BodyPlan,
    model: Model,
    pins: Vec<Pin>,
    problems: &mut Problems,
) -> Option<Body> {
    match Body::new(&plan.name, Arc::new(model), pins) {
        Ok(mut body) => {
            set_initial_shape(plan, &mut body);
            Some(body)
        }
        Err(error) => {
            let span = match error {
                BodyError::Contradiction { second, .. } => plan.pins[second].selection.span(),
                _ => plan.span.clone(),
            };
            problems.add(span, error.into());
            None
        }
    }
}

/// Builds the mesh of a plan; an error carries its position in the text.
fn body_mesh(plan: &BodyPlan, files: &Files<'_>) -> Result<BodyMesh, Box<Spanned<Fault>>> {
    let mesh = match &plan.mesh.source {
        MeshSource::Surface(surface) => return mesher::body_mesh(plan, surface, files),
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

fn build_pin(
    plan: &BodyPlan,
    pin: &PinPlan,
    body_mesh: &BodyMesh,
    files: &Files<'_>,
    problems: &mut Problems,
) -> Option<Pin> {
    let (mesh, selection) = (&body_mesh.mesh, &pin.selection);
    let motion = copied_motion(&pin.motion, plan.copy.as_ref());
    let made = match pin.on {
        PinOn::Nodes => select::nodes(selection.get_ref(), mesh, files)
            .and_then(|nodes| not_empty(nodes, "pin", "node", plan, mesh))
            .map(|nodes| Pin { nodes, motion, ..Default::default() }),
        PinOn::Surface => body_mesh
            .surface_points(selection.get_ref(), files)
            .and_then(|points| not_empty(points, "pin", "vertex", plan, mesh))
            .map(|points| Pin::on_points(&points, &mesh.nodes, motion)),
    };
    ok_or_report(made, &selection.span(), problems)
}

fn not_empty<T>(
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
    ok_or_report(cells, &span, problems)
}
