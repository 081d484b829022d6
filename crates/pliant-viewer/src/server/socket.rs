//! The web socket connection to a page.

use std::collections::{BTreeSet, VecDeque};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use axum::extract::State;
use axum::extract::ws::{CloseFrame, Message, WebSocket, WebSocketUpgrade};
use axum::response::Response;
use futures_util::stream::{SplitSink, SplitStream};
use futures_util::{SinkExt as _, StreamExt as _};
use tokio::sync::{Notify, mpsc, watch};

use super::answer::refusal;
use super::routes::{Hub, Shared};
use crate::engine::frame::Frame;
use crate::engine::order::{Order, PageCommand, Refusal};
use crate::engine::shown_scene::ShownScene;
use crate::protocol::command::{Command, Request, Watch};
use crate::protocol::frame::{FrameOptions, message};
use crate::protocol::message::{ErrorMessage, Hello, Message as Said, Run};
use crate::protocol::model::OF_CELLS;

/// Largest message from a page, in bytes.
const MAX_MESSAGE_BYTES: usize = 64 << 10;

/// The largest number of connected pages.
const MAX_PAGES: usize = 64;

/// The largest number of unacknowledged frames per page.
const MAX_UNACKNOWLEDGED: usize = 2;

/// Capacity of the queue of answers to a page.
const MAX_QUEUED_ANSWERS: usize = 256;

/// The longest time that a page may take to read a message.
const SEND_TIMEOUT: Duration = Duration::from_secs(30);

/// Upgrades a request to a web socket.
pub(super) async fn upgrade(State(shared): State<Shared>, upgrade: WebSocketUpgrade) -> Response {
    let count = shared.hub.page_count.fetch_add(1, Ordering::Relaxed);
    // The page is counted until its seat is dropped, even if the upgrade fails.
    let slot = PageSlot(shared.hub.clone());
    if count >= MAX_PAGES {
        let message = format!("{MAX_PAGES} pages are open already; close some");
        return refusal(&Refusal::new("too-many", message));
    }
    upgrade
        .max_message_size(MAX_MESSAGE_BYTES)
        .max_frame_size(MAX_MESSAGE_BYTES)
        .on_upgrade(move |socket| serve(socket, shared, slot))
}

/// A place among the connected pages, freed on drop.
#[derive(Debug)]
struct PageSlot(Arc<Hub>);

impl Drop for PageSlot {
    fn drop(&mut self) {
        self.0.page_count.fetch_sub(1, Ordering::Relaxed);
    }
}

/// State shared by the reader and the writer of a connection.
#[derive(Debug, Default)]
struct ConnectionState {
    /// Serial of the last frame that the page has drawn.
    acked: AtomicU64,
    watched: Mutex<WatchedData>,
    changed: Notify,
}

#[derive(Debug, Default)]
struct WatchedData {
    field: Option<crate::protocol::FieldName>,
    contacts: bool,
    /// True if the page wants models of the boundary of the cells, too.
    cells: bool,
    /// True if the newest frame must be sent once more.
    again: bool,
}

impl ConnectionState {
    fn set_watched(&self, watch: &Watch) {
        if let Ok(mut watched) = self.watched.lock() {
            watched.field = watch.field.unwrap_or(watched.field);
            watched.contacts = watch.contacts.unwrap_or(watched.contacts);
            watched.cells = watch.cells.unwrap_or(watched.cells);
            watched.again = true;
        }
        self.changed.notify_one();
    }
}

async fn serve(socket: WebSocket, shared: Shared, _slot: PageSlot) {
    let hub = &shared.hub;
    let page = hub.next_page.fetch_add(1, Ordering::Relaxed);
    if hub.orders.try_send(Order::Arrived).is_err() {
        return;
    }
    let (answers, outgoing) = mpsc::channel(MAX_QUEUED_ANSWERS);
    let state = Arc::new(ConnectionState::default());
    let (sink, stream) = socket.split();
    let writer = Writer {
        sink,
        outgoing,
        frames: hub.frames.clone(),
        state: state.clone(),
        wanted: FrameOptions::default(),
        unacknowledged: VecDeque::new(),
        last: 0,
        generation: None,
        cells: false,
        models: BTreeSet::new(),
        run: None,
    };
    let mut writing = tokio::spawn(writer.run(page));
    let mut ended = shared.ended.clone();
    let mut reader = Reader::new(page, shared.hub.clone(), answers, state);
    tokio::select! {
        () = reader.run(stream) => {}
        _ = &mut writing => {}
        _ = ended.wait_for(|ended| *ended) => {}
    }
    writing.abort();
    // Waits while the queue is full, which is short; a stopped engine has no state of this page.
    let orders = shared.hub.orders.clone();
    let _ = tokio::task::spawn_blocking(move || orders.send(Order::Left(page)).is_ok()).await;
}

