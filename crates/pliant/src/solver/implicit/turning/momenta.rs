//! The rigid motion of a body, and its angular momentum.

use glam::{DMat3, DVec3};

use crate::body::{Masses, State};
use crate::solver::implicit::implicit::Implicit;
use crate::solver::implicit::node_vectors::NodeVectors;
use crate::solver::implicit::parts::masses;
use pliant_kernels::math::PointMasses;

use super::rigid_motion::{AngularMotion, CentreMotion, StartMotion};

impl Implicit {
    /// The motion of the centre of mass, for either mass matrix: the masses of the nodes are the row sums of the consistent one.
    pub(in crate::solver::implicit) fn centre_motion(&self, [x, v]: [&[DVec3]; 2]) -> CentreMotion {
        let mass: f64 = self.masses.iter().sum();
        let mean = |values: &[DVec3]| {
            let weighted = self.masses.iter().zip(values).map(|(mass, value)| *mass * *value);
            weighted.sum::<DVec3>() / mass
        };
        CentreMotion { centre: mean(x), velocity: mean(v) }
    }

    /// The motion of a body in this state.
    pub(in crate::solver::implicit) fn motion_of(&self, State { x, v, .. }: &State) -> StartMotion {
        let centre = self.centre_motion([x, v]);
        StartMotion { centre, rotation: self.lumped_rotation([x, v], centre.centre) }
    }

    /// The rotation of velocities at positions about a point, with the masses of the nodes.
    pub(super) fn lumped_rotation(&self, [x, v]: [&[DVec3]; 2], centre: DVec3) -> AngularMotion {
        let places = x.iter().copied().zip(self.masses.iter().copied());
        let inertia = PointMasses::of(places.clone()).inertia;
        let turning = |((x, mass), v): ((DVec3, f64), &DVec3)| mass * (x - centre).cross(*v);
        AngularMotion { angular: places.zip(v).map(turning).sum(), inertia }
    }

    /// The rotation of a state, with the mass matrix of the stepper.
    pub(super) fn rotation(
        &mut self,
        State { x, v, .. }: &State,
        at: &CentreMotion,
    ) -> AngularMotion {
        let masses = masses!(self);
        let NodeVectors { product: mv, kept: mx, padded, .. } = &mut self.nodes;
        for (values, product) in [(x, &mut *mx), (v, &mut *mv)] {
            for (to, value) in padded.iter_mut().zip(values) {
                *to = [value.x, value.y, value.z, 0.0];
            }
            masses.product(padded, product);
        }
        let (mut angular, mut second) = (DVec3::ZERO, DMat3::ZERO);
        for ((x, mx), mv) in x.iter().zip(mx.iter()).zip(mv.iter()) {
            let r = *x - at.centre;
            angular += r.cross(*mv);
            second += DMat3::from_cols(r * mx.x, r * mx.y, r * mx.z);
        }
        // Σ r (M x)ᵀ = Σ r (M r)ᵀ, because Σ M r = 0; symmetric but for rounding.
        let second = 0.5 * (second + second.transpose());
        let trace = second.x_axis.x + second.y_axis.y + second.z_axis.z;
        let inertia = DMat3::from_diagonal(DVec3::splat(trace)) - second;
        AngularMotion { angular, inertia }
    }
}
