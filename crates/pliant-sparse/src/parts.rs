//! Division of a factorisation among threads.

use std::ops::Range;

use pliant_kernels::math::LANES;

use crate::supernodes::{Supernode, Supernodes};

/// Number of multiplications that is worth waking another thread for: about fifty microseconds of work.
pub(crate) const MIN_WORK_PER_THREAD: f64 = 5e5;

/// Largest share of the total work in one part, so that a few threads finish at about the same time.
const MAX_PART_FRACTION: f64 = 1.0 / 12.0;

/// Independent runs of supernodes, and the remaining supernodes.
#[derive(Debug)]
pub(crate) struct Parts {
    /// Runs of one or more complete subtrees.
    pub(crate) independent: Vec<Range<usize>>,
    /// The supernodes above them, in order.
    pub(crate) rest: Vec<usize>,
    /// Number of multiplications before every supernode, and of all at the end.
    pub(crate) work: Vec<f64>,
}

impl Parts {
    pub(crate) fn new(structure: &Supernodes) -> Self {
        let count = structure.all.len();
        let work: Vec<f64> = structure.all.iter().map(|own| work(structure, own)).collect();
        // For every supernode: the work in its subtree, and the first supernode of the subtree.
        let (mut subtree, mut first) = (work.clone(), (0..count).collect::<Vec<_>>());
        for k in 0..count {
            if let Some(parent) = structure.parent(k) {
                subtree[parent] += subtree[k];
                first[parent] = first[parent].min(first[k]);
            }
        }
        let total: f64 = work.iter().sum();
        let most = if total < 2.0 * MIN_WORK_PER_THREAD { 0.0 } else { total * MAX_PART_FRACTION };
        let mut parts = Self { independent: Vec::new(), rest: Vec::new(), work: sums(&work) };
        let mut open = f64::INFINITY;
        for k in 0..count {
            let is_root = structure.parent(k).is_none_or(|parent| subtree[parent] > most);
            match parts.independent.last_mut() {
                _ if subtree[k] > most => parts.rest.push(k),
                _ if !is_root => {}
                // Join a light subtree with the light subtree directly before it.
                Some(part) if part.end == first[k] && open + subtree[k] <= most => {
                    part.end = k + 1;
                    open += subtree[k];
                }
                _ => {
                    parts.independent.push(first[k]..k + 1);
                    open = subtree[k];
                }
            }
        }
        parts
    }

    /// Number of multiplications of all supernodes.
    pub(crate) fn total_work(&self) -> f64 {
        self.work.last().copied().unwrap_or(0.0)
    }

    /// Index of the run that contains a supernode; `None` for the remaining supernodes.
    pub(crate) fn run_of(&self, supernode: usize) -> Option<usize> {
        let after = self.independent.partition_point(|run| run.start <= supernode);
        let run = after.checked_sub(1)?;
        self.independent[run].contains(&supernode).then_some(run)
    }
}

/// The sum of all numbers before each, and of all at the end.
fn sums(numbers: &[f64]) -> Vec<f64> {
    let add = |sum: &mut f64, number: &f64| {
        *sum += number;
        Some(*sum)
    };
    std::iter::once(0.0).chain(numbers.iter().scan(0.0, add)).collect()
}

/// Number of multiplications for one supernode.
fn work(structure: &Supernodes, own: &Supernode) -> f64 {
    let size = |own: &Supernode| (own.tiles() * LANES * own.width()) as f64;
    let updates = structure.updates[own.updates.clone()].iter();
    let products = updates.map(|update| {
        3.0 * update.rows.len() as f64 * size(&structure.all[update.source as usize])
    });
    products.sum::<f64>() + 0.5 * own.width() as f64 * size(own)
}
