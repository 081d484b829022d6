//! What is shown of a world: the bodies of the scene, and behind them the pieces that came away from them.

use std::sync::Arc;

use glam::DVec3;
use pliant::body::Body;
use pliant::world::Handle;

use super::beginning::is_part;
use super::stage::Stage;
use crate::protocol::model::Look;

/// A body as it is shown.
#[derive(Debug, Clone)]
pub(crate) struct Shown {
    pub(crate) handle: Handle,
    /// The body of the scene that it is, or is a piece of.
    pub(crate) of: usize,
    pub(crate) look: Arc<Look>,
    /// Where its nodes were in the beginning, in m, if it is a part of what it was then.
    pub(crate) start: Option<Arc<[DVec3]>>,
    /// Whether it has faded: what is left of a body of the scene keeps its place.
    pub(crate) gone: bool,
    /// That of the world.
    version: Option<u64>,
}

impl Stage {
    /// Looks at what there is to be shown; tells whether that is something else than before.
    pub(crate) fn look_again(&mut self) -> bool {
        let before = std::mem::take(&mut self.shown);
        let mut now = Vec::with_capacity(before.len());
        for (of, handle) in self.handles.clone().into_iter().enumerate() {
            now.push(self.shown_body(handle, of, &before));
        }
        for (handle, of) in self.pieces() {
            now.push(self.shown_body(handle, of, &before));
        }
        let same = |(a, b): (&Shown, &Shown)| {
            (a.handle, a.look.id, a.gone) == (b.handle, b.look.id, b.gone)
        };
        let changed = now.len() != before.len() || !now.iter().zip(&before).all(same);
        self.shown = now;
        changed
    }

    /// Pieces that came away from bodies of the scene and have not faded, each with its body.
    fn pieces(&self) -> Vec<(Handle, usize)> {
        let all = self.world.bodies().map(|(handle, _)| handle);
        let pieces = all.filter(|handle| !self.handles.contains(handle));
        let there = pieces.filter(|handle| self.world.is_gone(*handle) == Some(false));
        there.filter_map(|handle| Some((handle, self.origin_of(handle)?))).collect()
    }

    /// A body as it is shown; as before, if it has not changed since.
    fn shown_body(&mut self, handle: Handle, of: usize, before: &[Shown]) -> Shown {
        let version = self.world.version(handle);
        let gone = self.world.is_gone(handle) == Some(true);
        let Some(part) = self.world.body(handle).filter(|body| is_part(body)) else {
            let look = self.looks[of].clone();
            return Shown { handle, of, look, start: None, gone, version };
        };
        let known = before
            .iter()
            .find(|old| (old.handle, old.version) == (handle, version) && old.start.is_some());
        if let Some(known) = known {
            return Shown { of, gone, ..known.clone() };
        }
        let part = part.clone();
        let start = Some(self.start_of(of, &part));
        Shown { handle, of, look: self.part_look(of, &part), start, gone, version }
    }

    /// Where the nodes of a part were in the beginning.
    fn start_of(&self, of: usize, part: &Body) -> Arc<[DVec3]> {
        let whole = &self.beginnings[of].body;
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

    /// The body of the scene that a body is, or is a piece of.
    pub(crate) fn origin_of(&self, handle: Handle) -> Option<usize> {
        let origin = self.world.origin(handle)?;
        self.handles.iter().position(|own| *own == origin)
    }

    /// The place of a body among all that are shown.
    pub(crate) fn place_of(&self, handle: Handle) -> Option<usize> {
        self.shown.iter().position(|shown| shown.handle == handle)
    }

    /// What is shown at a place.
    pub(crate) fn shown_at(&self, place: usize) -> Option<&Body> {
        self.world.body(self.shown.get(place)?.handle)
    }

    /// The body of the scene that is shown at a place, or of which a piece is; the place itself if there is nothing.
    pub(crate) fn whole_of(&self, place: usize) -> usize {
        self.shown.get(place).map_or(place, |shown| shown.of)
    }

    /// Whether a body of the scene has come apart.
    pub(crate) fn is_broken(&self, index: usize) -> bool {
        self.body(index).is_some_and(is_part)
    }

    /// Lowest and highest corner of what is shown at a place, at rest, in m.
    pub(crate) fn shown_bounds(&self, place: usize) -> (DVec3, DVec3) {
        let (Some(shown), Some(body)) = (self.shown.get(place), self.shown_at(place)) else {
            return (DVec3::ZERO, DVec3::ZERO);
        };
        let mut points = Vec::new();
        shown.look.skin.interpolate(body.anchors(), &mut points);
        super::stage::bounds(points.iter())
    }
}
