//! `pliant bench`: reproducible measurements.

mod bargteil;
mod chart;
mod contact;
mod drift;
mod elements;
mod fastest;
mod intersection_check;
mod kernels;
mod memory;
mod meshers;
mod mezger;
mod motion;
mod nesme;
mod one_thread;
mod parker;
mod peers;
mod plot;
mod process;
mod regress;
mod scaling;
mod scoreboard;
mod shake;
mod solvers;
mod spread;
mod svg;
mod test_surfaces;
mod torture;
mod validation;
mod view;
mod xpbd;

use std::fmt::Write as _;

use anyhow::Result;

use crate::args::BenchArgs;
use crate::failure::BadInput;
use crate::progress::spinner;
use crate::terminal::print;

/// Shows the current task while a benchmark runs.
type Progress<'a> = &'a mut dyn FnMut(&str);

/// A benchmark that can be run by name; it prints Markdown.
struct Bench {
    name: &'static str,
    about: &'static str,
    run: Run,
}

/// The way in which a benchmark prints its results.
enum Run {
    /// All results at the end.
    Whole(fn(Progress<'_>) -> Result<String>),
    /// Row by row, for long benchmarks, with the arguments of these names.
    Rows(&'static [&'static str], fn(&BenchArgs, Progress<'_>) -> Result<()>),
}

/// All benchmarks.
const BENCHES: [Bench; 26] = [
    Bench {
        name: "bargteil",
        about: "Tables I and II of Bargteil & Cohen 2014, beside their figures (2 min)",
        run: Run::Whole(bargteil::tables),
    },
    Bench {
        name: "contact",
        about: "frame times, sleep, threads and scaling of bodies in contact (3 min)",
        run: Run::Whole(contact::tables),
    },
    Bench {
        name: "contact-scenes",
        about: "intersections in the contact scenes, from ten starts each (25 min)",
        run: Run::Rows(&["--only", "--starts"], contact::scenes_table),
    },
    Bench {
        name: "drift",
        about: "energy of every stepper after ten seconds, part of docs/validation.md (1 min)",
        run: Run::Whole(drift::tables),
    },
    Bench {
        name: "scaling",
        about: "a step of 1,000 to a million quadratic cells, with and without p-multigrid (4 min)",
        run: Run::Whole(scaling::tables),
    },
    Bench {
        name: "elements",
        about: "energy and forces of every kind of cell, one at a time and in lanes (10 s)",
        run: Run::Whole(elements::tables),
    },
    Bench {
        name: "kernels",
        about: "every hot kernel against the limits of this machine (10 s)",
        run: Run::Whole(kernels::table),
    },
    Bench {
        name: "xpbd",
        about: "a sweep over the constraints of every kind of cell (10 s)",
        run: Run::Whole(xpbd::kernel_tables),
    },
    Bench {
        name: "saillant",
        about: "Table 1 and Figures 2, 3 and 9 of Saillant et al. 2024 (5 min)",
        run: Run::Whole(xpbd::paper_tables),
    },
    Bench {
        name: "xpbd-substeps",
        about: "number of substeps needed for a given stiffness (2 min)",
        run: Run::Whole(xpbd::substep_tables),
    },
    Bench {
        name: "xpbd-scaling",
        about: "Figure 8 of Saillant et al. 2024, beyond 10,000 nodes to 200,000 (5 min)",
        run: Run::Whole(xpbd::scaling_tables),
    },
    Bench {
        name: "meshers",
        about: "tetrahedra of every closed surface beside fTetWild, TetGen and Gmsh, part of docs/speed.md (15 min)",
        run: Run::Rows(&["--only", "--cells", "--json"], meshers::table),
    },
    Bench {
        name: "mezger",
        about: "Table 1 of Mezger et al. 2007, and lazy corotation (1 min)",
        run: Run::Whole(mezger::tables),
    },
    Bench {
        name: "mezger-limits",
        about: "1,500 cells at 25 Hz, and fast random dragging (2 min)",
        run: Run::Whole(mezger::limits),
    },
    Bench {
        name: "motion",
        about: "swing and spin of a bar under every stepper and in other engines, part of docs/validation.md (3 min)",
        run: Run::Whole(motion::tables),
    },
    Bench {
        name: "nesme",
        about: "non-uniform stiffness of voxels: section 5 of Nesme et al. 2006, and degree 2 (2 min)",
        run: Run::Whole(nesme::tables),
    },
    Bench {
        name: "nesme-speed",
        about: "Table 1 of Nesme et al. 2006, and T_def of Mezger et al. 2007 (20 s)",
        run: Run::Whole(nesme::speed_tables),
    },
    Bench {
        name: "parker",
        about: "an exploding glass cell and a bursting pole, figures 6 to 8 and 11 of Parker & O'Brien 2009 (2 min)",
        run: Run::Whole(parker::tables),
    },
    Bench {
        name: "regress",
        about: "two builds of pliant in turn on the same scenes: regress OLD NEW (3 min)",
        run: Run::Rows(&["PROGRAM", "--scenes", "--rounds"], regress::table),
    },
    Bench {
        name: "scoreboard",
        about: "error against time for every kind of cell and other engines, part of docs/speed.md (20 min)",
        run: Run::Rows(&[], scoreboard::table),
    },
    Bench {
        name: "shake",
        about: "every surface of the gallery, and of the folder PLIANT_MESHES, as a body that is shaken (1 min)",
        run: Run::Whole(shake::table),
    },
    Bench {
        name: "solvers",
        about: "the default linear solver beside every other one, on all scenes and on bodies of rubber (20 min)",
        run: Run::Rows(&["--only"], solvers::table),
    },
    Bench {
        name: "torture",
        about: "stacks, overlaps, bullets and other hard scenes against bars, under many steppers (1 h; --short: 10 s)",
        run: Run::Rows(&["--only", "--short", "--write"], torture::table),
    },
    Bench {
        name: "validation",
        about: "statics against reference solutions, the tables of docs/validation.md (2 min)",
        run: Run::Whole(validation::tables),
    },
    Bench {
        name: "validation-large",
        about: "the compression test at the size of its paper, 12,000 quadratic cells (15 min)",
        run: Run::Whole(validation::large_tables),
    },
    Bench {
        name: "view",
        about: "latency of the viewer from a drag or an edit to the frame that shows it (40 s)",
        run: Run::Whole(view::tables),
    },
];

/// Runs a benchmark, or lists all of them.
pub(crate) fn bench(args: &BenchArgs) -> Result<()> {
    let Some(name) = &args.name else { return print(&list()) };
    let Some(bench) = BENCHES.iter().find(|bench| bench.name == name) else {
        let text = format!("there is no benchmark `{name}`; there are:\n{}", list());
        return Err(BadInput(text).into());
    };
    let spinner = spinner();
    let tell = &mut |what: &str| spinner.set_message(what.to_owned());
    let text = match bench.run {
        Run::Whole(run) => none_but(&[], name, args).and_then(|()| run(tell))?,
        Run::Rows(known, run) => {
            none_but(known, name, args)?;
            run(args, tell)?;
            String::new()
        }
    };
    spinner.finish_and_clear();
    print(&text)
}

/// Refuses arguments that a benchmark does not have.
fn none_but(known: &[&str], name: &str, args: &BenchArgs) -> Result<()> {
    let Some(other) = args.given().into_iter().find(|given| !known.contains(given)) else {
        return Ok(());
    };
    let has = match known {
        [] => "it always runs completely, without arguments".to_owned(),
        known => format!("it has {}", known.join(", ")),
    };
    Err(BadInput(format!("the benchmark `{name}` has no `{other}`: {has}")).into())
}

fn list() -> String {
    BENCHES.iter().fold(String::new(), |mut text, Bench { name, about, .. }| {
        let _ = writeln!(text, "{name:18} {about}");
        text
    })
}
