//! The report of a run: the JSON object, and the source of the summary.

use std::collections::BTreeMap;
use std::time::Duration;

use pliant::body::Body;
use pliant::solver::{LinearReport, Phase, Stepper};
use pliant::world::{BodyHandle, Energy, World};
use pliant_io::scene::{BuiltScene, Mode, Scene};
use serde::Serialize;

use crate::cell_counts::CellCounts;
use crate::event_log::EventReport;
use crate::history::History;
use crate::simulate::Timing;
use crate::soundness::HealthReport;

/// The report of a run. Scripts rely on its keys.
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
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) linear: Option<Linear>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) contacts: Option<Contacts>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) budget: Option<BudgetReport>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) xpbd: Option<Xpbd>,
    pub(crate) bodies: Vec<BodyReport>,
    pub(crate) probes: BTreeMap<String, ProbeReport>,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub(crate) attachments: BTreeMap<String, AttachmentReport>,
    pub(crate) energy: EnergyReport,
    pub(crate) volume_ratio: f64,
    /// Energies and momenta over time; only in the JSON of a dynamic scene.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) history: Option<History>,
    pub(crate) health: HealthReport,
    /// True if no problem spoiled the run.
    pub(crate) sound: bool,
    pub(crate) events: Vec<EventReport>,
    pub(crate) state_hash: String,
    #[serde(rename = "static", skip_serializing_if = "Option::is_none")]
    pub(crate) statics: Option<StaticsReport>,
    /// Paths of the files; parts that are not valid Unicode are replaced, since JSON cannot hold them.
    pub(crate) written: Vec<String>,
}

/// Distribution of the frame times, in ms.
#[derive(Debug, Default, Serialize)]
pub(crate) struct Spread {
    pub(crate) mean: f64,
    pub(crate) p50: f64,
    pub(crate) p99: f64,
    pub(crate) max: f64,
}

/// Mean time of the phases of a frame, in ms. Symplectic Euler has only forces and update; for the static solver all
/// phases are reported as `solve`. All phases except the output add up to the frame time.
#[derive(Debug, Default, Serialize)]
pub(crate) struct Phases {
    pub(crate) forces: f64,
    pub(crate) degree: f64,
    pub(crate) assembly: f64,
    pub(crate) solve: f64,
    pub(crate) contact: f64,
    pub(crate) update: f64,
    pub(crate) output: f64,
}

/// Statistics of the linear solves of a dynamic run, all bodies together.
#[derive(Debug, Default, Serialize)]
pub(crate) struct Linear {
    pub(crate) iterations_per_step: f64,
    pub(crate) newton_iterations_per_step: f64,
    pub(crate) factorisations: u32,
    /// Largest residual at the end of a solve, relative to the impulses that change the motion in its step.
    pub(crate) residual_max: f64,
    /// Mean number of scalar unknowns in a step; 0 for steppers without linear solves.
    pub(crate) unknowns: usize,
    /// Scalar nonzeros of the matrix; 0 if none is assembled.
    pub(crate) nonzeros: usize,
}

/// Contacts between bodies in a dynamic run.
#[derive(Debug, Default, Serialize)]
pub(crate) struct Contacts {
    pub(crate) per_step: f64,
    pub(crate) most: usize,
}

/// Statistics of the time budget of a scene.
#[derive(Debug, Serialize)]
pub(crate) struct BudgetReport {
    /// The budget of a frame, in ms.
    pub(crate) ms: f64,
    /// Share of the frames that kept the budget.
    pub(crate) kept: f64,
    /// Number of solves that were stopped early.
    pub(crate) solves_cut: u32,
    /// Number of bodies whose break was postponed, summed over all steps.
    pub(crate) breaks_put_off: u32,
    /// Number of bodies that were not stepped because they had taken a double step before, summed over all steps.
    pub(crate) steps_left_out: u32,
}

/// Statistics of the XPBD sweeps, all bodies together.
#[derive(Debug, Default, Serialize)]
pub(crate) struct Xpbd {
    pub(crate) sweeps_per_step: f64,
    /// Residual of the constraint equations after the last frame: 0 if they are solved as backward Euler would, 1 if no
    /// sweep has reduced them.
    pub(crate) residual_last: f64,
    /// Mean of the residual over all frames.
    pub(crate) residual_mean: f64,
}

