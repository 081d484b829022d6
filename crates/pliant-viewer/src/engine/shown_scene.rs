//! The data of a world that pages need and that does not change from frame to frame.

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, OnceLock};

use bytes::Bytes;
use glam::DVec3;
use pliant::body::{Body, FlowState, Model, RestShape};
use pliant::contact::Obstacle;
use pliant::geometry::Shape;
use pliant::internals::Elastic;
use pliant::material::Plastic;
use pliant_io::scene::{ObstaclePlan, PlacedProbe};
use pliant_kernels::element::CellShape;
use pliant_kernels::lanes::Width;
use toml_edit::value;

use super::document::Document;
use super::history::History;
use super::initial_state::InitialState;
use super::stage::Stage;
use super::table::points;
use crate::protocol::held::{self, HeldPin};
use crate::protocol::model::DrawnModel;
use crate::protocol::scene::{
    BodyInfo, Bounds, FragmentInfo, ObstacleInfo, PlasticInfo, ProbeInfo, RegionInfo, SceneBody,
    SceneMessage, ShapeInfo, ShownBodyInfo, WorldInfo,
};

/// The shown bodies of one generation.
#[derive(Debug)]
pub(crate) struct ShownScene {
    /// Increases with every edit and every break.
    pub(crate) generation: u64,
    /// Name of the scene.
    pub(crate) name: String,
    /// The scene file.
    pub(crate) toml: String,
    /// The scene file with committed rest shapes, made on demand.
    saved: OnceLock<String>,
    /// Folder that the paths in the scene are relative to.
    pub(crate) base: PathBuf,
    /// The `scene` message.
    pub(crate) scene: String,
    /// The `held` message.
    pub(crate) held: Bytes,
    /// Origin of the transmitted positions, in m.
    pub(crate) origin: DVec3,
    /// Bodies of the scene, followed by their fragments.
    pub(crate) bodies: Vec<ShownBody>,
    /// Number of unknowns of all bodies.
    pub(crate) unknowns: usize,
    /// Length of a step, in s.
    pub(crate) dt: f64,
}

/// A shown body.
#[derive(Debug)]
pub(crate) struct ShownBody {
    pub(crate) name: String,
    pub(crate) colour: [u8; 3],
    pub(crate) model: Arc<Model>,
    pub(crate) drawn: Arc<DrawnModel>,
    /// Index of its first node among all nodes.
    pub(crate) first: usize,
    /// Index in the scene of its original body.
    pub(crate) of: usize,
    /// True if the body is broken.
    pub(crate) broken: bool,
    /// True if it has been removed and is invisible.
    pub(crate) gone: bool,
    /// The initial state of the original body.
    initial_state: Arc<InitialState>,
    /// Initial positions of its own nodes, if it is broken.
    start: Option<Arc<[DVec3]>>,
    /// Index of the `[[body]]` table that stores its rest shape, if that was committed.
    rest_table: Option<usize>,
    /// Workspace for its energy, made on demand.
    elastic: OnceLock<Mutex<Elastic>>,
}

impl ShownBody {
    /// Elastic energy with nodes at `x` and plastic flow `flow`, in J.
    pub(crate) fn elastic_energy(&self, x: &[DVec3], flow: Option<&FlowState>) -> f64 {
        let room = || Mutex::new(Elastic::new(&self.model, Width::default()));
        let elastic = self.elastic.get_or_init(room).lock();
        elastic.map_or(0.0, |mut elastic| elastic.energy(self.rest_shape(flow), x))
    }

    /// Its rest shape after this plastic flow.
    pub(crate) fn rest_shape<'a>(&'a self, flow: Option<&'a FlowState>) -> RestShape<'a> {
        RestShape::new(&self.model, flow)
    }

    /// Initial positions of its nodes, in m.
    pub(crate) fn start(&self) -> &[DVec3] {
        self.start.as_deref().unwrap_or(&self.initial_state.state().x)
    }

