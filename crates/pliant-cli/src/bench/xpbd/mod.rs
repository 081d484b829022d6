//! Position-based dynamics: the sweep of every kind of cell, the tables of its paper, its growth.

mod bar;
mod kernels;
mod paper;
mod scaling;

pub(super) use kernels::tables as kernel_tables;
pub(super) use paper::{substeps as substep_tables, tables as paper_tables};
pub(super) use scaling::tables as scaling_tables;
