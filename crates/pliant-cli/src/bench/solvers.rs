//! The solver that is chosen by default, beside every solver that a scene can name.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::Result;
use pliant::solver::LinearSolver;
use pliant::world::World;
use pliant_io::scene::{Mode, Scene, catalogue};
use pliant_mesher::gallery::Figure;

use super::Progress;
use super::test_surfaces::{FILES, FOLDER};
use crate::args::BenchArgs;
use crate::terminal::print;

/// The most frames of a run, and the time after which the run with the default ends; the others run as many frames.
const MOST_FRAMES: usize = 90;
const LONGEST: Duration = Duration::from_millis(1500);

/// A solver that is slower by this factor is stopped.
const FAR_SLOWER: u32 = 4;

/// Runs of every solver, in turn; the fastest counts.
const ROUNDS: usize = 2;

/// The ratio to the best solver by hand up to which the default is as good.
const AS_GOOD: f64 = 1.2;

/// Measures the scenes of the catalogue, and bodies of rubber, with every solver; prints row by row.
pub(super) fn table(args: &BenchArgs, progress: Progress<'_>) -> Result<()> {
    let [auto, others @ ..] = LinearSolver::ALL;
    let names = others.map(LinearSolver::name).join(" | ");
    print(&format!(
        "Milliseconds a frame with each linear solver (the fastest of {ROUNDS} runs, in turn), over as many frames as `auto` takes \
         1.5 s for, {MOST_FRAMES} at most; in brackets the number of solves that did not converge. A solver that is {FAR_SLOWER} times slower than \
         `auto` is stopped, and one that a scene does not allow has no figure. The last column compares `auto` with the best of the others that \
         leaves no more solves unconverged.\n\n\
         | scene | {} | {names} | auto/best |\n|---|{}\n",
        auto.name(),
        "---|".repeat(LinearSolver::ALL.len() + 1),
    ))?;
    let mut verdict = Verdict::default();
    for (name, scene, base) in scenes() {
        let is_asked = args.only.as_ref().is_none_or(|text| name.contains(text));
        if is_asked && has_systems(&scene) {
            progress(&name);
            let row = Row::measure(&scene, &base);
            verdict.add(&name, &row);
            print(&format!("| {name} | {row} |\n"))?;
        }
    }
    print(&verdict.text())
}

/// The scenes with their names and folders.
fn scenes() -> impl Iterator<Item = (String, Scene, PathBuf)> {
    let of_catalogue = catalogue::all()
        .iter()
        .map(|entry| (entry.name.to_owned(), entry.text.to_owned(), ".".into()));
    let figures = Figure::ALL.iter().map(|figure| {
        (
            format!("rubber {}", figure.name()),
            rubber(&format!("figure = \"{}\"", figure.name())),
            ".".into(),
        )
    });
    let folder = std::env::var_os(FOLDER).map(PathBuf::from);
    let files = folder.into_iter().flat_map(|folder| {
        FILES.map(|file| {
            (format!("rubber {file}"), rubber(&format!("surface = \"{file}\"")), folder.clone())
        })
    });
    let slab = [("rubber slab, variational".to_owned(), SLAB.to_owned(), ".".into())];
    let all = of_catalogue.chain(slab).chain(figures).chain(files);
    all.filter_map(|(name, text, base): (String, String, PathBuf)| {
        let scene = Scene::parse(&name, &text).ok()?;
        Some((name, scene, base))
    })
}

/// A clamped slab of quadratic hexahedra.
const SLAB: &str = "version = 1\ntitle = \"slab\"\n[method]\nstepper = \"variational\"\n\
    [[body]]\nname = \"slab\"\nmaterial = \"rubber\"\n\
    mesh = { box = { size = [2, 0.2, 2], cells = [4, 1, 4], split = \"hex\" }, degree = 2 }\n\
    [[body.pin]]\nwhere = \"x-\"\n";

/// A body of rubber that falls on the ground.
fn rubber(surface: &str) -> String {
    format!(
        "version = 1\ntitle = \"rubber\"\n[[body]]\nname = \"body\"\nmaterial = \"rubber\"\n\
         mesh = {{ {surface}, tetrahedra = {{ cells = 500 }}, degree = 2 }}\ntransform = {{ translate = [0, 0.3, 0] }}\n\
         [[obstacle]]\nplane = {{ point = [0, 0, 0], normal = [0, 1, 0] }}\n"
    )
}

/// True if a body of the scene solves linear systems.
fn has_systems(scene: &Scene) -> bool {
    let solves =
        scene.bodies.iter().any(|plan| plan.rigid.is_none() && plan.method.stepper.solves());
    scene.mode == Mode::Dynamic && solves
}

