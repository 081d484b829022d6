//! The thread that owns the world.

use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, TryRecvError, sync_channel};
use std::thread::{self, JoinHandle};

use pliant::world::StepReport;
use pliant_io::scene::Mode;
use tokio::sync::watch;

use super::builder::{self, Job};
use super::clock::Clock;
use super::document::Document;
use super::frame::Frame;
use super::grabs::Grabs;
use super::history::History;
use super::log::Log;
use super::order::{Order, Refusal, ReplyTo};
use super::pending::{Cause, Pending};
use super::phase_clock::PhaseClock;
use super::record::Recorder;
use super::session::Session;
use super::shown_scene::ShownScene;
use super::stage::Stage;
use super::step_budget::StepBudget;
use crate::protocol::message::Reply;

/// Capacity of the queue of orders.
const MAX_QUEUED_ORDERS: usize = 1024;

/// The connection of other threads to the engine.
#[derive(Debug)]
pub(crate) struct EngineHandle {
    /// Sender of requests.
    pub(crate) orders: SyncSender<Order>,
    /// The newest frame.
    pub(crate) frames: watch::Receiver<Arc<Frame>>,
    /// The thread; it ends at [`Order::Stop`].
    pub(crate) thread: JoinHandle<()>,
}

/// Opens a scene and starts the thread; with a session it restores its state and pauses.
pub(crate) fn start(
    document: Document,
    session: Option<&Session>,
) -> Result<EngineHandle, Refusal> {
    let mut stage = Stage::open(document)?;
    let others = session.map(|session| stage.restore_session(session)).unwrap_or_default();
    let (orders, inbox) = sync_channel(MAX_QUEUED_ORDERS);
    let failed =
        |error: std::io::Error| Refusal::new("busy", format!("cannot start a thread: {error}"));
    let jobs = builder::start(orders.clone()).map_err(failed)?;
    let (mut engine, frames) = Engine::new(stage, inbox, jobs);
    if session.is_some() {
        engine.playing = false;
        for name in others {
            let text = format!("{name} differs from the session and starts from its initial state");
            engine.log.add(0, None, "other", true, text);
        }
        engine.publish();
    }
    let builder = thread::Builder::new().name("pliant engine".to_owned());
    let thread = builder.spawn(move || engine.run()).map_err(failed)?;
    Ok(EngineHandle { orders, frames, thread })
}

/// The engine.
#[derive(Debug)]
pub(super) struct Engine {
    pub(super) stage: Stage,
    pub(super) history: History,
    pub(super) grabs: Grabs,
    pub(super) clock: Clock,
    pub(super) phases: PhaseClock,
    pub(super) step_budget: StepBudget,
    /// Accumulated times of the phases before the last step, in ms.
    pub(super) spent: [f64; 6],
    pub(super) log: Log,
    pub(super) recorder: Recorder,
    inbox: Receiver<Order>,
    pub(super) jobs: SyncSender<Job>,
    pub(super) frames: watch::Sender<Arc<Frame>>,
    /// The previous frame.
    pub(super) old: Option<Arc<Frame>>,
    /// The change that the builder works on.
    pub(super) building: Option<Pending>,
    pub(super) waiting: VecDeque<Pending>,
    pub(super) generation: u64,
    /// True once a user has edited or pulled something.
    pub(super) edited: bool,
    pub(super) shown_scene: Arc<ShownScene>,
    pub(super) serial: u64,
    pub(super) frame: u64,
    pub(super) report: StepReport,
    pub(super) reset: Vec<u32>,
    /// Mean time to publish a frame, in ms.
    pub(super) publishing: f64,
    pub(super) playing: bool,
    pub(super) speed: f64,
    /// Remaining steps to take as fast as possible, and the receiver of the answer.
    pub(super) burst: Option<(u64, ReplyTo)>,
    pub(super) pages: usize,
    /// True if a new frame must be published.
    pub(super) dirty: bool,
    pub(super) answers: Vec<(ReplyTo, Result<Reply, Refusal>)>,
}

impl Engine {
    fn new(
        stage: Stage,
        inbox: Receiver<Order>,
        jobs: SyncSender<Job>,
    ) -> (Self, watch::Receiver<Arc<Frame>>) {
        let (history, mut recorder) = (History::default(), Recorder::default());
        recorder.begin();
        let shown_scene = Arc::new(ShownScene::new(0, &stage, &history));
        let playing = stage.scene.mode == Mode::Dynamic;
        let (frames, seen) =
            watch::channel(Arc::new(Frame::new(shown_scene.clone(), Vec::new(), Vec::new())));
        let mut engine = Self {
            stage,
            history,
            grabs: Grabs::default(),
            clock: Clock::default(),
            phases: PhaseClock::default(),
            step_budget: StepBudget::default(),
            spent: [0.0; 6],
            log: Log::default(),
            recorder,
            inbox,
            jobs,
            frames,
            old: None,
            building: None,
            waiting: VecDeque::new(),
            generation: 0,
            edited: false,
            shown_scene,
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

    /// Runs until it is stopped.
    fn run(mut self) {
        self.clock.start();
        loop {
            match self.next_order() {
                Ok(Some(Order::Stop)) | Err(()) => return,
                Ok(Some(order)) => {
                    self.execute(order);
                    // All orders that have arrived are handled before the next step.
                    while let Ok(order) = self.inbox.try_recv() {
                        if matches!(order, Order::Stop) {
                            return;
                        }
                        self.execute(order);
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
            self.answers.drain(..).for_each(|(reply_to, result)| reply_to.answer(serial, result));
        }
    }

    /// The next order, if it arrives before the next step is due.
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

    fn execute(&mut self, order: Order) {
        match order {
            Order::Command(page_command) => {
                let reply_to = page_command.reply_to();
                match self.execute_command(page_command) {
                    Ok(Some(reply)) => self.answers.push((reply_to, Ok(reply))),
                    Ok(None) => {}
                    Err(refusal) => self.answers.push((reply_to, Err(refusal))),
                }
            }
            Order::Upload(upload, done) => {
                self.change(Pending::new(Cause::Upload(upload, done), None))
            }
            Order::Recording(reply) => drop(reply.send(self.recorder.recording())),
            Order::Arrived => (self.pages, self.dirty) = (self.pages + 1, true),
            Order::Left(page) => {
                self.pages = self.pages.saturating_sub(1);
                self.grabs.release(&mut self.stage, page, None);
                self.dirty = true;
            }
            Order::Built(made) => self.apply_built(made.result),
            Order::Stop => {}
        }
    }
}
