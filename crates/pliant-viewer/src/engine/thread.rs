//! The thread that owns the world.

use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, TryRecvError, sync_channel};
use std::thread::{self, JoinHandle};
use std::time::Instant;

use glam::DVec3;
use pliant::solver::Phase;
use pliant::world::{EventKind, StepReport};
use pliant_io::scene::Mode;
use tokio::sync::{oneshot, watch};

use super::builder::{self, Job, NewBodies, Product};
use super::cast::Cast;
use super::change::{BodyChange, Change, between};
use super::clock::Clock;
use super::document::Document;
use super::edit::{BodyEdit, Edit};
use super::frame::{Found, Frame, Milliseconds, MovedObstacle};
use super::grab::Hands;
use super::history::History;
use super::log::Log;
use super::order::{Asker, Order, Refusal, Upload, Uploaded};
use super::phase_clock::PhaseClock;
use super::record::Recorder;
use super::stage::{Stage, is_light};
use crate::protocol::message::{Reply, Run};

/// Orders that may wait.
const QUEUE: usize = 1024;

/// Edits that may wait for the builder.
const MOST_PENDING: usize = 64;

/// What others hold of the engine.
#[derive(Debug)]
pub(crate) struct Handle {
    /// To have something done.
    pub(crate) orders: SyncSender<Order>,
    /// The newest frame.
    pub(crate) frames: watch::Receiver<Arc<Frame>>,
    /// The thread; it ends at [`Order::Stop`].
    pub(crate) thread: JoinHandle<()>,
}

/// Opens a scene and starts the thread.
pub(crate) fn start(document: Document) -> Result<Handle, Refusal> {
    let stage = Stage::open(document, 0)?;
    let (orders, inbox) = sync_channel(QUEUE);
    let failed =
        |error: std::io::Error| Refusal::new("busy", format!("cannot start a thread: {error}"));
    let jobs = builder::start(orders.clone()).map_err(failed)?;
    let (engine, frames) = Engine::new(stage, inbox, jobs);
    let builder = thread::Builder::new().name("pliant engine".to_owned());
    let thread = builder.spawn(move || engine.run()).map_err(failed)?;
    Ok(Handle { orders, frames, thread })
}

/// The engine.
#[derive(Debug)]
pub(super) struct Engine {
    pub(super) stage: Stage,
    pub(super) history: History,
    pub(super) hands: Hands,
    pub(super) clock: Clock,
    phases: PhaseClock,
    /// What the phases had taken before the last step.
    spent: [f64; 6],
    log: Log,
    pub(super) recorder: Recorder,
    inbox: Receiver<Order>,
    jobs: SyncSender<Job>,
    frames: watch::Sender<Arc<Frame>>,
    /// What the builder works on.
    building: Option<Pending>,
    waiting: VecDeque<Pending>,
    generation: u64,
    cast: Arc<Cast>,
    serial: u64,
    frame: u64,
    report: StepReport,
    reset: Vec<u32>,
    /// What it takes to hand a frame over, averaged, in ms.
    publishing: f64,
    pub(super) playing: bool,
    pub(super) speed: f64,
    /// Steps to be taken as fast as they go, and who waits for them.
    burst: Option<(u64, Asker)>,
    pages: usize,
    /// Whether there is something new to be seen.
    pub(super) dirty: bool,
    answers: Vec<(Asker, Result<Reply, Refusal>)>,
}

/// An edit under way.
#[derive(Debug)]
pub(super) struct Pending {
    pub(super) cause: Cause,
    pub(super) asker: Option<Asker>,
    pub(super) reply: Reply,
    /// The document before it.
    before: Option<Document>,
}

impl Pending {
    pub(super) fn new(cause: Cause, asker: Option<Asker>) -> Self {
        Self { cause, asker, reply: Reply::default(), before: None }
    }
}

