//! What the engine does at the command of a page.

use glam::{DMat3, DQuat, DVec3};
use pliant_io::scene::{Mode, catalogue};

use super::document::Document;
use super::edit::{Edit, PaintEdit, PinEdit, Resize};
use super::order::{Asked, Asker, Refusal};
use super::pick::{Picked, Picker, material_point};
use super::stage::Stage;
use super::thread::{Cause, Engine, Pending};
use crate::protocol::command::{Command, Grab, Paint, PinAt, Point};
use crate::protocol::message::Reply;

/// Most steps that are taken at a command.
const MOST_STEPS: u64 = 100_000;

/// Most points of a stroke in one message.
const MOST_POINTS: usize = 64;

impl Engine {
    /// Does what is asked. No reply means that it comes later.
    pub(super) fn command(&mut self, asked: Asked) -> Result<Option<Reply>, Refusal> {
        let (asker, page) = (asked.asker(), asked.page);
        match asked.command {
            Command::Play => {
                self.needs_time()?;
                self.calm();
                self.playing = true;
                self.clock.start();
            }
            Command::Pause => {
                self.calm();
                self.playing = false;
            }
            Command::Step(step) => {
                self.needs_time()?;
                self.hurry(within("count", step.count, 1, MOST_STEPS)?, asker);
                return Ok(None);
            }
            Command::Reset => {
                self.calm();
                self.restart()?;
            }
            Command::Freeze(freeze) => {
                let frame = within("frame", freeze.frame, 0, MOST_STEPS)?;
                self.calm();
                self.restart()?;
                let frame = if self.stage.scene.mode == Mode::Static { 0 } else { frame };
                self.hurry(frame, asker);
                return Ok(None);
            }
            Command::Speed(speed) => {
                self.speed = in_range("factor", speed.factor, 0.01, 4.0)?;
                self.clock.start();
            }
            Command::Grab(grab) => return self.grab(page, &grab).map(Some),
            Command::Drag(drag) => {
                self.hands.drag(page, drag.grab, drag.seq, DVec3::from(drag.target))?;
                // Frames of a running world come anyway, and contain it then.
                self.dirty |= !self.playing;
                return Ok(Some(Reply::default()));
            }
            Command::Release(release) => {
                if !self.hands.release(&mut self.stage, page, Some(release.grab)) {
                    let message = format!("nothing is held as {}", release.grab);
                    return Err(Refusal::new("unknown-grab", message));
                }
            }
            Command::Pick(pick) => {
                let hit = Picker::new(&self.stage).pick(&pick.point)?.map(|picked| picked.hit);
                return Ok(Some(Reply { hit: Some(hit), ..Reply::default() }));
            }
            Command::Pin(pin) => return self.pin(&pin, asker),
            Command::Unpin(unpin) => return self.edit(Edit::Unpin(unpin.body, unpin.pin), asker),
            Command::SetBody(mut set) => {
                if let Some(size) = set.size.take() {
                    let resize = self.resize(set.body, size)?;
                    if *set
                        == (crate::protocol::command::SetBody {
                            body: set.body,
                            ..Default::default()
                        })
                    {
                        return self.edit(resize, asker);
                    }
                    self.change(Pending::new(Cause::Edit(resize), None));
                }
                return self.edit(Edit::Body(set), asker);
            }
            Command::SetWorld(set) => return self.edit(Edit::World(set), asker),
            Command::Paint(paint) => {
                let Some(edit) = self.paint(&paint)? else { return Ok(Some(Reply::default())) };
                return self.edit(edit, asker);
            }
            Command::Open(open) => {
                let entry =
                    catalogue::find(&open.scene).ok_or_else(|| unknown_scene(&open.scene))?;
                let document = Document::new(entry.name, entry.text, std::path::Path::new("."))?;
                self.change(Pending::new(Cause::Open(document), Some(asker)));
                return Ok(None);
            }
            Command::Remove(remove) => return self.edit(Edit::Remove(remove.body), asker),
            Command::Undo | Command::Redo => {
                let undo = asked.command == Command::Undo;
                let cause = if undo { Cause::Undo } else { Cause::Redo };
                self.change(Pending::new(cause, Some(asker)));
                return Ok(None);
            }
            Command::Record(record) => {
                if record.on {
                    self.recorder.begin()
                } else {
                    self.recorder.end()
                }
            }
            // Of the connection's own business.
            Command::Watch(_) | Command::Ack(_) => return Ok(Some(Reply::default())),
        }
        self.dirty = true;
        Ok(Some(Reply::default()))
    }

