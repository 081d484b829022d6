//! Keeps every part of the solid: finds where straight cells lose something, so that the leaves there are cut.

use glam::DVec3;

use super::envelope::{Envelope, LostPoint};
use super::octree::Octree;
use super::pieces::{Neck, Parts};
use super::sharp::SharpEdges;
use super::solid::Solid;
use super::stuffing::{Frame, Stuffed};

/// What the cells must keep, and how many there may be.
#[derive(Debug)]
pub(super) struct Keeper<'a> {
    pub(super) envelope: &'a Envelope,
    pub(super) sharp: &'a SharpEdges,
    pub(super) parts: Parts<'a>,
    /// Beyond this number of cells nothing more is refined.
    pub(super) max_cells: usize,
}

/// The result of a round of refinement.
#[derive(Debug)]
pub(super) enum Refinement {
    /// Nothing is lost.
    Complete,
    /// Leaves were cut where these points were lost.
    Refined(Vec<LostPoint>),
    /// Something is lost that no leaf is fine enough for.
    Stuck,
}

/// A place where leaves must be cut.
#[derive(Debug, Clone, Copy)]
struct Place {
    point: [f64; 3],
    /// In units of the lattice.
    reach: f64,
    level: u8,
}

impl Keeper<'_> {
    /// Cuts the leaves where these cells lose something.
    pub(super) fn refine(
        &self,
        octree: &mut Octree,
        frame: &Frame,
        stuffed: &Stuffed,
        solid: &Solid,
    ) -> Refinement {
        let mut stuffed = stuffed.clone();
        let necks = self.parts.necks(&stuffed);
        self.parts.drop_crumbs(&mut stuffed);
        self.sharp.snap(&mut stuffed);
        let lost = self.envelope.lost(&stuffed, solid);
        let is_cut = self.cut_at(octree, frame, &lost, &necks);
        match (lost.is_empty() && necks.is_empty(), is_cut) {
            (true, _) => Refinement::Complete,
            (false, false) => Refinement::Stuck,
            (false, true) => Refinement::Refined(lost),
        }
    }

    /// Makes the leaves at these places one level finer; false if all are the finest.
    pub(super) fn cut_at(
        &self,
        octree: &mut Octree,
        frame: &Frame,
        lost: &[LostPoint],
        necks: &[Neck],
    ) -> bool {
        let limit = self.envelope.limit;
        let places: Vec<Place> = {
            let lost = lost.iter().filter_map(|lost| place_of_lost(lost, limit, octree, frame));
            let neck = |neck: &Neck| place(neck.middle, neck.gap, octree, frame);
            lost.chain(necks.iter().filter_map(neck)).collect()
        };
        for Place { point, reach, level } in &places {
            octree.cut_near(*point, *reach, *level);
        }
        !places.is_empty()
    }
}

/// The leaf at a lost point becomes one level finer, if that can help.
fn place_of_lost(lost: &LostPoint, limit: f64, octree: &Octree, frame: &Frame) -> Option<Place> {
    /// The finest leaves have a side of two units.
    const FINEST_SIDE: f64 = 2.0;
    /// Leaves this many times smaller than the thickness hold a limb whatever its position in the lattice.
    const ENOUGH_LEAVES: f64 = 4.0;
    let place = place(lost.point, 0.0, octree, frame)?;
    let side = f64::from(4u32 << place.level) * frame.unit;
    let is_thick_enough = lost.thickness > 0.5 * FINEST_SIDE * frame.unit;
    let is_coarse = side > (lost.thickness / ENOUGH_LEAVES).min(limit);
    (is_thick_enough && is_coarse).then_some(place)
}

/// A place whose leaves become one level finer; `None` if they are the finest.
fn place(middle: DVec3, gap: f64, octree: &Octree, frame: &Frame) -> Option<Place> {
    let point = ((middle - frame.origin) / frame.unit).to_array();
    let level = octree.level_at(point).checked_sub(1)?;
    // Only the leaf that contains the point, or those on its face: more would refine parts where nothing is lost.
    const AT_POINT: f64 = 0.02;
    let reach = (AT_POINT * f64::from(2u32 << level)).max(gap / frame.unit);
    Some(Place { point, reach, level })
}
