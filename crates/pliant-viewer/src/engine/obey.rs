//! Execution of the commands of pages.

use std::path::Path;

use glam::DVec3;
use pliant_io::scene::{Mode, catalogue};

use super::document::Document;
use super::edit::{Edit, Resize};
use super::limits::{a_body, a_whole_body, in_range, within};
use super::order::{Asked, Asker, Refusal};
use super::pending::{Cause, Pending};
use super::pick::{Picker, material_point};
use super::thread::Engine;
use crate::protocol::command::{Command, Drag, Freeze, Grab, Paint, Pick, Release, SetBody, Twist};
use crate::protocol::message::Reply;

/// The largest number of steps in one command.
const MOST_STEPS: u64 = 100_000;

/// The answer to a command; `None` if it comes later.
type Answer = Result<Option<Reply>, Refusal>;

/// The answer of a command that is done.
fn done() -> Answer {
    Ok(Some(Reply::default()))
}

impl Engine {
    /// Executes a command.
    pub(super) fn command(&mut self, asked: Asked) -> Answer {
        let (asker, page) = (asked.asker(), asked.page);
        match asked.command {
            Command::Play => self.play(),
            Command::Pause => self.pause(),
            Command::Step(step) => self.advance(step.count, asker),
            Command::Reset => self.reset(),
            Command::Freeze(freeze) => self.freeze(&freeze, asker),
            Command::Speed(speed) => self.set_speed(speed.factor),
            Command::Grab(grab) => self.grab(page, &grab),
            Command::Drag(drag) => self.drag(page, &drag),
            Command::Twist(twist) => self.twist(page, &twist),
            Command::Release(release) => self.release(page, &release),
            Command::Strike(strike) => self.strike(&strike),
            Command::Explode(explode) => self.explode(&explode),
            Command::Pick(pick) => self.pick(&pick),
            Command::Pin(pin) => self.pin(&pin, asker),
            Command::Unpin(unpin) => {
                let body = a_whole_body(&self.stage, unpin.body)?;
                self.edit(Edit::Unpin(body, unpin.pin), asker)
            }
            Command::SetBody(set) => self.set_body(set, asker),
            Command::SetWorld(set) => self.edit(Edit::World(set), asker),
            Command::Paint(paint) => self.paint(&paint, asker),
            Command::Commit(commit) => self.commit(commit.body, asker),
            Command::Open(open) => self.open(&open.scene, asker),
            Command::Remove(remove) => {
                self.edit(Edit::Remove(self.stage.whole_of(remove.body)), asker)
            }
            Command::Undo => self.later(Cause::Undo, asker),
            Command::Redo => self.later(Cause::Redo, asker),
            Command::Record(record) => self.record(record.on),
            // Handled by the connection.
            Command::Watch(_) | Command::Ack(_) => done(),
        }
    }

    fn play(&mut self) -> Answer {
        self.needs_time()?;
        self.calm();
        self.playing = true;
        self.clock.start();
        self.seen()
    }

    fn pause(&mut self) -> Answer {
        self.calm();
        self.playing = false;
        self.seen()
    }

    fn advance(&mut self, count: u64, asker: Asker) -> Answer {
        self.needs_time()?;
        self.hurry(within("count", count, 1, MOST_STEPS)?, asker);
        Ok(None)
    }

    fn reset(&mut self) -> Answer {
        self.calm();
        self.restart()?;
        self.seen()
    }

    fn freeze(&mut self, freeze: &Freeze, asker: Asker) -> Answer {
        let frame = within("frame", freeze.frame, 0, MOST_STEPS)?;
        self.calm();
        self.restart()?;
        let frame = if self.stage.scene.mode == Mode::Static { 0 } else { frame };
        self.hurry(frame, asker);
        Ok(None)
    }

    fn set_speed(&mut self, factor: f64) -> Answer {
        self.speed = in_range("factor", factor, 0.01, 4.0)?;
        self.clock.start();
        self.seen()
    }