/// Why the scene changes.
#[derive(Debug)]
pub(super) enum Cause {
    Edit(Edit),
    Undo,
    Redo,
    /// Another scene.
    Open(Document),
    /// A surface that was sent.
    Upload(Upload, oneshot::Sender<Result<Uploaded, Refusal>>),
}

/// The time of each phase, in the order of the milliseconds.
const PHASES: [Phase; 6] =
    [Phase::Contact, Phase::Forces, Phase::Degree, Phase::Assembly, Phase::Solve, Phase::Update];

impl Engine {
    fn new(
        stage: Stage,
        inbox: Receiver<Order>,
        jobs: SyncSender<Job>,
    ) -> (Self, watch::Receiver<Arc<Frame>>) {
        let (history, mut recorder) = (History::default(), Recorder::default());
        recorder.begin();
        let cast = Arc::new(Cast::new(0, &stage, &history));
        let playing = stage.scene.mode == Mode::Dynamic;
        let (frames, seen) = watch::channel(Arc::new(first_frame(&cast)));
        let mut engine = Self {
            stage,
            history,
            hands: Hands::default(),
            clock: Clock::default(),
            phases: PhaseClock::default(),
            spent: [0.0; 6],
            log: Log::default(),
            recorder,
            inbox,
            jobs,
            frames,
            building: None,
            waiting: VecDeque::new(),
            generation: 0,
            cast,
            serial: 0,
            frame: 0,
            report: StepReport::default(),
            reset: Vec::new(),
            publishing: 0.0,
            playing,
            speed: 1.0,
            burst: None,
            pages: 0,
            dirty: true,
            answers: Vec::new(),
        };
        engine.publish();
        (engine, seen)
    }

    /// Works until it is told to stop.
    fn run(mut self) {
        self.clock.start();
        loop {
            match self.next_order() {
                Ok(Some(Order::Stop)) | Err(()) => return,
                Ok(Some(order)) => {
                    self.obey(order);
                    // All that came meanwhile counts before the next step.
                    while let Ok(order) = self.inbox.try_recv() {
                        if matches!(order, Order::Stop) {
                            return;
                        }
                        self.obey(order);
                    }
                }
                Ok(None) => {}
            }
            if self.burst.is_some() || (self.playing && self.clock.wait().is_zero()) {
                self.step();
            }
            if self.dirty {
                self.publish();
            }
            let serial = self.serial;
            self.answers.drain(..).for_each(|(asker, result)| asker.answer(serial, result));
        }
    }

    /// The next order, if one comes before the next step is due.
    fn next_order(&mut self) -> Result<Option<Order>, ()> {
        if self.burst.is_some() {
            return match self.inbox.try_recv() {
                Ok(order) => Ok(Some(order)),
                Err(TryRecvError::Empty) => Ok(None),
                Err(TryRecvError::Disconnected) => Err(()),
            };
        }
        if !self.playing {
            return self.inbox.recv().map(Some).map_err(|_| ());
        }
        match self.inbox.recv_timeout(self.clock.wait()) {
            Ok(order) => Ok(Some(order)),
            Err(RecvTimeoutError::Timeout) => Ok(None),
            Err(RecvTimeoutError::Disconnected) => Err(()),
        }
    }

    fn obey(&mut self, order: Order) {
        match order {
            Order::Command(asked) => {
                let asker = asked.asker();
                match self.command(asked) {
                    Ok(Some(reply)) => self.answers.push((asker, Ok(reply))),
                    Ok(None) => {}
                    Err(refusal) => self.answers.push((asker, Err(refusal))),
                }
            }
            Order::Upload(upload, done) => {
                self.change(Pending::new(Cause::Upload(upload, done), None))
            }
            Order::Recording(reply) => drop(reply.send(self.recorder.recording(&self.cast))),
            Order::Arrived => (self.pages, self.dirty) = (self.pages + 1, true),
            Order::Left(page) => {
                self.pages = self.pages.saturating_sub(1);
                self.hands.release(&mut self.stage, page, None);
                self.dirty = true;
            }
            Order::Made(made) => self.made(made.result),
            Order::Stop => {}
        }
    }

