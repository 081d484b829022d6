//! Pins a part of a body at its current place.

use glam::{DMat3, DQuat, DVec3};

use super::command_checks::{in_range, unbroken_body};
use super::edit::{Edit, PinEdit};
use super::order::{Refusal, ReplyTo};
use super::pending::{Cause, Pending};
use super::pick::{Picked, Picker};
use super::stage::Stage;
use super::thread::Engine;
use crate::protocol::command::PinAt;
use crate::protocol::message::Reply;

impl Engine {
    /// Pins the nodes around a point; the answer comes when it is done.
    pub(super) fn pin(&mut self, pin: &PinAt, reply_to: ReplyTo) -> Result<Option<Reply>, Refusal> {
        let radius = in_range("radius", pin.radius, 1e-6, 1e6)?;
        let Some(picked) = Picker::new(&self.stage).pick(&pin.point)? else {
            return Ok(Some(Reply { hit: Some(None), ..Reply::default() }));
        };
        let body = unbroken_body(&self.stage, picked.hit.body)?;
        let plan = &self.stage.scene.bodies[body];
        if plan.copy.is_some() {
            return Err(Refusal::new(
                "copy",
                "copies of a body share its pins; pin a body without copies",
            ));
        }
        let mut held = pin_edit(&self.stage, &picked, radius);
        held.stroke = pin.stroke;
        let hit = Some(Some(picked.hit));
        if pin.stroke.is_some() {
            match overlap_with_pins(&self.stage, &held) {
                PinOverlap::None => {}
                PinOverlap::Fits(like) => held.like = Some(like),
                // The nodes are already held by another pin that moves differently.
                PinOverlap::Contradicts => return Ok(Some(Reply { hit, ..Reply::default() })),
            }
        }
        let mut pending = Pending::new(Cause::Edit(Edit::Pin(held)), Some(reply_to));
        pending.reply = Reply { hit, ..Reply::default() };
        self.change(pending);
        Ok(None)
    }
}

/// The relation of a new pin to an existing one that shares nodes with it.
enum PinOverlap {
    /// No existing pin shares nodes.
    None,
    /// The existing pin moves all nodes of the new one approximately to their current positions.
    Fits(usize),
    /// The existing pin would move them elsewhere.
    Contradicts,
}

/// Largest distance of nodes from their positions under the existing pin, relative to the radius.
const MAX_DEVIATION: f64 = 0.05;

fn overlap_with_pins(stage: &Stage, pin: &PinEdit) -> PinOverlap {
    let Some(body) = stage.body(pin.body) else { return PinOverlap::None };
    let rest = body.anchors();
    let inside = |node: u32| rest[node as usize].distance(pin.centre) <= pin.radius * (1.0 + 1e-9);
    let mut pins = body.pins().iter();
    let Some(other) = pins.position(|pin| pin.nodes.iter().any(|node| inside(*node))) else {
        return PinOverlap::None;
    };
    let (motion, time) = (&body.pins()[other].motion, stage.world.time());
    let nodes = (0..rest.len() as u32).filter(|node| inside(*node)).map(|node| node as usize);
    let off = |node: usize| motion.position(rest[node], time).distance(body.state.x[node]);
    match nodes.map(off).fold(0.0, f64::max) <= MAX_DEVIATION * pin.radius {
        true => PinOverlap::Fits(other),
        false => PinOverlap::Contradicts,
    }
}

/// Makes the pin that holds the nodes around a point at their current place, by the rigid motion that best fits their
/// displacements.
fn pin_edit(stage: &Stage, picked: &Picked, radius: f64) -> PinEdit {
    let (body, centre) = (picked.hit.body, picked.anchor);
    let none = PinEdit {
        body,
        centre,
        radius,
        axis: DVec3::Y,
        angle: 0.0,
        moved: DVec3::ZERO,
        like: None,
        stroke: None,
    };
    let Some(state) = stage.body(body) else { return none };
    let rest = state.anchors();
    let nearest = rest.iter().map(|x| x.distance(centre)).fold(f64::INFINITY, f64::min);
    let radius = radius.max(nearest * (1.0 + 1e-9));
    let inside: Vec<usize> =
        (0..rest.len()).filter(|node| rest[*node].distance(centre) <= radius).collect();
    let count = inside.len().max(1) as f64;
    let mean = |x: &[DVec3]| inside.iter().map(|node| x[*node]).sum::<DVec3>() / count;
    let (from, to) = (mean(rest), mean(&state.state.x));
    // The least-squares rotation from rest to current positions is the polar factor of Σ b aᵀ.
    let mut covariance = DMat3::ZERO;
    for node in &inside {
        let (a, b) = (rest[*node] - from, state.state.x[*node] - to);
        covariance += DMat3::from_cols(b * a.x, b * a.y, b * a.z);
    }
    // Fewer than four nodes do not determine a rotation.
    let turn = if inside.len() < 4 { DQuat::IDENTITY } else { rotation_of(&covariance) };
    let (axis, angle) = turn.to_axis_angle();
    // The rotation about the centre comes first; the translation is the remaining motion of the mean.
    let moved = to - (centre + turn * (from - centre));
    PinEdit { radius, axis, angle, moved, ..none }
}

/// The rotation nearest to a matrix, by Newton's iteration for the polar decomposition (Higham 1986); the identity if
/// the matrix is singular.
fn rotation_of(matrix: &DMat3) -> DQuat {
    let mut r = *matrix * (1.0 / matrix.x_axis.length().max(1e-300));
    for _ in 0..40 {
        if r.determinant().abs() < 1e-12 {
            return DQuat::IDENTITY;
        }
        r = (r + r.inverse().transpose()) * 0.5;
    }
    if r.determinant() > 0.0 && r.is_finite() {
        DQuat::from_mat3(&r).normalize()
    } else {
        DQuat::IDENTITY
    }
}