/// The size of a body.
#[derive(Debug, Serialize)]
pub(crate) struct BodyReport {
    pub(crate) name: String,
    pub(crate) nodes: usize,
    pub(crate) cells: CellCounts,
    pub(crate) dofs: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) stepper: Option<&'static str>,
    /// Number of fragments it has broken into; 1 if it is whole.
    #[serde(skip_serializing_if = "is_one")]
    pub(crate) pieces: usize,
}

fn is_one(count: &usize) -> bool {
    *count == 1
}

/// Position and displacement of a probe, in m.
#[derive(Debug, Serialize)]
pub(crate) struct ProbeReport {
    pub(crate) position: [f64; 3],
    pub(crate) displacement: [f64; 3],
}

/// Force, in N, and torque about the mean of its points, in N·m, that an attachment exerts on its body at the end.
#[derive(Debug, Serialize)]
pub(crate) struct AttachmentReport {
    pub(crate) force: [f64; 3],
    pub(crate) torque: [f64; 3],
}

/// Energy at the end, in J.
#[derive(Debug, Serialize)]
pub(crate) struct EnergyReport {
    pub(crate) elastic: f64,
    pub(crate) kinetic: f64,
    pub(crate) potential: f64,
}

/// The report of the static solver.
#[derive(Debug, Serialize)]
pub(crate) struct StaticsReport {
    pub(crate) load_steps: u32,
    pub(crate) iterations: u32,
    pub(crate) residual: f64,
    /// True if all bodies are at a minimum of their energy.
    pub(crate) stable: bool,
    pub(crate) reactions: Vec<ReactionReport>,
}

/// Force and torque that a pin exerts on its body.
#[derive(Debug, Serialize)]
pub(crate) struct ReactionReport {
    pub(crate) body: String,
    pub(crate) pin: usize,
    pub(crate) force: [f64; 3],
    pub(crate) torque: [f64; 3],
}

impl Report {
    /// The report of a finished run.
    pub(crate) fn new(name: &str, scene: &Scene, built: &BuiltScene, timing: &mut Timing) -> Self {
        let Energy { elastic, kinetic, potential } = built.world.energy();
        let health = HealthReport::from(built.world.health());
        Self {
            scene: name.to_owned(),
            title: scene.title.clone(),
            mode: scene.mode.name(),
            frames: timing.frames.len(),
            dt: scene.world.dt,
            threads: rayon::current_num_threads(),
            ms_per_frame: Spread::of(&timing.frames),
            phases_ms: Phases::of(scene.mode, timing),
            linear: Linear::of(scene.mode, timing),
            contacts: Contacts::of(scene.mode, timing),
            budget: BudgetReport::of(scene, timing),
            xpbd: Xpbd::of(scene.mode, &built.world, timing),
            bodies: BodyReport::all(scene.mode, &built.world),
            probes: probes(built),
            attachments: attachments(built),
            energy: EnergyReport { elastic, kinetic, potential },
            volume_ratio: built.world.volume_ratio(),
            history: timing.history.take(),
            sound: health.is_sound(),
            health,
            events: timing.events.reports(&built.world),
            state_hash: format!("{:016x}", built.world.state_hash()),
            statics: StaticsReport::of(built, timing),
            written: Vec::new(),
        }
    }
}

fn probes(built: &BuiltScene) -> BTreeMap<String, ProbeReport> {
    let probe = |probe: &pliant_io::scene::PlacedProbe| {
        let position = built.probe_position(probe);
        let displacement = (position - probe.at).to_array();
        (probe.name.clone(), ProbeReport { position: position.to_array(), displacement })
    };
    built.probes.iter().map(probe).collect()
}

fn attachments(built: &BuiltScene) -> BTreeMap<String, AttachmentReport> {
    let report = |held: &pliant_io::scene::PlacedAttachment| {
        let reaction = held.reaction(&built.world);
        let (force, torque) = (reaction.force.to_array(), reaction.torque.to_array());
        (held.name.clone(), AttachmentReport { force, torque })
    };
    built.attachments.iter().map(report).collect()
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
        let output = milliseconds(timing.output) / count;
        if mode == Mode::Static {
            let solve = timing.frames.iter().map(|time| milliseconds(*time)).sum::<f64>() / count;
            return Self { solve, output, ..Self::default() };
        }
        let mean = |phase| milliseconds(timing.phases.spent(phase)) / count;
        Self {
            forces: mean(Phase::Forces),
            degree: mean(Phase::Degree),
            assembly: mean(Phase::Assembly),
            solve: mean(Phase::Factor) + mean(Phase::Solve),
            contact: mean(Phase::Contact),
            update: mean(Phase::Flow) + mean(Phase::Fracture) + mean(Phase::Update),
            output,
        }
    }

    /// The phases of a frame with their names, in the order in which they run.
    pub(crate) fn parts(&self) -> [(&'static str, f64); 6] {
        let Self { forces, degree, assembly, solve, contact, update, output: _ } = *self;
        [
            ("contact", contact),
            ("forces", forces),
            ("degree", degree),
            ("assembly", assembly),
            ("solve", solve),
            ("update", update),
        ]
    }
}

