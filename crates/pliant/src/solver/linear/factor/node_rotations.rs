//! How far the surroundings of every unknown have turned since a factor was computed.

use glam::{DMat3, DVec3};

use crate::body::{Model, Unknowns};
use crate::persist::{Reader, SnapshotError, Writer};

/// Newton steps towards the nearest rotation: enough for one per cent where a body is stretched by half. A preconditioner needs no exact one.
const NEWTON_STEPS: usize = 2;

/// The smallest determinant of a mean deformation gradient whose rotation is used.
const SMALLEST_DETERMINANT: f64 = 1e-3;

/// The rotation Q of every unknown since positions were marked: with the factor of an earlier matrix A₀,
///
/// ```text
/// A ≈ Q A₀ Qᵀ        A⁻¹ r ≈ Q A₀⁻¹ (Qᵀ r)
/// ```
///
/// as the stiffness of a cell turns with it (Hecht et al. 2012, who turn the blocks of the factor; here its right-hand side is
/// turned, which needs no change of the factor). The product is symmetric and positive definite for any Q that can be inverted.
///
/// Q is the rotation of the mean deformation gradient of the cells around a node, from the marked to the present positions of their
/// corners.
#[derive(Debug, Clone)]
pub(super) struct NodeRotations {
    /// The cells, one after the other.
    cells: Vec<Corners>,
    /// Corners of cells: node, and the weight of its position in the deformation gradient.
    corners: Vec<(u32, DVec3)>,
    /// Nodes of cells.
    nodes: Vec<u32>,
    /// Positions of nodes when they were marked, in m.
    marked: Vec<DVec3>,
    /// Sums of deformation gradients, by node.
    sums: Vec<DMat3>,
    /// Rotations, by unknown.
    rotations: Vec<DMat3>,
}

/// The ends of the corners and the nodes of a cell in their lists.
#[derive(Debug, Clone, Copy)]
struct Corners {
    corners: u32,
    nodes: u32,
}

impl NodeRotations {
    /// Rotations of the unknowns of a model, marked at rest.
    pub(super) fn new(model: &Model, unknowns: &Unknowns) -> Self {
        let mesh = model.mesh();
        let (mut cells, mut corners, mut nodes) = (Vec::new(), Vec::new(), Vec::new());
        for (kind, of_cell) in mesh.cells() {
            let own = &of_cell[..kind.corner_count()];
            corners.extend(own.iter().map(|node| (*node, DVec3::ZERO)));
            nodes.extend_from_slice(of_cell);
            cells.push(Corners { corners: corners.len() as u32, nodes: nodes.len() as u32 });
        }
        let mut rotations = Self {
            cells,
            corners,
            nodes,
            marked: mesh.nodes.clone(),
            sums: vec![DMat3::ZERO; mesh.nodes.len()],
            rotations: vec![DMat3::IDENTITY; unknowns.count()],
        };
        rotations.weigh();
        rotations
    }

    /// Marks these positions: all rotations are the identity.
    pub(super) fn mark(&mut self, x: &[DVec3]) {
        self.marked.copy_from_slice(x);
        self.weigh();
        self.rotations.fill(DMat3::IDENTITY);
    }

    /// The weights of the corners: with X their marked positions from the mean and C = Σ X Xᵀ, the gradient F = Σ x (C⁻¹ X)ᵀ is that of
    /// the best affine map. Flat cells have none.
    fn weigh(&mut self) {
        let mut begin = 0;
        for cell in &self.cells {
            let own = &mut self.corners[begin..cell.corners as usize];
            begin = cell.corners as usize;
            let mean = own.iter().map(|(node, _)| self.marked[*node as usize]).sum::<DVec3>()
                / own.len() as f64;
            let mut moment = DMat3::ZERO;
            for (node, weight) in own.iter_mut() {
                *weight = self.marked[*node as usize] - mean;
                moment += outer(*weight, *weight);
            }
            let inverse = moment.inverse();
            let is_flat = !inverse.is_finite();
            for (_, weight) in own.iter_mut() {
                *weight = if is_flat { DVec3::ZERO } else { inverse * *weight };
            }
        }
    }

    /// Computes the rotations from the marked positions to these.
    pub(super) fn follow(&mut self, unknowns: &Unknowns, x: &[DVec3]) {
        self.sums.fill(DMat3::ZERO);
        let (mut corner, mut node) = (0, 0);
        for cell in &self.cells {
            let mut gradient = DMat3::ZERO;
            for (corner, weight) in &self.corners[corner..cell.corners as usize] {
                gradient += outer(x[*corner as usize], *weight);
            }
            for node in &self.nodes[node..cell.nodes as usize] {
                self.sums[*node as usize] += gradient;
            }
            (corner, node) = (cell.corners as usize, cell.nodes as usize);
        }
        for (rotation, node) in self.rotations.iter_mut().zip(unknowns.nodes()) {
            *rotation = near_rotation(&self.sums[*node as usize]);
        }
    }

    /// Writes Qᵀ v for the vector v of every unknown.
    pub(super) fn turn_back(&self, values: &[DVec3], turned: &mut [DVec3]) {
        for (unknown, rotation) in self.rotations.iter().enumerate() {
            let v = values[unknown];
            turned[unknown] =
                DVec3::new(rotation.x_axis.dot(v), rotation.y_axis.dot(v), rotation.z_axis.dot(v));
        }
    }

    /// Replaces every vector v of an unknown by Q v.
    pub(super) fn turn(&self, values: &mut [DVec3]) {
        for (value, rotation) in values.iter_mut().zip(&self.rotations) {
            *value = *rotation * *value;
        }
    }

    /// Writes the marked positions.
    pub(super) fn save(&self, to: &mut Writer) {
        to.vectors(&self.marked);
    }

    /// Reads marked positions.
    pub(super) fn load(&mut self, from: &mut Reader<'_>) -> Result<(), SnapshotError> {
        from.vectors(&mut self.marked)?;
        self.weigh();
        Ok(())
    }
}

/// a bᵀ.
fn outer(a: DVec3, b: DVec3) -> DMat3 {
    DMat3::from_cols(a * b.x, a * b.y, a * b.z)
}

/// A matrix near the rotation of this one, whatever its scale; the identity where there is none.
fn near_rotation(sum: &DMat3) -> DMat3 {
    let square =
        sum.col(0).length_squared() + sum.col(1).length_squared() + sum.col(2).length_squared();
    let mut rotation = *sum * (3.0 / square).sqrt();
    for _ in 0..NEWTON_STEPS {
        let [a, b, c] = [rotation.x_axis, rotation.y_axis, rotation.z_axis];
        let cofactor = DMat3::from_cols(b.cross(c), c.cross(a), a.cross(b));
        let determinant = a.dot(cofactor.x_axis);
        let has_rotation = determinant > SMALLEST_DETERMINANT;
        if !has_rotation {
            return DMat3::IDENTITY;
        }
        rotation = rotation * 0.5 + cofactor * (0.5 / determinant);
    }
    rotation
}