    /// Refuses what a static scene has no time for.
    fn needs_time(&self) -> Result<(), Refusal> {
        if self.stage.scene.mode == Mode::Dynamic {
            return Ok(());
        }
        Err(Refusal::new(
            "static",
            "this scene shows a balance of forces, in which no time passes; change a setting and it is found anew",
        ))
    }

    /// Changes the scene; the answer comes when it is done.
    fn edit(&mut self, edit: Edit, asker: Asker) -> Result<Option<Reply>, Refusal> {
        self.change(Pending::new(Cause::Edit(edit), Some(asker)));
        Ok(None)
    }

    fn grab(&mut self, page: u32, grab: &Grab) -> Result<Reply, Refusal> {
        self.needs_time()?;
        let strength = in_range("strength", grab.strength, 1e-3, 1e3)?;
        let Some(picked) = Picker::new(&self.stage).pick(&grab.point)? else {
            return Ok(Reply { hit: Some(None), ..Reply::default() });
        };
        let none =
            || Refusal::new("out-of-range", "no cell is there to be held; grab a point beside it");
        let point = material_point(&self.stage, &picked).ok_or_else(none)?;
        self.hands.grab(&mut self.stage, (page, grab.grab), picked.hit.body, point, strength)?;
        self.dirty = true;
        Ok(Reply { hit: Some(Some(picked.hit)), ..Reply::default() })
    }

    fn pin(&mut self, pin: &PinAt, asker: Asker) -> Result<Option<Reply>, Refusal> {
        let radius = in_range("radius", pin.radius, 1e-6, 1e6)?;
        let Some(picked) = Picker::new(&self.stage).pick(&pin.point)? else {
            return Ok(Some(Reply { hit: Some(None), ..Reply::default() }));
        };
        let body = picked.hit.body;
        let plan = &self.stage.scene.bodies[body];
        if plan.copy.is_some() {
            return Err(Refusal::new(
                "copy",
                "copies of a body share its pins; pin a body that has none",
            ));
        }
        let held = held(&self.stage, &picked, radius);
        let hit = Some(Some(picked.hit));
        let mut pending = Pending::new(Cause::Edit(Edit::Pin(held)), Some(asker));
        pending.reply = Reply { hit, ..Reply::default() };
        self.change(pending);
        Ok(None)
    }

    fn resize(&self, body: Option<usize>, size: f64) -> Result<Edit, Refusal> {
        let size = in_range("size", size, 1e-4, 1e4)?;
        let body = body
            .ok_or_else(|| Refusal::new("out-of-range", "the size is that of one body; name it"))?;
        let count = self.stage.handles.len();
        if body >= count {
            let message = format!("there is no body {body}, the scene has {count}");
            return Err(Refusal::new("unknown-body", message));
        }
        let (low, high) = self.stage.rest_bounds(body);
        let factor = size / (high - low).max_element().max(1e-12);
        let foot = DVec3::new(0.5 * (low.x + high.x), low.y, 0.5 * (low.z + high.z));
        Ok(Edit::Size(body, Resize { factor, foot }))
    }

    fn paint(&self, paint: &Paint) -> Result<Option<Edit>, Refusal> {
        let factor = in_range("factor", paint.factor, 1e-3, 1e3)?;
        let radius = in_range("radius", paint.radius, 1e-6, 1e6)?;
        within("points", paint.points.len() as u64, 1, MOST_POINTS as u64)?;
        let count = self.stage.handles.len();
        let Some(plan) = self.stage.scene.bodies.get(paint.body) else {
            let message = format!("there is no body {}, the scene has {count}", paint.body);
            return Err(Refusal::new("unknown-body", message));
        };
        if plan.rigid.is_some() {
            return Err(Refusal::new(
                "rigid",
                "a rigid body is stiff all over; paint one that deforms",
            ));
        }
        let picker = Picker::new(&self.stage);
        let mut centres = Vec::new();
        for point in &paint.points {
            let picked = picker.pick(point)?;
            let own = picked.filter(|picked| picked.hit.body == paint.body || is_at(point));
            centres.extend(own.map(|picked| picked.rest));
        }
        let radius = centres
            .iter()
            .fold(radius, |radius, centre| radius.max(reach(&self.stage, paint.body, *centre)));
        let young = factor * plan.material.young;
        let (body, stroke) = (paint.body, paint.stroke);
        let edit = PaintEdit { body, centres, radius, young, stroke };
        Ok((!edit.centres.is_empty()).then_some(Edit::Paint(edit)))
    }
}

