//! What a page asks for.

use serde::{Deserialize, Serialize};

use super::field::FieldName;

/// A message of a page.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Request {
    /// Comes back with the answer; without it, only errors are answered.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<u64>,
    /// What is to be done.
    pub command: Command,
}

/// What can be done.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
#[non_exhaustive]
pub enum Command {
    /// Let time pass.
    Play,
    /// Stop it.
    Pause,
    /// Take steps as fast as they go, then stop.
    Step(Step),
    /// Back to the beginning.
    Reset,
    /// To a frame counted from the beginning, and stop there.
    Freeze(Freeze),
    /// Slow motion.
    Speed(Speed),
    /// Begin to pull at a point.
    Grab(Grab),
    /// Pull elsewhere.
    Drag(Drag),
    /// Turn what is held.
    Twist(Twist),
    /// Let go.
    Release(Release),
    /// Hit something.
    Strike(Strike),
    /// Let something explode.
    Explode(Explode),
    /// What is there?
    Pick(Pick),
    /// Hold what is around a point.
    Pin(PinAt),
    /// Let go of what is pinned.
    Unpin(Unpin),
    /// Change a body.
    SetBody(Box<SetBody>),
    /// Change the world.
    SetWorld(SetWorld),
    /// Give parts a material of their own.
    Paint(Box<Paint>),
    /// What frames are to carry.
    Watch(Watch),
    /// Let the present shape be the one at rest.
    Commit(Commit),
    /// Show another scene.
    Open(Open),
    /// Take a body out.
    Remove(Remove),
    /// Take back the last edit.
    Undo,
    /// Do it again.
    Redo,
    /// Begin or end a recording.
    Record(Record),
    /// A frame was drawn.
    Ack(Ack),
}

/// See [`Command::Step`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Step {
    /// How many.
    pub count: u64,
}

/// See [`Command::Freeze`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Freeze {
    /// Steps from the beginning.
    pub frame: u64,
}

/// See [`Command::Speed`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Speed {
    /// Seconds of the world to a second.
    pub factor: f64,
}

/// A point of a body.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Point {
    /// What a ray meets first.
    Ray {
        /// Where it begins, in m.
        origin: [f64; 3],
        /// Where it goes.
        direction: [f64; 3],
    },
    /// A point of a triangle.
    At {
        /// The body.
        body: usize,
        /// The triangle, as numbered in the model.
        triangle: usize,
        /// Barycentric coordinates.
        weights: [f64; 3],
        /// The model that has the triangle: what came apart since has another.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        model: Option<u32>,
    },
}

/// See [`Command::Grab`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Grab {
    /// The page's own number of it.
    pub grab: u32,
    /// Where.
    pub point: Point,
    /// How firmly, times what suits the body.
    #[serde(default = "one")]
    pub strength: f64,
}

fn one() -> f64 {
    1.0
}

/// See [`Command::Drag`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Drag {
    /// Which.
    pub grab: u32,
    /// Comes back in the first frame that contains it.
    pub seq: u64,
    /// Where the hand is, in m.
    pub target: [f64; 3],
}

/// See [`Command::Release`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Release {
    /// Which.
    pub grab: u32,
}

/// See [`Command::Twist`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Twist {
    /// Which.
    pub grab: u32,
    /// About which direction, right-handed.
    pub axis: [f64; 3],
    /// Acceleration of what is around the hand, in m/s²; zero ends it.
    pub strength: f64,
}

/// See [`Command::Strike`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Strike {
    /// Where.
    pub point: Point,
    /// Which way.
    pub direction: [f64; 3],
    /// How fast it makes what it hits, in m/s.
    pub speed: f64,
    /// How far around the point, in m.
    pub radius: f64,
    /// Whether it goes through, as a bullet does.
    #[serde(default)]
    pub through: bool,
}

/// See [`Command::Explode`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Explode {
    /// Where, in m.
    pub centre: [f64; 3],
    /// How far it reaches, in m.
    pub radius: f64,
    /// How strong it is, in N·s/m².
    pub impulse: f64,
}

/// See [`Command::Pick`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Pick {
    /// Where.
    pub point: Point,
}

/// See [`Command::Pin`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PinAt {
    /// Where.
    pub point: Point,
    /// How far around it, in m.
    pub radius: f64,
    /// What has the same number as before is taken back with it.
    #[serde(default)]
    pub stroke: Option<u32>,
}

/// See [`Command::Unpin`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Unpin {
    /// The body.
    pub body: usize,
    /// Which of its pins; all if none is named.
    #[serde(default)]
    pub pin: Option<usize>,
}

