//! Fragments: bodies that are parts of a broken body.

use std::sync::Arc;

use crate::body::{Body, CellNeighbours, PartOf, Pin, Whole};
use crate::persist::{Reader, SnapshotError, Writer};
use pliant_mesh::mesh::Part;

use super::fragment_surface::FragmentSurface;
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
            Arc::new(Whole { name: self.name.clone(), model, anchors, pins: self.pins.clone() })
        })
    }

    /// A fragment as a separate body, with the positions, velocities and pins of this one, and with the pulls on
    /// points that it contains. `joined` are the neighbours of its cells.
    pub(crate) fn come_apart(&self, part: &Part, joined: &CellNeighbours) -> Self {
        let whole = self.as_whole();
        let of_whole = self.part().map_or_else(|| part.clone(), |own| own.then(part));
        let (mut model, pins) = (self.model.part(part, joined), part_of_pins(&self.pins, part));
        model.draw_later(surface(&whole, &of_whole));
        let mut body = Self::unchecked(whole.name.clone(), Arc::new(model), pins);
        body.anchors = part.carry(&self.anchors).into();
        body.state.x = part.carry(&self.state.x);
        body.state.v = part.carry(&self.state.v);
        let links = Links::of(part, &body.model);
        body.pulls = self.pulls.iter().filter_map(|pull| links.pull(pull)).collect();
        let ties = self.ties.iter().filter_map(|(tie, pull)| Some((*tie, links.pull(pull)?)));
        body.ties = ties.collect();
        body.part_of = Some(PartOf { whole, part: of_whole });
        body.keep_form();
        body
    }

    /// Takes a name that distinguishes it from other fragments: it contains the index of its slot.
    pub(crate) fn take_name(&mut self, slot: u32) {
        if let Some(whole) = self.whole() {
            self.name = name_of(whole, slot);
        }
    }

    /// A fragment at rest, before its state is read from a snapshot.
    pub(crate) fn of_whole(whole: &Arc<Whole>, slot: u32, part: Part) -> Self {
        let joined = whole.model.mesh().cell_neighbours();
        let (mut model, pins) =
            (whole.model.part(&part, &joined), part_of_pins(&whole.pins, &part));
        model.draw_later(surface(whole, &part));
        let mut body = Self::unchecked(name_of(whole, slot), Arc::new(model), pins);
        body.anchors = part.carry(&whole.anchors).into();
        body.part_of = Some(PartOf { whole: whole.clone(), part });
        body
    }

    /// The unbroken body at rest, before its state is read from a snapshot.
    pub(crate) fn whole_again(whole: &Whole) -> Self {
        let (model, pins) = (whole.model.clone(), whole.pins.clone());
        let mut body = Self::unchecked(whole.name.clone(), model, pins);
        body.anchors = whole.anchors.clone();
        body
    }
}

/// The drawn surface of a fragment, made on first use.
fn surface(whole: &Whole, part: &Part) -> Arc<FragmentSurface> {
    Arc::new(FragmentSurface { whole: whole.model.clone(), part: part.clone() })
}

/// The name of a fragment: that of the unbroken body and its slot in the world.
fn name_of(whole: &Whole, slot: u32) -> String {
    format!("{}.{slot}", whole.name)
}

/// The pins of the nodes of a fragment; every copy of a pinned node is pinned.
fn part_of_pins(pins: &[Pin], part: &Part) -> Vec<Pin> {
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
pub(crate) fn save_part(part: &Part, to: &mut Writer) {
    for list in [&part.cells, &part.nodes, &part.links] {
        to.u32(list.len() as u32);
        list.iter().for_each(|number| to.u32(*number));
    }
}

/// Reads the cells and nodes of a fragment.
pub(crate) fn read_part(from: &mut Reader<'_>) -> Result<Part, SnapshotError> {
    let mut list = || -> Result<Vec<u32>, SnapshotError> {
        (0..from.count(INDEX_BYTES)?).map(|_| from.u32()).collect()
    };
    Ok(Part { cells: list()?, nodes: list()?, links: list()? })
}