    /// The range of its nodes among all nodes.
    pub(crate) fn range(&self) -> Range<usize> {
        self.first..self.first + self.model.mesh().nodes.len()
    }
}

/// Index of the `[[body]]` table of a body with a committed rest shape. `None` for copies: they share a table but have
/// separate shapes, which are not saved.
fn rest_table(stage: &Stage, index: usize) -> Option<usize> {
    let initial_state = &stage.initial_states[index];
    let alone = stage.scene.bodies[index].copy.is_none() && !initial_state.model().is_rigid();
    (alone && initial_state.is_committed()).then(|| stage.origins[index])
}

impl ShownScene {
    /// The scene file with committed rest shapes: all that another run needs to start in the same way.
    pub(crate) fn saved_text(&self) -> &str {
        self.saved.get_or_init(|| {
            let Ok(mut document) = Document::new(&self.name, &self.toml, &self.base) else {
                return self.toml.clone();
            };
            for shown_body in &self.bodies {
                let table = shown_body.rest_table.and_then(|origin| document.body_mut(origin));
                if let Some(table) = table {
                    table.insert(
                        "rest",
                        value(points(&shown_body.initial_state.model().mesh().nodes)),
                    );
                }
            }
            document.text()
        })
    }

    /// Collects the data of a stage.
    pub(crate) fn new(generation: u64, stage: &Stage, history: &History) -> Self {
        let mut first = 0;
        let mut bodies = Vec::new();
        for (place, shown) in stage.shown.iter().enumerate() {
            let (Some(body), plan) = (stage.shown_at(place), &stage.scene.bodies[shown.of]) else {
                continue;
            };
            let own = place == shown.of;
            bodies.push(ShownBody {
                name: if own { plan.name.clone() } else { body.name().to_owned() },
                colour: plan.colour,
                model: body.model().clone(),
                drawn: shown.drawn.clone(),
                first,
                of: shown.of,
                broken: shown.start.is_some(),
                gone: shown.gone,
                initial_state: stage.initial_states[shown.of].clone(),
                start: shown.start.clone(),
                rest_table: own.then(|| rest_table(stage, shown.of)).flatten(),
                elastic: OnceLock::new(),
            });
            first += body.state.x.len();
        }
        let pins = (0..stage.shown.len()).flat_map(|place| pins(stage, place));
        let toml = stage.document.text();
        Self {
            generation,
            name: stage.document.name.clone(),
            scene: scene_text(generation, stage, history, &bodies),
            toml,
            saved: OnceLock::new(),
            base: stage.document.base.clone(),
            held: held::message(generation, pins),
            origin: stage.origin,
            bodies,
            unknowns: (0..stage.shown.len()).map(|place| unknowns(stage, place)).sum(),
            dt: stage.scene.world.dt,
        }
    }
}

fn pins(stage: &Stage, place: usize) -> impl Iterator<Item = HeldPin<'_>> {
    let own = stage.own_pins(stage.original_index(place));
    let pins = stage.shown_at(place).map_or(&[][..], Body::pins).iter().enumerate();
    pins.map(move |(pin, held)| HeldPin {
        body: place,
        pin,
        nodes: &held.nodes,
        led: held.motion.ramps.iter().any(|ramp| ramp.end > 0.0),
        mine: pin >= own,
    })
}

