//! Corners and edges of obstacles against the triangles and edges of a skin.
//!
//! ```text
//! moving_skin      the skin during a step, in the frame of the obstacle
//! meeting          when and where two parts first meet
//! corner, edge     a corner against a triangle, an edge against an edge
//! search           all parts of a skin near an obstacle
//! anchors          the memory of their contacts from step to step
//! ```

pub(super) mod anchors;
mod corner;
mod edge;
mod meeting;
mod moving_skin;
pub(super) mod search;
