//! Reference cells: corners, edges and faces with their control points, basis, quadrature.
//!
//! Every element interpolates with a Bernstein basis, `x(ξ) = Σₐ Bₐ(ξ) xₐ`. The basis is non-negative and sums to
//! one, so a cell lies in the convex hull of its control points and lumped masses are positive. The tables of this
//! module are computed once per kind, never per cell or step.

mod basis;
mod convert;
mod derivative;
mod gauss;
mod jacobian;
mod kind;
mod lattice;
mod moments;
mod node_order;
mod quadrature;
mod simplex_rules;
mod topology;

pub use basis::{bernstein_simplex, shape, shape_gradient};
pub use convert::{
    DenseMatrix, bernstein_from_lagrange, elevation, lagrange_from_bernstein, restriction,
};
pub use derivative::{CUBIC_DERIVATIVE, LINEAR_DERIVATIVE, QUADRATIC_DERIVATIVE, derivative_nodes};
pub use gauss::gauss_line;
pub use jacobian::jacobian;
pub use kind::{CellShape, Kind, MAX_CORNERS, MAX_NODES};
pub use lattice::{HEX_CORNERS, barycentric_weights, lattice, reference_corners, simplex_indices};
pub use moments::{Moments, PairProducts, PartIntegrals};
pub use node_order::{gmsh_order, vtk_order};
pub use quadrature::{QuadraturePoint, QuadratureRule};
pub use topology::{FaceShape, edge_nodes, edges, face_nodes, faces};