fn scene_text(
    generation: u64,
    stage: &Stage,
    history: &History,
    shown_bodies: &[ShownBody],
) -> String {
    let scene = &stage.scene;
    let frictions = scene.obstacles.iter().map(|plan| plan.obstacle.friction);
    let world = WorldInfo {
        gravity: scene.world.gravity.to_array(),
        dt: scene.world.dt,
        damping: scene.world.damping,
        substeps: scene.world.substeps,
        contact: scene.world.contact.name(),
        sleep: scene.world.sleep.is_some(),
        anneal: scene.world.anneal,
        budget: scene.budget.map(|budget| 1e3 * budget.as_secs_f64()),
        friction: frictions.reduce(f64::max),
    };
    let (min, max) = stage.bounds;
    let probes = stage.probes.iter().map(|probe| probe_info(stage, probe));
    let body = SceneBody {
        generation,
        name: &stage.document.name,
        title: &scene.title,
        text: scene.description.trim(),
        mode: scene.mode.name(),
        origin: stage.origin.to_array(),
        bounds: Bounds { min: min.to_array(), max: max.to_array() },
        world,
        duration: scene.duration,
        undo: history.undo_label(),
        redo: history.redo_label(),
        nodes: shown_bodies.last().map_or(0, |shown_body| shown_body.range().end),
        bodies: shown_bodies
            .iter()
            .enumerate()
            .map(|(k, shown_body)| numbers(stage, k, shown_body))
            .collect(),
        obstacles: scene.obstacles.iter().map(obstacle_info).collect(),
        probes: probes.collect(),
    };
    serde_json::to_string(&SceneMessage { scene: body }).expect("plain structs become JSON")
}

/// A probe, on the fragment that contains its material point.
fn probe_info(stage: &Stage, probe: &PlacedProbe) -> ProbeInfo {
    let handle = stage.handles.get(probe.body);
    let now = handle.and_then(|handle| stage.world.point_now(*handle, &probe.point));
    let now = now.and_then(|(piece, point)| Some((stage.place_of(piece)?, point)));
    let (body, point) = now.unwrap_or_else(|| (probe.body, probe.point.clone()));
    let (name, nodes, weights) = (probe.name.clone(), point.nodes, point.weights);
    ProbeInfo { name, body, nodes, weights }
}

/// The data of a body of the scene, or of a fragment.
fn numbers(stage: &Stage, place: usize, shown_body: &ShownBody) -> ShownBodyInfo {
    if place == shown_body.of {
        return ShownBodyInfo::Body(Box::new(body_info(stage, place, shown_body)));
    }
    ShownBodyInfo::Piece(FragmentInfo {
        piece_of: shown_body.of,
        name: shown_body.name.clone(),
        colour: shown_body.colour,
        model: shown_body.drawn.id,
        first: shown_body.first,
        nodes: shown_body.model.mesh().nodes.len(),
        cells: cells(&shown_body.model),
        unknowns: unknowns(stage, place),
        rigid: shown_body.model.is_rigid(),
        surface: shown_body.drawn.has_surface,
        mass: shown_body.model.mass(),
    })
}

/// Number of cells by kind.
fn cells(model: &Model) -> BTreeMap<&'static str, usize> {
    let mut cells = BTreeMap::new();
    for (kind, _) in model.mesh().cells() {
        *cells.entry(kind.name()).or_default() += 1;
    }
    cells
}

