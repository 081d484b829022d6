//! The islands of a step.

use pliant_kernels::math::DisjointSets;

use super::island::Island;

/// The islands of a step, with buffers that stay from step to step.
#[derive(Debug, Clone, Default)]
pub(crate) struct Islands {
    pub(crate) groups: DisjointSets,
    /// Buffers, of which the first `count` are the islands of the step.
    pub(crate) list: Vec<Island>,
    pub(crate) count: usize,
    /// The island and the place in it of every body that is stepped.
    pub(crate) places: Vec<Option<(usize, u32)>>,
    /// The next free number of a sleep group.
    pub(crate) next_sleep_group: u32,
}

impl Islands {
    /// The islands of the step.
    pub(crate) fn current(&mut self) -> &mut [Island] {
        &mut self.list[..self.count]
    }

    /// Takes the next free number of a sleep group.
    pub(crate) fn take_sleep_group(&mut self) -> u32 {
        let group = self.next_sleep_group;
        self.next_sleep_group = group.wrapping_add(1);
        group
    }
}
