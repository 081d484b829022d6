//! `pliant run`.

use std::fmt::Write as _;
use std::path::PathBuf;

use anyhow::{Context, Result, bail};

use crate::args::RunArgs;
use crate::check::choices_of_cells;
use crate::outputs::{Outputs, how_to_open};
use crate::report::Report;
use crate::scene_source::SceneSource;
use crate::simulate::simulate;
use crate::summary::summary;
use crate::terminal::{colour_on_stdout, print, warn};

/// Simulates a scene, writes its outputs and prints the summary.
pub(crate) fn run(args: &RunArgs) -> Result<()> {
    set_threads(args.threads)?;
    let source = SceneSource::find(&args.scene)?;
    let (scene, mut built) = source.open()?;
    if !args.json {
        print(&choices_of_cells(&scene, &built))?;
    }
    let folder = args.out.clone().unwrap_or_else(|| PathBuf::from("out").join(&source.name));
    let frames = args.frames.unwrap_or(scene.frame_count());
    let mut outputs = match args.no_output {
        true => Outputs::none(),
        false => Outputs::new(&scene, &source.name, &built, &folder, frames)?,
    };
    let mut timing = simulate(&scene, &mut built, frames, &mut outputs, args.json)?;
    let mut report = Report::new(&source.name, &scene, &built, &mut timing);
    let written = outputs.finish()?;
    report.written = written.iter().map(|path| path.display().to_string()).collect();
    for event in &report.events {
        warn(&event.warning());
    }
    let verdict = report.health.verdict();
    if args.json {
        print(&format!("{}\n", serde_json::to_string(&report)?))?;
    } else {
        let last = verdict.as_ref().map(|verdict| format!("{verdict}\n")).unwrap_or_default();
        print(&(summary(&report, colour_on_stdout()) + &list(&written) + &last))?;
    }
    match verdict {
        Some(verdict) if args.strict => bail!(verdict),
        Some(verdict) if args.json => warn(&verdict),
        _ => {}
    }
    Ok(())
}

fn set_threads(threads: Option<u16>) -> Result<()> {
    let Some(threads) = threads else { return Ok(()) };
    let pool = rayon::ThreadPoolBuilder::new().num_threads(usize::from(threads));
    pool.build_global().context("cannot start the threads")
}

/// Lists the written files and the programs that open them.
fn list(paths: &[PathBuf]) -> String {
    paths.iter().fold(String::new(), |mut text, path| {
        let _ = writeln!(text, "wrote {} ({})", path.display(), how_to_open(path));
        text
    })
}
