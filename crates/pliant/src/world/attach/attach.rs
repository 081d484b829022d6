//! Attaching, releasing, and reaction forces.

use glam::DVec3;

use crate::body::{Action, Body, BodyError, MaterialPoint, Motion, Pull, Ramp};
use crate::solver::Reaction;
use crate::world::slot::handle::BodyHandle;
use crate::world::world::World;
use pliant_mesh::mesh::Mesh;

use super::attached::{Attached, AttachedPoint, Held};
use super::attachment::{Attachment, AttachmentError, AttachmentHandle, Bond, Support};

/// The stiffness of all springs of an attachment together, over Young's modulus of the softer body times its size.
const STIFFNESS: f64 = 10.0;

impl World {
    /// Attaches a region of a body to another body, a moving frame or the world, at its present position. There is
    /// no contact between bodies that are attached to each other.
    ///
    /// # Errors
    ///
    /// A region that does not belong to the body, an axis without direction, bodies too far apart, an invalid handle.
    pub fn attach(&mut self, attachment: &Attachment) -> Result<AttachmentHandle, AttachmentError> {
        let index = self.slots.index_of(attachment.body)?;
        let body = self.checked(attachment.body)?;
        check_stiffness(attachment)?;
        let places = places(attachment, body)?;
        if body.unknowns().count() == 0 {
            return Err(AttachmentError::Pinned);
        }
        let mut softness = softness(body);
        let points = located(attachment, body, &places)?;
        let frame = |motion: &Motion, stiffness: f64| {
            let pull = |(point, place)| held_at(body, point, place, motion, self.time, stiffness);
            Held::At(points.iter().cloned().zip(places.iter().copied()).map(pull).collect())
        };
        let held = match &attachment.support {
            Support::Body(other) if *other == attachment.body => {
                return Err(AttachmentError::Itself);
            }
            Support::Body(other) => {
                let second = self.checked(*other)?;
                softness = softness.min(self::softness(second));
                if second.unknowns().count() == 0 {
                    frame(frame_of(second)?, spring(attachment, softness, points.len()))
                } else {
                    let find = |place: &DVec3| located_at(second, *place, "second").map(weights);
                    Held::By(
                        self.slots.index_of(*other)?,
                        places.iter().map(find).collect::<Result<_, _>>()?,
                    )
                }
            }
            Support::Frame(motion) => frame(motion, spring(attachment, softness, points.len())),
            Support::World => frame(&Motion::default(), spring(attachment, softness, points.len())),
        };
        let stiffness = spring(attachment, softness, points.len());
        let points = points.into_iter().map(weights).collect();
        let strength = attachment.strength.unwrap_or(f64::INFINITY);
        self.take_in_attachment(Attached { body: index, points, held, stiffness, strength })
    }

    fn take_in_attachment(
        &mut self,
        attached: Attached,
    ) -> Result<AttachmentHandle, AttachmentError> {
        let number = self.attachments.next_number();
        if let Held::At(pulls) = &attached.held
            && let Some(slot) = self.slots.get_mut(attached.body)
        {
            slot.body.tie(number, pulls)?;
        }
        for body in attached.bodies().unwrap_or([attached.body; 2]) {
            self.wake_slot(body);
        }
        Ok(AttachmentHandle { number: self.attachments.add(attached) })
    }

    /// Releases an attachment; false if it was released before.
    pub fn detach(&mut self, handle: AttachmentHandle) -> bool {
        let Some(attached) = self.attachments.remove(handle.number) else { return false };
        for body in attached.bodies().unwrap_or([attached.body; 2]) {
            self.wake_slot(body);
        }
        if let Some(slot) = self.slots.get_mut(attached.body) {
            slot.body.untie(handle.number);
        }
        true
    }

    /// The force and torque of an attachment on its body now; the torque is about the mean of its points. `None` if it
    /// was released.
    pub fn reaction(&self, handle: AttachmentHandle) -> Option<Reaction> {
        let attached = self.attachments.get(handle.number)?;
        let body = &self.slots.get(attached.body)?.body;
        let here = |k: usize| blend(&attached.points[k], &body.state.x);
        let there = |k: usize| match &attached.held {
            Held::By(other, points) => {
                Some(blend(&points[k], &self.slots.get(*other)?.body.state.x))
            }
            Held::At(pulls) => Some(pulls[k].target(body.anchors(), self.time)),
        };
        let count = attached.points.len();
        let centre = (0..count).map(here).sum::<DVec3>() / count as f64;
        let mut sum = Reaction { force: DVec3::ZERO, torque: DVec3::ZERO };
        for k in 0..count {
            let force = attached.stiffness * (there(k)? - here(k));
            sum.force += force;
            sum.torque += (here(k) - centre).cross(force);
        }
        Some(sum)
    }

    /// The attachments that hold a body, or that it holds.
    pub(crate) fn attachments_of(&self, index: u32) -> impl Iterator<Item = AttachmentHandle> {
        let own = self.attachments.iter().filter(move |(_, attached)| attached.names(index));
        own.map(|(number, _)| AttachmentHandle { number })
    }

