//! Execution of the commands of pages.

use std::path::Path;

use glam::DVec3;
use pliant_io::scene::{Mode, catalogue};

use super::command_checks::{existing_body, in_range, unbroken_body, within};
use super::document::Document;
use super::edit::{Edit, Resize};
use super::order::{PageCommand, Refusal, ReplyTo};
use super::pending::{Cause, Pending};
use super::pick::{Picker, material_point};
use super::thread::Engine;
use crate::protocol::command::{Command, Drag, Freeze, Grab, Paint, Pick, Release, SetBody, Twist};
use crate::protocol::message::Reply;

/// The largest number of steps in one command.
const MAX_STEPS: u64 = 100_000;

/// The answer to a command; `None` if it comes later.
type Answer = Result<Option<Reply>, Refusal>;

/// The answer of a command that is done.
fn done() -> Answer {
    Ok(Some(Reply::default()))
}

impl Engine {
    /// Executes a command.
    pub(super) fn execute_command(&mut self, page_command: PageCommand) -> Answer {
        let (reply_to, page) = (page_command.reply_to(), page_command.page);
        match page_command.command {
            Command::Play => self.play(),
            Command::Pause => self.pause(),
            Command::Step(step) => self.advance(step.count, reply_to),
            Command::Reset => self.reset(),
            Command::Freeze(freeze) => self.freeze(&freeze, reply_to),
            Command::Speed(speed) => self.set_speed(speed.factor),
            Command::Grab(grab) => self.grab(page, &grab),
            Command::Drag(drag) => self.drag(page, &drag),
            Command::Twist(twist) => self.twist(page, &twist),
            Command::Release(release) => self.release(page, &release),
            Command::Strike(strike) => self.strike(&strike),
            Command::Explode(explode) => self.explode(&explode),
            Command::Pick(pick) => self.pick(&pick),
            Command::Pin(pin) => self.pin(&pin, reply_to),
            Command::Unpin(unpin) => {
                let body = unbroken_body(&self.stage, unpin.body)?;
                self.edit(Edit::Unpin(body, unpin.pin), reply_to)
            }
            Command::SetBody(set) => self.set_body(set, reply_to),
            Command::SetWorld(set) => self.edit(Edit::World(set), reply_to),
            Command::Paint(paint) => self.paint(&paint, reply_to),
            Command::Commit(commit) => self.commit(commit.body, reply_to),
            Command::Open(open) => self.open(&open.scene, reply_to),
            Command::Remove(remove) => {
                self.edit(Edit::Remove(self.stage.original_index(remove.body)), reply_to)
            }
            Command::Undo => self.answer_later(Cause::Undo, reply_to),
            Command::Redo => self.answer_later(Cause::Redo, reply_to),
            Command::Record(record) => self.record(record.on),
            // Handled by the connection.
            Command::Watch(_) | Command::Ack(_) => done(),
        }
    }

    fn play(&mut self) -> Answer {
        self.needs_time()?;
        self.cancel_fast_steps();
        self.playing = true;
        self.clock.start();
        self.mark_changed()
    }

    fn pause(&mut self) -> Answer {
        self.cancel_fast_steps();
        self.playing = false;
        self.mark_changed()
    }

    fn advance(&mut self, count: u64, reply_to: ReplyTo) -> Answer {
        self.needs_time()?;
        self.step_fast(within("count", count, 1, MAX_STEPS)?, reply_to);
        Ok(None)
    }

    fn reset(&mut self) -> Answer {
        self.cancel_fast_steps();
        self.restart()?;
        self.mark_changed()
    }

    fn freeze(&mut self, freeze: &Freeze, reply_to: ReplyTo) -> Answer {
        let frame = within("frame", freeze.frame, 0, MAX_STEPS)?;
        self.cancel_fast_steps();
        self.restart()?;
        let frame = if self.stage.scene.mode == Mode::Static { 0 } else { frame };
        self.step_fast(frame, reply_to);
        Ok(None)
    }

    fn set_speed(&mut self, factor: f64) -> Answer {
        self.speed = in_range("factor", factor, 0.01, 4.0)?;
        self.clock.start();
        self.mark_changed()
    }

    fn record(&mut self, on: bool) -> Answer {
        if on {
            self.recorder.begin()
        } else {
            self.recorder.end()
        }
        self.mark_changed()
    }

    /// Marks the frame as changed, and answers.
    fn mark_changed(&mut self) -> Answer {
        self.dirty = true;
        done()
    }

    /// Fails for a static scene, which has no time.
    pub(super) fn needs_time(&self) -> Result<(), Refusal> {
        if self.stage.scene.mode == Mode::Dynamic {
            return Ok(());
        }
        Err(Refusal::new(
            "static",
            "this scene is static and has no time; change a setting to solve it again",
        ))
    }

