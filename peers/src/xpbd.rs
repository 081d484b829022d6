//! Position-based steps on linear tetrahedra: Pliant's XPBD, Rapier's constraint rows and pypbd's
//! XPBD, each with 50 substeps of one sweep, on the same mesh.
//!
//! Time is processor time of the process, so that what else runs on the machine counts less. All
//! work of a frame is divided by cells and sweeps, not only the sweep.

use cpu_time::ProcessTime;
use pliant::LawKind;

use crate::{Bar, ours, pypbd, theirs};

/// Boxes of five tetrahedra along the bar; a quarter as many in height and depth.
pub const ALONG: usize = 32;

/// Substeps of a frame, with one sweep each.
pub const SUBSTEPS: u32 = 50;

/// Frames before the timed ones.
pub const WARM: usize = 3;

/// Frames that are timed.
pub const FRAMES: usize = 21;

/// Times that each is measured, in turn.
const ROUNDS: usize = 5;

/// One measurement.
#[derive(Debug, Clone, Copy)]
pub struct Run {
    /// Tetrahedra.
    pub cells: usize,
    /// Processor time of a frame, in ms.
    pub ms: f64,
    /// How far the end has sunk after the last frame, in m.
    pub sunk: f64,
}

/// An engine and what was measured of it, or why nothing was.
struct Entrant {
    name: &'static str,
    measure: fn() -> Result<Run, String>,
    runs: Result<Vec<Run>, String>,
}

/// Measures and prints.
pub fn table() {
    let mut entrants = [
        entrant("Pliant, rest-stable", || Ok(time(&mut *ours::xpbd(LawKind::RestStable)))),
        entrant("Pliant, St. Venant–Kirchhoff", || {
            Ok(time(&mut *ours::xpbd(LawKind::StVenantKirchhoff)))
        }),
        entrant("pypbd 2.2.2, St. Venant–Kirchhoff", pypbd::run),
        entrant("Rapier 0.36.1 rows, corotated", || Ok(time(&mut *theirs::rows()))),
    ];
    for _ in 0..ROUNDS {
        entrants.iter_mut().for_each(Entrant::run);
    }
    println!(
        "| position-based, linear tetrahedra | cells | ns a cell and sweep | median | over rest-stable | over St. V.–K. | ms a frame | sunk after {:.1} s |",
        (WARM + FRAMES) as f64 / 60.0
    );
    println!("|---|---|---|---|---|---|---|---|");
    let ours = [entrants[0].fastest(), entrants[1].fastest()];
    entrants.iter().for_each(|entrant| println!("{}", entrant.row(ours)));
}

fn entrant(name: &'static str, measure: fn() -> Result<Run, String>) -> Entrant {
    Entrant { name, measure, runs: Ok(Vec::new()) }
}

/// Lets a bar go and times it.
fn time(bar: &mut dyn Bar) -> Run {
    (0..WARM).for_each(|_| bar.step());
    let start = ProcessTime::now();
    (0..FRAMES).for_each(|_| bar.step());
    let ms = 1e3 * start.elapsed().as_secs_f64() / FRAMES as f64;
    Run { cells: bar.size().1, ms, sunk: bar.sunk() }
}

impl Entrant {
    /// Measures once more, unless it has failed before.
    fn run(&mut self) {
        if let Ok(runs) = &mut self.runs {
            match (self.measure)() {
                Ok(run) => runs.push(run),
                Err(reason) => self.runs = Err(reason),
            }
        }
    }

    /// Least time of a frame, in ms; infinite if there is none.
    fn fastest(&self) -> f64 {
        let runs = self.runs.as_deref().unwrap_or_default();
        runs.iter().map(|run| run.ms).fold(f64::INFINITY, f64::min)
    }

    fn row(&self, [rest_stable, st_venant]: [f64; 2]) -> String {
        let name = self.name;
        let runs = match &self.runs {
            Ok(runs) => runs,
            Err(reason) => return format!("| {name} | {reason} | | | | | | |"),
        };
        let (fastest, Run { cells, sunk, .. }) = (self.fastest(), runs[0]);
        let ns = 1e6 / (cells * SUBSTEPS as usize) as f64;
        format!(
            "| {name} | {cells} | {:.1} | {:.1} | {:.2} | {:.2} | {fastest:.2} | {sunk:.4} m |",
            fastest * ns,
            median(runs) * ns,
            fastest / rest_stable,
            fastest / st_venant,
        )
    }
}

/// Median time of a frame, in ms.
fn median(runs: &[Run]) -> f64 {
    let mut times: Vec<f64> = runs.iter().map(|run| run.ms).collect();
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}
