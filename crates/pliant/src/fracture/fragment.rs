//! Fragments: bodies that are parts of a broken body.

use std::sync::{Arc, OnceLock};

use crate::body::{Body, CellNeighbours, FlowState, PartOf, Pin, RestShape, Whole};
use crate::persist::{Reader, SnapshotError, Writer};
use pliant_mesh::mesh::{Fragment, Mesh};

use super::links::Links;

impl Body {
    /// The name of the original body; the own name if it has not broken.
    pub fn whole_name(&self) -> &str {
        self.whole().map_or(self.name(), |whole| &whole.name)
    }

    /// The cells of the unbroken body that this fragment consists of, in the order of its own cells; `None` if the
    /// body has not broken.
    pub fn cells_of_whole(&self) -> Option<&[u32]> {
        self.part().map(|part| &part.cells[..])
    }

    /// The unbroken body, for its fragments to keep.
    pub(crate) fn as_whole(&self) -> Arc<Whole> {
        self.whole().cloned().unwrap_or_else(|| {
            let (model, anchors) = (self.model.clone(), self.anchors.clone());
            let (name, flow, pins) =
                (self.name.clone(), self.state.flow.clone(), self.pins.clone());
            Arc::new(Whole { name, model, flow, anchors, pins })
        })
    }

    /// A fragment as a separate body, with the positions, velocities and pins of this one, and with the pulls on
    /// points that it contains. `joined` are the neighbours of its cells.
    pub(crate) fn come_apart(&self, part: &Fragment, joined: &CellNeighbours) -> Self {
        let whole = self.as_whole();
        let of_whole = self.part().map_or_else(|| part.clone(), |own| own.then(part));
        let pins = part_of_pins(&self.pins, part);
        let mut body = Self::unchecked(whole.name.clone(), Arc::new(self.model.part(part)), pins);
        body.anchors = part.carry(&self.anchors).into();
        body.state.x = part.carry(&self.state.x);
        body.state.v = part.carry(&self.state.v);
        body.state.flow = FlowState::of_part(self.rest_shape(), part, &body.model);
        let links = Links::of(part, &body.model);
        let pulls = self.pull_handles.iter().zip(&self.pulls);
        let pulls = pulls.filter_map(|(handle, pull)| Some((*handle, links.pull(pull)?)));
        (body.pull_handles, body.pulls) = pulls.unzip();
        body.pulls_added = self.pulls_added;
        let ties = self.ties.iter().filter_map(|(tie, pull)| Some((*tie, links.pull(pull)?)));
        body.ties = ties.collect();
        let fresh = fresh_faces(part, body.model.mesh(), joined, self.fresh_faces());
        body.become_part(whole, of_whole, fresh);
        body.keep_form();
        body
    }

    /// Makes it a part of a broken body.
    fn become_part(&mut self, whole: Arc<Whole>, part: Fragment, fresh_faces: Vec<[u32; 2]>) {
        let (model, splinters) = (self.model.clone(), OnceLock::new());
        self.part_of = Some(Arc::new(PartOf { whole, part, model, fresh_faces, splinters }));
    }

    /// Takes the name of the unbroken body if it has its place, and otherwise one that distinguishes it from other fragments.
    pub(crate) fn take_name(&mut self, place: FragmentPlace) {
        if let Some(whole) = self.whole() {
            self.name = name_of(whole, place);
        }
    }

    /// A fragment at rest, before its state is read from a snapshot.
    pub(crate) fn of_whole(whole: &Arc<Whole>, place: FragmentPlace, part: Fragment) -> Self {
        let joined = whole.model.mesh().cell_neighbours();
        let (model, pins) = (whole.model.part(&part), part_of_pins(&whole.pins, &part));
        let mut body = Self::unchecked(name_of(whole, place), Arc::new(model), pins);
        body.anchors = part.carry(&whole.anchors).into();
        let rest = RestShape::new(&whole.model, whole.flow.as_ref());
        body.state.flow = FlowState::of_part(rest, &part, &body.model);
        let fresh = fresh_faces(&part, body.model.mesh(), &joined, &[]);
        body.become_part(whole.clone(), part, fresh);
        body
    }

    /// The unbroken body at rest, before its state is read from a snapshot.
    pub(crate) fn whole_again(whole: &Whole) -> Self {
        let (model, pins) = (whole.model.clone(), whole.pins.clone());
        let mut body = Self::unchecked(whole.name.clone(), model, pins);
        body.anchors = whole.anchors.clone();
        body.state.flow = whole.flow.clone();
        body
    }
}

/// Faces of a part that a break opened, now or before. `joined` are the neighbours of all cells of the body that broke, and
/// `before` its own open faces.
fn fresh_faces(
    part: &Fragment,
    mesh: &Mesh,
    joined: &CellNeighbours,
    before: &[[u32; 2]],
) -> Vec<[u32; 2]> {
    let mut fresh = Vec::new();
    let cells = part.cells.iter().copied().zip(mesh.cell_neighbours());
    for (cell, (of_whole, neighbours)) in (0u32..).zip(cells) {
        for (face, neighbour) in (0u32..).zip(neighbours) {
            let was_inside = joined[of_whole as usize][face as usize].is_some();
            let opened = neighbour.is_none() && was_inside;
            if opened || before.binary_search(&[of_whole, face]).is_ok() {
                fresh.push([cell, face]);
            }
        }
    }
    fresh
}

/// Where a fragment is in the world.
#[derive(Debug, Clone, Copy)]
pub(crate) struct FragmentPlace {
    /// The index of its slot.
    pub(crate) index: u32,
    /// True if it is in the place of the unbroken body, whose handle is now its own.
    pub(crate) is_first: bool,
}

/// The name of a fragment. The one that keeps the handle keeps the name: names stay keys when bodies break.
fn name_of(whole: &Whole, FragmentPlace { index, is_first }: FragmentPlace) -> String {
    if is_first { whole.name.clone() } else { format!("{}.{index}", whole.name) }
}

/// Pins of the nodes of a fragment; every copy of a pinned node is pinned.
fn part_of_pins(pins: &[Pin], part: &Fragment) -> Vec<Pin> {
    let held = |pin: &Pin| {
        let places = (0u32..).zip(&part.nodes);
        let places = places.filter_map(|(copy, node)| {
            pin.nodes.iter().position(|held| held == node).map(|place| (copy, place))
        });
        let (nodes, rows): (Vec<u32>, Vec<usize>) = places.unzip();
        let spread = pin.spread.as_ref().map(|spread| spread.rows_of(&rows));
        Pin { nodes, motion: pin.motion.clone(), spread }
    };
    pins.iter().map(held).filter(|pin| !pin.nodes.is_empty()).collect()
}

/// Bytes of a stored index.
const INDEX_BYTES: usize = 4;

/// Writes the cells and nodes of a fragment.
pub(crate) fn save_part(part: &Fragment, to: &mut Writer) {
    for list in [&part.cells, &part.nodes, &part.links] {
        to.u32(list.len() as u32);
        list.iter().for_each(|number| to.u32(*number));
    }
}

/// Reads the cells and nodes of a fragment.
pub(crate) fn read_part(from: &mut Reader<'_>) -> Result<Fragment, SnapshotError> {
    let mut list = || -> Result<Vec<u32>, SnapshotError> {
        (0..from.count(INDEX_BYTES)?).map(|_| from.u32()).collect()
    };
    Ok(Fragment { cells: list()?, nodes: list()?, links: list()? })
}
