//! Nested dissection: an elimination order with small factors for large meshes.

use glam::DVec3;

use super::Neighbours;

/// Parts of at most this many unknowns are not cut further.
const MAX_LEAF_SIZE: usize = 48;

/// Fractions of a part at which a cut is tried; the cut with the smallest separator is used.
const CUTS: [f64; 9] = [0.5, 0.48, 0.52, 0.46, 0.54, 0.43, 0.57, 0.4, 0.6];

/// Returns an order of unknowns located at `positions`.
///
/// Each part is cut across its longest side. The unknowns on one side that touch the other form the separator and are
/// eliminated last (George 1973). Where a cut lies between two layers of cells the separator is one layer of nodes,
/// so several cuts are tried.
pub(crate) fn nested_dissection(neighbours: &Neighbours, positions: &[DVec3]) -> Vec<u32> {
    let count = neighbours.count();
    let mut dissection = Dissection {
        neighbours,
        positions,
        side: vec![Side::Elsewhere; count],
        order: Vec::with_capacity(count),
    };
    dissection.part((0..count as u32).collect());
    dissection.order
}

/// The side of an unknown in the current cut.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Side {
    Elsewhere,
    Low,
    High,
}

struct Dissection<'a> {
    neighbours: &'a Neighbours,
    positions: &'a [DVec3],
    side: Vec<Side>,
    order: Vec<u32>,
}

impl Dissection<'_> {
    /// Orders one part: its two sides, then the separator.
    fn part(&mut self, mut part: Vec<u32>) {
        if part.len() <= MAX_LEAF_SIZE {
            self.order.extend(part);
            return;
        }
        let axis = self.longest_axis(&part);
        let positions = self.positions;
        let place = |unknown: &u32| positions[*unknown as usize][axis];
        part.sort_by(|a, b| place(a).total_cmp(&place(b)).then(a.cmp(b)));
        let cut = self.best_cut(&part);
        let (low, high) = part.split_at(cut);
        self.mark(low, high);
        let (separator, low): (Vec<_>, Vec<_>) =
            low.iter().partition(|unknown| self.touches_high(**unknown));
        self.unmark(&part);
        let high = part[cut..].to_vec();
        self.part(low);
        self.part(high);
        self.order.extend(separator);
    }

    fn longest_axis(&self, part: &[u32]) -> usize {
        let start = (DVec3::INFINITY, DVec3::NEG_INFINITY);
        let (low, high) = part.iter().fold(start, |(low, high), unknown| {
            (
                low.min(self.positions[*unknown as usize]),
                high.max(self.positions[*unknown as usize]),
            )
        });
        (high - low).max_position()
    }

    /// The position in a sorted part where a cut has the smallest separator.
    fn best_cut(&mut self, part: &[u32]) -> usize {
        let size = |share: f64| {
            let cut = (share * part.len() as f64) as usize;
            let (low, high) = part.split_at(cut);
            self.mark(low, high);
            let separator = low.iter().filter(|unknown| self.touches_high(**unknown)).count();
            (separator, cut)
        };
        let sizes: Vec<(usize, usize)> = CUTS.into_iter().map(size).collect();
        self.unmark(part);
        sizes.into_iter().min().map_or(part.len() / 2, |(_, cut)| cut)
    }

    fn mark(&mut self, low: &[u32], high: &[u32]) {
        low.iter().for_each(|unknown| self.side[*unknown as usize] = Side::Low);
        high.iter().for_each(|unknown| self.side[*unknown as usize] = Side::High);
    }

    fn unmark(&mut self, part: &[u32]) {
        part.iter().for_each(|unknown| self.side[*unknown as usize] = Side::Elsewhere);
    }

    fn touches_high(&self, unknown: u32) -> bool {
        let mut neighbours = self.neighbours.of(unknown).iter();
        neighbours.any(|other| self.side[*other as usize] == Side::High)
    }
}
