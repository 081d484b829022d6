//! VTU files, which ParaView and VTK read, and PVD time series of them.
//!
//! Cells are written with their true degree, so that ParaView draws them curved: raise
//! "Nonlinear Subdivision Level" to see it. VTK's cells hold Lagrange nodes; the exact control
//! points of curved cells go along as the point array `control_point`, so that a mesh comes back
//! bit by bit. Region R is the cell array `region:R` and node set S the point array `nodes:S`, of
//! zeros and ones: both can be thresholded in ParaView, and cells may be in several regions. The
//! cell array `region` numbers the first region of each cell, for colouring.

mod array;
mod base64_stream;
mod cell_type;
mod read;
mod series;
mod write;
mod xml;

pub use read::{parse, read};
pub use series::Series;
pub use write::{Field, Frame, write};

/// Point array of exact control points.
const CONTROL_POINT: &str = "control_point";
/// What the names of regions are preceded by.
const REGION_PREFIX: &str = "region:";
/// What the names of node sets are preceded by.
const NODE_SET_PREFIX: &str = "nodes:";