/// A run of a scene with one solver.
#[derive(Debug, Clone, Copy)]
struct Run {
    /// Mean time of a frame, in ms.
    ms: f64,
    frames: usize,
    unconverged: usize,
    /// True if all frames were run.
    is_whole: bool,
}

impl Run {
    /// Runs some frames, until a time is over; `None` if the solver does not suit the scene.
    fn of(
        scene: &Scene,
        base: &Path,
        solver: LinearSolver,
        frames: usize,
        longest: Duration,
    ) -> Option<Self> {
        let mut world = world(scene, base, solver)?;
        let (start, mut done, mut unconverged) = (Instant::now(), 0, 0);
        while done < frames && start.elapsed() < longest {
            unconverged += world.step().linear.unconverged as usize;
            done += 1;
        }
        let ms = 1e3 * start.elapsed().as_secs_f64() / done.max(1) as f64;
        Some(Self { ms, frames: done, unconverged, is_whole: done == frames })
    }
}

/// The world of a scene whose bodies all have one solver.
fn world(scene: &Scene, base: &Path, solver: LinearSolver) -> Option<World> {
    let mut scene = scene.clone();
    scene.bodies.iter_mut().for_each(|plan| plan.method.solver = solver);
    Some(scene.build(base).ok()?.world)
}

/// The runs of a scene, in the order of [`LinearSolver::ALL`]: `auto` is the first.
struct Row([Option<Run>; LinearSolver::ALL.len()]);

impl Row {
    fn measure(scene: &Scene, base: &Path) -> Self {
        let mut best: [Option<Run>; LinearSolver::ALL.len()] = [None; LinearSolver::ALL.len()];
        let Some(first) = Run::of(scene, base, LinearSolver::Auto, MOST_FRAMES, LONGEST) else {
            return Self(best);
        };
        let longest = Duration::from_secs_f64(1e-3 * first.ms * first.frames as f64) * FAR_SLOWER;
        for _ in 0..ROUNDS {
            for (best, solver) in best.iter_mut().zip(LinearSolver::ALL) {
                if best.is_some_and(|run| !run.is_whole) {
                    continue;
                }
                let run = Run::of(scene, base, solver, first.frames, longest);
                *best = match (*best, run) {
                    (Some(a), Some(b)) if a.ms <= b.ms => Some(a),
                    (_, run) => run,
                };
            }
        }
        Self(best)
    }

    /// The time with `auto` relative to the best of the others.
    fn ratio(&self) -> Option<f64> {
        let auto = self.0[0]?;
        let sound = |run: &&Run| run.is_whole && run.unconverged <= auto.unconverged;
        let best =
            self.0[1..].iter().flatten().filter(sound).map(|run| run.ms).min_by(f64::total_cmp)?;
        Some(auto.ms / best)
    }
}

impl std::fmt::Display for Row {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for run in &self.0 {
            match run {
                Some(Run { ms, unconverged: 0, is_whole: true, .. }) => write!(f, "{ms:.2} | ")?,
                Some(Run { ms, unconverged, is_whole: true, .. }) => {
                    write!(f, "{ms:.2} ({unconverged}) | ")?
                }
                Some(Run { ms, .. }) => write!(f, "> {ms:.1} | ")?,
                None => write!(f, "– | ")?,
            }
        }
        match self.ratio() {
            Some(ratio) if ratio > AS_GOOD => write!(f, "**{ratio:.2}**"),
            Some(ratio) => write!(f, "{ratio:.2}"),
            None => write!(f, "–"),
        }
    }
}

/// The sum of all rows.
#[derive(Debug, Default)]
struct Verdict {
    rows: usize,
    slower: Vec<String>,
    unconverged: Vec<String>,
}

impl Verdict {
    fn add(&mut self, name: &str, row: &Row) {
        self.rows += 1;
        if row.ratio().is_some_and(|ratio| ratio > AS_GOOD) {
            self.slower.push(name.to_owned());
        }
        if row.0[0].is_some_and(|run| run.unconverged > 0) {
            self.unconverged.push(name.to_owned());
        }
    }

    fn text(&self) -> String {
        let list = |names: &[String]| match names {
            [] => "none".to_owned(),
            names => names.join(", "),
        };
        format!(
            "\n`auto` is more than {AS_GOOD} times slower than the best solver in {} of {} scenes: {}. It left solves unconverged in {}: {}.\n",
            self.slower.len(),
            self.rows,
            list(&self.slower),
            self.unconverged.len(),
            list(&self.unconverged),
        )
    }
}