    /// Takes a step.
    fn step(&mut self) {
        self.hands.lead(&mut self.stage);
        let begin = Instant::now();
        let (world, phases) = (&mut self.stage.world, &self.phases);
        let stepped = std::panic::AssertUnwindSafe(|| world.step_with(&|phase| phases.tell(phase)));
        match std::panic::catch_unwind(stepped) {
            Ok(report) => self.report = report,
            Err(_) => return self.recover(),
        }
        let ms = self.milliseconds(begin);
        self.frame += 1;
        self.log.note(self.stage.world.events(), self.frame, &self.stage.handles);
        let events = self.stage.world.events().iter();
        let resets = events.filter(|event| event.kind == EventKind::Reset);
        let places =
            resets.filter_map(|event| self.stage.handles.iter().position(|h| *h == event.body));
        self.reset = places.map(|place| place as u32).collect();
        self.clock.tick(begin, self.stage.world.config().dt / self.speed, ms);
        self.dirty = true;
        if let Some((left, asker)) = self.burst.take() {
            if left > 1 {
                self.burst = Some((left - 1, asker));
            } else {
                self.answers.push((asker, Ok(Reply::default())));
            }
        }
    }

    /// A step has failed in a way that should not be: back to the beginning.
    fn recover(&mut self) {
        let text = "the engine failed in this step and the scene was set back to its beginning; please report the scene";
        self.log.add(self.frame, None, "reset", true, text.to_owned());
        self.phases = PhaseClock::default();
        self.spent = [0.0; 6];
        self.playing = false;
        self.burst = None;
        let document = self.stage.document.clone();
        match Stage::open(document, self.stage.look_count()) {
            Ok(stage) => self.stage = stage,
            Err(refusal) => self.log.add(self.frame, None, "reset", true, refusal.message),
        }
        self.begin_anew();
        self.recast();
    }

    fn milliseconds(&mut self, begin: Instant) -> Milliseconds {
        let step = 1e3 * begin.elapsed().as_secs_f64();
        let spent = PHASES.map(|phase| 1e3 * self.phases.spent(phase).as_secs_f64());
        let mut took = [0.0; 6];
        for (k, took) in took.iter_mut().enumerate() {
            *took = spent[k] - self.spent[k];
        }
        self.spent = spent;
        // Threads work side by side: their shares of the time that passed are told.
        let sum: f64 = took.iter().sum();
        let share = if sum > step { step / sum } else { 1.0 };
        let [contact, forces, degree, assembly, solve, update] = took.map(|took| share * took);
        Milliseconds { step, contact, forces, degree, assembly, solve, update, publish: 0.0 }
    }

    /// Back to the beginning.
    pub(super) fn restart(&mut self) -> Result<(), Refusal> {
        self.stage.restart()?;
        self.begin_anew();
        // Also if steps follow at once: a recording has the beginning.
        self.publish();
        Ok(())
    }

    /// The first frame of a motion.
    fn begin_anew(&mut self) {
        self.hands.clear();
        self.frame = 0;
        (self.report, self.reset) = (StepReport::default(), Vec::new());
        self.recorder.begin();
        self.clock.start();
        self.dirty = true;
    }

    /// Takes so many steps as fast as they go, and answers then.
    pub(super) fn hurry(&mut self, steps: u64, asker: Asker) {
        self.playing = false;
        self.dirty = true;
        if let Some((_, before)) = self.burst.take() {
            let gone = Refusal::new("busy", "another command took its place");
            self.answers.push((before, Err(gone)));
        }
        if steps == 0 {
            self.answers.push((asker, Ok(Reply::default())));
        } else {
            self.burst = Some((steps, asker));
        }
    }

    /// Ends what was to be done as fast as it goes.
    pub(super) fn calm(&mut self) {
        if let Some((_, asker)) = self.burst.take() {
            self.answers.push((asker, Err(Refusal::new("busy", "it was interrupted"))));
        }
    }

