//! Latency from a drag to the frame that shows it.

use anyhow::Result;
use pliant_viewer::latency::measure;

use super::Progress;

/// Number of measured drags.
const DRAGS: u64 = 300;

/// The latency of the viewer, measured by a simple client over loopback.
pub(super) fn table(progress: Progress<'_>) -> Result<String> {
    progress("dragging a body of 4,096 nodes");
    let latency = measure(DRAGS)?;
    let server = latency.server.map_or("unknown".to_owned(), |ms| format!("{ms:.3} ms"));
    Ok(format!(
        "A body of 4,096 nodes, one client over loopback, {} of {DRAGS} drags answered.\n\n\
         | | measured | target |\n|---|---|---|\n\
         | from drag to frame, median | {:.1} ms | below 25 ms |\n\
         | from drag to frame, 95 % | {:.1} ms | |\n\
         | frames | {:.1} a second | 60 |\n\
         | a step of the engine | {:.1} ms | |\n\
         | threads of the server, per frame | {server} | below 0.5 ms with the next row |\n\
         | handing over a frame, in the engine | {:.3} ms | |\n",
        latency.count, latency.median, latency.p95, latency.rate, latency.step, latency.publish,
    ))
}
