//! Stiffness blocks of the cells of a pack, written one by one.

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
        let [Vec3([a, b, c]), Vec3([d, e, f]), Vec3([g, h, i])] = block.0;
        let mut rows = [[[0.0; 4]; LANES]; 2];
        let mut last = [0.0; LANES];
        lanes.store_rows([a, b, c, d], |lane, row| rows[0][lane] = row);
        lanes.store_rows([e, f, g, h], |lane, row| rows[1][lane] = row);
        lanes.store(i, &mut last);
        // The last pack has only room for its own cells.
        let cells = self.blocks.len() / self.pairs;
        for lane in lanes.selected().take(cells.saturating_sub(lanes.selected().start)) {
            let ([a, b, c, d], [e, f, g, h]) = (rows[0][lane], rows[1][lane]);
            self.blocks[lane * self.pairs + pair] =
                Mat3([Vec3([a, b, c]), Vec3([d, e, f]), Vec3([g, h, last[lane]])]);
        }
    }
}
