//! Changes of the scene, applied one after the other. The builder makes large ones while the world runs on.

use std::path::Path;

use glam::DVec3;
use pliant_io::scene::Mode;

use super::apply_edit::NewParts;
use super::builder::{Job, NewBodies, Product, build};
use super::change::{Change, between};
use super::document::Document;
use super::edit::{BodyEdit, Edit};
use super::order::{Refusal, Upload, Uploaded};
use super::pending::{Cause, Pending};
use super::stage::{Stage, keeps_meshes};
use super::thread::Engine;
use super::version::Version;
use crate::protocol::message::Reply;

/// The largest number of edits that wait for the builder.
const MAX_PENDING: usize = 64;

impl Engine {
    /// Changes the scene, at once or when the builder has finished the previous changes.
    pub(super) fn change(&mut self, pending: Pending) {
        if self.building.is_none() {
            self.begin_change(pending);
        } else if let Some(pending) = self.merge_into_waiting(pending) {
            self.wait_for_builder(pending);
        }
    }

    /// Merges an edit into the last waiting one if possible; otherwise returns it.
    fn merge_into_waiting(&mut self, pending: Pending) -> Option<Pending> {
        let (Cause::Edit(now), Some(waiting)) = (&pending.cause, self.waiting.back_mut()) else {
            return Some(pending);
        };
        let Cause::Edit(last) = &mut waiting.cause else { return Some(pending) };
        // Pins are separate even within one stroke.
        if matches!(now, Edit::Pin(_)) || !now.merges_with(last) {
            return Some(pending);
        }
        last.merge(now);
        let before = std::mem::replace(&mut waiting.reply_to, pending.reply_to);
        self.answers.extend(before.map(|reply_to| (reply_to, Ok(Reply::default()))));
        None
    }

    fn wait_for_builder(&mut self, pending: Pending) {
        if self.waiting.len() < MAX_PENDING {
            return self.waiting.push_back(pending);
        }
        let busy = Refusal::new("busy", "too many edits are waiting; try again in a moment");
        self.finish(pending, Err(busy));
    }

    fn begin_change(&mut self, mut pending: Pending) {
        pending.before = Some(Version::of(&self.stage));
        match self.job_for(&mut pending) {
            Err(refusal) => self.finish(pending, Err(refusal)),
            Ok(job)
                if keeps_meshes(&job.change)
                    && self.stage.builds_at_once(&job.change, &job.parts) =>
            {
                let Change::Bodies(change) = job.change else { return };
                let broken = self.broken();
                let done =
                    self.stage.apply_edit(job.document, job.scene, &change, NewParts::default());
                let done = done.and_then(|()| self.commit_if_asked(&pending.cause));
                self.release_restored(&broken);
                self.finish(pending, done);
            }
            Ok(job) if self.stage.builds_at_once(&job.change, &job.parts) => {
                let done =
                    build(job).and_then(|product| self.apply_product(product, &pending.cause));
                self.finish(pending, done);
            }
            Ok(job) => {
                self.building = Some(pending);
                self.dirty = true;
                if self.jobs.try_send(job).is_err()
                    && let Some(pending) = self.building.take()
                {
                    self.finish(
                        pending,
                        Err(Refusal::new("busy", "the builder has stopped; restart the server")),
                    );
                }
            }
        }
    }

