//! Bodies that are parts of another: what is left of it, and what came away.

use std::sync::Arc;

use glam::DVec3;

use crate::body::body::Body;
use crate::body::hold::motion::Pin;
use crate::body::hold::pull::Pull;
use crate::body::material_point::MaterialPoint;
use crate::body::model::model::{Model, Neighbours};
use crate::mesh::Part;
use crate::persist::{Reader, SnapshotError, Writer};

/// A body before it broke: what never changes of it.
#[derive(Debug)]
pub(crate) struct Whole {
    name: String,
    model: Arc<Model>,
    anchors: Arc<[DVec3]>,
    pins: Vec<Pin>,
}

/// What a body is a part of.
#[derive(Debug, Clone)]
pub(crate) struct PartOf {
    pub(crate) whole: Arc<Whole>,
    pub(crate) part: Part,
}

impl Whole {
    /// Its mesh and what it is made of.
    pub(crate) fn model(&self) -> &Model {
        &self.model
    }

    /// Where its nodes rested before any shape was committed, in m.
    pub(crate) fn anchors(&self) -> &[DVec3] {
        &self.anchors
    }

    /// What holds it.
    pub(crate) fn pins(&self) -> &[Pin] {
        &self.pins
    }
}

impl Body {
    /// What it was before it broke, if it has.
    pub(crate) fn whole(&self) -> Option<&Arc<Whole>> {
        self.part_of.as_ref().map(|of| &of.whole)
    }

    /// Its name, or that of the whole if it is a piece.
    pub fn whole_name(&self) -> &str {
        self.whole().map_or(self.name(), |whole| &whole.name)
    }

    /// Cells of the whole that its own are, in their order; none if it has not broken.
    pub fn cells_of_whole(&self) -> Option<&[u32]> {
        self.part().map(|part| &part.cells[..])
    }

    /// The part of the whole that it is, if it has broken.
    pub(crate) fn part(&self) -> Option<&Part> {
        self.part_of.as_ref().map(|of| &of.part)
    }

    /// What it is as a whole, to be kept by its parts.
    pub(crate) fn as_whole(&self) -> Arc<Whole> {
        self.whole().cloned().unwrap_or_else(|| {
            let (model, anchors) = (self.model.clone(), self.anchors.clone());
            Arc::new(Whole { name: self.name.clone(), model, anchors, pins: self.pins.clone() })
        })
    }

    /// A part of it as a body of its own: where it is and as fast, held by the same pins, pulled at as far as
    /// it has what is pulled. `joined` are the neighbours of its cells.
    pub(crate) fn come_apart(&self, part: &Part, joined: &Neighbours) -> Self {
        let whole = self.as_whole();
        let of_whole = self.part().map_or_else(|| part.clone(), |own| own.then(part));
        let (mut model, pins) = (self.model.part(part, joined), part_of_pins(&self.pins, part));
        model.draw_later(whole.model.clone(), of_whole.clone());
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

    /// Takes a name that tells it from other pieces: its place in the world is in it.
    pub(crate) fn take_name(&mut self, slot: u32) {
        if let Some(whole) = self.whole() {
            self.name = name_of(whole, slot);
        }
    }

    /// A part of a whole at rest, as it is before its state is read.
    pub(crate) fn of_whole(whole: &Arc<Whole>, slot: u32, part: Part) -> Self {
        let joined = whole.model.mesh().cell_neighbours();
        let (mut model, pins) =
            (whole.model.part(&part, &joined), part_of_pins(&whole.pins, &part));
        model.draw_later(whole.model.clone(), part.clone());
        let mut body = Self::unchecked(name_of(whole, slot), Arc::new(model), pins);
        body.anchors = part.carry(&whole.anchors).into();
        body.part_of = Some(PartOf { whole: whole.clone(), part });
        body
    }

    /// The whole at rest, as it is before its state is read.
    pub(crate) fn whole_again(whole: &Whole) -> Self {
        let (model, pins) = (whole.model.clone(), whole.pins.clone());
        let mut body = Self::unchecked(whole.name.clone(), model, pins);
        body.anchors = whole.anchors.clone();
        body
    }
}

/// The name of a part: its place tells it from others.
fn name_of(whole: &Whole, slot: u32) -> String {
    format!("{}.{slot}", whole.name)
}

/// Pins of the nodes that a part has; every copy of a node is held as that was.
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

/// Carries points of a whole over to a part of it.
pub(crate) struct Links<'a> {
    part: &'a Part,
    model: &'a Model,
}

impl<'a> Links<'a> {
    pub(crate) fn of(part: &'a Part, model: &'a Model) -> Self {
        Self { part, model }
    }

    /// A point in a cell of the whole, if the part has that.
    pub(crate) fn point(&self, point: &MaterialPoint) -> Option<MaterialPoint> {
        let cell = self.part.cell(point.cell)?;
        let nodes = self.model.mesh().cell(cell as usize).1.to_vec();
        Some(MaterialPoint { cell, nodes, weights: point.weights.clone() })
    }

    /// What pulls at it, alike.
    pub(crate) fn pull(&self, pull: &Pull) -> Option<Pull> {
        Some(Pull { point: self.point(&pull.point)?, ..pull.clone() })
    }
}

/// Bytes of a number.
const NUMBER: usize = 4;

/// Writes which cells and nodes a part has.
pub(crate) fn save_part(part: &Part, to: &mut Writer) {
    for list in [&part.cells, &part.nodes, &part.links] {
        to.u32(list.len() as u32);
        list.iter().for_each(|number| to.u32(*number));
    }
}

/// Reads which cells and nodes a part has.
pub(crate) fn read_part(from: &mut Reader<'_>) -> Result<Part, SnapshotError> {
    let mut list = || -> Result<Vec<u32>, SnapshotError> {
        (0..from.count(NUMBER)?).map(|_| from.u32()).collect()
    };
    Ok(Part { cells: list()?, nodes: list()?, links: list()? })
}
