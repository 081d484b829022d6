//! The straight mesh through the corners.

use crate::element::{DenseMatrix, Kind};

use super::Mesh;
use super::conversion::{Child, converted};

impl Mesh {
    /// The linear mesh with the same corners, renumbered in their order. Curved cells lose their
    /// curvature.
    pub fn corner_mesh(&self) -> Self {
        converted(self, |kind| Ok(vec![corner_cell(kind)]))
            .expect("every shape has a linear element")
    }
}

fn corner_cell(kind: Kind) -> Child {
    let linear = Kind::of(kind.shape(), 1).expect("every shape has a linear element");
    let unit = |corner: usize| {
        (0..kind.node_count()).map(|node| if node == corner { 1.0 } else { 0.0 }).collect()
    };
    let rows = (0..linear.node_count()).map(unit).collect();
    Child::whole(linear, DenseMatrix::from_rows(rows))
}
