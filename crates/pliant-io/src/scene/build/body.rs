//! Builds a body from its plan.

use std::path::Path;
use std::sync::Arc;

use glam::DVec3;
use pliant::body::{Action, Body, BodyError, Model, Motion, Pin, Pull, PullHandle, Ramp};
use pliant::world::{BodyHandle, World};

use super::body_mesh::BodyMesh;
use super::built_scene::BuiltBody;
use super::mesher;
use super::model::model;
use super::point_selector::Files;
use super::select::{self, not_empty};
use crate::scene::check::problems::Problems;
use crate::scene::plan::body::{BodyPlan, PinOn, PinPlan, PullPlan};
use crate::scene::plan::copies::Copy;
use crate::scene::plan::mode::Mode;
use crate::scene::problem::fault::Fault;

/// Builds a body on the parts that are kept; files are searched for in `base`.
pub(crate) fn body(
    plan: &BodyPlan,
    base: &Path,
    kept: KeptParts<'_>,
    problems: &mut Problems,
) -> Option<BuiltBody> {
    let files = Files { base, world_from_mesh: &plan.world_from_mesh };
    let mesh = match kept.mesh.filter(|mesh| mesh.serves(&plan.regions)) {
        Some(mesh) => mesh.clone(),
        None => Arc::new(new_mesh(plan, &files, problems)?),
    };
    let pins: Vec<_> =
        plan.pins.iter().map(|pin| build_pin(plan, pin, &mesh, &files, problems)).collect();
    let pins = pins.into_iter().collect::<Option<Vec<Pin>>>();
    let model = match kept.model {
        Some(model) => model.clone(),
        None => Arc::new(model(plan, &mesh, &files, problems)?),
    };
    let pins = if model.is_rigid() { pin_as_whole(pins?, &model) } else { pins? };
    let mut body = body_with_pins(plan, model, pins, problems)?;
    for pull in &plan.pulls {
        let added = add_pull(&mut body, pull, plan.copy.as_ref());
        problems.ok(added, &pull.at.span())?;
    }
    if let Some(rest) = &plan.rest {
        body = problems.ok(with_rest_shape(&body, rest.get_ref()), &rest.span())?;
    }
    // The centre of mass is that of the shape in which it starts.
    let moving = body.set_motion(plan.velocity, plan.spin).map_err(Fault::from);
    problems.ok(moving, &plan.span)?;
    Some(BuiltBody { body, mesh })
}

/// The parts of an earlier body that the next one shares.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct KeptParts<'a> {
    pub(crate) mesh: Option<&'a Arc<BodyMesh>>,
    /// The model on this mesh.
    pub(crate) model: Option<&'a Arc<Model>>,
}

fn new_mesh(plan: &BodyPlan, files: &Files<'_>, problems: &mut Problems) -> Option<BodyMesh> {
    let made = mesher::body_mesh(plan, files);
    made.map_err(|fault| problems.add(fault.span(), fault.into_inner())).ok()
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

/// Adds a pull at a point of the body.
fn add_pull(body: &mut Body, plan: &PullPlan, copy: Option<&Copy>) -> Result<PullHandle, Fault> {
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

fn body_with_pins(
    plan: &BodyPlan,
    model: Arc<Model>,
    pins: Vec<Pin>,
    problems: &mut Problems,
) -> Option<Body> {
    match Body::new(&plan.name, model, pins) {
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
    problems.ok(made, &selection.span())
}