    /// Commits shapes if that is the cause. The text stays unchanged, since it does not contain shapes.
    fn commit_if_asked(&mut self, cause: &Cause) -> Result<(), Refusal> {
        match cause {
            Cause::Edit(Edit::Commit(body)) => {
                let kept = self.stage.commit(*body)?;
                kept.into_iter().for_each(|(body, count)| self.log_kept_cells(body, count));
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// Logs that cells did not take the committed shape.
    fn log_kept_cells(&mut self, body: usize, count: usize) {
        let text = format!(
            "{count} of its cells are inverted or too thin in this shape and keep their previous rest shape; drag them open and commit again"
        );
        self.log.add(self.frame, Some(body), "kept", true, text);
    }

    /// Prepares the job for a change.
    fn job_for(&self, pending: &mut Pending) -> Result<Job, Refusal> {
        let (old, scene) = (&self.stage.document, &self.stage.scene);
        let nothing = |code, what: &str| Refusal::new(code, format!("there is nothing to {what}"));
        let document = match &pending.cause {
            Cause::Edit(edit) => edit.applied(old, scene)?,
            Cause::Undo => {
                let before = self.history.before();
                before.ok_or_else(|| nothing("nothing-to-undo", "undo"))?.document.clone()
            }
            Cause::Redo => {
                let after = self.history.after();
                after.ok_or_else(|| nothing("nothing-to-redo", "redo"))?.document.clone()
            }
            Cause::Open(document) => document.clone(),
            Cause::Upload(upload, _) if upload.alone => scene_of_upload(upload)?,
            Cause::Upload(upload, _) => self.edit_of_upload(upload).applied(old, scene)?,
        };
        let scene = document.scene()?;
        let whole = matches!(&pending.cause, Cause::Open(_)) || scene.mode == Mode::Static;
        let change = if whole { Change::Whole } else { between(old, &document) };
        let parts = self.stage.parts(&scene, &change);
        Ok(Job { document, scene, change, parts })
    }

    /// The edit that adds an uploaded surface to the scene, above the existing bodies.
    fn edit_of_upload(&self, upload: &Upload) -> Edit {
        let names: Vec<&str> =
            self.stage.scene.bodies.iter().map(|plan| plan.name.as_str()).collect();
        let (low, high) = self.stage.bounds;
        let place =
            DVec3::new(0.5 * (low.x + high.x), high.y + 0.1 * upload.size, 0.5 * (low.z + high.z));
        Edit::Add(BodyEdit::new(upload, &names, place))
    }

    /// Applies the result of the builder, then starts the waiting changes.
    pub(super) fn apply_built(&mut self, result: Result<Product, Refusal>) {
        let Some(pending) = self.building.take() else { return };
        let done = result.and_then(|product| self.apply_product(product, &pending.cause));
        self.finish(pending, done);
        while self.building.is_none()
            && let Some(pending) = self.waiting.pop_front()
        {
            self.begin_change(pending);
        }
    }

    fn apply_product(&mut self, product: Product, cause: &Cause) -> Result<(), Refusal> {
        match product {
            Product::Stage(stage) => {
                self.switch_to(*stage, cause.is_another_scene());
                Ok(())
            }
            Product::Bodies(new) => {
                let NewBodies { document, scene, change, made } = *new;
                let touched: Vec<usize> = made.bodies.iter().map(|body| body.index).collect();
                let broken = self.broken();
                self.stage.apply_edit(document, scene, &change, made)?;
                self.release_restored(&broken);
                touched.into_iter().for_each(|body| self.grabs.renew(&mut self.stage, body));
                Ok(())
            }
        }
    }

    /// The broken bodies of the scene.
    fn broken(&self) -> Vec<usize> {
        (0..self.stage.handles.len()).filter(|body| self.stage.is_broken(*body)).collect()
    }

    /// Releases the grabs on bodies that are whole again, since those have moved.
    fn release_restored(&mut self, broken: &[usize]) {
        let mended = broken.iter().filter(|body| !self.stage.is_broken(**body));
        mended.for_each(|body| self.grabs.release_body(&self.stage, *body));
    }

    /// Switches to another world, either in its initial state or with the state of the current one.
    fn switch_to(&mut self, mut stage: Stage, another: bool) {
        if another || stage.scene.mode == Mode::Static {
            self.stage = stage;
            self.reset_counters();
            self.playing = self.stage.scene.mode == Mode::Dynamic;
        } else {
            stage.adopt(&self.stage);
            stage.origin = self.stage.origin;
            self.stage = stage;
            self.grabs.clear();
        }
    }

    /// Answers the request and records the change for undo.
    fn finish(&mut self, pending: Pending, done: Result<(), Refusal>) {
        let Pending { cause, reply_to, mut reply, before } = pending;
        if let (Ok(()), Some(before)) = (&done, before) {
            if let Cause::Edit(Edit::Pin(pin)) = &cause {
                reply.pin = self.stage.body(pin.body).map(|body| body.pins().len() - 1);
            }
            self.remember(&cause, before);
            self.edited = true;
            self.update_shown_scene();
        }
        self.dirty = true;
        if let Cause::Upload(_, answer) = cause {
            let body = self.stage.scene.bodies.len().saturating_sub(1);
            let name = self.stage.scene.bodies.last().map_or("", |plan| &plan.name).to_owned();
            drop(answer.send(done.map(|()| Uploaded { body, name, notes: Vec::new() })));
        } else if let Some(reply_to) = reply_to {
            self.answers.push((reply_to, done.map(|()| reply)));
        }
    }

    /// Records the scene before a change for undo; for undo and redo, restores the state that the text does not
    /// contain.
    fn remember(&mut self, cause: &Cause, mut before: Version) {
        match cause {
            Cause::Edit(edit) => {
                before.keep_models(|name, model| self.stage.discards_shape(edit, name, model));
                self.history.note(before, edit, edit.label(&self.stage.scene));
            }
            Cause::Undo => {
                let broken = self.broken();
                self.history.before().iter().for_each(|past| self.stage.restore(&past.rests));
                self.release_restored(&broken);
                self.history.undone(before);
            }
            Cause::Redo => {
                let broken = self.broken();
                self.history.after().iter().for_each(|past| self.stage.restore(&past.rests));
                self.release_restored(&broken);
                self.history.redone(before);
            }
            Cause::Upload(upload, _) if !upload.alone => {
                let edit = self.edit_of_upload(upload);
                before.keep_models(|_, _| false);
                self.history.note(before, &edit, format!("adding {}", upload.name));
            }
            Cause::Open(_) | Cause::Upload(..) => self.history.clear(),
        }
    }
}

/// A scene with only the uploaded surface, on the ground.
fn scene_of_upload(upload: &Upload) -> Result<Document, Refusal> {
    let text = "version = 1\n[world]\ndamping = 0.1\n[[obstacle]]\nplane = { point = [0, 0, 0], normal = [0, 1, 0] }\n";
    let title = format!("title = {}\n", toml_edit::Value::from(upload.name.as_str()));
    let base = upload.path.parent().unwrap_or(Path::new("."));
    let document = Document::new(&upload.name, &(title + text), base)?;
    let place = DVec3::new(0.0, 0.05 * upload.size, 0.0);
    Edit::Add(BodyEdit::new(upload, &[], place)).added(&document)
}
