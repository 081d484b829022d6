//! What the engine does at the command of a page.

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

/// Most steps that are taken at a command.
const MOST_STEPS: u64 = 100_000;

/// What a command answers; none if that comes later.
type Answer = Result<Option<Reply>, Refusal>;

/// It is done.
fn done() -> Answer {
    Ok(Some(Reply::default()))
}

impl Engine {
    /// Does what is asked.
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
            // Of the connection's own business.
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

    /// It is done, and there is something new to be seen.
    fn seen(&mut self) -> Answer {
        self.dirty = true;
        done()
    }

    /// Refuses what a static scene has no time for.
    pub(super) fn needs_time(&self) -> Result<(), Refusal> {
        if self.stage.scene.mode == Mode::Dynamic {
            return Ok(());
        }
        Err(Refusal::new(
            "static",
            "this scene shows a balance of forces, in which no time passes; change a setting and it is found anew",
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
            || Refusal::new("out-of-range", "no cell is there to be held; grab a point beside it");
        let point = material_point(&self.stage, &picked).ok_or_else(none)?;
        self.hands.grab(&mut self.stage, (page, grab.grab), picked.hit.body, point, strength)?;
        self.dirty = true;
        Ok(Some(Reply { hit: Some(Some(picked.hit)), ..Reply::default() }))
    }

    fn drag(&mut self, page: u32, drag: &Drag) -> Answer {
        self.hands.drag(page, drag.grab, drag.seq, DVec3::from(drag.target))?;
        // Frames of a running world come anyway, and contain it then.
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
        Err(Refusal::new("unknown-grab", format!("nothing is held as {}", release.grab)))
    }

    /// Settings of a body. A size is an edit of its own: it starts the body anew, which others do not.
    fn set_body(&mut self, mut set: Box<SetBody>, asker: Asker) -> Answer {
        // What is done to a piece is done to what it is a piece of, which is whole again then.
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
        let unnamed = || Refusal::new("out-of-range", "the size is that of one body; name it");
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
