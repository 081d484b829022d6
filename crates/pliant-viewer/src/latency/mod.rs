//! Measures the latency from a command to the frame that shows it, with a client that works like a page.

mod client;
mod drags;
mod edits;

pub use drags::{Latency, measure};
pub use edits::{EditLatency, measure_edits};

use tokio::runtime::Runtime;

use crate::{Server, ServerConfig, ServerError};

/// An error of the measurement.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LatencyError {
    /// The server does not start.
    #[error(transparent)]
    Server(#[from] ServerError),
    /// The connection fails.
    #[error("the connection failed: {0}")]
    Connection(String),
    /// A command is refused.
    #[error("the server refused a command: {0}")]
    Refused(String),
}

/// Name of the threads of the server.
const SERVER_THREADS: &str = "pliant server";

/// Starts a server in threads of its own, and runs `measurement` of its socket address in others.
fn with_server<T, F: Future<Output = Result<T, LatencyError>>>(
    config: ServerConfig,
    measurement: impl FnOnce(String) -> F,
) -> Result<T, LatencyError> {
    // Threads of the pool inherit the name of the thread that starts them; start them here, so that they do not count
    // as server threads.
    rayon::current_num_threads();
    let (ours, theirs) = (runtime(SERVER_THREADS)?, runtime("pliant page")?);
    let server = ours.block_on(ours.spawn(Server::start(config)));
    let server = server.map_err(|error| LatencyError::Connection(error.to_string()))??;
    let address = server.address().replace("http://", "ws://") + "socket";
    let measured = theirs.block_on(measurement(address));
    ours.block_on(server.stop());
    measured
}

fn runtime(name: &str) -> Result<Runtime, LatencyError> {
    let mut builder = tokio::runtime::Builder::new_multi_thread();
    let made = builder.worker_threads(2).thread_name(name).enable_all().build();
    made.map_err(|error| LatencyError::Server(ServerError::System(error)))
}

/// The value below which a share of `sorted` lies; infinite if there are none.
fn quantile(sorted: &[f64], share: f64) -> f64 {
    let place = (share * sorted.len() as f64) as usize;
    let last = sorted.len().saturating_sub(1);
    sorted.get(place.min(last)).copied().unwrap_or(f64::INFINITY)
}
