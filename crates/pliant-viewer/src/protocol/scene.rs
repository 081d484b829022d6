//! The message with the scene: bodies, obstacles and settings.

use std::collections::BTreeMap;

use serde::Serialize;

/// The `scene` message.
#[derive(Debug, Serialize)]
pub(crate) struct SceneMessage<'a> {
    pub(crate) scene: SceneBody<'a>,
}

#[derive(Debug, Serialize)]
pub(crate) struct SceneBody<'a> {
    pub(crate) generation: u64,
    pub(crate) name: &'a str,
    pub(crate) title: &'a str,
    pub(crate) text: &'a str,
    pub(crate) mode: &'static str,
    pub(crate) origin: [f64; 3],
    pub(crate) bounds: Bounds,
    pub(crate) world: WorldInfo,
    pub(crate) duration: f64,
    pub(crate) undo: Option<&'a str>,
    pub(crate) redo: Option<&'a str>,
    pub(crate) nodes: usize,
    pub(crate) bodies: Vec<ShownBodyInfo>,
    pub(crate) obstacles: Vec<ObstacleInfo>,
    pub(crate) probes: Vec<ProbeInfo>,
}

#[derive(Debug, Serialize)]
pub(crate) struct Bounds {
    pub(crate) min: [f64; 3],
    pub(crate) max: [f64; 3],
}

#[derive(Debug, Serialize)]
pub(crate) struct WorldInfo {
    pub(crate) gravity: [f64; 3],
    pub(crate) dt: f64,
    pub(crate) damping: f64,
    pub(crate) substeps: Option<u32>,
    pub(crate) contact: &'static str,
    pub(crate) sleep: bool,
    pub(crate) anneal: Option<f64>,
    /// Time budget of a step, in ms.
    pub(crate) budget: Option<f64>,
    pub(crate) friction: Option<f64>,
}

/// A body or a fragment. Bodies of the scene come first, then their fragments.
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub(crate) enum ShownBodyInfo {
    Body(Box<BodyInfo>),
    Piece(FragmentInfo),
}

/// A fragment of a body of the scene, which has all other settings.
#[derive(Debug, Serialize)]
pub(crate) struct FragmentInfo {
    pub(crate) piece_of: usize,
    pub(crate) name: String,
    pub(crate) colour: [u8; 3],
    pub(crate) model: u32,
    pub(crate) first: usize,
    pub(crate) nodes: usize,
    pub(crate) cells: BTreeMap<&'static str, usize>,
    pub(crate) unknowns: usize,
    pub(crate) rigid: bool,
    pub(crate) surface: bool,
    pub(crate) mass: f64,
}

#[derive(Debug, Serialize)]
pub(crate) struct BodyInfo {
    pub(crate) name: String,
    pub(crate) colour: [u8; 3],
    pub(crate) model: u32,
    pub(crate) first: usize,
    pub(crate) nodes: usize,
    pub(crate) cells: BTreeMap<&'static str, usize>,
    pub(crate) unknowns: usize,
    pub(crate) rigid: bool,
    /// True if it is broken; cells and mass are then those of the remaining body.
    pub(crate) broken: bool,
    /// Number of its fragments, the remaining body included.
    pub(crate) pieces: usize,
    pub(crate) gone: bool,
    /// True if it is drawn with a surface other than the boundary of its cells.
    pub(crate) surface: bool,
    pub(crate) copy_of: Option<usize>,
    pub(crate) young: f64,
    pub(crate) poisson: f64,
    pub(crate) density: f64,
    pub(crate) law: &'static str,
    pub(crate) toughness: Option<f64>,
    pub(crate) plastic: Option<PlasticInfo>,
    pub(crate) preset: Option<String>,
    pub(crate) mass: f64,
    pub(crate) friction: f64,
    pub(crate) self_contact: bool,
    pub(crate) stepper: &'static str,
    pub(crate) solver: &'static str,
    pub(crate) solver_chosen: &'static str,
    pub(crate) rotation: &'static str,
    pub(crate) mass_matrix: &'static str,
    pub(crate) adaptive: bool,
    pub(crate) substeps: Option<u32>,
    pub(crate) sweeps: u32,
    pub(crate) rayleigh_mass: f64,
    pub(crate) rayleigh_stiffness: f64,
    pub(crate) degree: usize,
    pub(crate) degrees: Vec<u8>,
    pub(crate) size: f64,
    pub(crate) sizes: bool,
    pub(crate) regions: Vec<RegionInfo>,
    pub(crate) pins: usize,
}

/// The plastic flow of a material; a missing limit means no limit.
#[derive(Debug, Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub(crate) enum PlasticInfo {
    Hardening { yield_stress: f64, hardening: f64, limit: Option<f64> },
    Creep { yield_strain: f64, rate: f64, limit: Option<f64> },
}

#[derive(Debug, Serialize)]
pub(crate) struct RegionInfo {
    pub(crate) name: String,
    pub(crate) young: f64,
    pub(crate) rigid: bool,
    pub(crate) toughness: Option<f64>,
    pub(crate) plastic: Option<PlasticInfo>,
}

#[derive(Debug, Serialize)]
pub(crate) struct ObstacleInfo {
    pub(crate) shape: ShapeInfo,
    pub(crate) colour: [u8; 3],
    pub(crate) friction: f64,
    pub(crate) position: [f64; 3],
    pub(crate) rotation: [f64; 4],
    pub(crate) moves: bool,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum ShapeInfo {
    Plane { normal: [f64; 3] },
    Sphere { radius: f64 },
    Box { half: [f64; 3] },
    Capsule { half_length: f64, radius: f64 },
    Surface { points: Vec<[f32; 3]>, triangles: Vec<[u32; 3]> },
}

#[derive(Debug, Serialize)]
pub(crate) struct ProbeInfo {
    pub(crate) name: String,
    pub(crate) body: usize,
    pub(crate) nodes: Vec<u32>,
    pub(crate) weights: Vec<f64>,
}
