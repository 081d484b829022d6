//! Straight tetrahedra at a given cell size.

use glam::DVec3;

use super::background::Background;
use super::cuts::{Known, SolidQuery};
use super::envelope::LostPoint;
use super::keeper::{Keeper, Refinement};
use super::octree::{Cube, Octree};
use super::size_rules::SizeRules;
use super::solid::Solid;
use super::stuffing::{Frame, Stuffed, stuff};
use super::{Grading, TetError};

/// Leaves nearer to the surface than this many sides are cut down to the size used there, so that only cells of the
/// regular lattice are cut or moved.
const BAND_WIDTH: f64 = 2.2;
/// The margin around the bounding box, in sides of the leaves at flat parts of the surface.
const MARGIN: f64 = 4.0;
/// The largest number of octree levels: indices then fit in 32 bits.
const MAX_LEVELS: u32 = 24;
/// A leaf is cut if normals of the surface around it differ by more than 143°, the angle of this cosine.
const MIN_NORMAL_COSINE: f64 = -0.8;
/// The largest number of rounds that cut the leaves of badly shaped cells.
const MAX_ROUNDS: usize = 40;
/// The number of octree levels in reserve for parts too thin for the size asked for.
const KEEPING_LEVELS: u8 = 8;
/// The largest number of rounds that cut the leaves where something is lost.
const MAX_KEEPING_ROUNDS: usize = 16;
/// The largest number of leaves per cell in a mesh of few cells, most of whose leaves are outside; more cannot become a
/// mesh of that many cells.
const MAX_LEAVES_PER_CELL: usize = 6;
/// The approximate number of cells in a leaf.
const CELLS_PER_LEAF: usize = 12;

/// Straight tetrahedra, and what they keep.
#[derive(Debug)]
pub(super) struct KeptCells {
    pub(super) stuffed: Stuffed,
    /// True if nothing was lost, as far as straight cells can tell.
    pub(super) is_complete: bool,
    /// The points that would have been lost without finer cells.
    pub(super) saved: Vec<LostPoint>,
    octree: Octree,
    frame: Frame,
    known: Known,
}

/// Makes straight tetrahedra of any size: its input and settings.
pub(super) struct StraightMesher<'a> {
    pub(super) solid: &'a Solid,
    pub(super) bounds: (DVec3, DVec3),
    pub(super) grading: Grading,
    pub(super) max_cells: usize,
    /// The user's rules for finer cells, if any.
    pub(super) finer: Option<&'a SizeRules<'a>>,
    /// What must be kept, if anything.
    pub(super) keeper: Option<&'a Keeper<'a>>,
}

