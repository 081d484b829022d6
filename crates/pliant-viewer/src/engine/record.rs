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
#[derive(Debug, Clone, Default)]
pub(crate) struct Recording {
    /// One after the other: where bodies come apart another begins.
    scenes: Vec<Take>,
    bytes: usize,
}

/// Frames with the same bodies.
#[derive(Debug, Clone)]
struct Take {
    /// What moves.
    cast: Arc<Cast>,
    /// Times, in s, and positions of all nodes as pages get them: relative to the origin, as numbers of four bytes.
    frames: Vec<(f64, Bytes)>,
}

/// A frame that was kept.
#[derive(Debug)]
pub(crate) struct Kept<'a> {
    /// What moves.
    pub(crate) cast: &'a Cast,
    /// In s.
    pub(crate) time: f64,
    /// Positions of all nodes, in m.
    pub(crate) x: Vec<DVec3>,
}

impl Recording {
    /// How many frames there are.
    pub(crate) fn frame_count(&self) -> usize {
        self.scenes.iter().map(|take| take.frames.len()).sum()
    }

    /// All bodies that move, of every take.
    pub(crate) fn casts(&self) -> impl Iterator<Item = &Cast> {
        self.scenes.iter().map(|take| &*take.cast)
    }

    /// Every so many of the frames.
    pub(crate) fn every(&self, stride: usize) -> impl Iterator<Item = Kept<'_>> {
        let all = self
            .scenes
            .iter()
            .flat_map(|take| take.frames.iter().map(|(time, bytes)| (&*take.cast, *time, bytes)));
        all.step_by(stride).map(|(cast, time, bytes)| Kept {
            cast,
            time,
            x: positions(cast, bytes),
        })
    }

    /// Whether a frame shows the same motion: with the same bodies, or with what they have come apart into.
    fn goes_on(&self, frame: &Frame) -> bool {
        self.scenes.last().is_none_or(|take| {
            same_cast(&take.cast, &frame.cast)
                || take.cast.toml == frame.cast.toml && take.cast.origin == frame.cast.origin
        })
    }
}

fn positions(cast: &Cast, bytes: &Bytes) -> Vec<DVec3> {
    let number = |bytes: &[u8]| f32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]);
    let node = |bytes: &[u8]| {
        let local = Vec3::new(number(bytes), number(&bytes[4..]), number(&bytes[8..]));
        cast.origin + local.as_dvec3()
    };
    bytes.chunks_exact(12).map(node).collect()
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

    /// Keeps a frame. Bodies that are not those of the frames before, nor pieces of them, begin a new recording.
    pub(crate) fn keep(&mut self, frame: &Frame) {
        if !self.on {
            return;
        }
        if !self.recording.as_ref().is_some_and(|recording| recording.goes_on(frame)) {
            self.recording = Some(Arc::default());
        }
        let Some(recording) = &mut self.recording else { return };
        let recording = Arc::make_mut(recording);
        let last = recording.scenes.last().and_then(|take| take.frames.last());
        if last.is_some_and(|(time, _)| *time >= frame.time) {
            return;
        }
        let same = |take: &&mut Take| same_cast(&take.cast, &frame.cast);
        let kept = (frame.time, frame.positions.clone());
        match recording.scenes.last_mut().filter(same) {
            Some(take) => {
                take.frames.push(kept);
                take.cast = frame.cast.clone();
            }
            None => {
                recording.scenes.push(Take { cast: frame.cast.clone(), frames: vec![kept] });
            }
        }
        recording.bytes += frame.positions.len();
        self.on = recording.frame_count() < MOST_FRAMES && recording.bytes < MOST_BYTES;
    }

    /// What was kept.
    pub(crate) fn recording(&self) -> Arc<Recording> {
        self.recording.clone().unwrap_or_default()
    }
}

fn same_cast(a: &Cast, b: &Cast) -> bool {
    a.generation == b.generation
        || a.origin == b.origin
            && a.bodies.len() == b.bodies.len()
            && a.bodies.iter().zip(&b.bodies).all(|(a, b)| a.look.id == b.look.id)
}
