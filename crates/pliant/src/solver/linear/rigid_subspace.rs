//! Systems with rigid regions.

use glam::{DMat3, DVec3};

use crate::body::{Model, Unknowns};
use pliant_kernels::math::PointMasses;

use super::conjugate_gradient::{Operator, Preconditioner};
use super::vectors::dot;

/// Weight of a pinned node relative to a free one.
const HELD: f64 = 1e9;

/// The rigid motions of the rigid regions of a body: the columns of B, six per region.
///
/// ```text
/// (Bᵀ A B) u = Bᵀ b,  y = B u        ⇔        P A P y = P b        P = B (BᵀB)⁻¹ Bᵀ
/// ```
///
/// Conjugate gradients that start in the range of P stay in it, because residuals and directions are projected. So they
/// solve the smaller system of u without its matrix, for any A and any preconditioner. B contains u = a + ω × r, with r
/// the vector from the centre of the region to a node. Pinned nodes have no unknown; they enter BᵀB with a large
/// weight, which suppresses motions that would move them.
#[derive(Debug, Clone, Default)]
pub(super) struct RigidSubspace {
    regions: Vec<RegionProjection>,
}

#[derive(Debug, Clone)]
struct RegionProjection {
    nodes: Vec<u32>,
    /// Free nodes: their unknown and r.
    free: Vec<(u32, DVec3)>,
    /// BᵀB for a, and the inverse of BᵀB for ω.
    count: f64,
    inverse: DMat3,
}

impl RigidSubspace {
    /// The subspace of the rigid regions of a model.
    pub(super) fn new(model: &Model) -> Self {
        let region = |nodes: Vec<u32>| {
            let free = Vec::with_capacity(nodes.len());
            RegionProjection { nodes, free, count: 1.0, inverse: DMat3::IDENTITY }
        };
        Self { regions: model.rigid_regions().into_iter().map(region).collect() }
    }

    /// True if there are no rigid regions.
    pub(super) fn is_empty(&self) -> bool {
        self.regions.is_empty()
    }

    /// Updates the node positions to `x`.
    pub(super) fn open(&mut self, unknowns: &Unknowns, x: &[DVec3]) {
        self.regions.iter_mut().for_each(|region| region.open(unknowns, x));
    }

    /// P v.
    pub(super) fn project(&self, values: &mut [DVec3]) {
        self.regions.iter().for_each(|region| region.project(values));
    }

    /// P b, in `room`; b itself without rigid regions.
    pub(super) fn projected_rhs<'a>(&self, b: &'a [DVec3], room: &'a mut [DVec3]) -> &'a [DVec3] {
        if self.is_empty() {
            return b;
        }
        room.copy_from_slice(b);
        self.project(room);
        room
    }
}

impl RegionProjection {
    fn open(&mut self, unknowns: &Unknowns, x: &[DVec3]) {
        // A tied node follows its ends, which belong to the region too.
        let weigh = |node: u32| match unknowns.own(node) {
            None => HELD,
            Some(own) if unknowns.is_active(own as usize) => 1.0,
            Some(_) => 0.0,
        };
        let weighted = self.nodes.iter().map(|node| (x[*node as usize], weigh(*node)));
        let points = PointMasses::of(weighted);
        self.count = points.mass;
        self.inverse = points.inertia.inverse();
        self.free.clear();
        for node in self.nodes.iter().filter(|node| weigh(**node) == 1.0) {
            let own = unknowns.own(*node).expect("a node that is free has one");
            self.free.push((own, x[*node as usize] - points.centre));
        }
    }

    fn project(&self, values: &mut [DVec3]) {
        let (mut sum, mut moment) = (DVec3::ZERO, DVec3::ZERO);
        for (unknown, arm) in &self.free {
            let value = values[*unknown as usize];
            sum += value;
            moment += arm.cross(value);
        }
        let (mean, turn) = (sum / self.count, self.inverse * moment);
        for (unknown, arm) in &self.free {
            values[*unknown as usize] = mean + turn.cross(*arm);
        }
    }
}

/// An operator or a preconditioner, followed by P.
#[derive(Debug)]
pub(super) struct Projected<'a, T: ?Sized>(pub(super) &'a mut T, pub(super) &'a RigidSubspace);

impl<T: Operator + ?Sized> Operator for Projected<'_, T> {
    fn apply(&mut self, p: &[DVec3], product: &mut [DVec3]) {
        self.0.apply(p, product);
        self.1.project(product);
    }

    fn apply_dot(&mut self, p: &[DVec3], product: &mut [DVec3], partial: &mut [f64]) -> f64 {
        if self.1.is_empty() {
            return self.0.apply_dot(p, product, partial);
        }
        self.apply(p, product);
        dot(p, product, partial)
    }
}

impl<T: Preconditioner + ?Sized> Preconditioner for Projected<'_, T> {
    fn apply(&mut self, r: &[DVec3], z: &mut [DVec3]) {
        self.0.apply(r, z);
        self.1.project(z);
    }

    fn apply_dot(&mut self, r: &[DVec3], z: &mut [DVec3], partial: &mut [f64]) -> f64 {
        if self.1.is_empty() {
            return self.0.apply_dot(r, z, partial);
        }
        self.apply(r, z);
        dot(r, z, partial)
    }
}
