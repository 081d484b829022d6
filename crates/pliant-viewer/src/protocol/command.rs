//! Commands from a page.

use serde::{Deserialize, Serialize};

use super::field::FieldName;

/// A message from a page.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Request {
    /// Returned with the answer; without an id only errors are answered.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<u64>,
    /// The command.
    pub command: Command,
}

/// A command from a page.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
#[non_exhaustive]
pub enum Command {
    /// Starts the simulation.
    Play,
    /// Pauses the simulation.
    Pause,
    /// Takes steps as fast as possible, then pauses.
    Step(Step),
    /// Returns to the initial state.
    Reset,
    /// Runs to a frame counted from the start, and pauses there.
    Freeze(Freeze),
    /// Sets the speed, for slow motion.
    Speed(Speed),
    /// Starts to pull a point of a body.
    Grab(Grab),
    /// Moves the target of a pull.
    Drag(Drag),
    /// Twists a held body.
    Twist(Twist),
    /// Ends a pull.
    Release(Release),
    /// Hits a body.
    Strike(Strike),
    /// Sets off an explosion.
    Explode(Explode),
    /// Returns a surface point of a body, with its position and normal.
    Pick(Pick),
    /// Pins the nodes around a point.
    Pin(PinAt),
    /// Removes pins.
    Unpin(Unpin),
    /// Changes the settings of a body.
    SetBody(Box<SetBody>),
    /// Changes the settings of the world.
    SetWorld(SetWorld),
    /// Paints spots of a body with a material of their own.
    Paint(Box<Paint>),
    /// Selects the optional data of frames.
    Watch(Watch),
    /// Makes the current shape the rest shape.
    Commit(Commit),
    /// Opens another scene.
    Open(Open),
    /// Removes a body.
    Remove(Remove),
    /// Undoes the last edit.
    Undo,
    /// Redoes the last undone edit.
    Redo,
    /// Starts or stops a recording.
    Record(Record),
    /// Acknowledges that a frame was drawn.
    Ack(Ack),
}

/// See [`Command::Step`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Step {
    /// Number of steps.
    pub count: u64,
}

/// See [`Command::Freeze`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Freeze {
    /// Number of steps from the start.
    pub frame: u64,
}

/// See [`Command::Speed`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Speed {
    /// Simulated seconds per second.
    pub factor: f64,
}

/// A point of a body.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Point {
    /// The first hit of a ray.
    Ray {
        /// Origin of the ray, in m.
        origin: [f64; 3],
        /// Direction of the ray.
        direction: [f64; 3],
    },
    /// A point of a triangle.
    At {
        /// The body.
        body: usize,
        /// Index of the triangle in the model.
        triangle: usize,
        /// Barycentric coordinates.
        weights: [f64; 3],
        /// Id of the model of the triangle: a body that has broken since then has another model.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        model: Option<u32>,
    },
}

/// See [`Command::Grab`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Grab {
    /// Id of the grab, chosen by the page.
    pub grab: u32,
    /// The point.
    pub point: Point,
    /// Strength, relative to the default for the body (default `1`).
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
    /// Id of the grab.
    pub grab: u32,
    /// Number that the first frame with this target returns.
    pub seq: u64,
    /// Target position, in m.
    pub target: [f64; 3],
}

/// See [`Command::Release`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Release {
    /// Id of the grab.
    pub grab: u32,
}

/// See [`Command::Twist`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Twist {
    /// Id of the grab.
    pub grab: u32,
    /// Axis of the rotation, right-handed.
    pub axis: [f64; 3],
    /// Acceleration of the material around the point, in m/s²; zero ends the twist.
    pub strength: f64,
}

/// See [`Command::Strike`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Strike {
    /// The point.
    pub point: Point,
    /// Direction of the strike.
    pub direction: [f64; 3],
    /// Speed that it gives to the material, in m/s.
    pub speed: f64,
    /// Radius around the point, in m.
    pub radius: f64,
    /// True if it penetrates the body like a bullet.
    #[serde(default)]
    pub through: bool,
}

/// See [`Command::Explode`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Explode {
    /// Centre, in m.
    pub centre: [f64; 3],
    /// Radius of the explosion, in m.
    pub radius: f64,
    /// Impulse per area, in N·s/m².
    pub impulse: f64,
}

/// See [`Command::Pick`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Pick {
    /// The point.
    pub point: Point,
}

/// See [`Command::Pin`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PinAt {
    /// The point.
    pub point: Point,
    /// Radius around the point, in m.
    pub radius: f64,
    /// Id of a brush stroke; edits of the same stroke are undone together.
    #[serde(default)]
    pub stroke: Option<u32>,
}

/// See [`Command::Unpin`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Unpin {
    /// The body.
    pub body: usize,
    /// Index of the pin; all pins if missing.
    #[serde(default)]
    pub pin: Option<usize>,
}

