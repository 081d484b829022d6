//! The state of the world for pages.

use std::sync::{Arc, OnceLock};

use bytes::Bytes;
use glam::DVec3;
use pliant::body::FlowState;
use pliant::world::{Compromises, Energy};
use serde::Serialize;

use super::shown_scene::{ShownBody, ShownScene};
use crate::protocol::field::{FieldName, Subject, values};
use crate::protocol::message::Run;

/// Interval of the frames that contain energies, which need an evaluation of all cells.
const ENERGY_EVERY: u64 = 30;

/// The state of the world at one time, with statistics. Optional data is computed on the thread of the first page that
/// needs it, so that the engine never waits for it.
#[derive(Debug)]
pub(crate) struct Frame {
    pub(crate) serial: u64,
    pub(crate) frame: u64,
    pub(crate) time: f64,
    /// True once a user has edited or pulled something.
    pub(crate) edited: bool,
    pub(crate) run: Run,
    pub(crate) pace: f64,
    pub(crate) behind: bool,
    pub(crate) ms: Milliseconds,
    pub(crate) budget_ms: f64,
    pub(crate) given_up: Option<SkippedWork>,
    pub(crate) fps: f64,
    pub(crate) residual: f64,
    pub(crate) iterations: u32,
    pub(crate) unknowns: usize,
    pub(crate) asleep: Vec<u32>,
    pub(crate) reset: Vec<u32>,
    pub(crate) grabs: Vec<GrabNote>,
    pub(crate) probes: Vec<[f64; 3]>,
    pub(crate) obstacles: Vec<MovedObstacle>,
    pub(crate) events: Arc<Vec<EventNote>>,
    /// Positions and velocities of all nodes of all bodies.
    pub(crate) x: Vec<DVec3>,
    pub(crate) v: Vec<DVec3>,
    /// The positions relative to the origin, as 32-bit floats.
    pub(crate) positions: Bytes,
    /// Contact points between bodies and within bodies, with the direction in which the first one is pushed.
    pub(crate) contacts: Vec<[DVec3; 2]>,
    /// Degrees at the nodes of bodies with adaptive degree.
    pub(crate) degrees: Vec<Option<Vec<u8>>>,
    /// Kinetic energy of all bodies, in J, in frames that contain energies.
    pub(crate) kinetic: f64,
    /// The plastic flow of bodies that have flowed.
    pub(crate) flows: Vec<Option<FlowState>>,
    pub(crate) shown_scene: Arc<ShownScene>,
    pub(crate) on_demand: OnDemand,
}

/// Data that is computed on demand.
#[derive(Debug, Default)]
pub(crate) struct OnDemand {
    contacts: OnceLock<Vec<u8>>,
    energy: OnceLock<Option<Energy>>,
    fields: [OnceLock<FieldValues>; FieldName::ALL.len()],
}

/// A field at all nodes.
#[derive(Debug)]
pub(crate) struct FieldValues {
    /// Values as 32-bit floats.
    pub(crate) bytes: Vec<u8>,
    pub(crate) low: f32,
    pub(crate) high: f32,
}

impl FieldValues {
    /// The range of values of the colour map.
    pub(crate) fn range(&self, field: FieldName) -> (f64, f64) {
        match field {
            FieldName::YieldShare | FieldName::LimitShare => (0.0, 1.0),
            _ => (f64::from(self.low), f64::from(self.high)),
        }
    }
}

/// Times of a step, in ms.
#[derive(Debug, Clone, Copy, Default, Serialize)]
pub(crate) struct Milliseconds {
    pub(crate) step: f64,
    pub(crate) contact: f64,
    pub(crate) forces: f64,
    pub(crate) degree: f64,
    pub(crate) assembly: f64,
    pub(crate) solve: f64,
    pub(crate) update: f64,
    /// Publication of the frame.
    pub(crate) publish: f64,
}

/// Work that the last steps have skipped to keep the budget of the scene.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub(crate) struct SkippedWork {
    pub(crate) steps: usize,
    pub(crate) solves: u32,
    pub(crate) breaks: u32,
    pub(crate) landed: u32,
}

impl SkippedWork {
    /// Sums the skipped work of steps.
    pub(crate) fn of<'a>(steps: impl ExactSizeIterator<Item = &'a Compromises>) -> Self {
        let (count, mut sum) = (steps.len(), Compromises::default());
        steps.for_each(|step| sum += *step);
        let Compromises { solves, breaks, finished_double_steps: landed } = sum;
        Self { steps: count, solves, breaks, landed }
    }
}

/// A grab of a page on a body.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct GrabNote {
    pub(crate) page: u32,
    pub(crate) grab: u32,
    pub(crate) seq: u64,
    pub(crate) body: usize,
    pub(crate) point: [f64; 3],
    pub(crate) target: [f64; 3],
    pub(crate) force: [f64; 3],
}

/// The pose of a moving obstacle.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct MovedObstacle {
    pub(crate) index: usize,
    pub(crate) position: [f64; 3],
    pub(crate) rotation: [f64; 4],
}

/// An event.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct EventNote {
    #[serde(skip)]
    pub(crate) number: u64,
    pub(crate) frame: u64,
    pub(crate) body: Option<usize>,
    pub(crate) kind: &'static str,
    pub(crate) trouble: bool,
    pub(crate) text: String,
}

