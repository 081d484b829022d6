//! A preconditioner over the degrees of the cells, for large bodies.

mod block_triangle;
mod chebyshev;
mod coarse_points;
mod multigrid;
mod prolongation;
mod rigid_groups;
mod scaled_rows;
mod smoothed_level;
mod uneven;

pub(super) use multigrid::Multigrid;
