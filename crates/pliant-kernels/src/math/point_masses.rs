//! Mass, centre and moment of inertia of points.

use glam::{DMat3, DVec3};

/// Total mass, centre of mass and inertia tensor of point masses.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PointMasses {
    /// Σ m, in kg.
    pub mass: f64,
    /// Centre of mass, in m.
    pub centre: DVec3,
    /// Inertia tensor about the centre of mass, Σ m (r² 1 − r rᵀ), in kg m².
    pub inertia: DMat3,
}

impl PointMasses {
    /// Computes the sums for positions, in m, and masses, in kg.
    pub fn of(points: impl Iterator<Item = (DVec3, f64)> + Clone) -> Self {
        let (mut mass, mut moment) = (0.0, DVec3::ZERO);
        for (x, m) in points.clone() {
            mass += m;
            moment += m * x;
        }
        let (centre, mut inertia) = (moment / mass, DMat3::ZERO);
        for (x, m) in points {
            let r = x - centre;
            let outer = DMat3::from_cols(r * r.x, r * r.y, r * r.z);
            inertia += m * (DMat3::from_diagonal(DVec3::splat(r.length_squared())) - outer);
        }
        Self { mass, centre, inertia }
    }
}
