//! Starting and ending the server.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, AtomicUsize};

use tokio::net::TcpListener;
use tokio::sync::{Semaphore, oneshot};

use super::autosave::Autosave;
use super::guard::Guard;
use super::routes::{Hub, router};
use super::token::Token;
use crate::engine::document::Document;
use crate::engine::order::{Order, Refusal};
use crate::engine::session::Session;
use crate::engine::thread::{self, Handle};

/// Where to serve, and what.
#[derive(Debug, Clone)]
pub struct ServerConfig {
    /// Address to listen at (default this machine alone).
    pub host: IpAddr,
    /// Port (default `0`: any that is free).
    pub port: u16,
    /// Name of the scene.
    pub name: String,
    /// Its text.
    pub text: String,
    /// Folder that its files are in.
    pub base: PathBuf,
    /// Files of the page, in the place of those that are built in: for whoever works on the page.
    pub page: Option<PathBuf>,
    /// A session to go on with, as `/save/session` hands it out, in the place of a scene (default none).
    pub session: Option<Vec<u8>>,
    /// A file to keep the session in while it goes on (default none). It is written when something has changed, once a second
    /// at most, whole or not at all.
    pub autosave: Option<PathBuf>,
}

impl Default for ServerConfig {
    fn default() -> Self {
        Self {
            host: Ipv4Addr::LOCALHOST.into(),
            port: 0,
            name: String::new(),
            text: String::new(),
            base: PathBuf::from("."),
            page: None,
            session: None,
            autosave: None,
        }
    }
}

/// A server that cannot start.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ServerError {
    /// The scene is not in order.
    #[error(transparent)]
    Scene(#[from] Refusal),
    /// The address is taken or forbidden.
    #[error("cannot listen at {address}: {source}; choose another with --port")]
    Listen {
        /// The address.
        address: SocketAddr,
        /// What the system says.
        source: std::io::Error,
    },
    /// Something of the system does not work.
    #[error("cannot start: {0}")]
    System(#[from] std::io::Error),
}

/// A running server and its engine. Both end when it is dropped.
///
/// ```
/// use pliant_viewer::{Server, ServerConfig};
///
/// let text = "version = 1\n[[body]]\nname = \"cube\"\nmesh = { box = {} }\nmaterial = \"rubber\"\n";
/// let config = ServerConfig { name: "cube".into(), text: text.into(), ..Default::default() };
/// let runtime = tokio::runtime::Runtime::new()?;
/// let server = runtime.block_on(Server::start(config))?;
/// assert!(server.address().starts_with("http://127.0.0.1:"));
/// runtime.block_on(server.stop());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Server {
    address: String,
    engine: Option<Handle>,
    ending: Option<oneshot::Sender<()>>,
    task: Option<tokio::task::JoinHandle<()>>,
    autosave: Option<Autosave>,
}

impl Server {
    /// Opens the scene, starts the engine and listens.
    ///
    /// # Errors
    ///
    /// A scene that is not in order; an address that cannot be had.
    pub async fn start(config: ServerConfig) -> Result<Self, ServerError> {
        let uploads = tempfile::Builder::new().prefix("pliant-view-").tempdir()?;
        let session = config.session.as_deref().map(Session::read).transpose()?;
        let document = match &session {
            Some(session) => session.document(uploads.path())?,
            None => Document::new(&config.name, &config.text, &config.base)?,
        };
        let start = move || thread::start(document, session.as_ref());
        let engine = tokio::task::spawn_blocking(start).await;
        let engine = engine.map_err(std::io::Error::other)??;
        let address = SocketAddr::new(config.host, config.port);
        let listening = TcpListener::bind(address).await;
        let listener = listening.map_err(|source| ServerError::Listen { address, source })?;
        let local = listener.local_addr()?;
        let token = if config.host.is_loopback() { None } else { Some(Token::random()?) };
        let address = match &token {
            Some(token) => format!("http://{}/?token={}", shown(local), token.word()),
            None => format!("http://{}/", shown(local)),
        };
        let guard = Guard { hosts: hosts(local), token };
        let (frames, folder) = (engine.frames.clone(), uploads.path().to_owned());
        let autosave = config.autosave.map(|path| Autosave::start(path, frames, folder));
        let autosave = autosave.transpose()?;
        let hub = Arc::new(Hub {
            orders: engine.orders.clone(),
            frames: engine.frames.clone(),
            uploads,
            uploading: Semaphore::new(2),
            uploaded: AtomicU32::new(0),
            page_count: AtomicUsize::new(0),
            next_page: AtomicU32::new(1),
            page: config.page,
        });
        let (ending, end) = oneshot::channel::<()>();
        let (tell, ended) = tokio::sync::watch::channel(false);
        let routes = router(hub, Arc::new(guard), ended);
        let task = tokio::spawn(async move {
            let stop = async move {
                let _ = end.await;
                let _ = tell.send(true);
            };
            let listener = axum::serve::ListenerExt::tap_io(listener, |stream| {
                let _ = stream.set_nodelay(true);
            });
            let _ = axum::serve(listener, routes).with_graceful_shutdown(stop).await;
        });
        let (engine, ending, task) = (Some(engine), Some(ending), Some(task));
        Ok(Self { address, engine, ending, task, autosave })
    }

    /// What to open in a browser.
    pub fn address(&self) -> &str {
        &self.address
    }

    /// Ends the server and the engine.
    pub async fn stop(mut self) {
        if let Some(autosave) = self.autosave.take() {
            let _ = tokio::task::spawn_blocking(move || autosave.finish()).await;
        }
        drop(self.ending.take());
        if let Some(mut task) = self.task.take() {
            let grace = std::time::Duration::from_secs(2);
            if tokio::time::timeout(grace, &mut task).await.is_err() {
                task.abort();
            }
        }
        if let Some(engine) = self.engine.take() {
            let _ = tokio::task::spawn_blocking(move || end(engine)).await;
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        if let Some(task) = &self.task {
            task.abort();
        }
        if let Some(engine) = self.engine.take() {
            let _ = engine.orders.try_send(Order::Stop);
        }
    }
}

fn end(engine: Handle) {
    if engine.orders.send(Order::Stop).is_ok() {
        let _ = engine.thread.join();
    }
}

/// The address that a browser can use: all addresses are reached by that of this machine.
fn shown(local: SocketAddr) -> SocketAddr {
    match local.ip().is_unspecified() {
        true => SocketAddr::new(Ipv4Addr::LOCALHOST.into(), local.port()),
        false => local,
    }
}

/// What a request may call this server. On all addresses any address will do, but no name: names can be made to lead here.
fn hosts(local: SocketAddr) -> Vec<String> {
    let port = local.port();
    let mut hosts = vec![shown(local).to_string()];
    if local.ip().is_loopback() || local.ip().is_unspecified() {
        hosts.extend(["localhost", "127.0.0.1", "[::1]"].map(|name| format!("{name}:{port}")));
    }
    hosts.dedup();
    hosts
}
