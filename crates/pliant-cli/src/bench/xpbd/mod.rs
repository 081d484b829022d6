//! XPBD: sweeps of every kind of cell, the tables of Saillant et al. 2024, and scaling.

mod bar;
mod kernels;
mod paper;
mod scaling;

pub(super) use kernels::tables as kernel_tables;
pub(super) use paper::{substeps as substep_tables, tables as paper_tables};
pub(super) use scaling::tables as scaling_tables;
