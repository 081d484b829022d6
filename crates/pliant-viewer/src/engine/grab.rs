//! Hands on bodies.

use glam::DVec3;
use pliant::body::{Action, MaterialPoint, Motion, Pull, Ramp};

use super::frame::GrabNote;
use super::grip::Grip;
use super::order::Refusal;
use super::stage::Stage;

/// Most hands at a time.
const MOST: usize = 64;

/// A hand on a body: pulls whose targets follow it.
#[derive(Debug, Clone)]
struct Hand {
    page: u32,
    grab: u32,
    body: usize,
    /// Place of its first pull in the body; the others follow it.
    pull: usize,
    grip: Grip,
    /// Of all pulls together.
    stiffness: f64,
    damping: f64,
    /// How fast it moves at most, in m/s.
    fastest: f64,
    seq: u64,
    /// The last of those that a step has contained.
    echo: u64,
    /// Where the target was at the end of the last step, and how fast it moved in it.
    before: DVec3,
    velocity: DVec3,
    target: DVec3,
}

/// All hands.
#[derive(Debug, Default)]
pub(crate) struct Hands {
    list: Vec<Hand>,
}

impl Hands {
    /// A hand takes hold of a point, where it is.
    pub(crate) fn grab(
        &mut self,
        stage: &mut Stage,
        (page, grab): (u32, u32),
        body: usize,
        point: MaterialPoint,
        strength: f64,
    ) -> Result<(), Refusal> {
        self.release(stage, page, Some(grab));
        if self.list.len() >= MOST {
            return Err(Refusal::new(
                "too-many",
                format!("at most {MOST} points can be held at once"),
            ));
        }
        let Some(held) = stage.body(body) else {
            return Err(Refusal::new("unknown-body", format!("there is no body {body}")));
        };
        let position = point.position(&held.state.x);
        let (stiffness, damping) = firmness(stage, body, strength);
        let (low, high) = stage.rest_bounds(body);
        let size = (high - low).length();
        let hand = Hand {
            page,
            grab,
            body,
            pull: held.pulls().len(),
            grip: Grip::new(held, point, size),
            stiffness,
            damping,
            fastest: FASTEST * size,
            seq: 0,
            echo: 0,
            before: position,
            velocity: DVec3::ZERO,
            target: position,
        };
        hand.put(stage, true, hand.before)?;
        self.list.push(hand);
        Ok(())
    }

    /// A hand moves.
    pub(crate) fn drag(
        &mut self,
        page: u32,
        grab: u32,
        seq: u64,
        target: DVec3,
    ) -> Result<(), Refusal> {
        let hand = self.list.iter_mut().find(|hand| hand.page == page && hand.grab == grab);
        let none =
            || Refusal::new("unknown-grab", format!("nothing is held as {grab}; grab it first"));
        let hand = hand.ok_or_else(none)?;
        if !(target.is_finite() && target.abs().max_element() < 1e6) {
            return Err(Refusal::new(
                "out-of-range",
                "a target is three numbers, at most a million m",
            ));
        }
        (hand.seq, hand.target) = (seq, target);
        Ok(())
    }

    /// A hand of a page lets go, or all of its hands; tells whether any did.
    pub(crate) fn release(&mut self, stage: &mut Stage, page: u32, grab: Option<u32>) -> bool {
        let goes = |hand: &Hand| hand.page == page && grab.is_none_or(|grab| grab == hand.grab);
        let mut any = false;
        while let Some(place) = self.list.iter().position(goes) {
            let gone = self.list.remove(place);
            let count = gone.grip.count();
            if let Some(body) = stage.handles.get(gone.body).and_then(|h| stage.world.body_mut(*h))
            {
                // A body that was made anew has lost them already.
                (0..count).for_each(|_| drop(body.remove_pull(gone.pull)));
            }
            let behind = self.list.iter_mut().filter(|hand| hand.body == gone.body);
            behind.filter(|hand| hand.pull > gone.pull).for_each(|hand| hand.pull -= count);
            any = true;
        }
        any
    }

    /// All let go of what is no longer there.
    pub(crate) fn clear(&mut self) {
        self.list.clear();
    }

    /// Takes hold again of bodies that were made anew, where that can be done.
    pub(crate) fn hold_again(&mut self, stage: &mut Stage, body: usize) {
        let mut kept = Vec::new();
        for mut hand in std::mem::take(&mut self.list) {
            if hand.body == body {
                let Some(held) = stage.body(body) else { continue };
                hand.pull = held.pulls().len();
                let known = |(point, _): &(MaterialPoint, DVec3)| held.check_point(point).is_ok();
                if !hand.grip.points().iter().all(known)
                    || hand.put(stage, true, hand.before).is_err()
                {
                    continue;
                }
            }
            kept.push(hand);
        }
        self.list = kept;
    }