    /// What is shown has changed.
    fn recast(&mut self) {
        self.generation += 1;
        self.cast = Arc::new(Cast::new(self.generation, &self.stage, &self.history));
        self.dirty = true;
    }

    fn publish(&mut self) {
        self.dirty = false;
        self.serial += 1;
        let begin = Instant::now();
        let frame = self.snapshot();
        self.recorder.keep(&frame);
        self.frames.send_replace(Arc::new(frame));
        self.publishing += 0.1 * (1e3 * begin.elapsed().as_secs_f64() - self.publishing);
    }

    fn snapshot(&self) -> Frame {
        let stage = &self.stage;
        let count = self.cast.bodies.last().map_or(0, |actor| actor.range().end);
        let (mut x, mut v) = (Vec::with_capacity(count), Vec::with_capacity(count));
        let (mut asleep, mut degrees) = (Vec::new(), Vec::new());
        for (index, handle) in stage.handles.iter().enumerate() {
            let Some(body) = stage.world.body(*handle) else { continue };
            x.extend_from_slice(&body.state.x);
            v.extend_from_slice(&body.state.v);
            asleep.extend(
                stage.world.is_asleep(*handle).filter(|asleep| *asleep).map(|_| index as u32),
            );
            let adapts = stage.scene.bodies[index].method.adaptive.is_some();
            degrees.push(if adapts { stage.world.degrees(*handle) } else { None });
        }
        let position = |probe: &pliant_io::scene::PlacedProbe| {
            stage
                .body(probe.body)
                .map_or(probe.at, |body| probe.point.position(&body.state.x))
                .to_array()
        };
        let (pace, behind) = self.clock.pace();
        let dt = stage.world.config().dt;
        let unknowns = match self.report.linear.unknowns {
            0 => (0..stage.handles.len())
                .filter_map(|k| stage.body(k))
                .map(|b| 3 * b.unknowns().count())
                .sum(),
            unknowns => unknowns,
        };
        Frame {
            serial: self.serial,
            frame: self.frame,
            time: stage.world.time(),
            run: self.run_state(),
            pace,
            behind: behind && self.playing,
            ms: Milliseconds { publish: self.publishing, ..self.clock.milliseconds() },
            budget_ms: 1e3 * dt / self.speed,
            fps: if self.playing { self.clock.rate() } else { 0.0 },
            residual: self.report.linear.residual.max(self.report.sweeps.residual),
            iterations: self.report.linear.iterations + self.report.sweeps.sweeps,
            unknowns,
            asleep,
            reset: self.reset.clone(),
            grabs: self.hands.notes(stage, !self.playing),
            probes: stage.probes.iter().map(position).collect(),
            obstacles: self.moved_obstacles(),
            events: self.log.events(),
            x,
            v,
            contacts: stage
                .world
                .contacts()
                .map(|(_, point, contact)| [point, contact.normal])
                .collect(),
            degrees,
            cast: self.cast.clone(),
            found: Found::default(),
        }
    }

    fn run_state(&self) -> Run {
        let busy = self.building.as_ref().map(|pending| match &pending.cause {
            Cause::Open(document) => format!("opening {}", document.name),
            Cause::Upload(upload, _) => format!("making a body of {}", upload.name),
            Cause::Edit(edit) => edit.label(&self.stage.scene),
            Cause::Undo => "undoing".to_owned(),
            Cause::Redo => "redoing".to_owned(),
        });
        let (playing, recording) = (self.playing, self.recorder.is_on());
        Run { playing, speed: self.speed, recording, pages: self.pages, busy }
    }

    fn moved_obstacles(&self) -> Vec<MovedObstacle> {
        let time = self.stage.world.time();
        let moving = self.stage.world.obstacles().iter().enumerate();
        let moving = moving.filter(|(_, obstacle)| !obstacle.motion.ramps.is_empty());
        let place = |(index, obstacle): (usize, &pliant::contact::Obstacle)| {
            let pose = obstacle.pose_at(time);
            let (position, rotation) = (pose.translation.to_array(), pose.rotation.to_array());
            MovedObstacle { index, position, rotation }
        };
        moving.map(place).collect()
    }

