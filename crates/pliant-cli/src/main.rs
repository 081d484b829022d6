//! The `pliant` command: simulate, check and convert from a terminal.
#![forbid(unsafe_code)]

mod args;
mod bench;
mod cell_counts;
mod check;
mod event_log;
mod failure;
mod history;
mod mesh;
mod mesh_report;
mod mesh_surface;
mod outputs;
mod progress;
mod report;
mod run;
mod scene_source;
mod scenes;
mod sessions;
mod simulate;
mod soundness;
mod splinter;
mod splinter_picture;
mod splinter_report;
mod summary;
mod surface_report;
mod terminal;
mod view;
mod view_pictures;

use std::process::ExitCode;

use clap::Parser;

use args::{Args, Command};

fn main() -> ExitCode {
    let args = Args::parse();
    let done = match args.command {
        Command::Run(args) => run::run(&args),
        Command::View(args) => view::view(&args),
        Command::Check(args) => check::check(&args),
        Command::Scenes(args) => scenes::scenes(&args),
        Command::Mesh(args) => mesh::mesh(&args),
        Command::Splinter(args) => splinter::splinter(&args),
        Command::Bench(args) => bench::bench(&args),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => failure::report(&error),
    }
}
