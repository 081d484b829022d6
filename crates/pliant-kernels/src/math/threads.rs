//! Work shared out among threads, without a copy of rayon's machinery for each use.

use rayon::prelude::*;

/// What `f` makes of every item, in their order, found on several threads.
///
/// Rayon's own iterators are compiled anew for every closure, which is a quarter of the code of a crate that has twenty of them.
/// This one is compiled for every type of result; a call through a pointer for each item is all it costs.
pub fn parallel_map<I: Sync, T: Send>(items: &[I], f: impl Fn(&I) -> T + Sync) -> Vec<T> {
    collect(items.len(), &|k| f(&items[k]))
}

/// The same of the numbers below `count`.
pub fn parallel_range<T: Send>(count: usize, f: impl Fn(usize) -> T + Sync) -> Vec<T> {
    collect(count, &f)
}

fn collect<T: Send>(count: usize, f: &(dyn Fn(usize) -> T + Sync)) -> Vec<T> {
    (0..count).into_par_iter().map(f).collect()
}