/// The receiving half of a connection.
struct Reader {
    page: u32,
    hub: Arc<Hub>,
    answers: mpsc::Sender<String>,
    state: Arc<ConnectionState>,
    faults: RateLimit,
    messages: RateLimit,
}

/// Limits the number of events within a time span.
struct RateLimit {
    since: Instant,
    count: u32,
    span: Duration,
    most: u32,
}

impl RateLimit {
    fn new(span: Duration, most: u32) -> Self {
        Self { since: Instant::now(), count: 0, span, most }
    }

    /// Counts an event; returns false if there are too many.
    fn allows(&mut self) -> bool {
        if self.since.elapsed() > self.span {
            (self.since, self.count) = (Instant::now(), 0);
        }
        self.count += 1;
        self.count <= self.most
    }
}

impl Reader {
    fn new(
        page: u32,
        hub: Arc<Hub>,
        answers: mpsc::Sender<String>,
        state: Arc<ConnectionState>,
    ) -> Self {
        let faults = RateLimit::new(Duration::from_secs(60), 100);
        let messages = RateLimit::new(Duration::from_secs(3), 3000);
        Self { page, hub, answers, state, faults, messages }
    }

    /// Handles messages until the page disconnects or breaks a limit.
    async fn run(&mut self, mut stream: SplitStream<WebSocket>) {
        while let Some(Ok(message)) = stream.next().await {
            let handled = match message {
                Message::Text(text) => self.handle_text(&text),
                Message::Binary(_) => {
                    Err((None, Refusal::new("malformed", "commands are text, in JSON")))
                }
                Message::Close(_) => return,
                Message::Ping(_) | Message::Pong(_) => Ok(()),
            };
            if let Err((id, refusal)) = handled {
                self.send_error(id, &refusal).await;
                if !self.faults.allows() {
                    return;
                }
            }
            if !self.messages.allows() {
                return;
            }
        }
    }

    fn handle_text(&mut self, text: &str) -> Result<(), (Option<u64>, Refusal)> {
        let request: Request = serde_json::from_str(text)
            .map_err(|error| (None, Refusal::new("malformed", error.to_string())))?;
        let Request { id, command } = request;
        match &command {
            Command::Ack(ack) => {
                self.state.acked.fetch_max(ack.serial, Ordering::Relaxed);
                self.state.changed.notify_one();
                return Ok(());
            }
            Command::Watch(watch) => self.state.set_watched(watch),
            _ => {}
        }
        let (page, answers) = (self.page, self.answers.clone());
        let page_command = PageCommand { page, id, command, answers };
        let sent = self.hub.orders.try_send(Order::Command(page_command));
        sent.map_err(|_| {
            (
                id,
                Refusal::new(
                    "busy",
                    "the engine has more to do than it can; try again in a moment",
                ),
            )
        })
    }

    async fn send_error(&self, id: Option<u64>, refusal: &Refusal) {
        let Refusal { code, message } = refusal;
        let text = Said::Error(ErrorMessage { id, code, message }).text();
        // Blocks the reader while the page does not read its answers.
        let _ = tokio::time::timeout(SEND_TIMEOUT, self.answers.send(text)).await;
    }
}

/// The sending half of a connection.
struct Writer {
    sink: SplitSink<WebSocket, Message>,
    outgoing: mpsc::Receiver<String>,
    frames: watch::Receiver<Arc<Frame>>,
    state: Arc<ConnectionState>,
    wanted: FrameOptions,
    /// Serials of frames that are not acknowledged yet.
    unacknowledged: VecDeque<u64>,
    /// Serial of the last sent frame.
    last: u64,
    generation: Option<u64>,
    /// True if the page gets models of the boundary of the cells, too.
    cells: bool,
    /// Ids of the models that the page has.
    models: BTreeSet<u32>,
    run: Option<Run>,
}