/// See [`Command::SetBody`]. Missing settings stay unchanged.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct SetBody {
    /// Index of the body; all bodies if missing.
    pub body: Option<usize>,
    /// Young's modulus, in Pa.
    pub young: Option<f64>,
    /// Poisson's ratio.
    pub poisson: Option<f64>,
    /// Density, in kg/m³.
    pub density: Option<f64>,
    /// Name of a law.
    pub law: Option<String>,
    /// Name of a material preset.
    pub preset: Option<String>,
    /// Tensile stress at which it breaks, in Pa; `0` makes it unbreakable.
    pub toughness: Option<f64>,
    /// Kind of plastic flow.
    pub plastic: Option<PlasticKind>,
    /// Yield stress of a hardening material, in Pa.
    pub yield_stress: Option<f64>,
    /// Hardening modulus, in Pa.
    pub hardening: Option<f64>,
    /// Yield strain of a creeping material.
    pub yield_strain: Option<f64>,
    /// Creep rate, in 1/s.
    pub rate: Option<f64>,
    /// Limit of the plastic flow: a stress in Pa for hardening, a strain for creep.
    pub limit: Option<f64>,
    /// True if the flow is limited.
    pub limited: Option<bool>,
    /// Coefficient of friction.
    pub friction: Option<f64>,
    /// True for self-contact.
    pub self_contact: Option<bool>,
    /// Name of a stepper.
    pub stepper: Option<String>,
    /// Name of a solver.
    pub solver: Option<String>,
    /// Name of a method for rotations.
    pub rotation: Option<String>,
    /// Name of a mass matrix.
    pub mass: Option<String>,
    /// True for adaptive degree.
    pub adaptive: Option<bool>,
    /// Substeps of a step; `0` selects them automatically.
    pub substeps: Option<u32>,
    /// Sweeps per substep.
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

/// A kind of plastic flow.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PlasticKind {
    /// No plastic flow.
    Elastic,
    /// Flow beyond a yield stress, with kinematic hardening.
    Hardening,
    /// Flow over time, beyond a yield strain.
    Creep,
}

impl PlasticKind {
    /// All kinds.
    pub const ALL: [Self; 3] = [Self::Elastic, Self::Hardening, Self::Creep];

    /// The name of the kind.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Elastic => "elastic",
            Self::Hardening => "hardening",
            Self::Creep => "creep",
        }
    }
}

/// See [`Command::SetWorld`]. Missing settings stay unchanged.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct SetWorld {
    /// Gravity, in m/s².
    pub gravity: Option<[f64; 3]>,
    /// Decay of velocities, in 1/s.
    pub damping: Option<f64>,
    /// Length of a step, in s.
    pub dt: Option<f64>,
    /// Substeps of a step; `0` selects them automatically.
    pub substeps: Option<u32>,
    /// Friction of all obstacles.
    pub friction: Option<f64>,
    /// Name of a level of contact.
    pub contact: Option<String>,
    /// True if resting bodies may sleep.
    pub sleep: Option<bool>,
    /// Time without plastic flow after which bodies are annealed, in s; `0` for never.
    pub anneal: Option<f64>,
    /// Time budget of a step, in ms; `0` for no budget.
    pub budget: Option<f64>,
}

/// See [`Command::Paint`]. Missing properties stay as in the rest of the body.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Paint {
    /// The body.
    pub body: usize,
    /// Points of the brush stroke.
    pub points: Vec<Point>,
    /// Radius of the brush, in m.
    pub radius: f64,
    /// Young's modulus, relative to the body (default `1`).
    #[serde(default = "one")]
    pub factor: f64,
    /// Toughness, relative to the body.
    #[serde(default)]
    pub toughness: Option<f64>,
    /// True to make it rigid.
    #[serde(default)]
    pub rigid: bool,
    /// Kind of plastic flow.
    #[serde(default)]
    pub plastic: Option<PlasticKind>,
    /// Yield stress of a hardening material, in Pa.
    #[serde(default)]
    pub yield_stress: Option<f64>,
    /// Hardening modulus, in Pa.
    #[serde(default)]
    pub hardening: Option<f64>,
    /// Yield strain of a creeping material.
    #[serde(default)]
    pub yield_strain: Option<f64>,
    /// Creep rate, in 1/s.
    #[serde(default)]
    pub rate: Option<f64>,
    /// Limit of the plastic flow: a stress in Pa for hardening, a strain for creep.
    #[serde(default)]
    pub limit: Option<f64>,
    /// True if the flow is limited.
    #[serde(default)]
    pub limited: Option<bool>,
    /// Id of a brush stroke; edits of the same stroke are undone together.
    #[serde(default)]
    pub stroke: Option<u32>,
}

/// See [`Command::Watch`]. Missing settings stay unchanged.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Watch {
    /// The field to colour by; `null` for none.
    #[serde(deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    pub field: Option<Option<FieldName>>,
    /// True to receive contacts.
    pub contacts: Option<bool>,
    /// True to receive models of the boundary of the cells, too.
    pub cells: Option<bool>,
}

/// Distinguishes `null` from a missing key.
fn given<'de, D: serde::Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<Option<FieldName>>, D::Error> {
    Option::deserialize(deserializer).map(Some)
}

/// See [`Command::Commit`].
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Commit {
    /// Index of the body; all deformable bodies if missing.
    pub body: Option<usize>,
}

/// See [`Command::Open`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Open {
    /// Name of a scene in the catalogue.
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
    /// True to start, false to stop.
    pub on: bool,
}

/// See [`Command::Ack`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Ack {
    /// Serial of the frame.
    pub serial: u64,
}
