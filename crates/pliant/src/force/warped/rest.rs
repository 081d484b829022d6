//! Rest data of warped cells.

use crate::body::Batch;
use crate::element::{CellShape, shape_gradient};
use crate::math::{LANES, Mat3, Pack, svd};
use crate::mesh::{Mesh, jacobian};
use glam::DVec3;

/// Numbers of a straight tetrahedron at rest: β, J β, then volume, μ and λ.
pub(super) const STRAIGHT: usize = 21;

/// Places of the last three.
pub(super) const VOLUME: usize = 18;
pub(super) const MU: usize = 19;
pub(super) const LAMBDA: usize = 20;

/// Largest singular value of the rest gradient, times the longest edge, that is taken at its word.
/// A regular tetrahedron has 2.4; one ten times flatter than that is clamped to this.
const SLIVER: f64 = 25.0;

/// β of every straight tetrahedron, clamped where it is a sliver, J β, its volume, μ and λ.
///
/// ```text
/// strain = sym(Rᵀ (∂x/∂ξ) β − J β)
/// ```
///
/// J β is the unit matrix unless β is clamped; subtracted instead of it, the cell rests at its rest
/// shape in either case (Parker & O'Brien 2009, section 3, after Irving & O'Brien).
pub(super) fn straight_rest(mesh: &Mesh, batch: &Batch) -> Vec<[Pack; STRAIGHT]> {
    let mut packs = vec![[[0.0; LANES]; STRAIGHT]; batch.pack_count()];
    for (index, pack) in packs.iter_mut().enumerate() {
        for lane in 0..LANES {
            let rest = batch.rest_point(index, lane, 0);
            let inverse = rest.inverse;
            let nodes: Vec<u32> =
                batch.pack_nodes(index).iter().map(|lanes| lanes[lane]).take(4).collect();
            let longest = longest_edge(&mesh.cell_points(&nodes));
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

fn longest_edge(corners: &[DVec3]) -> f64 {
    let lengths = corners.iter().flat_map(|a| corners.iter().map(|b| a.distance(*b)));
    lengths.fold(0.0, f64::max)
}

/// The matrix with its singular values held below `most`.
fn clamped(matrix: &Mat3, most: f64) -> Mat3 {
    let frame = svd(matrix);
    if frame.sigma.iter().all(|sigma| sigma.abs() <= most) {
        return *matrix;
    }
    let sigma = frame.sigma.map(|sigma| sigma.clamp(-most, most));
    frame.u * Mat3::diagonal(sigma) * frame.v.transpose()
}

/// How the rotation of a whole cell is measured: from its corners, at its centre.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct CornerFrame {
    /// ∂N/∂ξ of the corners at the centre.
    pub(super) gradients: Vec<[f64; 3]>,
    /// For every pack, J⁻¹ of the straight cell through the corners.
    pub(super) inverse: Vec<[Pack; 9]>,
}

impl CornerFrame {
    /// The frames of a batch.
    pub(super) fn new(mesh: &Mesh, batch: &Batch) -> Self {
        let kind = batch.kind.linear();
        let gradients = shape_gradient(kind, centre(kind.shape()));
        let mut inverse = vec![[[0.0; LANES]; 9]; batch.pack_count()];
        for (index, pack) in inverse.iter_mut().enumerate() {
            for lane in 0..LANES {
                let corners = batch.pack_nodes(index).iter().take(kind.node_count());
                let nodes: Vec<u32> = corners.map(|lanes| lanes[lane]).collect();
                let j = jacobian(&mesh.cell_points(&nodes), &gradients).inverse();
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