    fn checked(&self, handle: BodyHandle) -> Result<&Body, AttachmentError> {
        self.slots.index_of(handle)?;
        Ok(&self[handle])
    }
}

/// Checks stiffness and strength.
fn check_stiffness(attachment: &Attachment) -> Result<(), AttachmentError> {
    /// The greatest stiffness, in N/m, that leaves enough digits for the forces of a body.
    const MAX_STIFFNESS: f64 = 1e15;
    match attachment.stiffness {
        Some(value) if !(0.0..=MAX_STIFFNESS).contains(&value) => {
            Err(BodyError::PullStrength { field: "stiffness", value, most: MAX_STIFFNESS }.into())
        }
        _ => match attachment.strength {
            Some(value) if !(value.is_finite() && value > 0.0) => {
                Err(AttachmentError::Strength { value })
            }
            _ => Ok(()),
        },
    }
}

/// Present positions of the held points: those of the region, or two on an axis.
fn places(attachment: &Attachment, body: &Body) -> Result<Vec<DVec3>, AttachmentError> {
    let Attachment { points, bond, .. } = attachment;
    if points.is_empty() {
        return Err(AttachmentError::NoPoints);
    }
    points.iter().try_for_each(|point| body.check_point(point))?;
    let region = points.iter().map(|point| point.position(&body.state.x));
    let Bond::Hinge { through, axis } = *bond else { return Ok(region.collect()) };
    let [x, y, z] = axis.to_array();
    let along = axis.try_normalize().filter(|_| through.is_finite());
    let along = along.ok_or(AttachmentError::Axis { x, y, z })?;
    let reach = region.map(|place| along.dot(place - through));
    let (low, high) =
        reach.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), x| (low.min(x), high.max(x)));
    Ok(vec![through + low * along, through + high * along])
}

/// The held points of the body.
fn located(
    attachment: &Attachment,
    body: &Body,
    places: &[DVec3],
) -> Result<Vec<MaterialPoint>, AttachmentError> {
    match attachment.bond {
        Bond::Weld => Ok(attachment.points.clone()),
        Bond::Hinge { .. } => {
            places.iter().map(|place| located_at(body, *place, "first")).collect()
        }
    }
}

/// The point of a body whose present position is `place`.
fn located_at(
    body: &Body,
    place: DVec3,
    which: &'static str,
) -> Result<MaterialPoint, AttachmentError> {
    if let Some(inertia) = body.model().inertia() {
        return Ok(inertia.point(inertia.pose(&body.state).local_point(place)));
    }
    let mesh = Mesh { nodes: body.state.x.clone(), ..body.model().mesh().clone() };
    let DVec3 { x, y, z } = place;
    MaterialPoint::locate(&mesh, place).ok_or(AttachmentError::Apart { which, x, y, z })
}

/// A spring that holds a point, now at `place`, to a moving frame.
fn held_at(
    body: &Body,
    point: MaterialPoint,
    place: DVec3,
    motion: &Motion,
    time: f64,
    stiffness: f64,
) -> Pull {
    let rest = point.position(body.anchors());
    // The motion of a pull starts from the rest position of its point, that of a frame from its own start.
    let begin = motion.pose(time).local_point(place);
    let jump = Ramp { start: 0.0, end: 0.0, action: Action::Translate(begin - rest) };
    let ramps = std::iter::once(jump).chain(motion.ramps.iter().copied()).collect();
    Pull { point, motion: Motion { ramps }, stiffness, damping: 0.0 }
}

/// The motion of a body whose nodes are all pinned.
fn frame_of(body: &Body) -> Result<&Motion, AttachmentError> {
    match body.pins() {
        [pin, others @ ..] if others.iter().all(|other| other.motion == pin.motion) => {
            Ok(&pin.motion)
        }
        _ => Err(AttachmentError::NoFrame),
    }
}

/// The least Young's modulus of a body times its size, in N/m.
fn softness(body: &Body) -> f64 {
    let model = body.model();
    let young = model.materials().iter().map(|material| material.young);
    let (low, high) = model.mesh().bounds();
    young.fold(f64::INFINITY, f64::min) * (high - low).length()
}

/// Stiffness of one spring, in N/m.
fn spring(attachment: &Attachment, softness: f64, count: usize) -> f64 {
    attachment.stiffness.unwrap_or(STIFFNESS * softness) / count as f64
}

fn weights(point: MaterialPoint) -> AttachedPoint {
    let terms = point.nodes.into_iter().zip(point.weights);
    let weights = terms.filter(|(_, weight)| *weight != 0.0).collect();
    AttachedPoint { cell: point.cell, weights }
}

fn blend(point: &AttachedPoint, nodes: &[DVec3]) -> DVec3 {
    point.weights.iter().map(|(node, weight)| *weight * nodes[*node as usize]).sum()
}
