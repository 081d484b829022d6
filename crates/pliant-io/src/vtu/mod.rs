//! Reads and writes VTU files of ParaView and VTK, and writes PVD time series of them.
//!
//! Cells are written with their degree, so that ParaView draws them curved: raise "Nonlinear Subdivision Level" to
//! see it. VTK's cells have Lagrange nodes; the exact control points of curved cells are in the point array
//! `control_point`, so that a mesh is read back bit for bit. Region R is the cell array `region:R` and node set S the
//! point array `nodes:S`, both of zeros and ones: ParaView can threshold them, and cells may be in several regions.
//! The cell array `region` numbers the first region of each cell, for colouring.

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
/// Prefix of the array names of regions.
const REGION_PREFIX: &str = "region:";
/// Prefix of the array names of node sets.
const NODE_SET_PREFIX: &str = "nodes:";
