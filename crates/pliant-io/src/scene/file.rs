//! What was typed: the structure of a scene file, before anything is checked.
//!
//! Numbers and names that can be wrong carry their place in the text, so that an error can point
//! at them. What the file means is a [`Scene`](super::Scene).

use serde::Deserialize;
use toml::Spanned;

use super::attachment_file::{AttachmentFile, FrictionFile};
use super::obstacle_file::ObstacleFile;
use super::shorthand::{FlagOr, MaterialValue, NumberOr, Selector};
use super::splinters_file::SplintersFile;
use super::toughness_file::{
    BlastFile, DebrisFile, FieldFile, FractureFile, StrengthFile, ToughnessFile,
};

/// A number or triple with its place.
pub(super) type Number = Spanned<f64>;
/// Three numbers with their place.
pub(super) type Triple = Spanned<[f64; 3]>;
/// A word with its place.
pub(super) type Word = Spanned<String>;

/// Only the version: read first, so that a file from the future is told apart from a faulty one.
#[derive(Debug, Deserialize)]
pub(super) struct VersionOnly {
    pub(super) version: Option<Spanned<i64>>,
}

/// A whole scene file.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SceneFile {
    /// Read by [`VersionOnly`]; named here because unknown keys are refused.
    #[serde(rename = "version")]
    pub(super) _version: i64,
    #[serde(default)]
    pub(super) title: String,
    #[serde(default)]
    pub(super) description: String,
    pub(super) mode: Option<Word>,
    #[serde(default)]
    pub(super) world: WorldFile,
    pub(super) method: Option<Spanned<MethodFile>>,
    pub(super) statics: Option<Spanned<StaticsFile>>,
    pub(super) wind: Option<WindFile>,
    #[serde(default)]
    pub(super) body: Vec<Spanned<BodyFile>>,
    #[serde(default)]
    pub(super) obstacle: Vec<Spanned<ObstacleFile>>,
    #[serde(default)]
    pub(super) attachment: Vec<Spanned<AttachmentFile>>,
    #[serde(default)]
    pub(super) blast: Vec<Spanned<BlastFile>>,
    #[serde(default)]
    pub(super) field: Vec<Spanned<FieldFile>>,
    #[serde(default)]
    pub(super) friction: Vec<FrictionFile>,
    #[serde(default)]
    pub(super) probe: Vec<ProbeFile>,
    #[serde(default)]
    pub(super) output: Vec<OutputFile>,
}

/// `[world]`.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct WorldFile {
    pub(super) gravity: Option<Triple>,
    pub(super) dt: Option<Number>,
    pub(super) duration: Option<Number>,
    pub(super) budget: Option<Number>,
    pub(super) damping: Option<Number>,
    pub(super) substeps: Option<Spanned<i64>>,
    pub(super) contact: Option<Word>,
    pub(super) sleep: Option<Spanned<FlagOr<SleepFile>>>,
    pub(super) anneal: Option<Number>,
    pub(super) fracture: Option<FractureFile>,
    pub(super) debris: Option<DebrisFile>,
}

/// `sleep = { … }`.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SleepFile {
    pub(super) speed: Option<Number>,
    pub(super) steps: Option<Spanned<i64>>,
    pub(super) force: Option<Number>,
}

/// `[wind]`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct WindFile {
    pub(super) velocity: Triple,
    pub(super) density: Option<Number>,
    pub(super) drag: Option<Number>,
    pub(super) friction: Option<Number>,
    pub(super) gusts: Option<Number>,
    pub(super) gust_length: Option<Number>,
    pub(super) seed: Option<Spanned<i64>>,
    pub(super) start: Option<Number>,
    pub(super) end: Option<Number>,
}

/// `[method]` and `[body.method]`.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct MethodFile {
    pub(super) stepper: Option<Word>,
    pub(super) solver: Option<Word>,
    pub(super) tolerance: Option<Number>,
    pub(super) max_iterations: Option<Spanned<i64>>,
    pub(super) newton_iterations: Option<Spanned<i64>>,
    pub(super) rotation: Option<Word>,
    pub(super) mass: Option<Word>,
    pub(super) rayleigh: Option<Spanned<RayleighFile>>,
    pub(super) lazy: Option<Number>,
    pub(super) adaptive: Option<Spanned<FlagOr<AdaptiveFile>>>,
    pub(super) substeps: Option<Spanned<i64>>,
    pub(super) sweeps: Option<Spanned<i64>>,
    pub(super) projection: Option<Word>,
}

/// `rayleigh = { … }`.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RayleighFile {
    pub(super) mass: Option<Number>,
    pub(super) stiffness: Option<Number>,
}

/// `adaptive = { … }`.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct AdaptiveFile {
    pub(super) refine: Option<Number>,
    pub(super) coarsen: Option<Number>,
    pub(super) dwell: Option<Spanned<i64>>,
}

/// `[statics]`.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct StaticsFile {
    pub(super) tolerance: Option<Number>,
    pub(super) load_steps: Option<Spanned<i64>>,
    pub(super) max_iterations: Option<Spanned<i64>>,
}

