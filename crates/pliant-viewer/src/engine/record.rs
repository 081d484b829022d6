//! Frames that are kept, to be saved as an animation.

use std::sync::Arc;

use bytes::Bytes;
use glam::{DVec3, Vec3};

use super::cast::Cast;
use super::frame::Frame;

/// Most frames of a recording.
const MOST_FRAMES: usize = 2000;

/// Most bytes of it.
const MOST_BYTES: usize = 256 << 20;

/// The frames of a motion.
#[derive(Debug, Clone)]
pub(crate) struct Recording {
    /// What moves.
    pub(crate) cast: Arc<Cast>,
    /// Times, in s, and positions of all nodes as pages get them: relative to the origin, as numbers of four bytes.
    frames: Vec<(f64, Bytes)>,
}

impl Recording {
    /// How many frames there are.
    pub(crate) fn frame_count(&self) -> usize {
        self.frames.len()
    }

    /// Every so many of them: times, in s, and positions of all nodes, in m.
    pub(crate) fn every(&self, stride: usize) -> impl Iterator<Item = (f64, Vec<DVec3>)> {
        let origin = self.cast.origin;
        let number = |bytes: &[u8]| f32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]);
        let node = move |bytes: &[u8]| {
            let local = Vec3::new(number(bytes), number(&bytes[4..]), number(&bytes[8..]));
            origin + local.as_dvec3()
        };
        let frames = self.frames.iter().step_by(stride);
        frames.map(move |(time, bytes)| (*time, bytes.chunks_exact(12).map(node).collect()))
    }
}

/// Keeps frames.
#[derive(Debug, Default)]
pub(crate) struct Recorder {
    recording: Option<Arc<Recording>>,
    on: bool,
}

impl Recorder {
    /// Whether it keeps frames now.
    pub(crate) fn is_on(&self) -> bool {
        self.on
    }

    /// Begins anew.
    pub(crate) fn begin(&mut self) {
        (self.on, self.recording) = (true, None);
    }

    /// Keeps no more frames.
    pub(crate) fn end(&mut self) {
        self.on = false;
    }

    /// Keeps a frame. Bodies that are not those of the frames before begin a new recording.
    pub(crate) fn keep(&mut self, frame: &Frame) {
        if !self.on {
            return;
        }
        let same = |recording: &Arc<Recording>| same_cast(&recording.cast, &frame.cast);
        if !self.recording.as_ref().is_some_and(same) {
            let recording = Recording { cast: frame.cast.clone(), frames: Vec::new() };
            self.recording = Some(Arc::new(recording));
        }
        let Some(recording) = &mut self.recording else { return };
        let recording = Arc::make_mut(recording);
        if recording.frames.last().is_some_and(|(time, _)| *time >= frame.time) {
            return;
        }
        recording.frames.push((frame.time, frame.positions.clone()));
        recording.cast = frame.cast.clone();
        let bytes = recording.frames.len() * frame.positions.len();
        self.on = recording.frames.len() < MOST_FRAMES && bytes < MOST_BYTES;
    }

    /// What was kept.
    pub(crate) fn recording(&self, cast: &Arc<Cast>) -> Arc<Recording> {
        let none = || Arc::new(Recording { cast: cast.clone(), frames: Vec::new() });
        self.recording.clone().unwrap_or_else(none)
    }
}

fn same_cast(a: &Cast, b: &Cast) -> bool {
    a.generation == b.generation
        || a.origin == b.origin
            && a.bodies.len() == b.bodies.len()
            && a.bodies.iter().zip(&b.bodies).all(|(a, b)| a.look.id == b.look.id)
}
