//! Construction of the tree by the surface area heuristic.
//!
//! The heuristic (Goldsmith & Salmon 1987), evaluated in bins: a part is visited about in proportion to the area of
//! its box, so the sum of area times number of boxes is minimised.

use glam::DVec3;

use super::{Node, Tree};
use crate::geometry::Aabb;
use crate::math::Rows;

/// Depth below which parts are halved by count, which bounds the depth of the tree.
pub(super) const HEURISTIC_DEPTH: usize = 48;

/// Number of bins.
const BINS: usize = 16;

/// Parts with at most this many boxes are halved by count.
const HALVED_SIZE: usize = 4;

/// The end of a branch whose children are not known yet; no node ends there.
const OPEN: u32 = 0;

/// Builds trees repeatedly without allocating new memory.
#[derive(Debug, Clone, Default)]
pub struct TreeBuilder {
    middles: Vec<DVec3>,
    order: Vec<u32>,
    /// Start, number of boxes and depth of parts still to be divided.
    parts: Vec<(usize, usize, usize)>,
}

impl TreeBuilder {
    /// Rebuilds `tree` for these boxes, fewer than 2³¹.
    pub fn build(&mut self, boxes: &[Aabb], tree: &mut Tree) {
        let Self { middles, order, parts } = self;
        middles.clear();
        middles.extend(boxes.iter().map(Aabb::centre));
        order.clear();
        order.extend(0..boxes.len() as u32);
        Divider { boxes, middles, leaf_size: 1 }.nodes(order, parts, tree, |own| own[0]);
        tree.refit(boxes);
    }
}

impl Tree {
    /// Builds a tree whose leaves are clusters of at most `size` neighbouring boxes, fewer than 2³¹, which are divided by
    /// their `middles`. Returns the boxes of each cluster too: the items of the tree are the clusters.
    ///
    /// Such a tree is smaller, and faster where a test of an item costs little more than one of its box.
    pub fn of_clusters(boxes: &[Aabb], middles: &[DVec3], size: usize) -> (Self, Rows) {
        let (mut tree, mut clusters) = (Self::default(), Rows::default());
        let mut order: Vec<u32> = (0..boxes.len() as u32).collect();
        let divider = Divider { boxes, middles, leaf_size: size };
        divider.nodes(&mut order, &mut Vec::new(), &mut tree, |own| {
            clusters.push(own.iter().copied());
            clusters.len() as u32 - 1
        });
        let union = |bounds: Aabb, item: &u32| bounds.union(&boxes[*item as usize]);
        let bounds = clusters.iter().map(|own| own.iter().fold(Aabb::EMPTY, union));
        tree.refit(&bounds.collect::<Vec<_>>());
        (tree, clusters)
    }
}

struct Divider<'a> {
    boxes: &'a [Aabb],
    middles: &'a [DVec3],
    /// Largest number of boxes of a leaf.
    leaf_size: usize,
}

impl Divider<'_> {
    /// Writes the nodes of the tree, without their bounds; `item` returns the item of a leaf with these boxes.
    fn nodes(
        &self,
        order: &mut [u32],
        parts: &mut Vec<(usize, usize, usize)>,
        tree: &mut Tree,
        mut item: impl FnMut(&[u32]) -> u32,
    ) {
        tree.nodes.clear();
        parts.clear();
        parts.push((0, order.len(), 0));
        while let Some((start, count, depth)) = parts.pop() {
            let own = &mut order[start..start + count];
            let node = match count {
                0 => continue,
                _ if count <= self.leaf_size => {
                    Node { bounds: Aabb::EMPTY, end: tree.nodes.len() as u32 + 1, item: item(own) }
                }
                _ => {
                    let first = self.divide(own, depth);
                    parts.push((start + first, count - first, depth + 1));
                    parts.push((start, first, depth + 1));
                    Node { bounds: Aabb::EMPTY, end: OPEN, item: 0 }
                }
            };
            tree.nodes.push(node);
        }
        // The end of a branch is the end of its second child, which begins where the first one ends.
        for index in (0..tree.nodes.len()).rev() {
            if tree.nodes[index].end == OPEN {
                let second = tree.nodes[index + 1].end;
                tree.nodes[index].end = tree.nodes[second as usize].end;
            }
        }
    }

    /// Sorts the boxes of the first part to the front and returns their number: at least one, not all.
    fn divide(&self, order: &mut [u32], depth: usize) -> usize {
        let middle = |item: &u32| self.middles[*item as usize];
        let Aabb { low, high } = Aabb::of(order.iter().map(middle));
        let axis = (high - low).max_position();
        let bins = Bins { low: low[axis], width: (high - low)[axis], axis };
        if depth < HEURISTIC_DEPTH
            && order.len() > HALVED_SIZE
            && let Some(last) = self.best_bin(order, &bins)
        {
            let key = |item: &u32| (bins.number(middle(item)) > last, *item);
            order.sort_unstable_by_key(key);
            return order.partition_point(|item| !key(item).0);
        }
        let half = order.len() / 2;
        let compare = |a: &u32, b: &u32| middle(a)[axis].total_cmp(&middle(b)[axis]).then(a.cmp(b));
        order.select_nth_unstable_by(half, compare);
        half
    }

    /// The last bin of the first part in the cheapest division; `None` if all boxes fall into one bin.
    fn best_bin(&self, order: &[u32], bins: &Bins) -> Option<usize> {
        let mut parts = [BinBounds::default(); BINS];
        for item in order {
            let number = bins.number(self.middles[*item as usize]);
            parts[number].add(&BinBounds { bounds: self.boxes[*item as usize], count: 1 });
        }
        // One sweep from the back and one from the front give both sides of every division between bins.
        let mut behind = [BinBounds::default(); BINS];
        for bin in (0..BINS - 1).rev() {
            behind[bin] = behind[bin + 1];
            behind[bin].add(&parts[bin + 1]);
        }
        let (mut before, mut best) = (BinBounds::default(), None);
        for bin in 0..BINS - 1 {
            before.add(&parts[bin]);
            let cost = before.cost() + behind[bin].cost();
            let divides = before.count > 0 && behind[bin].count > 0;
            if divides && best.is_none_or(|(_, least)| cost < least) {
                best = Some((bin, cost));
            }
        }
        best.map(|(bin, _)| bin)
    }
}

/// Equal intervals of the longest side.
struct Bins {
    low: f64,
    width: f64,
    axis: usize,
}

impl Bins {
    fn number(&self, middle: DVec3) -> usize {
        let part = (middle[self.axis] - self.low) / self.width;
        // NaN (zero width) becomes zero.
        ((part * BINS as f64) as usize).min(BINS - 1)
    }
}

/// The bounds and the number of some boxes.
#[derive(Debug, Clone, Copy, Default)]
struct BinBounds {
    bounds: Aabb,
    count: usize,
}

impl BinBounds {
    fn add(&mut self, other: &Self) {
        self.bounds = self.bounds.union(&other.bounds);
        self.count += other.count;
    }

    fn cost(&self) -> f64 {
        self.bounds.half_area() * self.count as f64
    }
}
