//! What a run has to tell: the JSON object, and the source of the summary.

use std::collections::BTreeMap;
use std::time::Duration;

use pliant::body::Body;
use pliant::world::{Energy, Health};
use pliant_io::scene::{Built, Mode, Scene};
use serde::Serialize;

use crate::cell_counts::CellCounts;
use crate::simulate::Timing;

/// The report of a run. Its keys are a promise to scripts.
#[derive(Debug, Serialize)]
pub(crate) struct Report {
    pub(crate) scene: String,
    pub(crate) title: String,
    pub(crate) mode: &'static str,
    pub(crate) frames: usize,
    pub(crate) dt: f64,
    pub(crate) threads: usize,
    pub(crate) ms_per_frame: Spread,
    pub(crate) phases_ms: Phases,
    pub(crate) bodies: Vec<BodyReport>,
    pub(crate) probes: BTreeMap<String, ProbeReport>,
    pub(crate) energy: EnergyReport,
    pub(crate) volume_ratio: f64,
    pub(crate) health: HealthReport,
    pub(crate) state_hash: String,
    #[serde(rename = "static", skip_serializing_if = "Option::is_none")]
    pub(crate) statics: Option<StaticsReport>,
    /// Paths; what is not Unicode in them is replaced, for JSON cannot hold it.
    pub(crate) written: Vec<String>,
}

/// How long frames took, in ms.
#[derive(Debug, Default, Serialize)]
pub(crate) struct Spread {
    pub(crate) mean: f64,
    pub(crate) p50: f64,
    pub(crate) p99: f64,
    pub(crate) max: f64,
}

/// Where the time of an average frame went, in ms. Symplectic Euler does nothing but forces; the
/// static solver's parts are told together as `solve`.
#[derive(Debug, Default, Serialize)]
pub(crate) struct Phases {
    pub(crate) forces: f64,
    pub(crate) assembly: f64,
    pub(crate) solve: f64,
    pub(crate) contact: f64,
    pub(crate) output: f64,
}

/// A body's size.
#[derive(Debug, Serialize)]
pub(crate) struct BodyReport {
    pub(crate) name: String,
    pub(crate) nodes: usize,
    pub(crate) cells: CellCounts,
    pub(crate) dofs: usize,
}

/// Where a probe is, in m.
#[derive(Debug, Serialize)]
pub(crate) struct ProbeReport {
    pub(crate) position: [f64; 3],
    pub(crate) displacement: [f64; 3],
}

/// Energy at the end, in J.
#[derive(Debug, Serialize)]
pub(crate) struct EnergyReport {
    pub(crate) elastic: f64,
    pub(crate) kinetic: f64,
}

/// What went wrong and was dealt with.
#[derive(Debug, Serialize)]
pub(crate) struct HealthReport {
    pub(crate) inverted: usize,
    pub(crate) non_finite: usize,
    pub(crate) resets: usize,
}

/// What the static solver did.
#[derive(Debug, Serialize)]
pub(crate) struct StaticsReport {
    pub(crate) load_steps: u32,
    pub(crate) iterations: u32,
    pub(crate) residual: f64,
    /// Whether all bodies are at a minimum of their energy.
    pub(crate) stable: bool,
    pub(crate) reactions: Vec<ReactionReport>,
}

/// What a pin exerts on its body.
#[derive(Debug, Serialize)]
pub(crate) struct ReactionReport {
    pub(crate) body: String,
    pub(crate) pin: usize,
    pub(crate) force: [f64; 3],
    pub(crate) torque: [f64; 3],
}

impl Report {
    /// The report of a finished run.
    pub(crate) fn new(name: &str, scene: &Scene, built: &Built, timing: &Timing) -> Self {
        let Energy { elastic, kinetic } = built.world.energy();
        let Health { inverted, non_finite, resets } = built.world.health();
        Self {
            scene: name.to_owned(),
            title: scene.title.clone(),
            mode: scene.mode.name(),
            frames: timing.frames.len(),
            dt: scene.world.dt,
            threads: rayon::current_num_threads(),
            ms_per_frame: Spread::of(&timing.frames),
            phases_ms: Phases::of(scene.mode, timing),
            bodies: built.world.bodies().map(|(_, body)| BodyReport::of(body)).collect(),
            probes: probes(built),
            energy: EnergyReport { elastic, kinetic },
            volume_ratio: built.world.volume_ratio(),
            health: HealthReport { inverted, non_finite, resets },
            state_hash: format!("{:016x}", built.world.state_hash()),
            statics: StaticsReport::of(built, timing),
            written: Vec::new(),
        }
    }
}

fn probes(built: &Built) -> BTreeMap<String, ProbeReport> {
    let probe = |probe: &pliant_io::scene::PlacedProbe| {
        let position = built.probe_position(probe);
        let displacement = (position - probe.at).to_array();
        (probe.name.clone(), ProbeReport { position: position.to_array(), displacement })
    };
    built.probes.iter().map(probe).collect()
}

impl Spread {
    fn of(frames: &[Duration]) -> Self {
        let mut sorted: Vec<f64> = frames.iter().map(|time| milliseconds(*time)).collect();
        sorted.sort_by(f64::total_cmp);
        let Some(max) = sorted.last().copied() else { return Self::default() };
        let rank = |share: f64| sorted[((sorted.len() - 1) as f64 * share).round() as usize];
        let mean = sorted.iter().sum::<f64>() / sorted.len() as f64;
        Self { mean, p50: rank(0.5), p99: rank(0.99), max }
    }
}

impl Phases {
    fn of(mode: Mode, timing: &Timing) -> Self {
        let count = timing.frames.len().max(1) as f64;
        let step = timing.frames.iter().map(|time| milliseconds(*time)).sum::<f64>() / count;
        let output = milliseconds(timing.output) / count;
        match mode {
            Mode::Dynamic => Self { forces: step, output, ..Self::default() },
            Mode::Static => Self { solve: step, output, ..Self::default() },
        }
    }
}

fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

impl BodyReport {
    fn of(body: &Body) -> Self {
        let mesh = body.model().mesh();
        let nodes = mesh.nodes.len();
        let cells = CellCounts::of(mesh);
        Self { name: body.name().to_owned(), nodes, cells, dofs: 3 * nodes }
    }
}

impl StaticsReport {
    /// All bodies together; `None` for a motion.
    fn of(built: &Built, timing: &Timing) -> Option<Self> {
        let reports = &timing.statics;
        if reports.is_empty() {
            return None;
        }
        let reactions = built.world.bodies().zip(reports).flat_map(|((_, body), report)| {
            report.reactions.iter().enumerate().map(|(pin, reaction)| ReactionReport {
                body: body.name().to_owned(),
                pin,
                force: reaction.force.to_array(),
                torque: reaction.torque.to_array(),
            })
        });
        Some(Self {
            load_steps: reports.iter().map(|report| report.load_steps).max().unwrap_or(0),
            iterations: reports.iter().map(|report| report.iterations).sum(),
            residual: reports.iter().map(|report| report.residual).fold(0.0, f64::max),
            stable: reports.iter().all(|report| report.stable),
            reactions: reactions.collect(),
        })
    }
}
