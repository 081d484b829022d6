//! Lists of different lengths in one array (compressed sparse rows).

/// Rows of items, stored one after another.
///
/// ```
/// use pliant_kernels::math::Rows;
///
/// let rows = Rows::from_pairs(3, || [(2, 'a'), (0, 'b'), (2, 'c')]);
/// assert_eq!(rows.iter().collect::<Vec<_>>(), [&['b'][..], &[], &['a', 'c']]);
/// assert_eq!(rows.row(2), ['a', 'c']);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rows<T = u32> {
    /// Row `r` is `items[start[r]..start[r + 1]]`; empty if there are no rows.
    start: Vec<u32>,
    items: Vec<T>,
}

impl<T> Default for Rows<T> {
    fn default() -> Self {
        Self { start: Vec::new(), items: Vec::new() }
    }
}

impl<T> Rows<T> {
    /// Number of rows.
    pub fn len(&self) -> usize {
        self.start.len().saturating_sub(1)
    }

    /// Returns true if there are no rows.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns one row.
    ///
    /// # Panics
    /// If `row` is out of range.
    #[inline]
    pub fn row(&self, row: usize) -> &[T] {
        &self.items[self.start[row] as usize..self.start[row + 1] as usize]
    }

    /// Returns all rows in order.
    pub fn iter(&self) -> impl Iterator<Item = &[T]> {
        self.rows_from(0)
    }

    /// Returns the rows from `first` on, in order.
    #[inline]
    pub fn rows_from(&self, first: usize) -> impl Iterator<Item = &[T]> {
        let ends = self.start.get(first..).unwrap_or_default().windows(2);
        ends.map(|range| &self.items[range[0] as usize..range[1] as usize])
    }

    /// Returns the items of all rows, row after row.
    pub fn items(&self) -> &[T] {
        &self.items
    }

    /// Returns the starts of all rows with the end of the last, and the items.
    pub fn into_parts(self) -> (Vec<u32>, Vec<T>) {
        (self.start, self.items)
    }

    /// Removes all rows, but keeps the memory.
    pub fn clear(&mut self) {
        self.start.clear();
        self.items.clear();
    }

    /// Appends a row.
    pub fn push(&mut self, row: impl IntoIterator<Item = T>) {
        if self.start.is_empty() {
            self.start.push(0);
        }
        self.items.extend(row);
        self.start.push(self.items.len() as u32);
    }
}

impl<T: Copy + Default> Rows<T> {
    /// Sorts pairs (row, item) into `count` rows; items of a row keep the order of the pairs.
    ///
    /// `pairs` is called twice, to count and to fill, and must return the same pairs both times: fewer than 2³².
    pub fn from_pairs<I: IntoIterator<Item = (usize, T)>>(
        count: usize,
        pairs: impl Fn() -> I,
    ) -> Self {
        Self::from_visits(count, |visit| {
            pairs().into_iter().for_each(|(row, item)| visit(row, item));
        })
    }

    /// Like [`Rows::from_pairs`], for pairs that a function passes to `visit(row, item)`.
    pub fn from_visits(count: usize, for_each: impl Fn(&mut dyn FnMut(usize, T))) -> Self {
        let mut rows = Self::default();
        rows.refill(count, for_each);
        rows
    }

    /// Like [`Rows::from_visits`], but keeps the memory.
    pub fn refill(&mut self, count: usize, for_each: impl Fn(&mut dyn FnMut(usize, T))) {
        // A counting sort. Counts are stored two places on: after the prefix sums `start[row + 1]` is the start of the
        // row, and after filling its end, which is the start of the next row.
        let Self { start, items } = self;
        start.clear();
        start.resize(count + 2, 0);
        for_each(&mut |row, _| start[row + 2] += 1);
        (2..start.len()).for_each(|k| start[k] += start[k - 1]);
        items.clear();
        items.resize(start[count + 1] as usize, T::default());
        for_each(&mut |row, item| {
            let place = &mut start[row + 1];
            items[*place as usize] = item;
            *place += 1;
        });
        start.pop();
    }
}

impl<T, I: IntoIterator<Item = T>> FromIterator<I> for Rows<T> {
    fn from_iter<R: IntoIterator<Item = I>>(rows: R) -> Self {
        let mut all = Self::default();
        rows.into_iter().for_each(|row| all.push(row));
        all
    }
}
