//! Systems whose unknowns include regions that do not deform.

use glam::{DMat3, DVec3};

use crate::body::{Model, Unknowns};
use crate::math::PointMasses;

use super::conjugate_gradient::{Operator, Preconditioner};
use super::vectors::dot;

/// What an unknown that a pin has taken counts against one that is free.
const HELD: f64 = 1e9;

/// The motions that rigid regions of a body leave to its unknowns: those of the columns of B, six to a region.
///
/// ```text
/// (Bᵀ A B) u = Bᵀ b,  y = B u        ⇔        P A P y = P b        P = B (BᵀB)⁻¹ Bᵀ
/// ```
///
/// So conjugate gradients that begin in the space of P and stay in it, since residuals and directions are projected, solve the
/// system of the fewer unknowns u without its matrix, whatever A and its preconditioner are. B holds u = a + ω × r, with the
/// way r of a node from the middle of its region. Nodes that pins hold have no unknown; they stand in BᵀB with a large weight,
/// so that nothing is left of motions that would move them.
#[derive(Debug, Clone, Default)]
pub(super) struct RigidSubspace {
    regions: Vec<RegionProjection>,
}

#[derive(Debug, Clone)]
struct RegionProjection {
    nodes: Vec<u32>,
    /// Of nodes that are free: their unknown and r.
    free: Vec<(u32, DVec3)>,
    /// BᵀB of a, and the inverse of that of ω.
    count: f64,
    inverse: DMat3,
}

impl RigidSubspace {
    /// By the rigid regions of a model.
    pub(super) fn new(model: &Model) -> Self {
        let region = |nodes: Vec<u32>| {
            let free = Vec::with_capacity(nodes.len());
            RegionProjection { nodes, free, count: 1.0, inverse: DMat3::IDENTITY }
        };
        Self { regions: model.rigid_regions().into_iter().map(region).collect() }
    }

    /// Whether all unknowns are independent.
    pub(super) fn is_empty(&self) -> bool {
        self.regions.is_empty()
    }

    /// Takes nodes to be at `x` from now on.
    pub(super) fn open(&mut self, unknowns: &Unknowns, x: &[DVec3]) {
        self.regions.iter_mut().for_each(|region| region.open(unknowns, x));
    }

    /// P v.
    pub(super) fn project(&self, values: &mut [DVec3]) {
        self.regions.iter().for_each(|region| region.project(values));
    }

    /// P b, in `room`; b itself where nothing is rigid.
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
        // A node that is tied follows its ends, which belong to the region too.
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