fn is_at(point: &Point) -> bool {
    matches!(point, Point::At { .. })
}

/// How large a spot must at least be to hold a cell: to the middle of the nearest. Voxels know smaller parts.
fn reach(stage: &Stage, body: usize, centre: DVec3) -> f64 {
    let Some(body) = stage.body(body) else { return 0.0 };
    let mesh = body.model().mesh();
    let nearest = mesh.cells().map(|(kind, nodes)| {
        let corners = nodes[..kind.corner_count()].iter().map(|node| mesh.nodes[*node as usize]);
        let (sum, count) =
            corners.fold((DVec3::ZERO, 0.0), |(sum, count), x| (sum + x, count + 1.0));
        (sum / count).distance(centre)
    });
    let share = if body.model().contents().is_some() { 0.5 } else { 1.0 + 1e-9 };
    share * nearest.fold(f64::INFINITY, f64::min)
}

/// A pin that holds what is around a point where it has gone: the rigid motion that comes nearest to how the nodes in
/// it have moved.
fn held(stage: &Stage, picked: &Picked, radius: f64) -> PinEdit {
    let (body, centre) = (picked.hit.body, picked.rest);
    let none = PinEdit { body, centre, radius, axis: DVec3::Y, angle: 0.0, moved: DVec3::ZERO };
    let Some(state) = stage.body(body) else { return none };
    let rest = &state.model().mesh().nodes;
    let nearest = rest.iter().map(|x| x.distance(centre)).fold(f64::INFINITY, f64::min);
    let radius = radius.max(nearest * (1.0 + 1e-9));
    let inside: Vec<usize> =
        (0..rest.len()).filter(|node| rest[*node].distance(centre) <= radius).collect();
    let count = inside.len().max(1) as f64;
    let mean = |x: &[DVec3]| inside.iter().map(|node| x[*node]).sum::<DVec3>() / count;
    let (from, to) = (mean(rest), mean(&state.state.x));
    let mut covariance = DMat3::ZERO;
    for node in &inside {
        let (a, b) = (rest[*node] - from, state.state.x[*node] - to);
        covariance += DMat3::from_cols(b * a.x, b * a.y, b * a.z);
    }
    let turn = if inside.len() < 4 { DQuat::IDENTITY } else { rotation_of(&covariance) };
    let (axis, angle) = turn.to_axis_angle();
    // Turned about the centre first: what is left is the rest of the way of the mean.
    let moved = to - (centre + turn * (from - centre));
    PinEdit { body, centre, radius, axis, angle, moved }
}

/// The rotation nearest to a matrix, by Newton's iteration for the polar decomposition; none where it is singular.
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

fn in_range(field: &str, value: f64, low: f64, high: f64) -> Result<f64, Refusal> {
    if (low..=high).contains(&value) {
        return Ok(value);
    }
    Err(Refusal::new("out-of-range", format!("{field} is {value}, expected {low} to {high}")))
}

fn within(field: &str, value: u64, low: u64, high: u64) -> Result<u64, Refusal> {
    if (low..=high).contains(&value) {
        return Ok(value);
    }
    Err(Refusal::new("out-of-range", format!("{field} is {value}, expected {low} to {high}")))
}

fn unknown_scene(name: &str) -> Refusal {
    let hint =
        catalogue::similar(name).map_or(String::new(), |near| format!("; did you mean `{near}`?"));
    Refusal::new("unknown-scene", format!("there is no scene `{name}`{hint}"))
}
