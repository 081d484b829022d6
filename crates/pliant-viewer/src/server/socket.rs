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
use crate::engine::cast::Cast;
use crate::engine::frame::Frame;
use crate::engine::order::{Asked, Order, Refusal};
use crate::protocol::command::{Command, Request, Watch};
use crate::protocol::frame::{Wanted, message};
use crate::protocol::message::{Hello, Message as Said, Run, Trouble};
use crate::protocol::model::OF_CELLS;

/// Largest message from a page, in bytes.
const MOST_BYTES: usize = 64 << 10;

/// The largest number of connected pages.
const MOST_PAGES: usize = 64;

/// The largest number of unacknowledged frames per page.
const IN_FLIGHT: usize = 2;

/// Capacity of the queue of answers to a page.
const ANSWERS: usize = 256;

/// The longest time that a page may take to read a message.
const PATIENCE: Duration = Duration::from_secs(30);

/// Upgrades a request to a web socket.
pub(super) async fn upgrade(State(shared): State<Shared>, upgrade: WebSocketUpgrade) -> Response {
    let count = shared.hub.page_count.fetch_add(1, Ordering::Relaxed);
    // The page is counted until its seat is dropped, even if the upgrade fails.
    let seat = Seat(shared.hub.clone());
    if count >= MOST_PAGES {
        let message = format!("{MOST_PAGES} pages are open already; close some");
        return refusal(&Refusal::new("too-many", message));
    }
    upgrade
        .max_message_size(MOST_BYTES)
        .max_frame_size(MOST_BYTES)
        .on_upgrade(move |socket| serve(socket, shared, seat))
}

/// A place among the connected pages, freed on drop.
#[derive(Debug)]
struct Seat(Arc<Hub>);

impl Drop for Seat {
    fn drop(&mut self) {
        self.0.page_count.fetch_sub(1, Ordering::Relaxed);
    }
}

/// State shared by the reader and the writer of a connection.
#[derive(Debug, Default)]
struct Desk {
    /// Serial of the last frame that the page has drawn.
    acked: AtomicU64,
    wanted: Mutex<Wishes>,
    stirred: Notify,
}

#[derive(Debug, Default)]
struct Wishes {
    field: Option<crate::protocol::FieldName>,
    contacts: bool,
    /// True if the page wants models of the boundary of the cells, too.
    cells: bool,
    /// True if the newest frame must be sent once more.
    again: bool,
}

impl Desk {
    fn wish(&self, watch: &Watch) {
        if let Ok(mut wishes) = self.wanted.lock() {
            wishes.field = watch.field.unwrap_or(wishes.field);
            wishes.contacts = watch.contacts.unwrap_or(wishes.contacts);
            wishes.cells = watch.cells.unwrap_or(wishes.cells);
            wishes.again = true;
        }
        self.stirred.notify_one();
    }
}

async fn serve(socket: WebSocket, shared: Shared, _seat: Seat) {
    let hub = &shared.hub;
    let page = hub.next_page.fetch_add(1, Ordering::Relaxed);
    if hub.orders.try_send(Order::Arrived).is_err() {
        return;
    }
    let (answers, outgoing) = mpsc::channel(ANSWERS);
    let desk = Arc::new(Desk::default());
    let (sink, stream) = socket.split();
    let writer = Writer {
        sink,
        outgoing,
        frames: hub.frames.clone(),
        desk: desk.clone(),
        wanted: Wanted::default(),
        flying: VecDeque::new(),
        last: 0,
        generation: None,
        cells: false,
        models: BTreeSet::new(),
        run: None,
    };
    let mut writing = tokio::spawn(writer.run(page));
    let mut ended = shared.ended.clone();
    let mut reader = Reader::new(page, shared.hub.clone(), answers, desk);
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
    desk: Arc<Desk>,
    faults: Meter,
    messages: Meter,
}

/// Limits the number of events within a time span.
struct Meter {
    since: Instant,
    count: u32,
    span: Duration,
    most: u32,
}

impl Meter {
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
    fn new(page: u32, hub: Arc<Hub>, answers: mpsc::Sender<String>, desk: Arc<Desk>) -> Self {
        let faults = Meter::new(Duration::from_secs(60), 100);
        let messages = Meter::new(Duration::from_secs(3), 3000);
        Self { page, hub, answers, desk, faults, messages }
    }

    /// Handles messages until the page disconnects or breaks a limit.
    async fn run(&mut self, mut stream: SplitStream<WebSocket>) {
        while let Some(Ok(message)) = stream.next().await {
            let heard = match message {
                Message::Text(text) => self.hear(&text),
                Message::Binary(_) => {
                    Err((None, Refusal::new("malformed", "commands are text, in JSON")))
                }
                Message::Close(_) => return,
                Message::Ping(_) | Message::Pong(_) => Ok(()),
            };
            if let Err((id, refusal)) = heard {
                self.complain(id, &refusal).await;
                if !self.faults.allows() {
                    return;
                }
            }
            if !self.messages.allows() {
                return;
            }
        }
    }

