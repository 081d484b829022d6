//! Starts and stops the server.

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
use crate::engine::thread::{self, EngineHandle};

/// Settings of the server: its address and its scene.
#[derive(Debug, Clone)]
pub struct ServerConfig {
    /// Address to listen on (default: this machine only).
    pub host: IpAddr,
    /// Port (default `0`: any free port).
    pub port: u16,
    /// Name of the scene.
    pub name: String,
    /// Text of the scene.
    pub text: String,
    /// Folder that the paths in the scene are relative to (default `.`).
    pub base: PathBuf,
    /// Folder with the files of the page, used instead of the built-in ones (default `None`). For development of the
    /// page.
    pub page: Option<PathBuf>,
    /// A saved session to continue, in the format of `/save/session`, instead of a scene (default `None`).
    pub session: Option<Vec<u8>>,
    /// File to save the session to while it runs (default `None`). It is written after changes, at most once a second,
    /// and replaced atomically.
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

/// An error at the start of the server.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ServerError {
    /// The scene is invalid.
    #[error(transparent)]
    Scene(#[from] Refusal),
    /// The address is in use or not allowed.
    #[error("cannot listen on {address}: {source}; choose another port with --port")]
    Listen {
        /// The address.
        address: SocketAddr,
        /// The error of the system.
        source: std::io::Error,
    },
    /// Another error of the system.
    #[error("cannot start: {0}")]
    System(#[from] std::io::Error),
}

/// A running server and its engine. Both stop when it is dropped.
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
    engine: Option<EngineHandle>,
    ending: Option<oneshot::Sender<()>>,
    task: Option<tokio::task::JoinHandle<()>>,
    autosave: Option<Autosave>,
}

impl Server {
    /// Opens the scene, starts the engine and listens for requests.
    ///
    /// # Errors
    ///
    /// The scene or the session is invalid, or the address cannot be used.
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
            Some(token) => format!("http://{}/?token={}", browser_address(local), token.word()),
            None => format!("http://{}/", browser_address(local)),
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
        let (set_ended, ended) = tokio::sync::watch::channel(false);
        let routes = router(hub, Arc::new(guard), ended);
        let task = tokio::spawn(async move {
            let stop = async move {
                let _ = end.await;
                let _ = set_ended.send(true);
            };
            let listener = axum::serve::ListenerExt::tap_io(listener, |stream| {
                let _ = stream.set_nodelay(true);
            });
            let _ = axum::serve(listener, routes).with_graceful_shutdown(stop).await;
        });
        let (engine, ending, task) = (Some(engine), Some(ending), Some(task));
        Ok(Self { address, engine, ending, task, autosave })
    }

    /// The address to open in a browser.
    pub fn address(&self) -> &str {
        &self.address
    }

    /// Stops the server and the engine.
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
            let _ = tokio::task::spawn_blocking(move || stop_engine(engine)).await;
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

fn stop_engine(engine: EngineHandle) {
    if engine.orders.send(Order::Stop).is_ok() {
        let _ = engine.thread.join();
    }
}

/// The address for a browser: for a server on all addresses, that of this machine.
fn browser_address(local: SocketAddr) -> SocketAddr {
    match local.ip().is_unspecified() {
        true => SocketAddr::new(Ipv4Addr::LOCALHOST.into(), local.port()),
        false => local,
    }
}

/// The valid host names in requests. A server on all addresses accepts only names and addresses of this machine, since
/// an attacker can make any other name resolve to it.
fn hosts(local: SocketAddr) -> Vec<String> {
    let port = local.port();
    let mut hosts = vec![browser_address(local).to_string()];
    if local.ip().is_loopback() || local.ip().is_unspecified() {
        hosts.extend(["localhost", "127.0.0.1", "[::1]"].map(|name| format!("{name}:{port}")));
    }
    hosts.dedup();
    hosts
}