impl Frame {
    /// The first frame, with these positions and velocities.
    pub(crate) fn new(shown_scene: Arc<ShownScene>, x: Vec<DVec3>, v: Vec<DVec3>) -> Self {
        Self {
            serial: 0,
            frame: 0,
            time: 0.0,
            edited: false,
            run: Run { playing: false, speed: 1.0, recording: true, pages: 0, busy: None },
            pace: 1.0,
            behind: false,
            ms: Milliseconds::default(),
            budget_ms: 0.0,
            given_up: None,
            fps: 0.0,
            residual: 0.0,
            iterations: 0,
            unknowns: 0,
            asleep: Vec::new(),
            reset: Vec::new(),
            grabs: Vec::new(),
            probes: Vec::new(),
            obstacles: Vec::new(),
            events: Arc::default(),
            positions: packed(&x, shown_scene.origin),
            x,
            v,
            contacts: Vec::new(),
            degrees: Vec::new(),
            kinetic: 0.0,
            flows: Vec::new(),
            shown_scene,
            on_demand: OnDemand::default(),
        }
    }

    /// Contact points relative to the origin and contact directions, as 32-bit floats.
    pub(crate) fn contacts(&self) -> &[u8] {
        self.on_demand.contacts.get_or_init(|| {
            let mut bytes = Vec::with_capacity(24 * self.contacts.len());
            for [point, normal] in &self.contacts {
                put(&mut bytes, *point - self.shown_scene.origin);
                put(&mut bytes, *normal);
            }
            bytes
        })
    }

    /// True if this frame contains energies.
    pub(crate) fn has_energy(&self) -> bool {
        self.serial.is_multiple_of(ENERGY_EVERY) || !self.run.playing
    }

    /// The energies, in some frames.
    pub(crate) fn energy(&self) -> Option<Energy> {
        *self.on_demand.energy.get_or_init(|| self.has_energy().then(|| self.energies()))
    }

    fn energies(&self) -> Energy {
        let mut sum = Energy { kinetic: self.kinetic, ..Energy::default() };
        for (place, shown_body) in self.shown_scene.bodies.iter().enumerate() {
            if shown_body.gone {
                continue;
            }
            let (model, nodes) = (&shown_body.model, shown_body.range());
            if !model.is_rigid() {
                sum.elastic += shown_body.elastic_energy(&self.x[nodes], self.flow(place));
            }
        }
        sum
    }

    /// The plastic flow of a body.
    pub(crate) fn flow(&self, place: usize) -> Option<&FlowState> {
        self.flows.get(place)?.as_ref()
    }

    /// A field at all nodes.
    pub(crate) fn field(&self, name: FieldName) -> &FieldValues {
        self.on_demand.fields[name as usize].get_or_init(|| self.field_values(name))
    }

    /// A field at the nodes of a body, as Bernstein coefficients.
    pub(crate) fn node_values(&self, name: FieldName, place: usize) -> Vec<f64> {
        values(name, self.subject(place))
    }

    /// A field at the vertices of the surface of a body.
    pub(crate) fn surface_values(&self, name: FieldName, place: usize) -> Vec<f64> {
        on_surface(&self.shown_scene.bodies[place], &self.node_values(name, place)).collect()
    }

    fn field_values(&self, name: FieldName) -> FieldValues {
        let mut bytes = Vec::with_capacity(4 * self.x.len());
        let (mut low, mut high) = (f32::INFINITY, f32::NEG_INFINITY);
        for (place, shown_body) in self.shown_scene.bodies.iter().enumerate() {
            let nodes = self.node_values(name, place);
            if !shown_body.model.is_rigid() && !shown_body.gone {
                let points = on_surface(shown_body, &nodes);
                (low, high) = points.fold((low, high), |(low, high), value| {
                    (low.min(value as f32), high.max(value as f32))
                });
            }
            nodes.iter().for_each(|value| bytes.extend_from_slice(&(*value as f32).to_le_bytes()));
        }
        let finite = low <= high;
        FieldValues {
            bytes,
            low: if finite { low } else { 0.0 },
            high: if finite { high } else { 0.0 },
        }
    }

    fn subject(&self, place: usize) -> Subject<'_> {
        let shown_body = &self.shown_scene.bodies[place];
        let nodes = shown_body.range();
        let (x, v) = (&self.x[nodes.clone()], &self.v[nodes]);
        let degrees = self.degrees.get(place).and_then(Option::as_deref);
        let rest = shown_body.rest_shape(self.flow(place));
        Subject { rest, x, v, start: shown_body.start(), degrees }
    }

    /// The surface of a body, in m.
    pub(crate) fn points(&self, shown_body: &ShownBody) -> Vec<DVec3> {
        let mut points = Vec::new();
        shown_body.drawn.skin.interpolate(&self.x[shown_body.range()], &mut points);
        points
    }
}

/// Interpolates node coefficients at the vertices of a surface.
fn on_surface(shown_body: &ShownBody, nodes: &[f64]) -> impl Iterator<Item = f64> {
    let skin = &shown_body.drawn.skin;
    (0..skin.vertex_count()).map(|point| {
        skin.weights(point).map(|(node, weight)| weight * nodes[node as usize]).sum::<f64>()
    })
}

/// Positions relative to an origin, as 32-bit floats.
fn packed(x: &[DVec3], origin: DVec3) -> Bytes {
    let mut bytes = vec![0; 12 * x.len()];
    for (place, x) in bytes.chunks_exact_mut(12).zip(x) {
        let [x, y, z] = (*x - origin).as_vec3().to_array().map(f32::to_le_bytes);
        place[..4].copy_from_slice(&x);
        place[4..8].copy_from_slice(&y);
        place[8..].copy_from_slice(&z);
    }
    Bytes::from(bytes)
}

fn put(bytes: &mut Vec<u8>, x: DVec3) {
    let [x, y, z] = x.as_vec3().to_array().map(f32::to_le_bytes);
    bytes.extend_from_slice(&x);
    bytes.extend_from_slice(&y);
    bytes.extend_from_slice(&z);
}
