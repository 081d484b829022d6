//! Publication of frames for pages.

use std::sync::Arc;
use std::time::Instant;

use glam::DVec3;
use pliant::body::FlowState;
use pliant::contact::Obstacle;
use pliant_io::scene::PlacedProbe;

use super::frame::{Frame, Milliseconds, MovedObstacle, SkippedWork};
use super::shown_scene::ShownScene;
use super::stage::Stage;
use super::thread::Engine;
use crate::protocol::message::Run;

impl Engine {
    /// Rebuilds the data of the shown bodies.
    pub(super) fn update_shown_scene(&mut self) {
        self.generation += 1;
        self.stage.update_shown();
        let shown_scene = ShownScene::new(self.generation, &self.stage, &self.history);
        self.shown_scene = Arc::new(shown_scene);
        self.dirty = true;
    }

    /// Publishes the current state as the newest frame.
    pub(super) fn publish(&mut self) {
        self.dirty = false;
        self.serial += 1;
        let begin = Instant::now();
        let frame = self.snapshot();
        self.recorder.record(&frame);
        self.old = Some(self.frames.send_replace(Arc::new(frame)));
        self.publishing += 0.1 * (1e3 * begin.elapsed().as_secs_f64() - self.publishing);
    }

    fn snapshot(&mut self) -> Frame {
        let (x, v) = self.state();
        let (stage, shown_scene) = (&self.stage, self.shown_scene.clone());
        let (pace, behind) = self.clock.pace();
        let linear = &self.report.linear;
        let unknowns = if linear.unknowns == 0 { shown_scene.unknowns } else { linear.unknowns };
        let count = stage.shown.len();
        let asleep =
            |place: &usize| stage.world.is_asleep(stage.shown[*place].handle) == Some(true);
        let contacts = stage.world.contacts();
        let frame = Frame {
            serial: self.serial,
            frame: self.frame,
            time: stage.world.time(),
            edited: self.edited,
            run: self.run_state(),
            pace,
            behind: behind && self.playing,
            ms: Milliseconds { publish: self.publishing, ..self.clock.milliseconds() },
            budget_ms: 1e3 * stage.world.config().dt / self.speed,
            given_up: self.step_budget.compromises().map(SkippedWork::of),
            fps: if self.playing { self.clock.rate() } else { 0.0 },
            residual: linear.residual.max(self.report.sweeps.residual),
            iterations: linear.iterations + self.report.sweeps.sweeps,
            unknowns,
            asleep: (0..count).filter(asleep).map(|place| place as u32).collect(),
            reset: self.reset.clone(),
            grabs: self.grabs.notes(stage, !self.playing),
            probes: stage.probes.iter().map(|probe| self.place_of(probe)).collect(),
            obstacles: self.moved_obstacles(),
            events: self.log.events(),
            contacts: contacts.map(|contact| [contact.position, contact.normal]).collect(),
            degrees: (0..count).map(|place| self.degrees(place)).collect(),
            flows: (0..count).map(|place| self.flow(place)).collect(),
            ..Frame::new(shown_scene, x, v)
        };
        let kinetic = if frame.has_energy() { stage.world.kinetic_energy() } else { 0.0 };
        Frame { kinetic, ..frame }
    }

    /// Positions and velocities of all nodes, stored in the buffers of an old frame that no page reads any more.
    fn state(&mut self) -> (Vec<DVec3>, Vec<DVec3>) {
        let old = self.old.take().and_then(Arc::into_inner);
        let (mut x, mut v) = old.map_or_else(Default::default, |old| (old.x, old.v));
        x.clear();
        v.clear();
        for shown in &self.stage.shown {
            let Some(body) = self.stage.world.get(shown.handle) else { continue };
            x.extend_from_slice(&body.state.x);
            v.extend_from_slice(&body.state.v);
        }
        (x, v)
    }

    /// Degrees at the nodes of a body with adaptive degree.
    fn degrees(&self, place: usize) -> Option<Vec<u8>> {
        let shown = self.stage.shown.get(place)?;
        let adapts = self.stage.scene.bodies.get(shown.of)?.method.adaptive.is_some();
        adapts.then(|| self.stage.world.degrees(shown.handle))?
    }

    /// The plastic flow of a body, if it has flowed.
    fn flow(&self, place: usize) -> Option<FlowState> {
        let (body, shown_body) = (self.stage.shown_at(place)?, self.shown_scene.bodies.get(place)?);
        // The flow of a newer model does not fit the one that is shown.
        body.state.flow.clone().filter(|_| Arc::ptr_eq(body.model(), &shown_body.model))
    }

    fn place_of(&self, probe: &PlacedProbe) -> [f64; 3] {
        let Stage { world, handles, .. } = &self.stage;
        let handle = handles.get(probe.body);
        let now = handle.and_then(|handle| world.point_now(*handle, &probe.point));
        let place = now.and_then(|(piece, point)| Some(point.position(&world.get(piece)?.state.x)));
        place.unwrap_or(probe.at).to_array()
    }

    fn run_state(&self) -> Run {
        let busy = self.building.as_ref().map(|pending| pending.cause.label(&self.stage.scene));
        let (playing, recording) = (self.playing, self.recorder.is_on());
        Run { playing, speed: self.speed, recording, pages: self.pages, busy }
    }

    fn moved_obstacles(&self) -> Vec<MovedObstacle> {
        let time = self.stage.world.time();
        let moving = self.stage.world.obstacles().iter().enumerate();
        let moving = moving.filter(|(_, obstacle)| !obstacle.motion.ramps.is_empty());
        let place = |(index, obstacle): (usize, &Obstacle)| {
            let pose = obstacle.pose_at(time);
            let (position, rotation) = (pose.translation.to_array(), pose.rotation.to_array());
            MovedObstacle { index, position, rotation }
        };
        moving.map(place).collect()
    }
}
