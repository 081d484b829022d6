//! Rest data of warped cells.

use glam::DVec3;

use crate::element::{CellShape, jacobian, shape_gradient};
use crate::lanes::{Batch, RestBatch};
use crate::math::{LANES, Mat3, Pack, svd};

/// Numbers stored per straight tetrahedron: β, J β, then volume, μ and λ.
pub(crate) const STRAIGHT: usize = 21;

/// Indices of the last three.
pub(crate) const VOLUME: usize = 18;
pub(crate) const MU: usize = 19;
pub(crate) const LAMBDA: usize = 20;

/// Upper bound of the singular values of the rest gradient, times the longest edge. A regular tetrahedron has 2.4;
/// one ten times flatter is clamped to this.
const SLIVER: f64 = 25.0;

/// Computes β of every straight tetrahedron, clamped for slivers, and J β, volume, μ and λ.
///
/// ```text
/// strain = sym(Rᵀ (∂x/∂ξ) β − J β)
/// ```
///
/// J β is the identity unless β is clamped. Subtracting it instead of I keeps the cell stress-free in its rest shape
/// in either case (Parker & O'Brien 2009, section 3, after Irving & O'Brien).
pub(crate) fn straight_rest(x_rest: &[DVec3], batch: RestBatch<'_>) -> Vec<[Pack; STRAIGHT]> {
    let mut packs = vec![[[0.0; LANES]; STRAIGHT]; batch.pack_count()];
    for (index, pack) in packs.iter_mut().enumerate() {
        for lane in 0..LANES {
            let rest = batch.rest_point([index, lane, 0]);
            let inverse = rest.inverse;
            let corners = corner_points(x_rest, &batch, [index, lane], 4);
            let longest = longest_edge(&corners);
            let clamped = clamped(&inverse, SLIVER / longest);
            let offset = inverse.inverse() * clamped;
            let volume = rest.volume / batch.weights[0] / 6.0;
            let numbers = clamped.0.iter().chain(&offset.0).flat_map(|column| column.0);
            let [mu, lambda] = batch.pack_constants(index).each_ref().map(|pack| pack[lane]);
            for (slot, number) in pack.iter_mut().zip(numbers.chain([volume, mu, lambda])) {
                slot[lane] = number;
            }
        }
    }
    packs
}

/// Rest positions of the first `count` nodes of the cell in a lane of a pack.
fn corner_points(
    x_rest: &[DVec3],
    batch: &Batch,
    [pack, lane]: [usize; 2],
    count: usize,
) -> Vec<DVec3> {
    let corners = batch.pack_nodes(pack).iter().take(count);
    corners.map(|lanes| x_rest[lanes[lane] as usize]).collect()
}

fn longest_edge(corners: &[DVec3]) -> f64 {
    let lengths = corners.iter().flat_map(|a| corners.iter().map(|b| a.distance(*b)));
    lengths.fold(0.0, f64::max)
}

/// Clamps the singular values of a matrix to `most`.
fn clamped(matrix: &Mat3, most: f64) -> Mat3 {
    let frame = svd(matrix);
    if frame.sigma.iter().all(|sigma| sigma.abs() <= most) {
        return *matrix;
    }
    let sigma = frame.sigma.map(|sigma| sigma.clamp(-most, most));
    frame.u * Mat3::diagonal(sigma) * frame.v.transpose()
}

/// Data to measure the rotation of a whole cell: from its corners, at its centre.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct CornerFrame {
    /// ∂N/∂ξ of the corners at the centre.
    pub(super) gradients: Vec<[f64; 3]>,
    /// For every pack, J⁻¹ of the straight cell through the corners.
    pub(super) inverse: Vec<[Pack; 9]>,
}

impl CornerFrame {
    /// Computes the frames of a batch.
    pub(crate) fn new(x_rest: &[DVec3], batch: &Batch) -> Self {
        let kind = batch.kind.linear();
        let gradients = shape_gradient(kind, centre(kind.shape()));
        let mut inverse = vec![[[0.0; LANES]; 9]; batch.pack_count()];
        for (index, pack) in inverse.iter_mut().enumerate() {
            for lane in 0..LANES {
                let corners = corner_points(x_rest, batch, [index, lane], kind.node_count());
                let j = jacobian(&corners, &gradients).inverse();
                let numbers = j.0.iter().flat_map(|column| column.0);
                pack.iter_mut().zip(numbers).for_each(|(slot, number)| slot[lane] = number);
            }
        }
        Self { gradients: gradients.iter().map(|gradient| gradient.to_array()).collect(), inverse }
    }
}

fn centre(shape: CellShape) -> DVec3 {
    match shape {
        CellShape::Tetrahedron => DVec3::splat(0.25),
        CellShape::Hexahedron => DVec3::splat(0.5),
        CellShape::Prism => DVec3::new(1.0 / 3.0, 1.0 / 3.0, 0.5),
        CellShape::Pyramid => DVec3::new(0.375, 0.375, 0.25),
    }
}
