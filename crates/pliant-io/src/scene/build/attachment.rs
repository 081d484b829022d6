//! Builds an attachment from its plan.

use std::path::Path;

use glam::DVec3;
use pliant::body::{Body, MaterialPoint};
use pliant::geometry::Surface;
use pliant::solver::Reaction;
use pliant::world::{Attachment, AttachmentHandle, BodyHandle, Support, World};

use super::point_selector::Files;
use super::select;
use crate::scene::plan::attachment::{AttachmentPlan, SupportPlan};
use crate::scene::plan::body::BodyPlan;
use crate::scene::problem::fault::Fault;

/// An attachment of the world.
#[derive(Debug, Clone)]
pub struct PlacedAttachment {
    /// Its name.
    pub name: String,
    /// Its handle in the world.
    pub handle: AttachmentHandle,
}

impl PlacedAttachment {
    /// Returns the force and torque on its body; zero once it is broken or removed.
    pub fn reaction(&self, world: &World) -> Reaction {
        let none = Reaction { force: DVec3::ZERO, torque: DVec3::ZERO };
        world.reaction(self.handle).unwrap_or(none)
    }
}

/// Attaches a part of a body; `handles` are the bodies of the scene, `body` is the plan of this one and its surface.
pub(crate) fn attach(
    world: &mut World,
    plan: &AttachmentPlan,
    body: (&BodyPlan, Option<&Surface>),
    handles: &[BodyHandle],
    base: &Path,
) -> Result<PlacedAttachment, Fault> {
    let handle = handles[plan.body];
    let points = match world.get(handle) {
        Some(own) => points(plan, body, own, base)?,
        None => Vec::new(),
    };
    let support = match &plan.support {
        SupportPlan::World => Support::World,
        SupportPlan::Frame(motion) => Support::Frame(motion.clone()),
        SupportPlan::Body(other) => Support::Body(handles[*other]),
    };
    let (bond, stiffness, strength) = (plan.bond, plan.stiffness, plan.strength);
    let attachment = Attachment { body: handle, points, support, bond, stiffness, strength };
    Ok(PlacedAttachment { name: plan.name.clone(), handle: world.attach(&attachment)? })
}

/// Returns the attached points of a body: nodes, or for a rigid body vertices of its surface.
fn points(
    plan: &AttachmentPlan,
    (body_plan, surface): (&BodyPlan, Option<&Surface>),
    body: &Body,
    base: &Path,
) -> Result<Vec<MaterialPoint>, Fault> {
    let files = Files { base, world_from_mesh: &body_plan.world_from_mesh };
    let (selection, model) = (plan.selection.get_ref(), body.model());
    let (points, of, [min, max]) = match (model.inertia(), surface) {
        (Some(inertia), Some(surface)) => {
            let vertices = &surface.vertices;
            let chosen = select::vertices(selection, vertices, &files)?;
            let points = chosen.into_iter().map(|k| inertia.point(vertices[k as usize])).collect();
            let (min, max) = surface.bounds();
            (points, "vertex", [min, max])
        }
        _ => {
            let nodes = select::nodes(selection, model.mesh(), &files)?;
            let (min, max) = model.mesh().bounds();
            (MaterialPoint::of_nodes(model.mesh(), &nodes), "node", [min, max])
        }
    };
    if points.is_empty() {
        let body = body_plan.name.clone();
        return Err(Fault::EmptySelection { what: "attachment", of, body, min, max });
    }
    Ok(points)
}
