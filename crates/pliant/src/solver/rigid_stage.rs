//! A rigid body in a joint solve.

use glam::{DMat3, DVec3};

use crate::body::{Body, Unknowns};
use crate::force::PointForces;

use super::External;
use super::rigid::advance;

/// How much harder than to move a rigid body it is to deform it, by weight of its mass.
const RIGIDITY: f64 = 1e6;

/// The stage of a rigid body that is solved together with those of other bodies: its four points of mass,
/// which deform together only as if they were a million times heavier.
///
/// ```text
/// A = m/4 (1 + h d) [1 + κ (1 − Q)] + Σ points        A⁻¹ ≈ 4/m [Q + (1 − Q)/(1 + κ)]
/// ```
///
/// - `Q` takes velocities of the four points to those of the nearest rigid motion: mean and turning
/// - `κ` the rigidity
///
/// What deformation is left is taken away at the end of the step; momentum and angular momentum are
/// those of the four points, to the last digits.
#[derive(Debug, Clone)]
pub struct RigidStage {
    unknowns: Unknowns,
    /// Velocities of the points, and what they miss.
    v: Vec<DVec3>,
    missing: Vec<DVec3>,
    /// From the centre to the points, in m.
    arms: [DVec3; 4],
    /// Inverse of Σ (r² − r rᵀ).
    turning: DMat3,
    /// Of one point, and with what damps it, in kg.
    mass: f64,
    damped: f64,
    h: f64,
    weights: [f64; 4],
    load: f64,
}

impl RigidStage {
    /// Room for a rigid body.
    pub fn new(body: &Body) -> Self {
        let count = body.state.x.len();
        Self {
            unknowns: body.unknowns().clone(),
            v: vec![DVec3::ZERO; count],
            missing: vec![DVec3::ZERO; count],
            arms: [DVec3::ZERO; 4],
            turning: DMat3::IDENTITY,
            mass: 0.0,
            damped: 0.0,
            h: 0.0,
            weights: [0.0; 4],
            load: 0.0,
        }
    }

    /// Readies the stage of a step of `h`.
    pub fn open(&mut self, body: &Body, h: f64, external: External<'_>) {
        let (x, masses) = (&body.state.x, body.model().masses());
        self.v.copy_from_slice(&body.state.v);
        (self.mass, self.h) = (masses[0], h);
        self.damped = self.mass * (1.0 + h * external.damping);
        let centre = 0.25 * x.iter().sum::<DVec3>();
        self.arms = std::array::from_fn(|k| x[k] - centre);
        self.turning = turning(&self.arms);
        self.weights = [1.0 / self.damped; 4];
        let push = h * (external.gravity * self.mass);
        let slowed = h * external.damping * self.mass;
        for (missing, v) in self.missing.iter_mut().zip(&self.v) {
            *missing = push - slowed * *v;
        }
        external.points.add_scaled_forces(h, &mut self.missing);
        external.points.add_product([-h * h, -h], &self.v, &mut self.missing);
        let momentum: f64 = self.v.iter().map(|v| (self.mass * *v + push).length_squared()).sum();
        let wanting: f64 = self.missing.iter().map(|missing| missing.length_squared()).sum();
        self.load = (momentum / self.damped).sqrt() + (wanting / self.damped).sqrt();
    }

    /// Ends the step with the velocities that were found.
    pub fn close(&mut self, body: &mut Body) {
        let Some(inertia) = body.model().inertia().copied() else { return };
        body.state.v.copy_from_slice(&self.v);
        let mut motion = inertia.motion(&body.state);
        advance(&inertia, self.h, &mut motion);
        inertia.place(&motion, &mut body.state);
    }

    /// Its unknowns: four points, or none.
    pub fn unknowns(&self) -> &Unknowns {
        &self.unknowns
    }

    /// Velocities of its points, in m/s.
    pub fn velocities(&self) -> &[DVec3] {
        &self.v
    }

    /// What they miss, in N·s.
    pub fn missing(&mut self) -> &mut [DVec3] {
        &mut self.missing
    }

    /// The same in the unknowns.
    pub fn reduce_missing(&self, b: &mut [DVec3]) {
        b.copy_from_slice(&self.missing[..b.len()]);
    }

    /// Size of what acts on it.
    pub fn load(&self) -> f64 {
        self.load
    }

    /// One over the mass of every point.
    pub fn weights(&self) -> &[f64] {
        &self.weights[..self.unknowns.count()]
    }

    /// Writes A p, with the forces on points that the stage was opened with.
    pub fn apply(&self, points: &PointForces, p: &[DVec3], product: &mut [DVec3]) {
        let rigid = self.rigid_part(p);
        for ((product, p), rigid) in product.iter_mut().zip(p).zip(rigid) {
            *product = self.damped * (*p + RIGIDITY * (*p - rigid));
        }
        points.add_product([self.h * self.h, self.h], p, product);
    }

    /// Writes z ≈ A⁻¹ r.
    pub fn precondition(&self, r: &[DVec3], z: &mut [DVec3]) {
        let rigid = self.rigid_part(r);
        for ((z, r), rigid) in z.iter_mut().zip(r).zip(rigid) {
            *z = (rigid + (*r - rigid) / (1.0 + RIGIDITY)) / self.damped;
        }
    }

    /// Adds a change to the velocities.
    pub fn take(&mut self, change: &[DVec3]) {
        self.v.iter_mut().zip(change).for_each(|(v, change)| *v += *change);
    }

    /// Q p.
    fn rigid_part(&self, p: &[DVec3]) -> [DVec3; 4] {
        let mean = 0.25 * p.iter().sum::<DVec3>();
        let moment: DVec3 = self.arms.iter().zip(p).map(|(arm, p)| arm.cross(*p)).sum();
        let omega = self.turning * moment;
        self.arms.map(|arm| mean + omega.cross(arm))
    }
}

/// The inverse of Σ (r² − r rᵀ).
fn turning(arms: &[DVec3; 4]) -> DMat3 {
    let sum = arms.iter().fold(DMat3::ZERO, |sum, r| {
        let square = DMat3::from_diagonal(DVec3::splat(r.length_squared()));
        sum + square - DMat3::from_cols(*r * r.x, *r * r.y, *r * r.z)
    });
    sum.inverse()
}
