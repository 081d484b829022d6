//! The shown bodies of a world: the bodies of the scene, followed by their fragments.

use std::sync::Arc;

use glam::DVec3;
use pliant::body::Body;
use pliant::world::BodyHandle;

use super::initial_state::is_broken_or_fragment;
use super::stage::Stage;
use crate::protocol::model::DrawnModel;

/// A shown body.
#[derive(Debug, Clone)]
pub(crate) struct StageBody {
    pub(crate) handle: BodyHandle,
    /// Index in the scene of its original body.
    pub(crate) of: usize,
    pub(crate) drawn: Arc<DrawnModel>,
    /// Initial positions of its nodes, in m, if it is broken.
    pub(crate) start: Option<Arc<[DVec3]>>,
    /// True if it has been removed; a body of the scene keeps its place.
    pub(crate) gone: bool,
    /// Version of the body in the world.
    version: Option<u64>,
}

impl Stage {
    /// Updates the list of shown bodies; returns true if it has changed.
    pub(crate) fn update_shown(&mut self) -> bool {
        let before = std::mem::take(&mut self.shown);
        let mut now = Vec::with_capacity(before.len());
        for (of, handle) in self.handles.clone().into_iter().enumerate() {
            now.push(self.shown_body(handle, of, &before));
        }
        for (handle, of) in self.pieces() {
            now.push(self.shown_body(handle, of, &before));
        }
        let same = |(a, b): (&StageBody, &StageBody)| {
            (a.handle, a.drawn.id, a.gone) == (b.handle, b.drawn.id, b.gone)
        };
        let changed = now.len() != before.len() || !now.iter().zip(&before).all(same);
        self.shown = now;
        changed
    }

    /// Fragments of bodies of the scene that have not been removed, each with its original body.
    fn pieces(&self) -> Vec<(BodyHandle, usize)> {
        let all = self.world.bodies().map(|(handle, _)| handle);
        let pieces = all.filter(|handle| !self.handles.contains(handle));
        let there = pieces.filter(|handle| self.world.is_gone(*handle) == Some(false));
        there.filter_map(|handle| Some((handle, self.origin_of(handle)?))).collect()
    }

    /// The entry of a body; reuses the previous one if the body is unchanged.
    fn shown_body(&mut self, handle: BodyHandle, of: usize, before: &[StageBody]) -> StageBody {
        let version = self.world.version(handle);
        let gone = self.world.is_gone(handle) == Some(true);
        let Some(part) = self.world.get(handle).filter(|body| is_broken_or_fragment(body)) else {
            let drawn = self.drawn_models[of].clone();
            return StageBody { handle, of, drawn, start: None, gone, version };
        };
        let known = before
            .iter()
            .find(|old| (old.handle, old.version) == (handle, version) && old.start.is_some());
        if let Some(known) = known {
            return StageBody { of, gone, ..known.clone() };
        }
        let part = part.clone();
        let start = Some(self.start_of(of, &part));
        StageBody { handle, of, drawn: self.fragment_drawn_model(of, &part), start, gone, version }
    }

    /// Initial positions of the nodes of a fragment.
    fn start_of(&self, of: usize, part: &Body) -> Arc<[DVec3]> {
        let whole = &self.initial_states[of].body;
        let mut start = part.state.x.clone();
        let (own, mesh) = (part.model().mesh(), whole.model().mesh());
        for (cell, of_whole) in part.cells_of_whole().unwrap_or_default().iter().enumerate() {
            if *of_whole as usize >= mesh.cell_count() {
                continue;
            }
            for (node, first) in own.cell(cell).1.iter().zip(mesh.cell(*of_whole as usize).1) {
                start[*node as usize] = whole.state.x[*first as usize];
            }
        }
        start.into()
    }

    /// Index in the scene of the original body.
    pub(crate) fn origin_of(&self, handle: BodyHandle) -> Option<usize> {
        let origin = self.world.origin(handle)?;
        self.handles.iter().position(|own| *own == origin)
    }

    /// Index of a body in the list of shown bodies.
    pub(crate) fn place_of(&self, handle: BodyHandle) -> Option<usize> {
        self.shown.iter().position(|shown| shown.handle == handle)
    }

    /// The body that is shown at a place.
    pub(crate) fn shown_at(&self, place: usize) -> Option<&Body> {
        self.world.get(self.shown.get(place)?.handle)
    }

    /// Index in the scene of the original body that is shown at a place; `place` itself if there is none.
    pub(crate) fn original_index(&self, place: usize) -> usize {
        self.shown.get(place).map_or(place, |shown| shown.of)
    }

    /// True if a body of the scene is broken.
    pub(crate) fn is_broken(&self, index: usize) -> bool {
        self.body(index).is_some_and(is_broken_or_fragment)
    }

    /// Lowest and highest corner of the body shown at a place, at rest, in m.
    pub(crate) fn shown_bounds(&self, place: usize) -> (DVec3, DVec3) {
        let (Some(shown), Some(body)) = (self.shown.get(place), self.shown_at(place)) else {
            return (DVec3::ZERO, DVec3::ZERO);
        };
        let mut points = Vec::new();
        shown.drawn.skin.interpolate(body.anchors(), &mut points);
        super::stage::bounds(points.iter())
    }
}
