//! Cells in packs of eight, and the drivers that run kernels over them.
//!
//! A [`Batch`] holds cells of one kind and law, [`RestPoints`] their rest shapes, and [`RestBatch`] both, for kernels.
//! A [`Kernel`] is written once over [`crate::math::Lanes`], and [`Width`] chooses its instruction set; [`tasks`]
//! distributes packs among threads.

mod batch;
mod block_writer;
mod cell_gradient;
mod cells;
mod dilation;
mod gather;
mod local_law;
mod pack_buffer;
mod pairs;
mod rest_points;
mod stress;
pub mod tasks;
mod width;

pub use batch::{Batch, RestCell};
pub(crate) use block_writer::BlockWriter;
pub(crate) use cell_gradient::{add_gradients, gradients, has_form};
pub(crate) use cells::{CellKernel, NodeCount, run_batch};
pub use dilation::Dilation;
pub(crate) use gather::{
    gather, gather_node, gather_one, load, load_matrix, reference_gradient, rest_point, scatter,
    store, table,
};
pub(crate) use local_law::{LocalLaw, Volumes};
pub(crate) use pack_buffer::PackBuffer;
pub use pairs::{pair_count, pair_index};
pub use rest_points::{RestBatch, RestPoint, RestPoints};
pub(crate) use stress::stress;
pub use width::{Kernel, RowKernel, SingleKernel, Width};
