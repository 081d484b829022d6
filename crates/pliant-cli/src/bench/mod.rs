//! `pliant bench`: measurements by name.

mod validation;

use std::fmt::Write as _;

use anyhow::Result;

use crate::args::BenchArgs;
use crate::failure::BadInput;
use crate::terminal::print;

/// A benchmark that can be run by name.
struct Bench {
    name: &'static str,
    about: &'static str,
    run: fn() -> Result<()>,
}

/// All of them.
const BENCHES: [Bench; 2] = [
    Bench {
        name: "elements",
        about: "energy and stress of every kind of cell, one at a time and in lanes",
        run: elements,
    },
    Bench {
        name: "validation",
        about: "statics against reference solutions: the tables of docs/validation.md",
        run: validation,
    },
];

/// Runs a benchmark, or lists them.
pub(crate) fn bench(args: &BenchArgs) -> Result<()> {
    let Some(name) = &args.name else { return print(&list()) };
    match BENCHES.iter().find(|bench| bench.name == name) {
        Some(bench) => (bench.run)(),
        None => {
            Err(BadInput(format!("there is no benchmark `{name}`; there are:\n{}", list())).into())
        }
    }
}

fn list() -> String {
    BENCHES.iter().fold(String::new(), |mut text, Bench { name, about, .. }| {
        let _ = writeln!(text, "{name:10} {about}");
        text
    })
}

fn elements() -> Result<()> {
    Err(BadInput("`elements` is not measured yet".to_owned()).into())
}

fn validation() -> Result<()> {
    let mut progress = |what: &str| eprintln!("{what}");
    print(&validation::tables(&mut progress)?)
}
