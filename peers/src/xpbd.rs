//! Position-based steps on linear tetrahedra: Pliant's XPBD, Rapier's constraint rows and pypbd's
//! XPBD, each with 50 substeps of one sweep, on the same mesh.
//!
//! Time is the processor time of the process, so that other programs on the machine matter less. The time of the whole
//! frame, not only of the sweeps, is divided by cells and sweeps.

use cpu_time::ProcessTime;
use pliant::LawKind;

use crate::{Bar, ours, pypbd, theirs};

/// The number of boxes of five tetrahedra along the bar; a quarter as many in height and depth.
pub const ALONG: usize = 32;

/// The number of substeps of a frame, with one sweep each.
pub const SUBSTEPS: u32 = 50;

/// The number of frames before the timed ones.
pub const WARM: usize = 3;

/// The number of timed frames.
pub const FRAMES: usize = 21;

/// The number of measurements of each engine, in turn.
const ROUNDS: usize = 5;

/// One measurement.
#[derive(Debug, Clone, Copy)]
pub struct Run {
    /// The number of tetrahedra.
    pub cells: usize,
    /// The processor time of a frame, in ms.
    pub ms: f64,
    /// The vertical displacement of the end after the last frame, in m.
    pub sunk: f64,
}

/// An engine with its measurements, or the reason why there are none.
struct Entrant {
    name: &'static str,
    measure: fn() -> Result<Run, String>,
    runs: Result<Vec<Run>, String>,
}

/// Measures, and prints the table.
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
        "| position-based, linear tetrahedra | cells | ns per cell and sweep | median | relative to rest-stable | to St. V.–K. | ms per frame | displacement after {:.1} s |",
        (WARM + FRAMES) as f64 / 60.0
    );
    println!("|---|---|---|---|---|---|---|---|");
    let ours = [entrants[0].fastest(), entrants[1].fastest()];
    entrants.iter().for_each(|entrant| println!("{}", entrant.row(ours)));
}

fn entrant(name: &'static str, measure: fn() -> Result<Run, String>) -> Entrant {
    Entrant { name, measure, runs: Ok(Vec::new()) }
}

/// Releases a bar and times it.
fn time(bar: &mut dyn Bar) -> Run {
    (0..WARM).for_each(|_| bar.step());
    let start = ProcessTime::now();
    (0..FRAMES).for_each(|_| bar.step());
    let ms = 1e3 * start.elapsed().as_secs_f64() / FRAMES as f64;
    Run { cells: bar.size().1, ms, sunk: bar.sunk() }
}

impl Entrant {
    /// Measures once more, unless a measurement failed before.
    fn run(&mut self) {
        if let Ok(runs) = &mut self.runs {
            match (self.measure)() {
                Ok(run) => runs.push(run),
                Err(reason) => self.runs = Err(reason),
            }
        }
    }

    /// The shortest time of a frame, in ms; infinite without measurements.
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

/// The median time of a frame, in ms.
fn median(runs: &[Run]) -> f64 {
    let mut times: Vec<f64> = runs.iter().map(|run| run.ms).collect();
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}