impl Writer {
    async fn run(mut self, page: u32) {
        let hello = Said::Hello(Hello::new(page)).text();
        let mut going = self.send(Message::text(hello)).await;
        let state = self.state.clone();
        while going {
            going = self.send_updates().await;
            tokio::select! {
                answer = self.outgoing.recv() => match answer {
                    Some(text) => going &= self.send(Message::text(text)).await,
                    None => return,
                },
                changed = self.frames.changed() => going &= changed.is_ok(),
                () = state.changed.notified() => {}
            }
        }
        let goodbye = CloseFrame { code: 1008, reason: "".into() };
        let _ = self.sink.send(Message::Close(Some(goodbye))).await;
    }

    /// Sends a message; returns false if the page does not accept it.
    async fn send(&mut self, message: Message) -> bool {
        matches!(tokio::time::timeout(SEND_TIMEOUT, self.sink.send(message)).await, Ok(Ok(())))
    }

    /// Sends the news: the scene, the run state, and the newest frame if the page is ready for it.
    async fn send_updates(&mut self) -> bool {
        let frame = self.frames.borrow_and_update().clone();
        if !self.send_scene(&frame).await {
            return false;
        }
        if self.run.as_ref() != Some(&frame.run) {
            let text = Said::Run(&frame.run).text();
            self.run = Some(frame.run.clone());
            if !self.send(Message::text(text)).await {
                return false;
            }
        }
        let acked = self.state.acked.load(Ordering::Relaxed);
        self.unacknowledged.retain(|serial| *serial > acked);
        let again = self.state.watched.lock().is_ok_and(|mut watched| {
            self.wanted.field = watched.field;
            self.wanted.contacts = watched.contacts;
            std::mem::take(&mut watched.again)
        });
        if frame.serial == 0
            || (frame.serial <= self.last && !again)
            || self.unacknowledged.len() >= MAX_UNACKNOWLEDGED
        {
            return true;
        }
        self.unacknowledged.push_back(frame.serial);
        self.last = frame.serial;
        let wanted = &mut self.wanted;
        // Fields and energies of a large body take some time, and must not block other connections.
        let bytes = match wanted.field.is_some() || frame.has_energy() {
            true => tokio::task::block_in_place(|| message(&frame, wanted)),
            false => message(&frame, wanted),
        };
        self.send(Message::Binary(bytes)).await
    }

    async fn send_scene(&mut self, frame: &Frame) -> bool {
        let shown_scene = &frame.shown_scene;
        let cells = self.state.watched.lock().is_ok_and(|watched| watched.cells);
        if self.generation == Some(shown_scene.generation) {
            let new = cells && !self.cells;
            self.cells = cells;
            return !new || self.send_cell_models(shown_scene).await;
        }
        (self.generation, self.cells) = (Some(shown_scene.generation), cells);
        if !self.send(Message::text(shown_scene.scene.clone())).await {
            return false;
        }
        let shown: BTreeSet<u32> =
            shown_scene.bodies.iter().map(|shown_body| shown_body.drawn.id).collect();
        self.models.retain(|id| shown.contains(&(id & !OF_CELLS)));
        for shown_body in &shown_scene.bodies {
            if self.models.insert(shown_body.drawn.id)
                && !self.send(Message::Binary(shown_body.drawn.message.clone())).await
            {
                return false;
            }
        }
        if cells && !self.send_cell_models(shown_scene).await {
            return false;
        }
        self.send(Message::Binary(shown_scene.held.clone())).await
    }

    /// Sends models of the boundary of the cells, for bodies that are drawn with another surface.
    async fn send_cell_models(&mut self, shown_scene: &ShownScene) -> bool {
        for shown_body in
            shown_scene.bodies.iter().filter(|shown_body| shown_body.drawn.has_surface)
        {
            if self.models.insert(shown_body.drawn.id | OF_CELLS) {
                let message = shown_body.drawn.of_cells(&shown_body.model, shown_scene.origin);
                if !self.send(Message::Binary(message)).await {
                    return false;
                }
            }
        }
        true
    }
}
