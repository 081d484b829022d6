//! Parallel maps that compile little code, and values made at first use.

use std::sync::OnceLock;

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

/// Returns the value, which is made if it is missing.
///
/// It is made outside of the lock. With [`OnceLock::get_or_init`], a thread that makes it on several threads of a pool may, while it waits for them, take up other work
/// that needs the same value, such as the step of another world: it would wait for itself. Two threads that both find it missing both make it, and one of the two is
/// kept; so `make` must return the same each time.
pub fn made_once<T>(cell: &OnceLock<T>, make: impl FnOnce() -> T) -> &T {
    if let Some(made) = cell.get() {
        return made;
    }
    let made = make();
    cell.get_or_init(|| made)
}
