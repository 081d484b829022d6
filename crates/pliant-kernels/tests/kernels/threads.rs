//! Values made at first use by many threads.

use std::sync::OnceLock;
use std::thread::sleep;
use std::time::Duration;

use pliant_kernels::math::made_once;
use rayon::prelude::*;

/// Sixteen tasks on two threads need the same value, and making it takes several threads. A thread that waits for the other one takes up the next task, which needs the
/// value too: with a lock it would wait for itself, for ever.
#[test]
fn a_value_made_by_several_threads_blocks_none() {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build().unwrap();
    for _ in 0..20 {
        let value = OnceLock::new();
        let part = |k: u64| {
            sleep(Duration::from_micros(200));
            k
        };
        let make = || (0..16u64).into_par_iter().map(part).sum::<u64>();
        let sums: Vec<u64> =
            pool.install(|| (0..16).into_par_iter().map(|_| *made_once(&value, make)).collect());
        assert_eq!(sums, [120; 16]);
    }
}