fn body_info(stage: &Stage, index: usize, shown_body: &ShownBody) -> BodyInfo {
    let (plan, model) = (&stage.scene.bodies[index], &shown_body.model);
    let method = stage.world.method(stage.handles[index]).copied().unwrap_or(plan.method);
    let body = stage.body(index);
    let (low, high) = stage.rest_bounds(index);
    let degree = model.mesh().blocks.iter().map(|block| block.kind.degree()).max().unwrap_or(1);
    BodyInfo {
        name: plan.name.clone(),
        colour: plan.colour,
        model: shown_body.drawn.id,
        first: shown_body.first,
        nodes: model.mesh().nodes.len(),
        cells: cells(model),
        unknowns: unknowns(stage, index),
        rigid: model.is_rigid(),
        broken: shown_body.broken,
        pieces: stage.shown.iter().filter(|shown| shown.of == index && !shown.gone).count(),
        gone: shown_body.gone,
        surface: shown_body.drawn.has_surface,
        copy_of: plan.copy.as_ref().map(|copy| copy.of).filter(|of| *of != index),
        young: plan.material.young,
        poisson: plan.material.poisson,
        density: plan.material.density,
        law: plan.material.law.name(),
        toughness: plan.material.toughness.map(|toughness| toughness.strength),
        plastic: plan.material.plastic.map(plastic_info),
        preset: stage.document.preset(stage.origins[index]),
        mass: model.mass(),
        friction: plan.contact.friction,
        self_contact: plan.contact.with_itself,
        stepper: plan.method.stepper.name(),
        solver: plan.method.solver.name(),
        solver_chosen: method.solver.name(),
        rotation: plan.method.rotation.name(),
        mass_matrix: plan.method.mass.name(),
        adaptive: plan.method.adaptive.is_some(),
        substeps: plan.method.substeps,
        sweeps: plan.method.sweeps,
        rayleigh_mass: plan.method.rayleigh.mass,
        rayleigh_stiffness: plan.method.rayleigh.stiffness,
        degree,
        degrees: degrees(model),
        size: (high - low).max_element(),
        sizes: true,
        regions: plan
            .regions
            .iter()
            .map(|region| RegionInfo {
                name: region.name.get_ref().clone(),
                young: region.material.young,
                rigid: region.material.rigid,
                toughness: region.material.toughness.map(|toughness| toughness.strength),
                plastic: region.material.plastic.map(plastic_info),
            })
            .collect(),
        pins: body.map_or(0, |body| body.pins().len()),
    }
}

/// Converts the parameters; infinite limits become `None`.
fn plastic_info(plastic: Plastic) -> PlasticInfo {
    let finite = |limit: f64| Some(limit).filter(|limit| limit.is_finite());
    match plastic {
        Plastic::Hardening { yield_stress, hardening, limit } => {
            PlasticInfo::Hardening { yield_stress, hardening, limit: finite(limit) }
        }
        Plastic::Creep { yield_strain, rate, limit } => {
            PlasticInfo::Creep { yield_strain, rate, limit: finite(limit) }
        }
    }
}

fn unknowns(stage: &Stage, place: usize) -> usize {
    let there = stage.shown.get(place).is_some_and(|shown| !shown.gone);
    stage.shown_at(place).filter(|_| there).map_or(0, |body| 3 * body.unknowns().count())
}

/// The possible degrees of the cells of a body.
fn degrees(model: &Model) -> Vec<u8> {
    let shapes = model.mesh().blocks.iter().map(|block| block.kind.shape());
    let shapes: Vec<CellShape> = shapes.collect();
    let all = |shape: CellShape| !model.is_rigid() && shapes.iter().all(|other| *other == shape);
    if all(CellShape::Tetrahedron) {
        vec![1, 2, 3]
    } else if all(CellShape::Hexahedron) {
        vec![1, 2]
    } else {
        Vec::new()
    }
}

fn obstacle_info(plan: &ObstaclePlan) -> ObstacleInfo {
    let Obstacle { shape, pose, motion, friction, .. } = &plan.obstacle;
    ObstacleInfo {
        shape: match shape {
            Shape::Plane { normal } => ShapeInfo::Plane { normal: normal.to_array() },
            Shape::Sphere { radius } => ShapeInfo::Sphere { radius: *radius },
            Shape::Box { half } => ShapeInfo::Box { half: half.to_array() },
            Shape::Capsule { half_length, radius } => {
                ShapeInfo::Capsule { half_length: *half_length, radius: *radius }
            }
            Shape::Surface(solid) => {
                let surface = solid.surface();
                let points = surface.vertices.iter().map(|point| point.as_vec3().to_array());
                ShapeInfo::Surface { points: points.collect(), triangles: surface.triangles }
            }
        },
        colour: plan.colour,
        friction: *friction,
        position: pose.translation.to_array(),
        rotation: pose.rotation.to_array(),
        moves: !motion.ramps.is_empty(),
    }
}
