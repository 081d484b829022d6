//! Nodes of a pack of cells, read from the body and written back.

use std::ops::Range;

use crate::math::{LANES, Lanes, Vec3};

use super::shared::Points;

/// Positions, in m, and inverse masses, in 1/kg, of the nodes of a pack.
#[derive(Debug, Clone, Copy)]
pub(super) struct Nodes<R, const N: usize> {
    pub(super) x: [Vec3<R>; N],
    pub(super) inverse_masses: [R; N],
}

impl<R: Copy, const N: usize> Nodes<R, N> {
    #[inline(always)]
    pub(super) fn new(zero: R) -> Self {
        Self { x: [Vec3([zero; 3]); N], inverse_masses: [zero; N] }
    }

    /// Reads the nodes with these indices.
    #[inline(always)]
    pub(super) fn gather<L: Lanes<Lane = R>>(
        &mut self,
        lanes: L,
        points: &mut impl Points,
        numbers: &[[u32; LANES]],
    ) {
        for (a, numbers) in numbers.iter().enumerate() {
            let [x, y, z, w] = lanes.load_rows(|lane| points.load(numbers[lane]));
            self.x[a] = Vec3([x, y, z]);
            self.inverse_masses[a] = w;
        }
    }

    /// Writes the nodes of the used lanes.
    #[inline(always)]
    pub(super) fn scatter<L: Lanes<Lane = R>>(
        &self,
        lanes: L,
        points: &mut impl Points,
        numbers: &[[u32; LANES]],
        used: Range<usize>,
    ) {
        for (a, numbers) in numbers.iter().enumerate() {
            let ([x, y, z], w) = (self.x[a].0, self.inverse_masses[a]);
            let columns = [x, y, z, w];
            if used == lanes.selected() {
                lanes.store_rows(columns, |lane, row| points.store(numbers[lane], row));
            } else {
                lanes.store_rows(columns, |lane, row| {
                    if used.contains(&lane) {
                        points.store(numbers[lane], row);
                    }
                });
            }
        }
    }
}
