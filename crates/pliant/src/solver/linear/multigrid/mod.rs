//! A preconditioner over the degrees of the cells, for large bodies.

mod aggregates;
mod coarse_points;
mod multigrid;
mod prolongation;
mod smoother;

pub(super) use multigrid::Multigrid;