    /// Changes the scene, now or when the builder is done with what came before.
    pub(super) fn change(&mut self, pending: Pending) {
        if self.building.is_none() {
            return self.begin_change(pending);
        }
        if let (Cause::Edit(now), Some(Pending { cause: Cause::Edit(last), asker, .. })) =
            (&pending.cause, self.waiting.back_mut())
            && now.joins(last)
        {
            match (last, now) {
                (Edit::Paint(last), Edit::Paint(now)) => {
                    last.centres.extend_from_slice(&now.centres)
                }
                (last, now) => *last = now.clone(),
            }
            let before = std::mem::replace(asker, pending.asker);
            self.answers.extend(before.map(|asker| (asker, Ok(Reply::default()))));
            return;
        }
        if self.waiting.len() >= MOST_PENDING {
            let busy =
                Refusal::new("busy", "many edits are waiting already; try again in a moment");
            return self.finish(pending, Err(busy));
        }
        self.waiting.push_back(pending);
    }

    fn begin_change(&mut self, mut pending: Pending) {
        pending.before = Some(self.stage.document.clone());
        match self.prepared(&mut pending) {
            Err(refusal) => self.finish(pending, Err(refusal)),
            Ok(job) if is_light(&job.change) => {
                let Change::Bodies(change) = job.change else { return };
                let done = self.stage.take_on(job.document, job.scene, &change, Vec::new());
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
                        Err(Refusal::new("busy", "the builder has stopped; start again")),
                    );
                }
            }
        }
    }

    /// What has to be made for a change.
    fn prepared(&self, pending: &mut Pending) -> Result<Job, Refusal> {
        let (old, scene) = (&self.stage.document, &self.stage.scene);
        let nothing = |code, what: &str| Refusal::new(code, format!("there is nothing to {what}"));
        let document = match &pending.cause {
            Cause::Edit(edit) => edit.applied(old, scene)?,
            Cause::Undo => {
                self.history.before().ok_or_else(|| nothing("nothing-to-undo", "undo"))?
            }
            Cause::Redo => {
                self.history.after().ok_or_else(|| nothing("nothing-to-redo", "redo"))?
            }
            Cause::Open(document) => document.clone(),
            Cause::Upload(upload, _) if upload.alone => alone(upload)?,
            Cause::Upload(upload, _) => self.body_of(upload).applied(old, scene)?,
        };
        let scene = document.scene()?;
        let whole = matches!(&pending.cause, Cause::Open(_)) || scene.mode == Mode::Static;
        let change = if whole { Change::Whole } else { between(old, &document) };
        Ok(Job { document, scene, change, look_count: self.stage.look_count() })
    }

    /// The edit that puts a surface into the scene: beside the bodies, above what they stand on.
    fn body_of(&self, upload: &Upload) -> Edit {
        let names: Vec<&str> =
            self.stage.scene.bodies.iter().map(|plan| plan.name.as_str()).collect();
        let (low, high) = self.stage.bounds;
        let place =
            DVec3::new(0.5 * (low.x + high.x), high.y + 0.1 * upload.size, 0.5 * (low.z + high.z));
        Edit::Add(BodyEdit::new(upload, &names, place))
    }

    /// What the builder made takes the place of what it was made for.
    fn made(&mut self, result: Result<Product, Refusal>) {
        let Some(pending) = self.building.take() else { return };
        let done = result.and_then(|product| self.take_over(product, &pending.cause));
        self.finish(pending, done);
        while self.building.is_none()
            && let Some(pending) = self.waiting.pop_front()
        {
            self.begin_change(pending);
        }
    }

    fn take_over(&mut self, product: Product, cause: &Cause) -> Result<(), Refusal> {
        match product {
            Product::Stage(mut stage) => {
                let another = matches!(cause, Cause::Open(_))
                    || matches!(cause, Cause::Upload(upload, _) if upload.alone);
                if another || stage.scene.mode == Mode::Static {
                    self.stage = *stage;
                    self.begin_anew();
                    self.playing = self.stage.scene.mode == Mode::Dynamic;
                } else {
                    stage.adopt(&self.stage);
                    stage.origin = self.stage.origin;
                    self.stage = *stage;
                    self.hands.clear();
                }
                Ok(())
            }
            Product::Bodies(new) => {
                let NewBodies { document, scene, change, made } = *new;
                let touched: Vec<usize> = made.iter().map(|body| body.index).collect();
                debug_assert!(change.iter().any(|change| *change >= BodyChange::Rebuilt));
                self.stage.take_on(document, scene, &change, made)?;
                touched.into_iter().for_each(|body| self.hands.hold_again(&mut self.stage, body));
                Ok(())
            }
        }
    }

    /// Answers, and notes what can be undone.
    fn finish(&mut self, pending: Pending, done: Result<(), Refusal>) {
        let Pending { cause, asker, mut reply, before } = pending;
        if let (Ok(()), Some(before)) = (&done, before) {
            match &cause {
                Cause::Edit(edit) => {
                    let label = edit.label(&self.stage.scene);
                    self.history.note(before, edit, label);
                    if let Edit::Pin(pin) = edit {
                        reply.pin = self.stage.body(pin.body).map(|body| body.pins().len() - 1);
                    }
                }
                Cause::Undo => self.history.undone(before),
                Cause::Redo => self.history.redone(before),
                Cause::Open(_) => self.history.clear(),
                Cause::Upload(upload, _) if upload.alone => self.history.clear(),
                Cause::Upload(upload, _) => {
                    let edit = self.body_of(upload);
                    self.history.note(before, &edit, format!("adding {}", upload.name));
                }
            }
            self.recast();
        }
        self.dirty = true;
        if let Cause::Upload(_, answer) = cause {
            let body = self.stage.scene.bodies.len().saturating_sub(1);
            let name = self.stage.scene.bodies.last().map_or("", |plan| &plan.name).to_owned();
            drop(answer.send(done.map(|()| Uploaded { body, name, notes: Vec::new() })));
        } else if let Some(asker) = asker {
            self.answers.push((asker, done.map(|()| reply)));
        }
    }
}

