//! Hits: features that come too near to each other on their paths through a step.

mod crossings;
mod detector;
pub(super) mod earliest_hits;
pub(super) mod moved;
pub(super) mod pair_search;
pub(super) mod swept_hit;
mod trajectories;
