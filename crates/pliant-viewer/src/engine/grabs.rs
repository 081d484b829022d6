//! Grabs of pages on bodies.

use glam::DVec3;
use pliant::body::{Action, MaterialPoint, Motion, Pull, PullHandle, Ramp};
use pliant::force::{FieldKind, ForceField};
use pliant::world::{BodyHandle, ChangeError};

use super::frame::GrabNote;
use super::held_points::HeldPoints;
use super::initial_state::is_broken_or_fragment;
use super::order::Refusal;
use super::stage::Stage;

/// The largest number of simultaneous grabs.
const MAX_GRABS: usize = 64;

/// A grab on a body: springs (pulls) whose targets follow the pointer.
#[derive(Debug, Clone)]
struct ActiveGrab {
    page: u32,
    grab: u32,
    body: BodyHandle,
    /// The version of the body that contains the pulls.
    version: Option<u64>,
    /// Its pulls in the body, one for each held point.
    pulls: Vec<PullHandle>,
    held_points: HeldPoints,
    /// Total stiffness, in N/m, and damping, in N·s/m, of all pulls.
    stiffness: f64,
    damping: f64,
    /// Largest speed of the target, in m/s.
    max_speed: f64,
    seq: u64,
    /// The last `seq` that a step has used.
    echo: u64,
    /// Position of the target at the end of the last step, and its velocity during it.
    before: DVec3,
    velocity: DVec3,
    target: DVec3,
    /// Radius of a twist, in m; its axis and acceleration, in m/s².
    reach: f64,
    twist: Option<(DVec3, f64)>,
}

/// All grabs.
#[derive(Debug, Default)]
pub(crate) struct Grabs {
    list: Vec<ActiveGrab>,
}

impl Grabs {
    /// Grabs a point of a body at its current position.
    pub(crate) fn grab(
        &mut self,
        stage: &mut Stage,
        (page, grab): (u32, u32),
        place: usize,
        point: MaterialPoint,
        strength: f64,
    ) -> Result<(), Refusal> {
        self.release(stage, page, Some(grab));
        if self.list.len() >= MAX_GRABS {
            return Err(Refusal::new(
                "too-many",
                format!("at most {MAX_GRABS} points can be held at once"),
            ));
        }
        let Some((held, shown)) = stage.shown_at(place).zip(stage.shown.get(place)) else {
            return Err(Refusal::new("unknown-body", format!("there is no body {place}")));
        };
        let position = point.position(&held.state.x);
        let (stiffness, damping) = stiffness_and_damping(stage, place, strength);
        let (low, high) = stage.shown_bounds(place);
        let size = (high - low).length();
        let mut grab_state = ActiveGrab {
            page,
            grab,
            body: shown.handle,
            version: stage.world.version(shown.handle),
            pulls: Vec::new(),
            held_points: HeldPoints::new(held, point, size),
            stiffness,
            damping,
            max_speed: MAX_SPEED * size,
            seq: 0,
            echo: 0,
            before: position,
            velocity: DVec3::ZERO,
            target: position,
            reach: TWIST_RADIUS * size,
            twist: None,
        };
        grab_state.add_pulls(stage)?;
        self.list.push(grab_state);
        Ok(())
    }

    /// Moves the target of a grab.
    pub(crate) fn drag(
        &mut self,
        page: u32,
        grab: u32,
        seq: u64,
        target: DVec3,
    ) -> Result<(), Refusal> {
        let grab_state = self.held(page, grab)?;
        if !(target.is_finite() && target.abs().max_element() < 1e6) {
            return Err(Refusal::new(
                "out-of-range",
                "the target is not finite or farther than 1e6 m; use three smaller numbers",
            ));
        }
        (grab_state.seq, grab_state.target) = (seq, target);
        Ok(())
    }

    fn held(&mut self, page: u32, grab: u32) -> Result<&mut ActiveGrab, Refusal> {
        let grab_state = self
            .list
            .iter_mut()
            .find(|grab_state| grab_state.page == page && grab_state.grab == grab);
        let none =
            || Refusal::new("unknown-grab", format!("there is no grab {grab}; grab a point first"));
        grab_state.ok_or_else(none)
    }

    /// Twists the material around a grab from now on.
    pub(crate) fn twist(
        &mut self,
        page: u32,
        grab: u32,
        axis: DVec3,
        strength: f64,
    ) -> Result<(), Refusal> {
        let grab_state = self.held(page, grab)?;
        let axis = axis.try_normalize().ok_or_else(|| {
            Refusal::new("out-of-range", "the axis of a twist is zero or not finite")
        })?;
        grab_state.twist = (strength != 0.0).then_some((axis, strength));
        Ok(())
    }