/// See [`Command::SetBody`]. What is left out stays.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct SetBody {
    /// Which; all if none is named.
    pub body: Option<usize>,
    /// Young's modulus, in Pa.
    pub young: Option<f64>,
    /// Poisson's ratio.
    pub poisson: Option<f64>,
    /// Density, in kg/m³.
    pub density: Option<f64>,
    /// Name of a law.
    pub law: Option<String>,
    /// Name of a material.
    pub preset: Option<String>,
    /// The tensile stress at which it comes apart, in Pa; zero: it never does.
    pub toughness: Option<f64>,
    /// How it flows.
    pub plastic: Option<PlasticKind>,
    /// The stress beyond which it flows and hardens, in Pa.
    pub yield_stress: Option<f64>,
    /// How much it hardens, in Pa.
    pub hardening: Option<f64>,
    /// The strain beyond which it creeps.
    pub yield_strain: Option<f64>,
    /// How fast it creeps, in 1/s.
    pub rate: Option<f64>,
    /// How far it flows: as a stress in Pa, where it hardens; as a strain, where it creeps.
    pub limit: Option<f64>,
    /// Whether there is a limit.
    pub limited: Option<bool>,
    /// Coefficient of friction.
    pub friction: Option<f64>,
    /// Whether it touches itself.
    pub self_contact: Option<bool>,
    /// Name of a stepper.
    pub stepper: Option<String>,
    /// Name of a solver.
    pub solver: Option<String>,
    /// Name of a way to find rotations.
    pub rotation: Option<String>,
    /// Name of a mass matrix.
    pub mass: Option<String>,
    /// Whether its degree adapts.
    pub adaptive: Option<bool>,
    /// Substeps of a step; zero: by itself.
    pub substeps: Option<u32>,
    /// Sweeps of a substep.
    pub sweeps: Option<u32>,
    /// Rayleigh damping in proportion to mass, in 1/s.
    pub rayleigh_mass: Option<f64>,
    /// Rayleigh damping in proportion to stiffness, in s.
    pub rayleigh_stiffness: Option<f64>,
    /// Degree of its cells.
    pub degree: Option<u8>,
    /// Its largest extent, in m.
    pub size: Option<f64>,
    /// `#rrggbb`.
    pub colour: Option<String>,
}

/// How a material stays deformed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PlasticKind {
    /// Not at all.
    Elastic,
    /// Beyond a stress, which moves along.
    Hardening,
    /// In time, beyond a strain.
    Creep,
}

impl PlasticKind {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Elastic, Self::Hardening, Self::Creep];

    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Elastic => "elastic",
            Self::Hardening => "hardening",
            Self::Creep => "creep",
        }
    }
}

/// See [`Command::SetWorld`]. What is left out stays.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct SetWorld {
    /// In m/s².
    pub gravity: Option<[f64; 3]>,
    /// Decay of velocities, in 1/s.
    pub damping: Option<f64>,
    /// Length of a step, in s.
    pub dt: Option<f64>,
    /// Substeps of a step; zero: by themselves.
    pub substeps: Option<u32>,
    /// Friction of all obstacles.
    pub friction: Option<f64>,
    /// Name of a level of contact.
    pub contact: Option<String>,
    /// Whether bodies that lie still are no longer stepped.
    pub sleep: Option<bool>,
    /// Time without flow after which bodies are annealed, in s; zero: never.
    pub anneal: Option<f64>,
    /// Time that a step may take, in ms; zero: as long as it needs.
    pub budget: Option<f64>,
}

/// See [`Command::Paint`]. What is left out is as in the rest of the body.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Paint {
    /// The body.
    pub body: usize,
    /// Where the brush is put down.
    pub points: Vec<Point>,
    /// Its radius, in m.
    pub radius: f64,
    /// Times the stiffness of the body.
    #[serde(default = "one")]
    pub factor: f64,
    /// Times its toughness.
    #[serde(default)]
    pub toughness: Option<f64>,
    /// Whether it does not deform at all.
    #[serde(default)]
    pub rigid: bool,
    /// How it flows.
    #[serde(default)]
    pub plastic: Option<PlasticKind>,
    /// The stress beyond which it flows and hardens, in Pa.
    #[serde(default)]
    pub yield_stress: Option<f64>,
    /// How much it hardens, in Pa.
    #[serde(default)]
    pub hardening: Option<f64>,
    /// The strain beyond which it creeps.
    #[serde(default)]
    pub yield_strain: Option<f64>,
    /// How fast it creeps, in 1/s.
    #[serde(default)]
    pub rate: Option<f64>,
    /// How far it flows: as a stress in Pa, where it hardens; as a strain, where it creeps.
    #[serde(default)]
    pub limit: Option<f64>,
    /// Whether there is a limit.
    #[serde(default)]
    pub limited: Option<bool>,
    /// What has the same number as before is taken back with it.
    #[serde(default)]
    pub stroke: Option<u32>,
}

/// See [`Command::Watch`]. What is left out stays.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Watch {
    /// A field to colour with; none if null.
    #[serde(deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    pub field: Option<Option<FieldName>>,
    /// Whether contacts are wanted.
    pub contacts: Option<bool>,
    /// Whether models of the boundary of cells are wanted too.
    pub cells: Option<bool>,
}

/// Tells `null` from nothing said.
fn given<'de, D: serde::Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<Option<FieldName>>, D::Error> {
    Option::deserialize(deserializer).map(Some)
}

/// See [`Command::Commit`].
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Commit {
    /// Which body; all that deform if none is named.
    pub body: Option<usize>,
}

/// See [`Command::Open`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Open {
    /// A name of the catalogue.
    pub scene: String,
}

/// See [`Command::Remove`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Remove {
    /// The body.
    pub body: usize,
}

/// See [`Command::Record`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Record {
    /// Whether it begins.
    pub on: bool,
}

/// See [`Command::Ack`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Ack {
    /// Of the frame.
    pub serial: u64,
}
