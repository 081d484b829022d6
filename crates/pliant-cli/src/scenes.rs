//! `pliant scenes`.

use std::fmt::Write as _;

use anyhow::Result;
use pliant_io::scene::{Scene, catalogue};
use serde::Serialize;

use crate::args::ScenesArgs;
use crate::scene_source::SceneSource;
use crate::terminal::{bold, colour_on_stdout, print};

/// A row of the list of scenes.
#[derive(Debug, Serialize)]
struct Line {
    name: &'static str,
    title: String,
    mode: &'static str,
}

/// Lists the built-in scenes, or prints one.
pub(crate) fn scenes(args: &ScenesArgs) -> Result<()> {
    if let Some(name) = &args.name {
        return print(&SceneSource::find(name)?.text);
    }
    let lines = catalogue::all().iter().map(line).collect::<Result<Vec<_>>>()?;
    if args.json {
        return print(&format!("{}\n", serde_json::to_string_pretty(&lines)?));
    }
    print(&table(&lines))
}

fn line(entry: &catalogue::Entry) -> Result<Line> {
    let scene = Scene::parse(entry.name, entry.text)?;
    Ok(Line { name: entry.name, title: scene.title, mode: scene.mode.name() })
}

fn table(lines: &[Line]) -> String {
    let width = lines.iter().map(|line| line.name.len()).max().unwrap_or(0);
    let coloured = colour_on_stdout();
    let mut text = String::new();
    for Line { name, title, mode } in lines {
        let name = bold(&format!("{name:width$}"), coloured);
        let _ = writeln!(text, "{name}  {mode:7}  {title}");
    }
    text + "\n`pliant run NAME` runs one, `pliant scenes NAME` prints its source.\n"
}