    /// Releases one grab of a page, or all; returns true if any was released.
    pub(crate) fn release(&mut self, stage: &mut Stage, page: u32, grab: Option<u32>) -> bool {
        let goes = |grab_state: &ActiveGrab| {
            grab_state.page == page && grab.is_none_or(|grab| grab == grab_state.grab)
        };
        let mut any = false;
        while let Some(place) = self.list.iter().position(goes) {
            let gone = self.list.remove(place);
            for pull in gone.pulls {
                // A rebuilt body has no pulls left.
                let _ = stage.world.remove_pull(gone.body, pull);
            }
            any = true;
        }
        any
    }

    /// Drops all grabs on bodies that no longer exist.
    pub(crate) fn clear(&mut self) {
        self.list.clear();
    }

    /// Moves grabs on broken bodies to the fragments that contain their points. Grabs on bodies that are whole again,
    /// or on removed fragments, are released.
    pub(crate) fn follow(&mut self, stage: &mut Stage) {
        let mut parted: Vec<BodyHandle> = Vec::new();
        let parts = |body: BodyHandle| stage.world.get(body).is_some_and(is_broken_or_fragment);
        for grab_state in &self.list {
            let changed = stage.world.version(grab_state.body) != grab_state.version;
            let origin = stage.world.origin(grab_state.body);
            parted.extend(origin.filter(|origin| changed && parts(*origin)));
        }
        parted.sort_by_key(|body| stage.place_of(*body));
        parted.dedup();
        for body in &parted {
            stage.remove_grab_pulls(*body);
        }
        let mut kept = Vec::new();
        for mut grab_state in std::mem::take(&mut self.list) {
            let origin = stage.world.origin(grab_state.body);
            let stays = match origin.filter(|origin| parted.contains(origin)) {
                Some(origin) => grab_state.move_to_fragment(stage, origin),
                None => stage.world.is_gone(grab_state.body) == Some(false),
            };
            if stays {
                kept.push(grab_state);
            }
        }
        self.list = kept;
    }

    /// Releases the grabs on a body that was broken and is whole again, and on its fragments.
    pub(crate) fn release_body(&mut self, stage: &Stage, body: usize) {
        self.list.retain(|grab_state| stage.origin_of(grab_state.body) != Some(body));
    }

    /// Renews the grabs on a rebuilt body where possible.
    pub(crate) fn renew(&mut self, stage: &mut Stage, body: usize) {
        let handle = stage.handles[body];
        let mut kept = Vec::new();
        for mut grab_state in std::mem::take(&mut self.list) {
            if grab_state.body == handle {
                let Some(held) = stage.body(body) else { continue };
                grab_state.version = stage.world.version(handle);
                let known = |(point, _): &(MaterialPoint, DVec3)| held.check_point(point).is_ok();
                if !grab_state.held_points.points().iter().all(known)
                    || grab_state.add_pulls(stage).is_err()
                {
                    continue;
                }
            }
            kept.push(grab_state);
        }
        self.list = kept;
    }

    /// Force fields of twists for the next step: they are added to the world before it and removed after it.
    pub(crate) fn fields(&self, stage: &Stage) -> Vec<ForceField> {
        let start = stage.world.time();
        let field = |grab_state: &ActiveGrab| {
            let (axis, strength) = grab_state.twist?;
            let centre =
                grab_state.held_points.position(&stage.world.get(grab_state.body)?.state.x);
            let kind = FieldKind::Swirl { axis, strength };
            let end = start + stage.world.config().dt;
            Some(ForceField { centre, radius: grab_state.reach, kind, start, end })
        };
        self.list.iter().filter_map(field).collect()
    }

    /// Moves all targets toward their destinations, by at most the distance allowed in one step.
    pub(crate) fn move_targets(&mut self, stage: &mut Stage) {
        for grab_state in &mut self.list {
            let next = grab_state.next(stage);
            grab_state.lead_pulls(stage, next);
            grab_state.velocity = (next - grab_state.before) / stage.world.config().dt;
            (grab_state.before, grab_state.echo) = (next, grab_state.seq);
        }
    }

    /// The grabs for frames. While paused they carry the latest `seq`, which no step uses yet.
    pub(crate) fn notes(&self, stage: &Stage, paused: bool) -> Vec<GrabNote> {
        let note = |grab_state: &ActiveGrab| {
            let note = grab_state.note(stage)?;
            Some(GrabNote { seq: if paused { grab_state.seq } else { grab_state.echo }, ..note })
        };
        self.list.iter().filter_map(note).collect()
    }
}

