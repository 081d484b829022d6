//! How far the surroundings of every unknown have turned since a factor was computed.

use glam::{DMat3, DVec3};

use crate::body::{Model, Unknowns};
use crate::persist::{Reader, SnapshotError, Writer};
use pliant_kernels::element::{barycentric_weights, lattice};
use pliant_kernels::math::Rows;
use pliant_mesh::mesh::Mesh;

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
/// Q of a corner is the rotation of the mean deformation gradient of the cells around it, from the marked to the present positions of their
/// corners; that of another node is the mean of Q at the corners of its cell, with its weights between them.
#[derive(Debug, Clone)]
pub(super) struct NodeRotations {
    /// For every cell, the end of its corners in their list.
    cells: Vec<u32>,
    /// Corners of cells: node, and the weight of its position in the deformation gradient.
    corners: Vec<(u32, DVec3)>,
    /// The nodes that are corners.
    corner_nodes: Vec<u32>,
    /// For every unknown, corners and their weights.
    between: Rows<(u32, f64)>,
    /// Positions of nodes when they were marked, in m.
    marked: Vec<DVec3>,
    /// Sums of deformation gradients at corners, and then their rotations, by node.
    turns: Vec<DMat3>,
    /// Rotations, by unknown.
    rotations: Vec<DMat3>,
}

impl NodeRotations {
    /// Rotations of the unknowns of a model, marked at rest.
    pub(super) fn new(model: &Model, unknowns: &Unknowns) -> Self {
        let mesh = model.mesh();
        let (mut cells, mut corners) = (Vec::new(), Vec::new());
        for (kind, nodes) in mesh.cells() {
            let own = &nodes[..kind.corner_count()];
            corners.extend(own.iter().map(|node| (*node, DVec3::ZERO)));
            cells.push(corners.len() as u32);
        }
        let mut corner_nodes: Vec<u32> = corners.iter().map(|(node, _)| *node).collect();
        corner_nodes.sort_unstable();
        corner_nodes.dedup();
        let mut rotations = Self {
            cells,
            corners,
            corner_nodes,
            between: places_between_corners(mesh, unknowns),
            marked: mesh.nodes.clone(),
            turns: vec![DMat3::ZERO; mesh.nodes.len()],
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
            let own = &mut self.corners[begin..*cell as usize];
            begin = *cell as usize;
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
    pub(super) fn follow(&mut self, x: &[DVec3]) {
        for node in &self.corner_nodes {
            self.turns[*node as usize] = DMat3::ZERO;
        }
        let mut begin = 0;
        for end in &self.cells {
            let own = &self.corners[begin..*end as usize];
            begin = *end as usize;
            let gradient = own.iter().map(|(node, weight)| outer(x[*node as usize], *weight));
            let gradient: DMat3 = gradient.sum();
            for (node, _) in own {
                self.turns[*node as usize] += gradient;
            }
        }
        for node in &self.corner_nodes {
            let turn = &mut self.turns[*node as usize];
            *turn = near_rotation(turn);
        }
        let places = self.between.iter();
        for (rotation, corners) in self.rotations.iter_mut().zip(places) {
            let turns = corners.iter().map(|(node, weight)| self.turns[*node as usize] * *weight);
            *rotation = turns.sum();
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

/// For every unknown, the corners of a cell that its node lies between, and its weights.
fn places_between_corners(mesh: &Mesh, unknowns: &Unknowns) -> Rows<(u32, f64)> {
    let mut of_node = vec![Vec::new(); mesh.nodes.len()];
    for (kind, nodes) in mesh.cells() {
        for (point, node) in lattice(kind).into_iter().zip(nodes) {
            let weights = barycentric_weights(kind.shape(), kind.degree(), point);
            let total: usize = weights.iter().sum();
            let corners = nodes.iter().zip(weights).filter(|(_, weight)| *weight > 0);
            let place = corners.map(|(corner, weight)| (*corner, weight as f64 / total as f64));
            of_node[*node as usize] = place.collect();
        }
    }
    let mut rows = Rows::default();
    for node in unknowns.nodes() {
        rows.push(std::mem::take(&mut of_node[*node as usize]));
    }
    rows
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