impl Linear {
    /// `None` for a static scene, which has its own report.
    fn of(mode: Mode, timing: &Timing) -> Option<Self> {
        let LinearReport {
            iterations, residual, newton_iterations, factorisations, blocks, ..
        } = timing.linear;
        let count = timing.frames.len().max(1);
        (mode == Mode::Dynamic).then(|| Self {
            iterations_per_step: f64::from(iterations) / count as f64,
            newton_iterations_per_step: f64::from(newton_iterations) / count as f64,
            factorisations,
            residual_max: residual,
            unknowns: 3 * timing.unknowns / count,
            nonzeros: 9 * blocks,
        })
    }
}

impl Contacts {
    /// `None` for a static scene.
    fn of(mode: Mode, timing: &Timing) -> Option<Self> {
        let (sum, most) = timing.contacts;
        let per_step = sum as f64 / timing.frames.len().max(1) as f64;
        (mode == Mode::Dynamic).then_some(Self { per_step, most })
    }
}

impl BudgetReport {
    /// `None` if the scene has no budget.
    fn of(scene: &Scene, timing: &Timing) -> Option<Self> {
        let budget = scene.budget?;
        let within = timing.frames.iter().filter(|took| **took <= budget).count();
        Some(Self {
            ms: milliseconds(budget),
            kept: within as f64 / timing.frames.len().max(1) as f64,
            solves_cut: timing.compromises.solves,
            breaks_put_off: timing.compromises.breaks,
            steps_left_out: timing.compromises.finished_double_steps,
        })
    }
}

impl Xpbd {
    /// `None` if no body is stepped by XPBD.
    fn of(mode: Mode, world: &World, timing: &Timing) -> Option<Self> {
        let mut methods = world.bodies().filter_map(|(handle, _)| world.method(handle));
        let position_based = methods.any(|method| method.stepper == Stepper::Xpbd);
        let count = timing.frames.len().max(1) as f64;
        (mode == Mode::Dynamic && position_based).then(|| Self {
            sweeps_per_step: timing.sweeps as f64 / count,
            residual_last: timing.sweep_residual,
            residual_mean: timing.sweep_residuals / count,
        })
    }

    /// True if the residual is so large that bodies are visibly softer than their material.
    pub(crate) fn is_soft(&self) -> bool {
        self.residual_last > MAX_RESIDUAL
    }
}

/// Residual of the constraint equations above which the summary warns.
const MAX_RESIDUAL: f64 = 0.05;

fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

impl BodyReport {
    fn all(mode: Mode, world: &World) -> Vec<Self> {
        let stepper = |handle| world.method(handle).map(|method| method.stepper.name());
        let moving = |handle| if mode == Mode::Dynamic { stepper(handle) } else { None };
        let whole = world.bodies().filter(|(handle, _)| world.origin(*handle) == Some(*handle));
        whole.map(|(handle, body)| Self::of(world, handle, body, moving(handle))).collect()
    }

    /// The report on a body with all its fragments.
    fn of(world: &World, handle: BodyHandle, body: &Body, stepper: Option<&'static str>) -> Self {
        let pieces = || world.pieces(handle).filter_map(|piece| world.get(piece));
        let meshes = || pieces().map(|body| body.model().mesh());
        let nodes = meshes().map(|mesh| mesh.nodes.len()).sum();
        let (cells, name) = (CellCounts::of_all(meshes()), body.whole_name().to_owned());
        Self { name, nodes, cells, dofs: 3 * nodes, stepper, pieces: pieces().count() }
    }
}

impl StaticsReport {
    /// All bodies together; `None` for a dynamic scene.
    fn of(built: &BuiltScene, timing: &Timing) -> Option<Self> {
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
