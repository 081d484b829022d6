//! Stiffness blocks of the cells of a pack, written one by one.

use super::gather::store;
use crate::math::{LANES, Lanes, Mat3, Vec3};

/// Receives the blocks of the cells of a pack, pair after pair.
pub(crate) struct BlockWriter<'a> {
    /// Blocks of the cells, `pairs` for each.
    pub(crate) blocks: &'a mut [Mat3],
    pub(crate) pairs: usize,
}

impl BlockWriter<'_> {
    #[inline(always)]
    pub(crate) fn write<L: Lanes>(&mut self, lanes: L, pair: usize, block: &Mat3<L::Lane>) {
        let mut packs = [[0.0; LANES]; 9];
        store(lanes, &block.0, &mut packs);
        // The last pack has only room for its own cells.
        let cells = self.blocks.len() / self.pairs;
        let [a, b, c, d, e, f, g, h, i] = &packs;
        for lane in lanes.selected().take(cells.saturating_sub(lanes.selected().start)) {
            self.blocks[lane * self.pairs + pair] = Mat3([
                Vec3([a[lane], b[lane], c[lane]]),
                Vec3([d[lane], e[lane], f[lane]]),
                Vec3([g[lane], h[lane], i[lane]]),
            ]);
        }
    }
}