    /// Leads all targets from where they were towards where they are to be, as far as a hand gets in a step.
    pub(crate) fn lead(&mut self, stage: &mut Stage) {
        for hand in &mut self.list {
            let next = hand.next(stage);
            // It was checked when it was taken.
            let _ = hand.put(stage, false, next);
            hand.velocity = (next - hand.before) / stage.world.config().dt;
            (hand.before, hand.echo) = (next, hand.seq);
        }
    }

    /// What frames tell of hands; while time stands still, of hands that move in vain too.
    pub(crate) fn notes(&self, stage: &Stage, paused: bool) -> Vec<GrabNote> {
        let note = |hand: &Hand| {
            let note = hand.note(stage)?;
            Some(GrabNote { seq: if paused { hand.seq } else { hand.echo }, ..note })
        };
        self.list.iter().filter_map(note).collect()
    }
}

/// How fast a hand moves at most, in sizes of the body that it holds per second: a mouse jumps from message to message, and a jump
/// across the body within a step would be a blow that turns cells inside out.
const FASTEST: f64 = 1.5;

impl Hand {
    /// Where its target is at the end of a step.
    fn next(&self, stage: &Stage) -> DVec3 {
        let reach = self.fastest * stage.world.config().dt;
        self.before + (self.target - self.before).clamp_length_max(reach.max(f64::MIN_POSITIVE))
    }

    /// Puts its pulls into the body, whose targets go to `next` in a step.
    fn put(&self, stage: &mut Stage, new: bool, next: DVec3) -> Result<(), Refusal> {
        let (t, dt) = (stage.world.time(), stage.world.config().dt);
        let refuse =
            |error: pliant::body::BodyError| Refusal::new("out-of-range", error.to_string());
        let Some(handle) = stage.handles.get(self.body) else { return Ok(()) };
        let Some(body) = stage.world.body_mut(*handle) else { return Ok(()) };
        let share = 1.0 / self.grip.count() as f64;
        let (stiffness, damping) = (share * self.stiffness, share * self.damping);
        for (place, (point, offset)) in (self.pull..).zip(self.grip.points()) {
            let rest = point.position(body.anchors());
            let way = self.before + *offset - rest;
            let mut ramps = vec![Ramp { start: 0.0, end: 0.0, action: Action::Translate(way) }];
            if next != self.before {
                let action = Action::Translate(next - self.before);
                ramps.push(Ramp { start: t, end: t + dt, action });
            }
            let (motion, point) = (Motion { ramps }, point.clone());
            let pull = Pull { point, motion, stiffness, damping };
            if new {
                body.add_pull(pull).map_err(refuse)?;
            } else {
                body.replace_pull(place, pull).map_err(refuse)?;
            }
        }
        Ok(())
    }

    fn note(&self, stage: &Stage) -> Option<GrabNote> {
        let state = &stage.body(self.body)?.state;
        let gap = self.grip.gap(self.before, &state.x);
        let slip = self.velocity - self.grip.mean(&state.v);
        let force = self.stiffness * gap + self.damping * slip;
        Some(GrabNote {
            page: self.page,
            grab: self.grab,
            seq: self.seq,
            body: self.body,
            point: self.grip.position(&state.x).to_array(),
            target: self.target.to_array(),
            force: force.to_array(),
        })
    }
}

/// Stiffness and damping of a hand that suits a body: it moves all of the body rather than dent it, and hardly swings.
fn firmness(stage: &Stage, index: usize, strength: f64) -> (f64, f64) {
    /// Of the whole body on the spring of a hand, in rad/s.
    const FREQUENCY: f64 = 25.0;
    let Some(body) = stage.body(index) else { return (0.0, 0.0) };
    let model = body.model();
    let mass = model.mass();
    let (low, high) = stage.rest_bounds(index);
    let young =
        model.materials().iter().map(|material| material.young).fold(f64::INFINITY, f64::min);
    let elastic =
        if model.is_rigid() { f64::INFINITY } else { 0.25 * young * (high - low).length() };
    let heavy = mass * FREQUENCY * FREQUENCY;
    let stiffness = strength * elastic.min(heavy).max(0.1 * heavy);
    (stiffness.clamp(0.0, 1e14), (0.6 * (stiffness * mass).sqrt()).clamp(0.0, 1e14))
}