impl Stage {
    /// Removes the pulls of grabs from all fragments of a body; the pulls of the scene come before them.
    fn remove_grab_pulls(&mut self, body: BodyHandle) {
        let Some(index) = self.origin_of(body) else { return };
        let own = self.scene.bodies[index].pulls.len();
        let first = self.initial_states[index].body.pulls();
        let cells: Vec<u32> = first.iter().take(own).map(|pull| pull.point.cell).collect();
        let pieces: Vec<BodyHandle> = self.world.pieces(body).collect();
        for piece in pieces {
            let Some(part) = self.world.get(piece) else { continue };
            let has = |cell: &&u32| part.cells_of_whole().is_none_or(|own| own.contains(*cell));
            let kept = cells.iter().filter(has).count();
            if part.pulls().len() <= kept {
                continue;
            }
            let added = part.pull_handles()[kept..].to_vec();
            for pull in added {
                let _ = self.world.remove_pull(piece, pull);
            }
        }
    }
}

/// Radius of a twist, in sizes of the body.
const TWIST_RADIUS: f64 = 0.3;

/// Largest speed of a grab, in sizes of its body per second: the pointer jumps from message to message, and a jump
/// across the body within one step would invert cells.
const MAX_SPEED: f64 = 1.5;

impl ActiveGrab {
    /// Moves the grab to the fragment that contains its point; returns false if there is none.
    fn move_to_fragment(&mut self, stage: &mut Stage, origin: BodyHandle) -> bool {
        let Some((piece, held_points)) = self.held_points.after_break(&stage.world, origin) else {
            return false;
        };
        if stage.world.is_gone(piece) != Some(false) {
            return false;
        }
        (self.body, self.held_points, self.version) =
            (piece, held_points, stage.world.version(piece));
        self.add_pulls(stage).is_ok()
    }

    /// Position of the target at the end of the next step.
    fn next(&self, stage: &Stage) -> DVec3 {
        let reach = self.max_speed * stage.world.config().dt;
        self.before + (self.target - self.before).clamp_length_max(reach.max(f64::MIN_POSITIVE))
    }

    /// Adds a pull to the body for every held point, with its target where the grab is.
    fn add_pulls(&mut self, stage: &mut Stage) -> Result<(), Refusal> {
        let refuse = |error: ChangeError| Refusal::new("out-of-range", error.to_string());
        self.pulls.clear();
        let share = 1.0 / self.held_points.count() as f64;
        let (stiffness, damping) = (share * self.stiffness, share * self.damping);
        for (point, offset) in self.held_points.points() {
            let Some(body) = stage.world.get(self.body) else { return Ok(()) };
            let way = self.before + *offset - point.position(body.anchors());
            let jump = Ramp { start: 0.0, end: 0.0, action: Action::Translate(way) };
            let (motion, point) = (Motion { ramps: vec![jump] }, point.clone());
            let pull = Pull { point, motion, stiffness, damping };
            self.pulls.push(stage.world.add_pull(self.body, pull).map_err(refuse)?);
        }
        Ok(())
    }

    /// Leads the targets of its pulls to `next` during the next step.
    fn lead_pulls(&self, stage: &mut Stage, next: DVec3) {
        for (pull, (_, offset)) in self.pulls.iter().zip(self.held_points.points()) {
            // The target is near the pull, which was checked when it was added.
            let _ = stage.world.set_pull_target(self.body, *pull, next + *offset);
        }
    }

    fn note(&self, stage: &Stage) -> Option<GrabNote> {
        let (state, place) = (&stage.world.get(self.body)?.state, stage.place_of(self.body)?);
        let gap = self.held_points.gap(self.before, &state.x);
        let slip = self.velocity - self.held_points.mean(&state.v);
        let force = self.stiffness * gap + self.damping * slip;
        Some(GrabNote {
            page: self.page,
            grab: self.grab,
            seq: self.seq,
            body: place,
            point: self.held_points.position(&state.x).to_array(),
            target: self.target.to_array(),
            force: force.to_array(),
        })
    }
}

/// Stiffness and damping of a grab, matched to the body: it moves the whole body instead of denting it, and hardly
/// oscillates.
fn stiffness_and_damping(stage: &Stage, place: usize, strength: f64) -> (f64, f64) {
    /// Angular frequency of the whole body on the spring of the grab, in rad/s.
    const FREQUENCY: f64 = 25.0;
    let Some(body) = stage.shown_at(place) else { return (0.0, 0.0) };
    let model = body.model();
    let mass = model.mass();
    let (low, high) = stage.shown_bounds(place);
    let young =
        model.materials().iter().map(|material| material.young).fold(f64::INFINITY, f64::min);
    let elastic =
        if model.is_rigid() { f64::INFINITY } else { 0.25 * young * (high - low).length() };
    let heavy = mass * FREQUENCY * FREQUENCY;
    // The spring stays softer than the body itself, but strong enough to lift a soft heavy one.
    let stiffness = strength * elastic.min(heavy).max(0.1 * heavy);
    // A damping ratio c / (2 √(k m)) of 0.3.
    (stiffness.clamp(0.0, 1e14), (0.6 * (stiffness * mass).sqrt()).clamp(0.0, 1e14))
}
