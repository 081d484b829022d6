//! Memory use of the process.

use anyhow::Result;

use super::recording::Recording;
use super::workload::Workload;

/// Memory at the start, at the peak and at the end of the first run, when the process has done nothing else before.
pub(super) fn table(cell: &Recording) -> Result<String> {
    let run = cell.first()?;
    let ([before, opened], [begin, end], last) = (run.memory, run.snapshots, run.last()?);
    let held = |frame: &&super::run::Frame| frame.memory.unwrap_or(0.0);
    let peak = run.frames.iter().max_by(|a, b| held(a).total_cmp(&held(b))).unwrap_or(last);
    let mut text = format!(
        "\n## Memory\n\n\
         Memory of the process in its first run, including its code, the drawn splinters and buffers for later use; \
         and the size of a snapshot.\n\n\
         | | process, MB | bodies and fragments | cells | nodes | snapshot, MB |\n|---|---|---|---|---|---|\n\
         | before the scene is opened | {} | | | | |\n",
        megabytes(before)
    );
    let bytes = |count: usize| format!("{:.2}", 1e-6 * count as f64);
    text += &row("at the start", opened, &run.start, &bytes(begin));
    text += &row("at the peak", peak.memory, &peak.work, "");
    text += &row("at the end", last.memory, &last.work, &bytes(end));
    Ok(text)
}

fn row(when: &str, held: Option<f64>, work: &Workload, snapshot: &str) -> String {
    let Workload { bodies, cells, nodes, .. } = work;
    format!("| {when} | {} | {bodies} | {cells} | {nodes} | {snapshot} |\n", megabytes(held))
}

fn megabytes(held: Option<f64>) -> String {
    held.map_or_else(|| "not known".to_owned(), |held| format!("{held:.1}"))
}