    /// Changes the scene; the answer comes when it is done.
    fn edit(&mut self, edit: Edit, reply_to: ReplyTo) -> Answer {
        self.answer_later(Cause::Edit(edit), reply_to)
    }

    fn answer_later(&mut self, cause: Cause, reply_to: ReplyTo) -> Answer {
        self.change(Pending::new(cause, Some(reply_to)));
        Ok(None)
    }

    fn open(&mut self, scene: &str, reply_to: ReplyTo) -> Answer {
        let entry = catalogue::find(scene).ok_or_else(|| unknown_scene(scene))?;
        let document = Document::new(entry.name, entry.text, Path::new("."))?;
        self.answer_later(Cause::Open(document), reply_to)
    }

    fn pick(&mut self, pick: &Pick) -> Answer {
        let hit = Picker::new(&self.stage).pick(&pick.point)?.map(|picked| picked.hit);
        Ok(Some(Reply { hit: Some(hit), ..Reply::default() }))
    }

    fn grab(&mut self, page: u32, grab: &Grab) -> Answer {
        self.needs_time()?;
        let strength = in_range("strength", grab.strength, 1e-3, 1e3)?;
        let Some(picked) = Picker::new(&self.stage).pick(&grab.point)? else {
            return Ok(Some(Reply { hit: Some(None), ..Reply::default() }));
        };
        let none =
            || Refusal::new("out-of-range", "there is no cell here; grab a point next to it");
        let point = material_point(&self.stage, &picked).ok_or_else(none)?;
        self.grabs.grab(&mut self.stage, (page, grab.grab), picked.hit.body, point, strength)?;
        (self.edited, self.dirty) = (true, true);
        Ok(Some(Reply { hit: Some(Some(picked.hit)), ..Reply::default() }))
    }

    fn drag(&mut self, page: u32, drag: &Drag) -> Answer {
        self.grabs.drag(page, drag.grab, drag.seq, DVec3::from(drag.target))?;
        // While the world runs, the next frame contains the drag anyway.
        self.dirty |= !self.playing;
        done()
    }

    fn twist(&mut self, page: u32, twist: &Twist) -> Answer {
        let strength = in_range("strength", twist.strength, -1e6, 1e6)?;
        self.grabs.twist(page, twist.grab, DVec3::from(twist.axis), strength)?;
        done()
    }

    fn release(&mut self, page: u32, release: &Release) -> Answer {
        if self.grabs.release(&mut self.stage, page, Some(release.grab)) {
            return self.mark_changed();
        }
        Err(Refusal::new("unknown-grab", format!("there is no grab {}", release.grab)))
    }

    /// Changes the settings of a body. The size is a separate edit: it scales the mesh and restarts the body.
    fn set_body(&mut self, mut set: Box<SetBody>, reply_to: ReplyTo) -> Answer {
        // An edit of a fragment applies to its original body, which is then whole again.
        set.body = set.body.map(|place| self.stage.original_index(place));
        let Some(size) = set.size.take() else { return self.edit(Edit::Body(set), reply_to) };
        let resize = self.resize(set.body, size)?;
        if *set == (SetBody { body: set.body, ..SetBody::default() }) {
            return self.edit(resize, reply_to);
        }
        self.change(Pending::new(Cause::Edit(resize), None));
        self.edit(Edit::Body(set), reply_to)
    }

    fn resize(&self, body: Option<usize>, size: f64) -> Result<Edit, Refusal> {
        let size = in_range("size", size, 1e-4, 1e4)?;
        let unnamed =
            || Refusal::new("out-of-range", "size needs the index of one body; give `body`");
        let body = existing_body(&self.stage, body.ok_or_else(unnamed)?)?;
        let (low, high) = self.stage.rest_bounds(body);
        let factor = size / (high - low).max_element().max(1e-12);
        let fixed_point = DVec3::new(0.5 * (low.x + high.x), low.y, 0.5 * (low.z + high.z));
        Ok(Edit::Size(body, Resize { factor, fixed_point }))
    }

    fn commit(&mut self, body: Option<usize>, reply_to: ReplyTo) -> Answer {
        self.needs_time()?;
        let body = body.map(|place| self.stage.original_index(place));
        self.edit(Edit::Commit(body), reply_to)
    }

    fn paint(&mut self, paint: &Paint, reply_to: ReplyTo) -> Answer {
        let edit = self.paint_edit(paint)?;
        self.edit(edit, reply_to)
    }
}

fn unknown_scene(name: &str) -> Refusal {
    let hint =
        catalogue::similar(name).map_or(String::new(), |near| format!("; did you mean `{near}`?"));
    Refusal::new("unknown-scene", format!("there is no scene `{name}`{hint}"))
}