/// A scene of a surface alone, standing on the ground.
fn alone(upload: &Upload) -> Result<Document, Refusal> {
    let text = "version = 1\n[world]\ndamping = 0.1\n[[obstacle]]\nplane = { point = [0, 0, 0], normal = [0, 1, 0] }\n";
    let title = format!("title = {}\n", toml_edit::Value::from(upload.name.as_str()));
    let base = upload.path.parent().unwrap_or(std::path::Path::new("."));
    let document = Document::new(&upload.name, &(title + text), base)?;
    let place = DVec3::new(0.0, 0.05 * upload.size, 0.0);
    Edit::Add(BodyEdit::new(upload, &[], place)).added(&document)
}

/// What there is to be seen before the first frame.
fn first_frame(cast: &Arc<Cast>) -> Frame {
    Frame {
        serial: 0,
        frame: 0,
        time: 0.0,
        run: Run { playing: false, speed: 1.0, recording: true, pages: 0, busy: None },
        pace: 1.0,
        behind: false,
        ms: Milliseconds::default(),
        budget_ms: 0.0,
        fps: 0.0,
        residual: 0.0,
        iterations: 0,
        unknowns: 0,
        asleep: Vec::new(),
        reset: Vec::new(),
        grabs: Vec::new(),
        probes: Vec::new(),
        obstacles: Vec::new(),
        events: Arc::default(),
        x: Vec::new(),
        v: Vec::new(),
        contacts: Vec::new(),
        degrees: Vec::new(),
        cast: cast.clone(),
        found: Found::default(),
    }
}
