//! Text messages of the server.

use pliant::contact::ContactLevel;
use pliant::material::{LawKind, Preset};
use pliant::solver::Rotation;
use pliant::solver::{LinearSolver, Mass, Stepper};
use serde::Serialize;

use super::command::PlasticKind;
use super::field::FieldName;

/// Version of the protocol.
pub const VERSION: u32 = 1;

/// A text message.
#[derive(Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Message<'a> {
    Hello(Hello),
    Run(&'a Run),
    Reply(Reply),
    Error(ErrorMessage<'a>),
}

impl Message<'_> {
    pub(crate) fn text(&self) -> String {
        serde_json::to_string(self).expect("plain structs become JSON")
    }
}

/// The first message.
#[derive(Debug, Serialize)]
pub(crate) struct Hello {
    protocol: u32,
    version: &'static str,
    page: u32,
    fields: [FieldName; FieldName::ALL.len()],
    steppers: Vec<&'static str>,
    solvers: Vec<&'static str>,
    rotations: Vec<&'static str>,
    masses: Vec<&'static str>,
    laws: Vec<&'static str>,
    plastics: Vec<&'static str>,
    contacts: Vec<&'static str>,
    presets: Vec<PresetInfo>,
}

#[derive(Debug, Serialize)]
struct PresetInfo {
    name: &'static str,
    young: f64,
    poisson: f64,
    density: f64,
}

impl Hello {
    /// The first message to the page with this number.
    pub(crate) fn new(page: u32) -> Self {
        let preset = |preset: &Preset| PresetInfo {
            name: preset.name,
            young: preset.material.young,
            poisson: preset.material.poisson,
            density: preset.material.density,
        };
        Self {
            protocol: VERSION,
            version: env!("CARGO_PKG_VERSION"),
            page,
            fields: FieldName::ALL,
            steppers: Stepper::ALL.iter().map(|choice| choice.name()).collect(),
            solvers: LinearSolver::ALL.iter().map(|choice| choice.name()).collect(),
            rotations: Rotation::ALL.iter().map(|choice| choice.name()).collect(),
            masses: Mass::ALL.iter().map(|choice| choice.name()).collect(),
            plastics: PlasticKind::ALL.iter().map(|kind| kind.name()).collect(),
            laws: LawKind::ALL.iter().map(|choice| choice.name()).collect(),
            contacts: ContactLevel::ALL.iter().map(|choice| choice.name()).collect(),
            presets: Preset::ALL.iter().map(preset).collect(),
        }
    }
}

/// The run state of the simulation.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(crate) struct Run {
    pub(crate) playing: bool,
    pub(crate) speed: f64,
    pub(crate) recording: bool,
    pub(crate) pages: usize,
    pub(crate) busy: Option<String>,
}

/// The answer to a command.
#[derive(Debug, Default, Serialize)]
pub(crate) struct Reply {
    pub(crate) id: u64,
    /// Serial of the first frame that contains the effect.
    pub(crate) serial: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) hit: Option<Option<Hit>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) pin: Option<usize>,
}

/// The point of a body found by a pick.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(crate) struct Hit {
    pub(crate) body: usize,
    pub(crate) triangle: usize,
    pub(crate) weights: [f64; 3],
    pub(crate) position: [f64; 3],
    pub(crate) normal: [f64; 3],
}

#[derive(Debug, Serialize)]
pub(crate) struct ErrorMessage<'a> {
    pub(crate) id: Option<u64>,
    pub(crate) code: &'a str,
    pub(crate) message: &'a str,
}
