//! The entrants: kinds of cells under a stepper, and other engines, each in several sizes.

use pliant::mesh::generate::Split;
use pliant::{MethodConfig, Stepper};

use super::bars::{RATE, SPIN, SWING, clamped_boxes, clamped_grid, free_boxes, free_case};
use super::entry::Entry;
use crate::bench::motion::{peer_spin, peer_swing, rest, spin, swing};
use crate::bench::peers::{PEERS, Peer, PeerMotion};

/// A line of the picture: the same bars in several sizes.
pub(super) struct Family {
    pub(super) name: &'static str,
    pub(super) engine: Engine,
    /// Numbers of boxes across the bar.
    pub(super) sizes: &'static [usize],
    /// The number of its colour.
    pub(super) colour: usize,
}

/// What steps the bars.
pub(super) enum Engine {
    /// Pliant with cells of this split and degree, in single steps of a frame under a stepper.
    Pliant(Split, usize, Stepper),
    /// Another engine.
    Other(&'static Peer),
}

/// Our cells: split, degree, names under the default stepper and XPBD, and boxes across the bar.
const CELLS: [(Split, usize, [&str; 2], &[usize]); 5] = [
    (Split::Tet5, 1, ["P1", "P1, XPBD"], &[2, 4, 6, 8]),
    (Split::Tet5, 2, ["P2", "P2, XPBD"], &[1, 2, 3, 4]),
    (Split::Tet5, 3, ["P3", "P3, XPBD"], &[1, 2, 3]),
    (Split::Hex, 1, ["Q1", "Q1, XPBD"], &[2, 4, 6, 8]),
    (Split::Hex, 2, ["Q2", "Q2, XPBD"], &[1, 2, 3, 4]),
];

/// Boxes across the bar in other engines, which have linear cells.
const OTHER_SIZES: &[usize] = &[2, 4, 8];

/// All entrants.
pub(super) fn families() -> Vec<Family> {
    let mut all = Vec::new();
    for (column, stepper) in [Stepper::default(), Stepper::Xpbd].into_iter().enumerate() {
        for (colour, (split, degree, names, sizes)) in CELLS.into_iter().enumerate() {
            let engine = Engine::Pliant(split, degree, stepper);
            all.push(Family { name: names[column], engine, sizes, colour });
        }
    }
    for (index, peer) in PEERS.iter().enumerate() {
        let (engine, colour) = (Engine::Other(peer), CELLS.len() + index);
        let sizes = &OTHER_SIZES[..OTHER_SIZES.len() - usize::from(peer.slow)];
        all.push(Family { name: peer.name, engine, sizes, colour });
    }
    all
}

impl Family {
    /// True for kinds of cells of Pliant.
    pub(super) const fn is_ours(&self) -> bool {
        matches!(self.engine, Engine::Pliant(..))
    }

    /// True for lines that are dashed in the picture.
    pub(super) fn is_dashed(&self) -> bool {
        matches!(self.engine, Engine::Pliant(_, _, Stepper::Xpbd))
    }

    /// Measures the three bars in one size.
    pub(super) fn measure(&self, across: usize) -> Entry {
        match self.engine {
            Engine::Pliant(split, degree, stepper) => ours(split, degree, stepper, across),
            Engine::Other(peer) => other(peer, across),
        }
    }
}

fn ours(split: Split, degree: usize, stepper: Stepper, across: usize) -> Entry {
    let method = || MethodConfig { stepper, ..Default::default() };
    let told = |error: anyhow::Error| format!("{error:#}");
    let (grid, case) = (clamped_grid(split, degree, across), free_case(split, degree, across));
    let size = grid.size().unwrap_or_default();
    Entry {
        across,
        size,
        rest: rest::measure(grid, method()).map_err(told),
        swing: swing::measure(grid, method(), SWING).map_err(told),
        spin: spin::measure(&case, method()).map_err(told),
    }
}

fn other(peer: &Peer, across: usize) -> Entry {
    let boxes = clamped_boxes(across);
    let motion = PeerMotion::Rest { damping: rest::DAMPING };
    let rest = peer.run(motion, boxes, rest::DURATION);
    Entry {
        across,
        // All other engines have five linear tetrahedra in each box, as our linear ones.
        size: clamped_grid(Split::Tet5, 1, across).size().unwrap_or_default(),
        rest: rest.map(|motion| motion.rows[motion.rows.len() - 1][0]),
        swing: peer_swing(peer, boxes, SWING),
        spin: peer_spin(peer, free_boxes(across), RATE, SPIN),
    }
}