impl StraightMesher<'_> {
    /// Makes tetrahedra whose long edges have this length where the surface is flat.
    pub(super) fn tetrahedra(&self, length: f64) -> Result<KeptCells, TetError> {
        let halvings = self.halvings(length);
        let (low, high) = self.bounds;
        let extent = (high - low).max_element();
        let coarse_levels = (extent / length + 2.0 * MARGIN).log2().ceil().max(1.0) as u32;
        if coarse_levels + u32::from(halvings) > MAX_LEVELS {
            let size = length / 2f64.powi(i32::from(halvings));
            return Err(self.too_many(12.0 * (extent / size).powi(2)));
        }
        // Levels in reserve cost nothing until they are used.
        let reserve = if self.keeper.is_some() { KEEPING_LEVELS } else { 0 };
        let levels = (coarse_levels + u32::from(halvings + reserve)).min(MAX_LEVELS);
        let halvings = (levels - coarse_levels) as u8;
        let unit = length / 2f64.powi(i32::from(halvings) + 1);
        let middle = DVec3::splat(unit * f64::from(1u32 << levels));
        let frame = Frame { origin: low.midpoint(high) - middle, unit };
        self.stuffed(Octree::new(levels as u8), &frame, halvings)
    }

    /// The number of octree levels below that of flat parts of the surface.
    fn halvings(&self, length: f64) -> u8 {
        let wanted = self.finer.map_or(0, |finer| finer.halvings(length));
        self.grading.curved.max(wanted)
    }

    /// Stuffs the octree, and cuts the leaves where something is lost until everything is kept.
    fn stuffed(
        &self,
        mut octree: Octree,
        frame: &Frame,
        halvings: u8,
    ) -> Result<KeptCells, TetError> {
        let most_leaves = self.max_cells.saturating_mul(2) / CELLS_PER_LEAF + 64;
        let too_many = |leaves: usize| self.too_many((CELLS_PER_LEAF * leaves) as f64);
        let too_large = |cube: &Cube| self.is_too_large(cube, frame, halvings);
        octree.refine(most_leaves, too_large).map_err(too_many)?;
        let mut known = Known::default();
        let stuffed = self.well_shaped(&mut octree, frame, &mut known);
        let (frame, saved) = (*frame, Vec::new());
        let kept = KeptCells { stuffed, is_complete: true, saved, octree, frame, known };
        Ok(match self.keeper {
            Some(keeper) => self.kept(kept, keeper),
            None => kept,
        })
    }

    /// Cuts the leaves at points that finished cells lost, and then where something else is lost; `None` if no leaf can
    /// be cut, or there would be too many cells.
    pub(super) fn refined_at(&self, kept: &KeptCells, lost: &[LostPoint]) -> Option<KeptCells> {
        let keeper = self.keeper?;
        let KeptCells { saved, octree, frame, known, .. } = kept;
        let (mut octree, mut known) = (octree.clone(), known.clone());
        if !keeper.cut_at(&mut octree, frame, lost, &[]) {
            return None;
        }
        let stuffed = self.well_shaped(&mut octree, frame, &mut known);
        let (frame, saved) = (*frame, saved.clone());
        let next = KeptCells { stuffed, is_complete: true, saved, octree, frame, known };
        let next = self.kept(next, keeper);
        (next.stuffed.cells.len() <= keeper.max_cells).then_some(next)
    }

    /// Cuts the leaves where something is lost, until everything is kept or there would be too many cells.
    fn kept(&self, mut kept: KeptCells, keeper: &Keeper<'_>) -> KeptCells {
        kept.is_complete = false;
        let mut octree = kept.octree.clone();
        for _ in 0..MAX_KEEPING_ROUNDS {
            match keeper.refine(&mut octree, &kept.frame, &kept.stuffed, self.solid) {
                Refinement::Complete => kept.is_complete = true,
                Refinement::Stuck => break,
                Refinement::Refined(lost) => {
                    if kept.saved.is_empty() {
                        kept.saved = lost;
                    }
                }
            }
            if kept.is_complete || octree.leaves().len() > MAX_LEAVES_PER_CELL * keeper.max_cells {
                break;
            }
            let finer = self.well_shaped(&mut octree, &kept.frame, &mut kept.known);
            if finer.cells.len() > keeper.max_cells {
                break;
            }
            (kept.stuffed, kept.octree) = (finer, octree.clone());
        }
        kept
    }

    /// Stuffs the octree and cuts the leaves of badly shaped cells until there are none.
    fn well_shaped(&self, octree: &mut Octree, frame: &Frame, known: &mut Known) -> Stuffed {
        for round in 0.. {
            let stuffed = stuff(&Background::new(octree), frame, self.solid, known);
            if stuffed.to_cut.is_empty() || round == MAX_ROUNDS {
                return stuffed;
            }
            stuffed.to_cut.iter().for_each(|leaf| octree.cut(*leaf));
        }
        unreachable!("the rounds are counted")
    }

    /// True if a leaf must be cut. Cells at flat parts of the surface have the level `halvings`.
    fn is_too_large(&self, cube: &Cube, frame: &Frame, halvings: u8) -> bool {
        let side = frame.unit * f64::from(cube.side());
        let middle = frame.position(cube.middle());
        let half_diagonal = side * 0.75f64.sqrt();
        // Above the level of flat parts: cut near the surface, and inside where the grading or a rule does not allow
        // the size.
        if cube.level > halvings {
            let reach = half_diagonal + BAND_WIDTH * frame.unit * f64::from(2u32 << halvings);
            if self.solid.distance_up_to(middle, reach) < reach {
                return true;
            }
            let most = halvings.saturating_add(self.grading.inside);
            let too_large = cube.level > most || self.is_too_large_for_user(middle, side);
            return too_large && self.solid.contains(middle);
        }
        // At that level or below: cut where a rule asks for it, or where the normals around a leaf at the surface
        // differ too much.
        if self.solid.distance_up_to(middle, half_diagonal) < half_diagonal {
            return self.is_too_large_for_user(middle, side)
                || (cube.level > halvings.saturating_sub(self.grading.curved)
                    && self.turns_within(middle, side / 2.0));
        }
        self.is_too_large_for_user(middle, side) && self.solid.contains(middle)
    }

    fn is_too_large_for_user(&self, middle: DVec3, side: f64) -> bool {
        self.finer.is_some_and(|finer| finer.is_too_large(middle, side))
    }

    /// True if the normals of the surface around a cube differ too much for one cell.
    fn turns_within(&self, middle: DVec3, half: f64) -> bool {
        let corner = |k: i32| DVec3::from([0, 1, 2].map(|axis| f64::from((k >> axis & 1) * 2 - 1)));
        let normals: Vec<DVec3> =
            (0..8).map(|k| self.solid.foot(middle + half * corner(k)).normal).collect();
        let pairs = normals
            .iter()
            .enumerate()
            .flat_map(|(k, a)| normals[..k].iter().map(move |b| a.dot(*b)));
        pairs.fold(1.0, f64::min) < MIN_NORMAL_COSINE
    }

    fn too_many(&self, cells: f64) -> TetError {
        TetError::TooManyCells { cells, max_cells: self.max_cells }
    }
}
