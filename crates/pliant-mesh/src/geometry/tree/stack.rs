//! The stack of nodes still to visit.

/// Largest possible depth: 48 levels of uneven divisions, then halves of fewer than 2³¹ boxes.
pub(super) const MAX_DEPTH: usize = super::build::HEURISTIC_DEPTH + 33;

/// A stack of fixed capacity without heap allocation.
#[derive(Debug)]
pub(super) struct Stack<T, const N: usize> {
    items: [T; N],
    count: usize,
}

impl<T: Copy, const N: usize> Stack<T, N> {
    #[inline]
    pub(super) fn new(first: T) -> Self {
        Self { items: [first; N], count: 1 }
    }

    #[inline]
    pub(super) fn push(&mut self, item: T) {
        self.items[self.count] = item;
        self.count += 1;
    }

    #[inline]
    pub(super) fn pop(&mut self) -> Option<T> {
        self.count = self.count.checked_sub(1)?;
        Some(self.items[self.count])
    }
}