/// `[[body]]`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct BodyFile {
    pub(super) name: Word,
    pub(super) colour: Option<Word>,
    pub(super) mesh: Option<Spanned<MeshFile>>,
    pub(super) material: Option<Spanned<MaterialValue>>,
    pub(super) transform: Option<TransformFile>,
    pub(super) velocity: Option<Triple>,
    pub(super) start: Option<Spanned<StartFile>>,
    pub(super) rest: Option<Spanned<Vec<[f64; 3]>>>,
    pub(super) quadrature: Option<Spanned<i64>>,
    pub(super) dilation: Option<Word>,
    pub(super) method: Option<Spanned<MethodFile>>,
    pub(super) contact: Option<Spanned<ContactFile>>,
    pub(super) rigid: Option<Spanned<FlagOr<RigidFile>>>,
    pub(super) copies: Option<Spanned<CopiesFile>>,
    pub(super) toughness: Option<Spanned<ToughnessFile>>,
    pub(super) splinters: Option<Spanned<SplintersFile>>,
    #[serde(default)]
    pub(super) region: Vec<Spanned<RegionFile>>,
    #[serde(default)]
    pub(super) pin: Vec<Spanned<PinFile>>,
    #[serde(default)]
    pub(super) pull: Vec<Spanned<PullFile>>,
}

/// `contact = { … }`.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ContactFile {
    pub(super) friction: Option<Number>,
    #[serde(rename = "self")]
    pub(super) with_itself: Option<bool>,
    pub(super) layers: Option<Vec<Spanned<i64>>>,
    pub(super) meets: Option<Vec<Spanned<i64>>>,
    pub(super) material: Option<Word>,
}

/// `rigid = { … }`.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RigidFile {
    pub(super) mass: Option<Number>,
}

/// `copies = { … }`: the same body again, on a grid.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct CopiesFile {
    pub(super) count: Spanned<[i64; 3]>,
    pub(super) step: Triple,
    pub(super) jitter: Option<Number>,
    pub(super) turn: Option<bool>,
    pub(super) seed: Option<i64>,
}

/// `start = { … }`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct StartFile {
    pub(super) scale: Option<Triple>,
    pub(super) about: Option<Triple>,
    pub(super) scatter: Option<i64>,
}

/// `[[body.pull]]`: a point that is drawn towards a target.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct PullFile {
    pub(super) at: Triple,
    #[serde(default)]
    pub(super) motion: Vec<Spanned<RampFile>>,
    pub(super) stiffness: Number,
    pub(super) damping: Option<Number>,
}

/// `[body.mesh]`: one generator or a file, and what is done with it.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct MeshFile {
    pub(super) file: Option<Word>,
    #[serde(rename = "box")]
    pub(super) block: Option<Spanned<BoxFile>>,
    pub(super) ball: Option<Spanned<BallFile>>,
    pub(super) torus: Option<Spanned<TorusFile>>,
    #[serde(rename = "curved-bar")]
    pub(super) curved_bar: Option<Spanned<CurvedBarFile>>,
    pub(super) helix: Option<Spanned<HelixFile>>,
    pub(super) fin: Option<Spanned<FinFile>>,
    pub(super) sculpture: Option<Spanned<SculptureFile>>,
    pub(super) surface: Option<Word>,
    pub(super) figure: Option<Word>,
    pub(super) edge: Option<Number>,
    pub(super) voxels: Option<Spanned<VoxelsFile>>,
    pub(super) tetrahedra: Option<Spanned<TetrahedraFile>>,
    pub(super) degree: Option<Spanned<i64>>,
    pub(super) refine: Option<Spanned<i64>>,
}

/// `voxels = { … }`.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct VoxelsFile {
    pub(super) depth: Option<Spanned<i64>>,
    pub(super) length: Option<Number>,
    pub(super) leaves: Option<Spanned<i64>>,
    pub(super) inside: Option<Word>,
    pub(super) fill: Option<Number>,
    pub(super) stiffness: Option<Word>,
}

/// `tetrahedra = { … }`.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct TetrahedraFile {
    pub(super) cells: Option<Spanned<i64>>,
    pub(super) length: Option<Number>,
    pub(super) inside: Option<Spanned<i64>>,
    pub(super) curved: Option<Spanned<i64>>,
    pub(super) thickness: Option<Number>,
    #[serde(default)]
    pub(super) finer: Vec<FinerFile>,
}

/// `finer = [{ … }]`: where tetrahedra are smaller.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct FinerFile {
    #[serde(rename = "where")]
    pub(super) selector: Spanned<Selector>,
    pub(super) size: Number,
}

/// `box = { … }`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct BoxFile {
    pub(super) origin: Option<Triple>,
    pub(super) size: Option<Triple>,
    pub(super) cells: Option<Spanned<[i64; 3]>>,
    pub(super) split: Option<Word>,
    pub(super) jitter: Option<Number>,
    pub(super) seed: Option<i64>,
}

/// `ball = { … }`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct BallFile {
    pub(super) centre: Option<Triple>,
    pub(super) radius: Option<Number>,
    pub(super) cells: Option<Spanned<i64>>,
    pub(super) layers: Option<Spanned<i64>>,
    pub(super) split: Option<Word>,
}

