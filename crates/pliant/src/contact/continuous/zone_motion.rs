//! The rigid motion of an impact zone.

use glam::{DMat3, DQuat, DVec3};

use super::surface::{ContinuousSurface, SurfaceMotion};

/// Rotations by more than this in a step, in rad, are left out: paths are straight, not arcs.
const LARGEST_TURN: f64 = 0.3;

/// A rigid motion over a step.
#[derive(Debug, Clone, Copy)]
pub(super) struct ZoneMotion {
    centre: DVec3,
    way: DVec3,
    turn: DQuat,
}

impl ZoneMotion {
    pub(super) fn carry(&self, x: DVec3) -> DVec3 {
        self.centre + self.way + self.turn * (x - self.centre)
    }

    /// The motion of a zone from the free ends of its nodes; from prescribed nodes alone, if it has any.
    pub(super) fn of_zone(
        places: impl Iterator<Item = (usize, usize, DVec3)> + Clone,
        surfaces: &[ContinuousSurface<'_>],
        turns: bool,
    ) -> Self {
        let (mut free, mut held) = (ZoneSums::default(), ZoneSums::default());
        // Two passes: angular sums need the centre of mass.
        for pass in [ZoneSums::add, ZoneSums::add_turn] {
            for (owner, node, end) in places.clone() {
                match &surfaces[owner].motion {
                    SurfaceMotion::Nodes { x0, inverse_masses, .. } => {
                        let (x, w) = (x0[node], inverse_masses[node]);
                        let (sums, m) =
                            if w > 0.0 { (&mut free, 1.0 / w) } else { (&mut held, 1.0) };
                        pass(sums, m, x, end - x);
                    }
                    SurfaceMotion::Prescribed { begin, end } => {
                        begin.iter().zip(*end).for_each(|(x, y)| pass(&mut held, 1.0, *x, *y - *x));
                    }
                }
            }
        }
        if held.mass > 0.0 { held.motion(turns) } else { free.motion(turns) }
    }
}

/// Sums over masses at positions x with displacements u.
#[derive(Debug, Clone, Copy, Default)]
struct ZoneSums {
    mass: f64,
    /// Σ m x and Σ m u.
    place: DVec3,
    way: DVec3,
    inertia: DMat3,
    /// Σ m r × u.
    spin: DVec3,
}

impl ZoneSums {
    fn add(&mut self, m: f64, x: DVec3, u: DVec3) {
        self.mass += m;
        self.place += m * x;
        self.way += m * u;
    }

    /// Adds to the angular sums, after all masses have been added.
    fn add_turn(&mut self, m: f64, x: DVec3, u: DVec3) {
        let r = x - self.place / self.mass;
        // I = Σ m (r² 1 − r rᵀ).
        let outer = DMat3::from_cols(r * r.x, r * r.y, r * r.z);
        self.inertia += m * (DMat3::from_diagonal(DVec3::splat(r.length_squared())) - outer);
        self.spin += m * r.cross(u);
    }

    fn motion(&self, turns: bool) -> ZoneMotion {
        /// Least moment over the largest: nodes on a line have none about it.
        const LEAST_MOMENT: f64 = 1e-9;
        let largest = self.inertia.x_axis.x + self.inertia.y_axis.y + self.inertia.z_axis.z;
        let inertia = self.inertia + DMat3::from_diagonal(DVec3::splat(LEAST_MOMENT * largest));
        let turn = if turns && largest > 0.0 { inertia.inverse() * self.spin } else { DVec3::ZERO };
        let small = turn.length() < LARGEST_TURN;
        let turn = if small { DQuat::from_scaled_axis(turn) } else { DQuat::IDENTITY };
        ZoneMotion { centre: self.place / self.mass, way: self.way / self.mass, turn }
    }
}
