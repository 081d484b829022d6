//! Latency from a command to the frame that shows it.

use std::fmt::Write as _;

use anyhow::{Context as _, Result};
use pliant_io::scene::catalogue;
use pliant_viewer::latency::{EditLatency, measure, measure_edits};

use super::Progress;

/// Number of measured drags.
const DRAGS: u64 = 300;

/// Number of edits of each kind; twice as many are undone.
const ROUNDS: usize = 20;

/// The scene whose body is edited.
const EDITED: &str = "gallery/bear";

/// The latency of the viewer, measured by a simple client over loopback.
pub(super) fn tables(progress: Progress<'_>) -> Result<String> {
    progress("dragging a body of 4,096 nodes");
    let drags = drags()?;
    progress(&format!("editing {EDITED}"));
    Ok(format!("{drags}\n{}", edits()?))
}

fn drags() -> Result<String> {
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

fn edits() -> Result<String> {
    let scene = catalogue::find(EDITED).context("the edited scene is in the catalogue")?;
    let mut table = format!(
        "The running scene `{EDITED}`, edited by one client over loopback, from command to frame; target: a median below 50 ms.\n\n\
         | edit | count | median | 95 % |\n|---|---|---|---|\n"
    );
    for EditLatency { edit, count, median, p95, .. } in
        measure_edits(scene.name, scene.text, ROUNDS)?
    {
        writeln!(table, "| {edit} | {count} | {median:.1} ms | {p95:.1} ms |")?;
    }
    Ok(table)
}