/// `torus = { … }`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct TorusFile {
    pub(super) centre: Option<Triple>,
    pub(super) ring_radius: Option<Number>,
    pub(super) tube_radius: Option<Number>,
    pub(super) cells: Option<Spanned<i64>>,
    pub(super) layers: Option<Spanned<i64>>,
    pub(super) around: Option<Spanned<i64>>,
    pub(super) split: Option<Word>,
}

/// `curved-bar = { … }`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct CurvedBarFile {
    pub(super) centre: Option<Triple>,
    pub(super) radius: Option<Number>,
    pub(super) angle_deg: Option<Number>,
    pub(super) section: Option<[Number; 2]>,
    pub(super) cells: Option<Spanned<[i64; 3]>>,
    pub(super) split: Option<Word>,
}

/// `helix = { … }`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct HelixFile {
    pub(super) centre: Option<Triple>,
    pub(super) coil_radius: Option<Number>,
    pub(super) wire_radius: Option<Number>,
    pub(super) pitch: Option<Number>,
    pub(super) turns: Option<Number>,
    pub(super) cells: Option<Spanned<i64>>,
    pub(super) layers: Option<Spanned<i64>>,
    pub(super) along: Option<Spanned<i64>>,
    pub(super) split: Option<Word>,
}

/// `fin = { … }`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct FinFile {
    pub(super) base: Option<Triple>,
    pub(super) height: Option<Number>,
    pub(super) chord: Option<Number>,
    pub(super) thickness: Option<Number>,
    pub(super) cells: Option<Spanned<[i64; 3]>>,
    pub(super) split: Option<Word>,
}

/// `sculpture = { … }`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SculptureFile {
    pub(super) base: Option<Triple>,
    pub(super) height: Option<Number>,
    pub(super) level: Option<Spanned<i64>>,
    pub(super) split: Option<Word>,
}

/// `transform = { … }`: scaled, then rotated, then moved.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct TransformFile {
    pub(super) scale: Option<Number>,
    pub(super) rotate: Option<RotateFile>,
    pub(super) translate: Option<Triple>,
}

/// A rotation about an axis through a centre.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RotateFile {
    pub(super) centre: Option<Triple>,
    pub(super) axis: Triple,
    pub(super) angle_deg: Number,
}

/// A material given key by key, on top of a preset if one is named.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct MaterialFile {
    pub(super) preset: Option<Word>,
    pub(super) law: Option<Word>,
    pub(super) young: Option<Number>,
    pub(super) poisson: Option<Number>,
    pub(super) density: Option<Number>,
    pub(super) parameters: Option<Word>,
    pub(super) plastic: Option<Spanned<FlagOr<PlasticFile>>>,
    pub(super) toughness: Option<Spanned<NumberOr<StrengthFile>>>,
    pub(super) rigid: Option<bool>,
}

/// How a material stays deformed: with `yield_stress` by hardening, with `yield_strain` by creep.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct PlasticFile {
    pub(super) yield_stress: Option<Number>,
    pub(super) hardening: Option<Number>,
    pub(super) yield_strain: Option<Number>,
    pub(super) rate: Option<Number>,
    pub(super) limit: Option<Number>,
}

/// `[[body.region]]`: a material for some of the cells.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RegionFile {
    pub(super) name: Word,
    #[serde(rename = "where")]
    pub(super) selector: Option<Spanned<Selector>>,
    pub(super) material: Option<Spanned<MaterialValue>>,
}

/// `[[body.pin]]`: nodes that are held, or led along.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct PinFile {
    #[serde(rename = "where")]
    pub(super) selector: Spanned<Selector>,
    pub(super) on: Option<Word>,
    #[serde(default)]
    pub(super) motion: Vec<Spanned<RampFile>>,
}

/// A shape in space that selects what lies inside.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ShapeFile {
    #[serde(rename = "box")]
    pub(super) block: Option<BoundsFile>,
    pub(super) sphere: Option<SphereFile>,
    pub(super) half_space: Option<HalfSpaceFile>,
    pub(super) surface: Option<Word>,
    pub(super) colour: Option<Word>,
}

/// Two opposite corners of a box.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct BoundsFile {
    pub(super) min: Triple,
    pub(super) max: Triple,
}

/// A ball to select with.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SphereFile {
    pub(super) centre: Triple,
    pub(super) radius: Number,
}

/// All that lies on the side of a plane to which the normal points, the plane included.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct HalfSpaceFile {
    pub(super) point: Triple,
    pub(super) normal: Triple,
}

/// One motion between two times.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RampFile {
    pub(super) start: Option<Number>,
    pub(super) end: Option<Number>,
    pub(super) translate: Option<Triple>,
    pub(super) rotate: Option<RotateFile>,
}

/// `[[probe]]`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ProbeFile {
    pub(super) name: Word,
    pub(super) body: Option<Word>,
    pub(super) at: Triple,
}

/// `[[output]]`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct OutputFile {
    pub(super) format: Word,
    pub(super) path: Option<Word>,
    pub(super) every: Option<Spanned<i64>>,
    #[serde(default)]
    pub(super) fields: Vec<Word>,
}
