//! Parallel maps that compile little code.

use rayon::prelude::*;

/// Applies `f` to every item on several threads and returns the results in order.
///
/// Rayon's own iterators are compiled anew for every closure: a quarter of the code of a crate that uses twenty of
/// them. This function is compiled once per result type, at the cost of one indirect call per item.
pub fn parallel_map<I: Sync, T: Send>(items: &[I], f: impl Fn(&I) -> T + Sync) -> Vec<T> {
    collect(items.len(), &|k| f(&items[k]))
}

/// Applies `f` to the indices below `count`, as [`parallel_map`] does.
pub fn parallel_range<T: Send>(count: usize, f: impl Fn(usize) -> T + Sync) -> Vec<T> {
    collect(count, &f)
}

fn collect<T: Send>(count: usize, f: &(dyn Fn(usize) -> T + Sync)) -> Vec<T> {
    (0..count).into_par_iter().map(f).collect()
}
