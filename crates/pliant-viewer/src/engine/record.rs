//! Recorded frames, to be saved as an animation.

use std::sync::Arc;

use bytes::Bytes;
use glam::{DVec3, Vec3};

use super::frame::Frame;
use super::shown_scene::ShownScene;

/// The largest number of frames of a recording.
const MAX_FRAMES: usize = 2000;

/// The largest size of a recording, in bytes.
const MAX_BYTES: usize = 256 << 20;

/// A recording.
#[derive(Debug, Clone, Default)]
pub(crate) struct Recording {
    /// Takes in order of time; a break starts a new one.
    scenes: Vec<Take>,
    bytes: usize,
}

/// Frames with the same bodies.
#[derive(Debug, Clone)]
struct Take {
    /// The bodies.
    shown_scene: Arc<ShownScene>,
    /// Times, in s, and positions of all nodes as sent to pages: relative to the origin, as 32-bit floats.
    frames: Vec<(f64, Bytes)>,
}

/// A recorded frame.
#[derive(Debug)]
pub(crate) struct RecordedFrame<'a> {
    /// The bodies.
    pub(crate) shown_scene: &'a ShownScene,
    /// Time, in s.
    pub(crate) time: f64,
    /// Positions of all nodes, in m.
    pub(crate) x: Vec<DVec3>,
}

impl Recording {
    /// Number of frames.
    pub(crate) fn frame_count(&self) -> usize {
        self.scenes.iter().map(|take| take.frames.len()).sum()
    }

    /// The bodies of every take.
    pub(crate) fn shown_scenes(&self) -> impl Iterator<Item = &ShownScene> {
        self.scenes.iter().map(|take| &*take.shown_scene)
    }

    /// Every `stride`-th frame.
    pub(crate) fn every(&self, stride: usize) -> impl Iterator<Item = RecordedFrame<'_>> {
        let all = self.scenes.iter().flat_map(|take| {
            take.frames.iter().map(|(time, bytes)| (&*take.shown_scene, *time, bytes))
        });
        all.step_by(stride).map(|(shown_scene, time, bytes)| RecordedFrame {
            shown_scene,
            time,
            x: positions(shown_scene, bytes),
        })
    }

    /// True if a frame continues the recording: with the same bodies or their fragments.
    fn is_continued_by(&self, frame: &Frame) -> bool {
        self.scenes.last().is_none_or(|take| {
            same_bodies(&take.shown_scene, &frame.shown_scene)
                || take.shown_scene.toml == frame.shown_scene.toml
                    && take.shown_scene.origin == frame.shown_scene.origin
        })
    }
}

fn positions(shown_scene: &ShownScene, bytes: &Bytes) -> Vec<DVec3> {
    let number = |bytes: &[u8]| f32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]);
    let node = |bytes: &[u8]| {
        let local = Vec3::new(number(bytes), number(&bytes[4..]), number(&bytes[8..]));
        shown_scene.origin + local.as_dvec3()
    };
    bytes.chunks_exact(12).map(node).collect()
}

/// Records frames.
#[derive(Debug, Default)]
pub(crate) struct Recorder {
    recording: Option<Arc<Recording>>,
    on: bool,
}

impl Recorder {
    /// True while frames are recorded.
    pub(crate) fn is_on(&self) -> bool {
        self.on
    }

    /// Starts a new recording.
    pub(crate) fn begin(&mut self) {
        (self.on, self.recording) = (true, None);
    }

    /// Stops the recording.
    pub(crate) fn end(&mut self) {
        self.on = false;
    }

    /// Records a frame. Bodies that are neither those of the previous frames nor their fragments start a new recording.
    pub(crate) fn record(&mut self, frame: &Frame) {
        if !self.on {
            return;
        }
        if !self.recording.as_ref().is_some_and(|recording| recording.is_continued_by(frame)) {
            self.recording = Some(Arc::default());
        }
        let Some(recording) = &mut self.recording else { return };
        let recording = Arc::make_mut(recording);
        let last = recording.scenes.last().and_then(|take| take.frames.last());
        if last.is_some_and(|(time, _)| *time >= frame.time) {
            return;
        }
        let same = |take: &&mut Take| same_bodies(&take.shown_scene, &frame.shown_scene);
        let kept = (frame.time, frame.positions.clone());
        match recording.scenes.last_mut().filter(same) {
            Some(take) => {
                take.frames.push(kept);
                take.shown_scene = frame.shown_scene.clone();
            }
            None => {
                recording
                    .scenes
                    .push(Take { shown_scene: frame.shown_scene.clone(), frames: vec![kept] });
            }
        }
        recording.bytes += frame.positions.len();
        self.on = recording.frame_count() < MAX_FRAMES && recording.bytes < MAX_BYTES;
    }

    /// The recorded frames.
    pub(crate) fn recording(&self) -> Arc<Recording> {
        self.recording.clone().unwrap_or_default()
    }
}

fn same_bodies(a: &ShownScene, b: &ShownScene) -> bool {
    a.generation == b.generation
        || a.origin == b.origin
            && a.bodies.len() == b.bodies.len()
            && a.bodies.iter().zip(&b.bodies).all(|(a, b)| a.drawn.id == b.drawn.id)
}