    fn record(&mut self, on: bool) -> Answer {
        if on {
            self.recorder.begin()
        } else {
            self.recorder.end()
        }
        self.seen()
    }

    /// Marks the frame as changed, and answers.
    fn seen(&mut self) -> Answer {
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
    fn edit(&mut self, edit: Edit, asker: Asker) -> Answer {
        self.later(Cause::Edit(edit), asker)
    }

    fn later(&mut self, cause: Cause, asker: Asker) -> Answer {
        self.change(Pending::new(cause, Some(asker)));
        Ok(None)
    }

    fn open(&mut self, scene: &str, asker: Asker) -> Answer {
        let entry = catalogue::find(scene).ok_or_else(|| unknown_scene(scene))?;
        let document = Document::new(entry.name, entry.text, Path::new("."))?;
        self.later(Cause::Open(document), asker)
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
        self.hands.grab(&mut self.stage, (page, grab.grab), picked.hit.body, point, strength)?;
        self.dirty = true;
        Ok(Some(Reply { hit: Some(Some(picked.hit)), ..Reply::default() }))
    }

    fn drag(&mut self, page: u32, drag: &Drag) -> Answer {
        self.hands.drag(page, drag.grab, drag.seq, DVec3::from(drag.target))?;
        // While the world runs, the next frame contains the drag anyway.
        self.dirty |= !self.playing;
        done()
    }

    fn twist(&mut self, page: u32, twist: &Twist) -> Answer {
        let strength = in_range("strength", twist.strength, -1e6, 1e6)?;
        self.hands.twist(page, twist.grab, DVec3::from(twist.axis), strength)?;
        done()
    }

    fn release(&mut self, page: u32, release: &Release) -> Answer {
        if self.hands.release(&mut self.stage, page, Some(release.grab)) {
            return self.seen();
        }
        Err(Refusal::new("unknown-grab", format!("there is no grab {}", release.grab)))
    }

    /// Changes the settings of a body. The size is a separate edit: it scales the mesh and restarts the body.
    fn set_body(&mut self, mut set: Box<SetBody>, asker: Asker) -> Answer {
        // An edit of a fragment applies to its original body, which is then whole again.
        set.body = set.body.map(|place| self.stage.whole_of(place));
        let Some(size) = set.size.take() else { return self.edit(Edit::Body(set), asker) };
        let resize = self.resize(set.body, size)?;
        if *set == (SetBody { body: set.body, ..SetBody::default() }) {
            return self.edit(resize, asker);
        }
        self.change(Pending::new(Cause::Edit(resize), None));
        self.edit(Edit::Body(set), asker)
    }

    fn resize(&self, body: Option<usize>, size: f64) -> Result<Edit, Refusal> {
        let size = in_range("size", size, 1e-4, 1e4)?;
        let unnamed =
            || Refusal::new("out-of-range", "size needs the index of one body; give `body`");
        let body = a_body(&self.stage, body.ok_or_else(unnamed)?)?;
        let (low, high) = self.stage.rest_bounds(body);
        let factor = size / (high - low).max_element().max(1e-12);
        let foot = DVec3::new(0.5 * (low.x + high.x), low.y, 0.5 * (low.z + high.z));
        Ok(Edit::Size(body, Resize { factor, foot }))
    }

    fn commit(&mut self, body: Option<usize>, asker: Asker) -> Answer {
        self.needs_time()?;
        let body = body.map(|place| self.stage.whole_of(place));
        self.edit(Edit::Commit(body), asker)
    }

    fn paint(&mut self, paint: &Paint, asker: Asker) -> Answer {
        let edit = self.painted(paint)?;
        self.edit(edit, asker)
    }
}

fn unknown_scene(name: &str) -> Refusal {
    let hint =
        catalogue::similar(name).map_or(String::new(), |near| format!("; did you mean `{near}`?"));
    Refusal::new("unknown-scene", format!("there is no scene `{name}`{hint}"))
}