    fn hear(&mut self, text: &str) -> Result<(), (Option<u64>, Refusal)> {
        let request: Request = serde_json::from_str(text)
            .map_err(|error| (None, Refusal::new("malformed", error.to_string())))?;
        let Request { id, command } = request;
        match &command {
            Command::Ack(ack) => {
                self.desk.acked.fetch_max(ack.serial, Ordering::Relaxed);
                self.desk.stirred.notify_one();
                return Ok(());
            }
            Command::Watch(watch) => self.desk.wish(watch),
            _ => {}
        }
        let (page, answers) = (self.page, self.answers.clone());
        let asked = Asked { page, id, command, answers };
        let sent = self.hub.orders.try_send(Order::Command(asked));
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

    async fn complain(&self, id: Option<u64>, refusal: &Refusal) {
        let Refusal { code, message } = refusal;
        let text = Said::Error(Trouble { id, code, message }).text();
        // Blocks the reader while the page does not read its answers.
        let _ = tokio::time::timeout(PATIENCE, self.answers.send(text)).await;
    }
}

/// The sending half of a connection.
struct Writer {
    sink: SplitSink<WebSocket, Message>,
    outgoing: mpsc::Receiver<String>,
    frames: watch::Receiver<Arc<Frame>>,
    desk: Arc<Desk>,
    wanted: Wanted,
    /// Serials of frames that are not acknowledged yet.
    flying: VecDeque<u64>,
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
        let desk = self.desk.clone();
        while going {
            going = self.tell_news().await;
            tokio::select! {
                answer = self.outgoing.recv() => match answer {
                    Some(text) => going &= self.send(Message::text(text)).await,
                    None => return,
                },
                changed = self.frames.changed() => going &= changed.is_ok(),
                () = desk.stirred.notified() => {}
            }
        }
        let goodbye = CloseFrame { code: 1008, reason: "".into() };
        let _ = self.sink.send(Message::Close(Some(goodbye))).await;
    }

    /// Sends a message; returns false if the page does not accept it.
    async fn send(&mut self, message: Message) -> bool {
        matches!(tokio::time::timeout(PATIENCE, self.sink.send(message)).await, Ok(Ok(())))
    }

    /// Sends the news: the scene, the run state, and the newest frame if the page is ready for it.
    async fn tell_news(&mut self) -> bool {
        let frame = self.frames.borrow_and_update().clone();
        if !self.tell_scene(&frame).await {
            return false;
        }
        if self.run.as_ref() != Some(&frame.run) {
            let text = Said::Run(&frame.run).text();
            self.run = Some(frame.run.clone());
            if !self.send(Message::text(text)).await {
                return false;
            }
        }
        let acked = self.desk.acked.load(Ordering::Relaxed);
        self.flying.retain(|serial| *serial > acked);
        let again = self.desk.wanted.lock().is_ok_and(|mut wishes| {
            self.wanted.field = wishes.field;
            self.wanted.contacts = wishes.contacts;
            std::mem::take(&mut wishes.again)
        });
        if frame.serial == 0
            || (frame.serial <= self.last && !again)
            || self.flying.len() >= IN_FLIGHT
        {
            return true;
        }
        self.flying.push_back(frame.serial);
        self.last = frame.serial;
        let wanted = &mut self.wanted;
        // Fields and energies of a large body take some time, and must not block other connections.
        let bytes = match wanted.field.is_some() || frame.tells_energy() {
            true => tokio::task::block_in_place(|| message(&frame, wanted)),
            false => message(&frame, wanted),
        };
        self.send(Message::Binary(bytes)).await
    }

    async fn tell_scene(&mut self, frame: &Frame) -> bool {
        let cast = &frame.cast;
        let cells = self.desk.wanted.lock().is_ok_and(|wishes| wishes.cells);
        if self.generation == Some(cast.generation) {
            let new = cells && !self.cells;
            self.cells = cells;
            return !new || self.tell_cells(cast).await;
        }
        (self.generation, self.cells) = (Some(cast.generation), cells);
        if !self.send(Message::text(cast.scene.clone())).await {
            return false;
        }
        let shown: BTreeSet<u32> = cast.bodies.iter().map(|actor| actor.look.id).collect();
        self.models.retain(|id| shown.contains(&(id & !OF_CELLS)));
        for actor in &cast.bodies {
            if self.models.insert(actor.look.id)
                && !self.send(Message::Binary(actor.look.message.clone())).await
            {
                return false;
            }
        }
        if cells && !self.tell_cells(cast).await {
            return false;
        }
        self.send(Message::Binary(cast.held.clone())).await
    }

    /// Sends models of the boundary of the cells, for bodies that are drawn with another surface.
    async fn tell_cells(&mut self, cast: &Cast) -> bool {
        for actor in cast.bodies.iter().filter(|actor| actor.look.has_surface) {
            if self.models.insert(actor.look.id | OF_CELLS) {
                let message = actor.look.of_cells(&actor.model, cast.origin);
                if !self.send(Message::Binary(message)).await {
                    return false;
                }
            }
        }
        true
    }
}
