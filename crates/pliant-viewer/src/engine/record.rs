//! Frames that are kept, to be saved as an animation.

use std::sync::Arc;

use glam::Vec3;

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
    /// Times, in s, and positions of all nodes relative to the origin.
    pub(crate) frames: Vec<(f64, Arc<[Vec3]>)>,
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
        let local = frame.x.iter().map(|x| (*x - frame.cast.origin).as_vec3());
        recording.frames.push((frame.time, local.collect()));
        recording.cast = frame.cast.clone();
        let bytes = recording.frames.len() * frame.x.len() * size_of::<Vec3>();
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
